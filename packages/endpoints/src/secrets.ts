import { EndpointError } from "./errors.js";

/** Shorter values are not treated as secrets: they would occur in any text. */
const SHORTEST = 4;

/** Matches authentication schemes, which are not secret. */
const SCHEME = /^(?:bearer|basic|token|digest)$/i;

/** How many times longer than the value an escaped spelling can be. */
const ESCAPED = 12;

/** Removes keys from errors: servers often repeat the key that they reject. */
export class Secrets {
  readonly #values: readonly Spellings[];
  /** The length of the longest secret in its longest spelling, in characters. */
  readonly longest: number;

  /** `query`: that of the URL. All of its values count as secrets, since parameter names do not show which are. */
  constructor(key: string | undefined, headers: Readonly<Record<string, string>> = {}, query?: URLSearchParams) {
    const secret = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name));
    const values = [
      key ?? "",
      ...(query?.values() ?? []),
      ...secret.flatMap(([, value]) => [value, ...value.split(/\s+/)]),
    ]
      .filter((value) => value.length >= SHORTEST && !SCHEME.test(value))
      // The longest first, because one secret may contain another.
      .sort((a, b) => b.length - a.length);
    this.#values = values.map(spellingsOf);
    this.longest = (values[0]?.length ?? 0) * ESCAPED;
  }

  /** The text without secrets, in any escaping of JSON or URLs. */
  hide(text: string): string {
    return this.#values.reduce((hidden, { whole }) => hidden.replace(whole, "***"), text);
  }

  /** As {@link hide}, for a truncated text: also removes the beginning of a secret at its end. */
  hideCut(text: string): string {
    const hidden = this.hide(text);
    let begin = Math.max(0, hidden.length - this.longest);
    while (hidden[begin - 1] === "\\") begin--;
    for (let at = begin; at < hidden.length; at++) {
      // See `spellingsOf`.
      if (hidden[at - 1] === "\\") continue;
      if (this.#values.some(({ parts }) => isCut(parts, hidden, at))) return `${hidden.slice(0, at)}***`;
    }
    return hidden;
  }

  /** The error without secrets. */
  hideIn(error: EndpointError): EndpointError {
    const { code, message, status, body, retryAfterMs, cause, partialText } = error;
    const words = body === undefined ? undefined : this.hide(body);
    return new EndpointError(code, this.hide(message), { status, body: words, retryAfterMs, cause, partialText });
  }
}

/** Matches a value as it is, and as JSON (also JSON within JSON) or a URL may escape it: `\/`, `\u002b`, `%2B`. */
interface Spellings {
  whole: RegExp;
  /** One pattern for each of its characters, and for backslashes in a row, in order. */
  parts: readonly RegExp[];
}

function spellingsOf(value: string): Spellings {
  const parts = (value.match(/\\+|[^\\]/gu) ?? []).map(anySpellingOf);
  // A match begins before all backslashes in a row: from each of them, it would take quadratic time. One that ends with some is
  // followed by the next.
  return {
    whole: new RegExp(`(?<!\\\\)(?:${parts.join("")})+`, "g"),
    parts: parts.map((part) => new RegExp(part, "y")),
  };
}

/** Whether the text ends within the secret that begins at `begin`, possibly within an escape. */
function isCut(parts: readonly RegExp[], text: string, begin: number): boolean {
  let at = begin;
  for (const [i, part] of parts.entries()) {
    if (at === text.length) return i >= SHORTEST;
    part.lastIndex = at;
    if (!part.test(text))
      return i >= SHORTEST && /^(?:\\+(?:u[\da-f]{0,3})?|(?:%[\da-f]{2})*%[\da-f]?)$/i.test(text.slice(at));
    at = part.lastIndex;
  }
  return false;
}

/** A pattern that takes all backslashes in a row, so that the next one has none to share with it. */
function anySpellingOf(part: string): string {
  // JSON has at least as many backslashes as the value.
  if (part.startsWith("\\"))
    return `(?:(?:\\\\*(?:${escaped("\\")}|%5[cC])){${part.length}}|\\\\{${part.length},}(?!\\\\))`;
  const units = Array.from({ length: part.length }, (_, i) => escaped(part.charAt(i)));
  const bytes = [...new TextEncoder().encode(part)].map((byte) => `%${hex(byte, 2)}`);
  const plain = part.replace(/[\^$.*+?()[\]{}|/]/, "\\$&");
  // `%25`, the escape of `%`, begins with it.
  const spellings = [units.join("\\\\+"), bytes.join(""), plain, ...(part === " " ? ["\\+"] : [])];
  return `\\\\*(?:${spellings.join("|")})`;
}

/** A pattern for the escape of a UTF-16 unit, after its backslashes. */
const escaped = (unit: string) => `(?<=\\\\)u${hex(unit.charCodeAt(0), 4)}`;

/** A pattern for a number in hexadecimal digits of either case. */
const hex = (value: number, digits: number): string =>
  value
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
