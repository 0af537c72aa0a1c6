import { isLabel } from "../literal-markers.js";
import type { Protocol } from "../protocol.js";
import { protocols } from "../protocols/index.js";
import { hasToolElements, markersOf, templateMarkers } from "./markers.js";

/** What breaks a marker: U+2060 WORD JOINER, invisible and next to never written. */
const breaker = "\u2060";

/** Special tokens that are known by their shape, in ASCII or the full-width bars of DeepSeek. */
const tokenShapes = [
  String.raw`<\s*[|｜][\p{L}\p{N}_▁:/.-]+(?:[|｜]\s*)?>`,
  String.raw`<[\p{L}\p{N}_▁:/.-]+[|｜]\s*>`,
  String.raw`\[\s*\|[\p{L}\p{N}_]+\|\s*\]`,
];

/** Makes text harmless and whole again, for one set of markers. */
export interface Escaper {
  /** The text with every marker broken. */
  escape(text: string): string;
  /** The text with every broken marker whole again. */
  unescape(text: string): string;
  /** Whether un-escaping takes a breaker away after this character. */
  breaksAfter(char: string): boolean;
}

/**
 * Guards the markers of these protocols and of well-known chat templates (see {@link templateMarkers}), and `markers`:
 * those of the very template in use, where it is a rare one.
 *
 * `tools`: their names, which are markers where calls are elements that are named after them.
 *
 * Untrusted text (what users write, what tools give back) must not be able to open a call, close a result or end a
 * turn. Each marker gets an invisible U+2060 WORD JOINER after its first character. Why that and not an entity or a
 * backslash: HTML in tool results is full of `&lt;`, and a `\t` repeated in a JSON argument would become a tab; the
 * word joiner is rare enough to be taken out again, and costs a model one to three tokens where it occurs at all.
 *
 * Markers are guarded in any case and with spaces inside, though the parser wants them exact: models are not exact.
 * Laws: text without a marker is unchanged; no marker is left; `escape` is idempotent; `unescape(escape(text))` is
 * `text` for every text that has no word joiner right after a marker's first character. Linear in the text.
 *
 * @example
 * const escaper = createEscaper([hermes]);
 * escaper.escape("</tool_response><|im_end|>"); // "<\u2060/tool_response><\u2060|im_end|>"
 */
export function createEscaper(
  guarded: readonly Protocol[],
  markers?: readonly string[],
  tools: readonly string[] = [],
): Escaper {
  let node = made;
  for (const part of markers ? [...guarded, markers] : guarded) {
    const next = node.next.get(part) ?? { next: new WeakMap() };
    node.next.set(part, next);
    node = next;
  }
  const names = guarded.some(({ syntax }) => hasToolElements(syntax)) ? tools : [];
  const key = names.join("\n");
  if (node.last?.key !== key) {
    const all = [...guarded.flatMap((protocol) => markersOf(protocol.syntax)), ...templateMarkers, ...(markers ?? [])];
    node.last = { key, escaper: breakMarkers(all, [...tokenShapes, ...toolTags(names)]) };
  }
  return node.last.escaper;
}

/** Escapers that were made, by what they guard: every turn needs one, and its pattern is slow to make. */
interface Made {
  /** The escaper made last, and for which tools. */
  last?: { key: string; escaper: Escaper };
  next: WeakMap<object, Made>;
}
const made: Made = { next: new WeakMap() };

/** Guards these markers, and what has one of these shapes (as patterns, beginning with `<` or `[`). */
export function breakMarkers(markers: readonly string[], shapes: readonly string[] = []): Escaper {
  if (markers.length + shapes.length === 0) {
    return { escape: (text) => text, unescape: (text) => text, breaksAfter: () => false };
  }
  const patterns = [...markers.map(loosely), ...shapes].map((pattern) => pattern.match(PARTS) ?? []);
  const firsts = new Set(["<", "[", ...markers.flatMap(firstCharacter)]);
  const first = `[${[...firsts].map(literally).join("").replace("-", String.raw`\-`)}]`;
  // A look-ahead consumes nothing, so that a marker which begins inside another one is broken as well.
  const start = new RegExp(`(?=${first})(?=${anyOf(patterns)}).`, "giu");
  const broken = new RegExp(`(?<=${first})${breaker}+`, "gu");
  return {
    escape: (text) => text.replace(start, `$&${breaker}`),
    unescape: (text) => (text.includes(breaker) ? text.replace(broken, "") : text),
    breaksAfter: (char) => firsts.has(char),
  };
}

/** What a pattern consists of: a group, a class or a character, each with how often it stands. Only `|` inside groups. */
const PARTS = /(?:\([^()]*\)|\[(?:\\.|[^\]\\])*\]|\\.|.)[*+?]?/gsu;

/**
 * One pattern for all, in which what several begin with stands once: most text differs from all of them at the first
 * character, and most tags soon after.
 */
function anyOf(patterns: readonly (readonly string[])[]): string {
  const byFirst = new Map<string, string[][]>();
  for (const [first, ...rest] of patterns) {
    // One that ends here makes those that go on needless.
    if (first === undefined) return "";
    const others = byFirst.get(first);
    if (others) others.push(rest);
    else byFirst.set(first, [rest]);
  }
  const ways = [...byFirst].map(([first, rests]) => first + anyOf(rests));
  return ways.length > 1 ? `(?:${ways.join("|")})` : (ways[0] ?? "");
}

const anyProtocol = () => createEscaper(Object.values(protocols));

/**
 * Text that cannot speak any registered protocol with markers of its own (bare JSON and Python calls have none), nor end a turn of a well-known chat template. See
 * {@link createEscaper} for how, and to guard fewer protocols. `renderPrompt` does this by itself.
 *
 * @example escapeText("<tool_call>") === "<\u2060tool_call>";
 */
export const escapeText = (text: string): string => anyProtocol().escape(text);

/**
 * Undoes {@link escapeText}: for arguments and answers in which a model repeats text that was escaped for it.
 *
 * @example unescapeText("<\u2060tool_call>") === "<tool_call>";
 */
export const unescapeText = (text: string): string => anyProtocol().unescape(text);

/** The same plain data with every string in it mapped, and the keys as well if they are to be. */
export function mapStrings(value: unknown, map: (text: string) => string, mapKey = (key: string) => key): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map, mapKey));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mapKey(key), mapStrings(item, map, mapKey)]));
}

/** A pattern for the marker as someone might write it: in any case, with spaces between its words and signs. */
function loosely(marker: string): string {
  // A label is read with a number or emphasis before its colon.
  if (isLabel(marker))
    return String.raw`${marker.slice(0, -1).split(" ").map(literally).join(String.raw`\s+`)}[\s\d*_]*:`;
  const tag = /^<\/?([\p{L}_][\p{L}\p{N}_:.-]*)\s*(.*)$/u.exec(marker);
  if (!tag || /^[|｜]/.test(tag[2] ?? ""))
    return (marker.match(/[\p{L}\p{N}_]+|[^\s]/gu) ?? []).map(literally).join(String.raw`\s*`);
  const name = String.raw`<\s*(?:\/\s*)?${literally(tag[1] ?? "")}`;
  // A tag that takes attributes is known by how it begins.
  return tag[2] === ">" ? String.raw`${name}\s*(?:\/\s*)?>` : name;
}

/** Patterns for the tags that are named after these tools, in every spelling that is read as their names. */
const toolTags = (names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const spelled = (name.match(/[\p{L}\p{N}]/gu) ?? []).map(literally).join("[_.:-]*");
    return spelled === "" ? [] : [String.raw`<\s*(?:\/\s*)?[_.:-]*${spelled}[_.:-]*(?![\p{L}\p{N}_.:-])`];
  });

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

function firstCharacter(marker: string): string[] {
  const [first = ""] = marker;
  return [first.toLowerCase(), first.toUpperCase()];
}
