import { RecentMap } from "../../common/recent-map.js";
import { withoutLineMarks } from "./line-marks.js";

/** The codes of colours in the output of a terminal. */
const COLOURS = new RegExp(`(?:${String.fromCharCode(27)}|\\\\{1,8}u001b)\\[[\\d;?]*[a-z]`, "gi");

/** The elements of HTML around words and lines. */
const ELEMENTS = /<\/?(?:a|b|br|code|div|em|h\d|i|li|p|pre|span|strong|t[dhr]|u)(?:[\s/][^<>]*)?>/gi;

/** The latest texts with their other readings, up to so many characters: every turn indexes the results before it again. */
const MAX_CHARACTERS = 2 ** 22;
const knownReadings = new RecentMap<string, readonly string[]>(MAX_CHARACTERS, (others, text) =>
  others.reduce((sum, { length }) => sum + length, text.length),
);

/**
 * What models also read in these texts: the lines in a JSON list, what is encoded for an address or a mail, HTML without its
 * elements, text without the colours of a terminal, lines without the mark that all of them have, and all of it without marks
 * before the lines. Only what differs from the texts.
 */
export const otherReadings = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const known = knownReadings.get(text);
    if (known) return known;
    const others = readingsOf(text);
    if (text.length < MAX_CHARACTERS / 8) knownReadings.set(text, others);
    return others;
  });

function readingsOf(text: string): string[] {
  const all = new Set<string>();
  for (const form of [text, ...linesInJson(text)]) {
    const decoded = withoutEncoding(form);
    for (const plain of new Set(
      [form, decoded, decoded.replace(ELEMENTS, "")].map((one) => one.replace(COLOURS, "")),
    )) {
      for (const one of [plain, withoutLineMarks(plain) ?? plain, withoutSharedMarks(plain)]) all.add(one);
    }
  }
  all.delete(text);
  return [...all];
}

/** The strings in a JSON text, those with the same key and those in lists as the lines of one text. */
function linesInJson(text: string): string[] {
  const lines = new Map<string, string[]>();
  try {
    JSON.parse(text, (name, value) => {
      if (typeof value !== "string") return value;
      const key = Number.isNaN(Number(name)) ? name : "";
      if (!lines.get(key)?.push(value)) lines.set(key, [value]);
      return value;
    });
  } catch {
    // A text that is no JSON, or too deep.
  }
  return [...lines.values()].flatMap((some) => (some.length > 1 ? some.join("\n") : []));
}

/** A text without quoted-printable, and without percent encoding (also of a form, or up to three times). */
function withoutEncoding(text: string): string {
  let decoded = /=(?:3D|\r?\n)/.test(text) ? bytesOf(text.replace(/=\r?\n/g, ""), /(?:=[\dA-F]{2})+/g) : text;
  for (let i = 0; i < 3 && /%[\da-f]{2}/i.test(decoded); i++)
    decoded = bytesOf(decoded.replaceAll("+", " "), /(?:%[\da-f]{2})+/gi);
  return decoded;
}

/** A text with the characters that bytes of two digits mean. */
const bytesOf = (text: string, bytes: RegExp): string =>
  text.replace(bytes, (all) =>
    new TextDecoder().decode(Uint8Array.from(all.match(/\w\w/g)!, (digits) => Number.parseInt(digits, 16))),
  );

/** What may be before a line, and is neither a word nor the beginning of a call. */
const MARKS = /^[^\p{L}\p{N}<{[("'`@&\\]*/u;

/**
 * Lines without the mark that they share with their neighbours: in a comment or a quoted mail whose lines are wrapped, a line
 * may begin with a character of the call that is such a mark itself.
 */
function withoutSharedMarks(text: string): string {
  const lines = text.split(/\r\n?|\n|\\n/);
  const kept: string[] = [];
  for (let to = 0; to < lines.length; ) {
    let shared = MARKS.exec(lines[to]!)![0].trimEnd();
    while (++to < lines.length) {
      const common = sharedStart(shared, lines[to]!);
      if (common === "") break;
      shared = common;
    }
    while (kept.length < to) kept.push(lines[kept.length]!.slice(shared.length));
  }
  return kept.join("") === lines.join("") ? text : kept.join("\\n");
}

/** The beginning that two texts have in common, without space at its end. */
function sharedStart(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end++;
  return one.slice(0, end).trimEnd();
}
