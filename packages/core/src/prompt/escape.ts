import type { Protocol } from "../protocol.js";
import { protocols } from "../protocols/index.js";
import { anyOf, firstOf, type Guard, literally, type Pattern } from "../syntax/spelling-pattern.js";
import { framesOf } from "./frames.js";
import { guardOfMarker, guardsByTools, guardsOf, templateMarkers } from "./markers.js";

/** What breaks a marker: U+2060 WORD JOINER, invisible and next to never written. */
const breaker = "\u2060";

/** Special tokens that are known by their shape, in ASCII or the full-width bars of DeepSeek. */
const tokenShapes: readonly Pattern[] = [
  ["<", String.raw`\s*`, "[|｜]", String.raw`[\p{L}\p{N}_▁:/.-]+`, String.raw`(?:[|｜]\s*)?`, ">"],
  ["<", String.raw`[\p{L}\p{N}_▁:/.-]+`, "[|｜]", String.raw`\s*`, ">"],
  [
    String.raw`\[`,
    String.raw`\s*`,
    String.raw`\|`,
    String.raw`[\p{L}\p{N}_]+`,
    String.raw`\|`,
    String.raw`\s*`,
    String.raw`\]`,
  ],
];

/** Makes text harmless and whole again, for one set of markers. */
export interface Escaper {
  /** The text with every marker broken. */
  escape(text: string): string;
  /** The text with every broken marker whole again. */
  unescape(text: string): string;
  /** Whether un-escaping takes a breaker away after this character. */
  breaksAfter(char: string): boolean;
  /**
   * The first marker in a value that must stay exact, such as a tool's name, with some of what follows it. Words that only
   * free text must not hold (`Observation:`) do not count.
   */
  markerIn(value: string): string | undefined;
}

/** What an escaper guards, besides protocols. */
export interface EscaperOptions {
  /** More markers, such as those of the chat template in use where it is a rare one. */
  markers?: readonly string[] | undefined;
  /** The names of the tools, which are part of the markers of some formats. */
  tools?: readonly string[] | undefined;
  /** The text is part of a tool's definition, as this protocol shows it. */
  definitionsIn?: Protocol | undefined;
}

/**
 * Guards the markers of these protocols and of well-known chat templates (see {@link templateMarkers}).
 *
 * Untrusted text (what users write, what tools give back and say of themselves) must not be able to open a call, close a
 * result, end the list of tools or end a turn. Each marker gets an invisible U+2060 WORD JOINER after its first
 * character. Why that and not an entity or a backslash: HTML in tool results is full of `&lt;`, and a `\t` repeated in a
 * JSON argument would become a tab; the word joiner is rare enough to be taken out again, and costs a model one to three
 * tokens where it occurs at all.
 *
 * Guarded is every spelling the reply parser accepts (`openersOf`), what a protocol writes around tools and results
 * (`framesOf`), and more: any case, spaces inside, for models are not exact.
 * Laws: text without a marker is unchanged; no marker is left; `escape` is idempotent; `unescape(escape(text))` is
 * `text` for every text that has no word joiner right after a marker's first character. Linear in the text.
 *
 * @example
 * const escaper = createEscaper([hermes]);
 * escaper.escape("</tool_response><|im_end|>"); // "<\u2060/tool_response><\u2060|im_end|>"
 */
export function createEscaper(
  guarded: readonly Protocol[],
  { markers, tools = [], definitionsIn }: EscaperOptions = {},
): Escaper {
  let node = made;
  // Most protocols write nothing of their own within their definitions, so that one escaper does for all texts.
  const definitions = definitionsIn ? framesOf(definitionsIn).definitions : [];
  for (const part of [...guarded, ...(markers ? [markers] : []), ...(definitions.length > 0 ? [definitions] : [])]) {
    const next = node.next.get(part) ?? { next: new WeakMap() };
    node.next.set(part, next);
    node = next;
  }
  const key = JSON.stringify(tools);
  if (node.last?.key !== key) {
    const guards = () => {
      const others = [...templateMarkers, ...(markers ?? []), ...definitions].map(guardOfMarker);
      return [...guarded.flatMap(guardsOf), ...others, ...guardsByTools(guarded, tools)];
    };
    node.last = { key, escaper: new MarkerEscaper(guards, tokenShapes) };
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

/** Guards these markers and nothing else. */
export const breakMarkers = (markers: readonly string[]): Escaper =>
  new MarkerEscaper(() => markers.map(guardOfMarker), []);

/** The patterns of one set of guards, made when there is first a text to escape. */
class MarkerEscaper implements Escaper {
  #patterns: { marker: RegExp; value: RegExp; first: RegExp; broken: RegExp } | undefined;

  constructor(
    private readonly guards: () => readonly Guard[],
    private readonly shapes: readonly Pattern[],
  ) {}

  get #made() {
    this.#patterns ??= patternsOf(this.guards(), this.shapes);
    return this.#patterns;
  }

  escape = (text: string): string => (text === "" ? text : text.replace(this.#made.marker, `$&${breaker}`));
  unescape = (text: string): string => (text.includes(breaker) ? text.replace(this.#made.broken, "") : text);
  breaksAfter = (char: string): boolean => this.#made.first.test(char);
  markerIn = (value: string): string | undefined => {
    if (PLAIN_NAME.test(value)) return undefined;
    const { index } = this.#made.value.exec(value) ?? {};
    return index === undefined ? undefined : value.slice(index, index + 40);
  };
}

function patternsOf(guards: readonly Guard[], shapes: readonly Pattern[]) {
  const [text, value] = [guards.flatMap((guard) => guard.text), guards.flatMap((guard) => guard.value)];
  const firsts = new Set([...text, ...shapes].flatMap(firstOf));
  const first =
    firsts.size === 0
      ? NEVER
      : `[${[...firsts].map((char) => (char === "-" ? String.raw`\-` : literally(char))).join("")}]`;
  // A look-ahead consumes nothing, so that a marker which begins inside another one is broken as well.
  const begins = (patterns: readonly Pattern[]) =>
    patterns.length === 0 ? NEVER : `(?=${first})(?=${anyOf(patterns)}).`;
  return {
    marker: new RegExp(begins([...text, ...shapes]), "giu"),
    value: new RegExp(begins([...value, ...shapes]), "iu"),
    first: new RegExp(`^${first}$`, "iu"),
    broken: new RegExp(`(?<=${first})${breaker}+`, "giu"),
  };
}

/** Most names and values are plain, and hold no marker: the pattern, which takes time to compile, is not needed for them. */
const PLAIN_NAME = /^[\p{L}\p{N}_.$/-]*$/u;

/** Matches nothing. */
const NEVER = "(?!)";

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
