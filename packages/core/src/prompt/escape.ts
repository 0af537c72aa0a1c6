import { checkArgument } from "../check-argument.js";
import { escapeRegExp } from "../common/escape-reg-exp.js";
import { jsonOf } from "../common/json-text.js";
import { oncePer } from "../common/once-per.js";
import { RecentMap } from "../common/recent-map.js";
import type { Protocol } from "../protocol.js";
import { everyProtocol } from "../protocols/index.js";
import { type Spelling, spellingOfMarker } from "../syntax/spelling.js";
import { anyOf, BAR, firstOf, type Guard, guardOf, neededBy, type Pattern } from "../syntax/spelling-pattern.js";
import { ToolNames } from "../syntax/tool-names.js";
import { framesOf } from "./frames.js";
import { guardedIn, guardOfMarker, namedMarkersIn, templateMarkers } from "./markers.js";

/** The character that breaks a marker: U+2060 WORD JOINER, invisible and very rare. */
const breaker = "\u2060";

/** Whether a text can have broken markers. Without one, un-escaping changes nothing. */
export const hasBreaker = (text: string): boolean => text.includes(breaker);

/** Special tokens in angle brackets recognised by their shape, with ASCII bars or DeepSeek's full-width bars. */
const tokenShapes: readonly Pattern[] = [
  ["<", String.raw`\s*`, BAR, String.raw`[\p{L}\p{N}_▁:/.-]+`, String.raw`(?:${BAR}\s*)?`, ">"],
  ["<", String.raw`[\p{L}\p{N}_▁:/.-]+`, BAR, String.raw`\s*`, ">"],
];

/** The same in square brackets. */
const squareShape: Pattern = [
  ...[String.raw`\[`, String.raw`\s*`, String.raw`\|`, String.raw`[\p{L}\p{N}_]+`, String.raw`\|`],
  ...[String.raw`\s*`, String.raw`\]`],
];

/** Escapes and un-escapes text for one set of markers. */
export interface Escaper {
  /** The text with every marker broken. */
  escape(text: string): string;
  /** The text with every broken marker restored. */
  unescape(text: string): string;
  /** Whether un-escaping removes a breaker after this character. */
  breaksAfter(char: string): boolean;
  /**
   * The first marker in a value that must stay exact, such as a tool's name, with some following text. Labels that are
   * markers only in free text (`Observation:`) do not count.
   */
  markerIn(value: string): string | undefined;
}

/** Markers that an escaper guards in addition to those of protocols. */
export interface EscaperOptions {
  /** More markers, such as those of a rare chat template. */
  markers?: readonly string[] | undefined;
  /** The names of the tools, which are part of the markers of some formats. */
  tools?: readonly string[] | undefined;
  /** The text is part of a tool's definition, as this protocol shows it. */
  definitionsIn?: Protocol | undefined;
}

/**
 * Guards the markers of these protocols and of well-known chat templates (see {@link templateMarkers}).
 *
 * Untrusted text (of users, results and tool definitions) must not be able to open a call, close a
 * result, end the list of tools or end a turn. Each marker gets an invisible U+2060 WORD JOINER after its first
 * character. An entity or a backslash would not do: HTML in tool results is full of `&lt;`, and a `\t` repeated in a
 * JSON argument would become a tab; the word joiner is rare enough to be taken out again, and costs a model one to
 * three tokens where it occurs at all.
 *
 * It guards every spelling that the reply parser accepts (`openersOf`), the text that a protocol writes around tools
 * and results (`framesOf`), and variants in any case and with spaces inside, because models are not exact. Laws: text
 * without a marker is unchanged; no marker is left; `escape` is idempotent; `unescape(escape(text))` is `text` for
 * every text that has no word joiner right after a marker's first character. Linear in the text.
 *
 * @example
 * const escaper = createEscaper([hermes]);
 * escaper.escape("</tool_response><|im_end|>"); // "<\u2060/tool_response><\u2060|im_end|>"
 */
export function createEscaper(
  guarded: readonly Protocol[],
  { markers = [], tools = [], definitionsIn }: EscaperOptions = {},
): Escaper {
  const node = Object.isFrozen(guarded) ? madeForFrozen(guarded) : madeFor(guarded);
  // Most protocols have no markers inside definitions, so that one escaper serves all texts.
  const definitions = definitionsIn ? framesOf(definitionsIn).definitions : [];
  const given = [markers, definitions].filter((list) => list.length > 0);
  const last = follow(node, given);
  last.sets ??= [...(node.sets ?? []), new MarkerSet(() => given.flat().map(guardOfMarker))];
  last.escapers ??= [];
  const key = JSON.stringify(tools);
  const known = last.escapers.find((one) => one.key === key);
  if (known) return known.escaper;
  const escaper = new MarkerEscaper(last.sets, new ToolNames(tools));
  // Several conversations run at once, each with its own tools.
  last.escapers = [{ key, escaper }, ...last.escapers.slice(0, MAX_ESCAPERS - 1)];
  return escaper;
}

/** The number of cached escapers for the same markers, each for other tools. */
const MAX_ESCAPERS = 16;

/** The sets of markers by what they guard, cached: every turn needs them, and they are slow to create. */
interface Made {
  sets?: readonly MarkerSet[];
  /** The latest escapers, with the key of their tools. */
  escapers?: { key: string; escaper: Escaper }[];
  next: (part: object) => Made;
}
const nothingMade = (): Made => ({ next: oncePer(nothingMade) });
const made = nothingMade();

/** The other protocols plus this one; the same list if it already contains this one. */
export const guardedWith = (protocol: Protocol, others: readonly Protocol[]): readonly Protocol[] =>
  others.includes(protocol) ? others : [protocol, ...others];

/** The cache for frozen lists: every turn guards the same list of all protocols. */
const madeForFrozen = oncePer(madeFor);

function madeFor(guarded: readonly Protocol[]): Made {
  // The same protocols in another order, or twice, are guarded by the same patterns.
  const protocols = [...new Set(guarded)].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const node = follow(made, protocols);
  node.sets ??= markersOfAll(protocols);
  return node;
}

const follow = (from: Made, parts: readonly object[]) => parts.reduce<Made>((node, part) => node.next(part), from);

/**
 * The marker sets that do not depend on a turn: one for the markers with a `<`, of which there are hundreds, so that a text
 * without one needs no patterns of them; and one per marker with a tool's name, because their matches may overlap.
 */
function markersOfAll(protocols: readonly Protocol[]): MarkerSet[] {
  let spellings: readonly Spelling[] | undefined;
  const guards = (inMarkup: boolean) => () => {
    spellings ??= [...guardedIn(protocols), ...templateMarkers.map(spellingOfMarker)];
    return spellings.filter((spelling) => isMarkup(spelling) === inMarkup).map(guardOf);
  };
  return [
    new MarkerSet(guards(true), { shapes: tokenShapes, contains: "<" }),
    new MarkerSet(guards(false), { shapes: [squareShape] }),
    ...namedMarkersIn(protocols).map(
      ({ pattern, isPhrase }) =>
        new MarkerSet(() => [{ text: isPhrase ? [] : [pattern], value: [pattern] }], {
          named: isPhrase ? "phrase" : "name",
        }),
    ),
  ];
}

/** Whether every spelling of a marker contains a `<`. */
const isMarkup = (spelling: Spelling): boolean =>
  spelling.kind === "tag" || ("text" in spelling && spelling.text.includes("<"));

/** Guards these markers and nothing else. */
export const breakMarkers = (markers: readonly string[]): Escaper =>
  new MarkerEscaper([new MarkerSet(() => markers.map(guardOfMarker))], new ToolNames([]));

/** Shorter texts are escaped faster than found again. */
const LONG_TEXT = 256;
/**
 * The latest long texts with the character of a marker, escaped, up to so many characters: every turn and every request of a
 * conversation escapes the messages before it again.
 */
const MAX_CHARACTERS = 2 ** 22;
const escapedTexts = new RecentMap<string, { by: Escaper; escaped: string }>(
  MAX_CHARACTERS,
  ({ escaped }, text) => text.length + escaped.length,
);

/** Breaks the markers of several sets. Each set is compiled once and serves tools of any names. */
class MarkerEscaper implements Escaper {
  /** Matches a character that a text with a marker has: most texts need no further search. */
  #mark: RegExp | undefined;
  #broken: { first: RegExp; breakers: RegExp } | undefined;

  constructor(
    private readonly sets: readonly MarkerSet[],
    private readonly tools: ToolNames,
  ) {}

  get #found() {
    if (!this.#broken) {
      const firsts = classOf(this.sets.flatMap((set) => set.firsts));
      this.#broken = {
        first: new RegExp(`^${firsts}$`, "iu"),
        breakers: new RegExp(`(?<=${firsts})${breaker}+`, "giu"),
      };
    }
    return this.#broken;
  }

  escape = (text: string): string => {
    this.#mark ??= anyCharacter(this.#needed());
    if (!this.#mark.test(text)) return text;
    if (text.length < LONG_TEXT || text.length > MAX_CHARACTERS / 8) return this.#escapeOnce(text);
    const known = escapedTexts.get(text);
    if (known?.by === this) return known.escaped;
    const escaped = this.#escapeOnce(text);
    escapedTexts.set(text, { by: this, escaped });
    return escaped;
  };

  #escapeOnce = (text: string): string => this.sets.reduce((escaped, set) => set.breakIn(escaped, this.tools), text);

  #needed(): readonly string[] | undefined {
    const all = this.sets.map((set) => set.needed);
    return all.includes(undefined) ? undefined : all.flatMap((some) => some ?? []);
  }

  unescape = (text: string): string => (hasBreaker(text) ? text.replace(this.#found.breakers, "") : text);
  breaksAfter = (char: string): boolean => this.#found.first.test(char);
  markerIn = (value: string): string | undefined => {
    if (PLAIN_NAME.test(value)) return undefined;
    const found = this.sets.flatMap((set) => set.indexIn(value, this.tools) ?? []);
    return found.length === 0 ? undefined : value.slice(Math.min(...found)).slice(0, 40);
  };
}

/** Markers found by one pattern, which is compiled at the first use. */
class MarkerSet {
  #guards: { text: readonly Pattern[]; value: readonly Pattern[] } | undefined;
  #text: RegExp | undefined;
  #value: RegExp | undefined;
  /** Matches a character that a text with a marker has. */
  #mark: RegExp | undefined;

  constructor(
    private readonly guards: () => readonly Guard[],
    private readonly about: {
      /** Patterns besides those of the guards. */
      shapes?: readonly Pattern[];
      /** Set if the group of the pattern must be a tool's name, or begin with one. */
      named?: "name" | "phrase";
      /** A character that every marker contains. */
      contains?: string;
    } = {},
  ) {}

  get #patterns() {
    if (!this.#guards) {
      const guards = this.guards();
      const { shapes = [] } = this.about;
      const text = [...guards.flatMap((guard) => guard.text), ...shapes];
      this.#guards = { text, value: [...guards.flatMap((guard) => guard.value), ...shapes] };
    }
    return this.#guards;
  }

  /** The characters that a marker in free text begins with. */
  get firsts(): string[] {
    return this.#patterns.text.flatMap(firstOf);
  }

  /** The text with a breaker after the first character of each marker. */
  breakIn(text: string, tools: ToolNames): string {
    const { named } = this.about;
    if ((named && tools.isEmpty) || !this.#mayBeIn(text)) return text;
    this.#text ??= new RegExp(begins(this.#patterns.text), "giu");
    if (!named) return text.replace(this.#text, `$&${breaker}`);
    return text.replace(this.#text, (first, name: string) => (this.isTool(name, tools) ? first + breaker : first));
  }

  /** The characters of which every marker in free text has one; undefined if a marker has only letters. */
  get needed(): readonly string[] | undefined {
    const { contains } = this.about;
    if (contains !== undefined) return [contains];
    const all = this.#patterns.text.map(neededBy);
    return all.includes(undefined) ? undefined : all.flatMap((some) => some ?? []);
  }

  #mayBeIn(text: string): boolean {
    this.#mark ??= anyCharacter(this.needed);
    return this.#mark.test(text);
  }

  /** Where the first marker of a value that must stay exact begins. */
  indexIn(value: string, tools: ToolNames): number | undefined {
    const { named, contains } = this.about;
    if ((contains !== undefined && !value.includes(contains)) || (named && tools.isEmpty)) return undefined;
    if (this.#patterns.value.length === 0) return undefined;
    this.#value ??= new RegExp(begins(this.#patterns.value), "giu");
    for (const { index, 1: name = "" } of value.matchAll(this.#value)) {
      if (!named || this.isTool(name, tools)) return index;
    }
    return undefined;
  }

  private isTool(written: string, tools: ToolNames): boolean {
    return this.about.named === "phrase" ? tools.begin(written) : tools.has(written);
  }
}

/** A look-ahead, which consumes nothing, so that a marker that begins inside another marker is broken as well. */
const begins = (patterns: readonly Pattern[]): string =>
  patterns.length === 0 ? NEVER : `(?=${classOf(patterns.flatMap(firstOf))})(?=${anyOf(patterns)}).`;

/** A class of these characters. */
const classOf = (chars: readonly string[]): string =>
  chars.length === 0
    ? NEVER
    : `[${[...new Set(chars)].map((char) => (char === "-" ? String.raw`\-` : escapeRegExp(char))).join("")}]`;

/** Matches a text with one of these characters, or any text that is not empty. */
const anyCharacter = (chars: readonly string[] | undefined): RegExp =>
  chars === undefined ? /[\s\S]/ : new RegExp(classOf(chars), "u");

/** Names and values without a marker. Most are, and need no compiled pattern. */
const PLAIN_NAME = /^[\p{L}\p{N}_.$/-]*$/u;

/** Matches nothing. */
const NEVER = "(?!)";

const anyProtocol = () => createEscaper(everyProtocol);

/**
 * Escapes text, so that it contains no marker of any registered protocol and of any well-known chat template. Bare JSON
 * and Python calls have no markers. See {@link createEscaper} for details, and to guard fewer protocols. `renderPrompt`
 * escapes automatically.
 *
 * Errors: `OptionsError` (`bad-option`) for a text that is not a string.
 *
 * @example escapeText("<tool_call>") === "<\u2060tool_call>";
 */
export function escapeText(text: string): string {
  checkArgument("text", "string", text);
  return anyProtocol().escape(text);
}

/**
 * Undoes {@link escapeText}: for arguments and answers in which a model repeats text that was escaped for it.
 *
 * @example unescapeText("<\u2060tool_call>") === "<tool_call>";
 */
export function unescapeText(text: string): string {
  checkArgument("text", "string", text);
  return anyProtocol().unescape(text);
}

/** Data as JSON has it, with every string mapped by `map` and every key by `mapKey`. */
export function mapStrings(given: unknown, map: (text: string) => string, mapKey = (key: string) => key): unknown {
  const value = jsonOf(given);
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map, mapKey));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mapKey(key), mapStrings(item, map, mapKey)]));
}
