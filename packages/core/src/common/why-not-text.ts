import { encodingOf } from "./text-bytes.js";

/** Whether a text is UTF-16 without a byte order mark, read as UTF-8: half of its first two bytes is 0 (RFC 4627, 3). */
export const isUtf16 = (text: string): boolean => /^(?:\0[^\0]|[^\0]\0)/.test(text);

/**
 * Why the bytes of a file are not read as text, and what would be right; `undefined` for UTF-8, and for UTF-16 with a byte
 * order mark. The encoding is not guessed: what names or paths a file has must not depend on a guess.
 *
 * @example whyNotText(Uint8Array.of(0x63, 0xe9)); // "is not UTF-8 (line 1): save it as UTF-8."
 */
export function whyNotText(bytes: Uint8Array): string | undefined {
  if (encodingOf(bytes) !== "utf-8") return undefined;
  const [first = "", second = ""] = [bytes.subarray(0, 1), bytes.subarray(1, 2)].map((one) =>
    String.fromCharCode(...one),
  );
  if (isUtf16(first + second)) return "is UTF-16 without a byte order mark: save it as UTF-8.";
  if (isUtf8(bytes)) return undefined;
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found + 1;
    // No character of UTF-8 contains a line end.
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  return `is not UTF-8 (line ${line}): save it as UTF-8.`;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
