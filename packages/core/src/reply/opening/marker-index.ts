import { characterTest } from "../../notation/character-test.js";
import { isIndent, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { mayBeOtherTag } from "../../syntax/reasoning-spans.js";
import { markerOf, spellingOf } from "../../syntax/spelling.js";
import type { Messages, Span } from "../../syntax/syntax.js";
import { isLabel } from "../../syntax/tokens.js";
import { answerTokens, beginTokens, endTokens } from "../../syntax/turn-tokens.js";
import { endsInWord } from "../forms/call-tag.js";
import type { FormNode } from "../forms/forms.js";
import { LEAD, labelEnd } from "../forms/labels.js";
import type { Opening } from "../forms/opening.js";
import { LooseTags } from "./loose-tags.js";

/** Elements that models put around their calls, and around answers with calls. Any other may be a quotation. */
const AROUND_CALLS = ["functions", "tools", "calls"];
const AROUND_ANSWERS = ["answer", "response", "final", "assistant"];

/** The beginning of the declaration of an XML document, and the rest. */
const XML = "<?xml";
const REST_OF_XML = /^\s[^<>]*\?>/;

/** The number of characters that distinguish most markers. */
const PREFIX = 4;

/** Whether a marker is a tag that a sentence may mention, such as `<think>`, as opposed to a token. */
export const isPlainTag = (marker: string): boolean => /^(?:<[\w:]+(?:\s[^<>]*)?>|◁\w+▷)$/.test(marker);

/** Whether a marker is a token that prose does not have: `<|end|>`. */
export const hasBar = (marker: string): boolean => /[|｜]/.test(marker);

/** The marked parts of a reply, and the markers without a meaning. */
interface MarkedParts {
  /** The calls. */
  forms: FormNode;
  spans: readonly Span[];
  messages: Messages | undefined;
  /** Markers without a meaning. */
  noise: readonly string[];
  /** The closing tags and tokens of calls. */
  closers: readonly string[];
  /** Whether every tag must be examined, because it may be named after a tool. */
  tags: boolean;
}

/** The markers to search text for. */
export class Markers {
  /** Markers that count only at the beginning of a line. */
  private readonly ofLines: { opening: Opening; isLabel: boolean }[];
  /** Whether one of those may begin with the character at an index. */
  private readonly mayBeginLine: ReturnType<typeof characterTest>;
  private readonly byFirst = new Map<string, Opening[]>();
  /**
   * Candidate markers by the hash of their first characters, because cutting out a string takes longer. Shorter markers
   * are in the list of each prefix.
   */
  private readonly byPrefix = new Map<number, { prefix: string; openings: Opening[] }[]>();
  private readonly short: Opening[];
  /** Two characters that may begin a marker (or one, at the end of the text); a backtick, a tilde, a bracket or a newline. */
  private readonly interesting: RegExp;

  private readonly looseTags: LooseTags;
  /** All markers. */
  private readonly taken: Set<string>;

  constructor({ forms, spans, messages, noise, closers, tags }: MarkedParts) {
    this.looseTags = new LooseTags(forms);
    const everyTag = tags || !this.looseTags.isEmpty;
    // The call reader matches the opener again, so that forms with the same opener can differ after it.
    const calls = forms.branches.flatMap(({ token }): Opening[] => {
      const spelling = spellingOf(token);
      const marker = spelling && markerOf(spelling);
      if (!spelling || marker === undefined) return [];
      const { kind } = spelling;
      const keys = kind === "object" ? { keys: spelling.keys } : {};
      const isTag = kind === "tag" && spelling.attributes;
      const isWord = !/^[<[]/.test(marker);
      const line = token.kind === "label" || (token.kind === "literal" && token.line === true);
      return [{ marker, isTag, isWord, line, ...keys, opens: "call", node: forms }];
    });
    const openings: Opening[] = [
      ...calls,
      ...spans.map((span) => ({ marker: span.open, opens: "span" as const, span })),
      ...(messages?.open ?? []).map((marker) => ({ marker, opens: "header" as const, atStart: false })),
      ...(messages ? [{ marker: "to=", opens: "header" as const, atStart: true }] : []),
    ];
    this.taken = new Set(openings.map(({ marker }) => marker));
    const ignore = (markers: readonly string[], where: Extract<Opening, { opens: "nothing" }>["where"]) => {
      for (const marker of markers) {
        if (this.taken.has(marker)) continue;
        this.taken.add(marker);
        openings.push({ marker, opens: "nothing", where });
      }
    };
    for (const marker of noise) ignore([marker], placeOfNoise(marker));
    // A closing tag without an opener closes reasoning that the prompt opened. Tokens are never text; tags may be.
    for (const { as, close } of spans) {
      if (close === undefined || endTokens.includes(close) || isLabel(close) || mayBeOtherTag(close)) continue;
      if (hasBar(close)) ignore([close], "anywhere");
      else if (as === "reasoning") ignore([close], "line-end");
    }
    ignore([XML], "around-calls");
    for (const name of [...AROUND_CALLS, ...AROUND_ANSWERS]) ignore([`<${name}>`], "around-calls");
    for (const name of AROUND_ANSWERS) ignore([`</${name}>`], "after-around");
    ignore([...AROUND_CALLS.map((name) => `</${name}>`), ...closers], "after-call");
    ignore(endTokens, "end");
    ignore([...beginTokens, ...answerTokens], "start");
    const beginsLine = (opening: Opening) => isLabel(opening.marker) || (opening.opens === "call" && opening.line);
    this.ofLines = openings.filter(beginsLine).map((opening) => ({ opening, isLabel: isLabel(opening.marker) }));
    const lineStarts = this.ofLines.map(({ opening }) => inHex(opening.marker.charAt(0)));
    this.mayBeginLine = characterTest(new RegExp([LEAD.source, ...lineStarts].join("|"), "i"));
    for (const opening of openings) {
      if (beginsLine(opening)) continue;
      const first = opening.marker.charAt(0);
      this.byFirst.set(first, [...(this.byFirst.get(first) ?? []), opening]);
    }
    for (const list of this.byFirst.values()) list.sort((a, b) => b.marker.length - a.marker.length);
    const sorted = [...this.byFirst.values()].flat();
    // White space may come before the last character of a tag.
    this.short = sorted.filter(({ marker }) => marker.length <= PREFIX);
    for (const prefix of new Set(sorted.map(({ marker }) => marker.slice(0, PREFIX)))) {
      if (prefix.length < PREFIX) continue;
      const alike = sorted.filter((other) => prefix.startsWith(other.marker.slice(0, PREFIX)));
      const hash = hashAt(prefix, 0);
      this.byPrefix.set(hash, [...(this.byPrefix.get(hash) ?? []), { prefix, openings: alike }]);
    }
    const starts = [...this.byFirst].map(([first, list]) => {
      if (first === "<" && everyTag) return first;
      const seconds = [...new Set(list.map(({ marker }) => marker.charAt(1)))];
      return seconds.includes("") ? inHex(first) : `${inHex(first)}(?:[${seconds.map(inHex).join("")}]|$)`;
    });
    if (everyTag && !this.byFirst.has("<")) starts.push("<");
    this.interesting = new RegExp(["[`~\\n[{]", ...starts].join("|"), "g");
  }

  /** The next index at or after `from` to examine, or -1. */
  next(text: string, from: number): number {
    this.interesting.lastIndex = from;
    return this.interesting.exec(text)?.index ?? -1;
  }

  /** The marker that begins the line at an index, as written. */
  atLine(look: Lookahead, index: number): Opening | undefined {
    const { text } = look;
    if (this.ofLines.length === 0) return undefined;
    if (index < text.length && !this.mayBeginLine(text, index)) return undefined;
    let end: number | false = false;
    const found = look.find(this.ofLines, ({ opening: { marker }, isLabel: isWords }) => {
      end = isWords ? labelEnd(look, index, marker) : indentedEnd(look, index, marker);
      return end !== false;
    });
    return found && { ...found.opening, marker: text.slice(index, end || index) };
  }

  private candidates(text: string, index: number): readonly Opening[] {
    if (text.length - index < PREFIX) return this.byFirst.get(text.charAt(index)) ?? [];
    for (const { prefix, openings } of this.byPrefix.get(hashAt(text, index)) ?? [])
      if (text.startsWith(prefix, index)) return openings;
    return this.short;
  }

  /**
   * The longest matching marker at an index, as written. A tag around calls matches only directly before a call, where one around
   * the answer is the same.
   */
  at(look: Lookahead, index: number, aroundCalls = true): Opening | undefined {
    for (const opening of this.candidates(look.text, index)) {
      if (differs(opening.marker, look.text, index)) continue;
      const end = endOf(opening, look, index);
      if (end === false) continue;
      const isAround = opening.opens === "nothing" && opening.where.startsWith("around-");
      const around = isAround && aroundCalls && this.callFollows(look, end) ? { where: "around-calls" as const } : {};
      if (opening.opens === "nothing" && opening.where === "around-calls" && !around.where) continue;
      // The tag of another format may be the same, without attributes.
      const isTag = opening.opens === "call" && opening.isTag && this.taken.has(`${opening.marker}>`);
      const isSame = end - index === opening.marker.length && !around.where;
      const found = isSame ? opening : { ...opening, ...around, marker: look.text.slice(index, end) };
      return (isTag && this.looseTags.at(look, index, isTag)) || found;
    }
    return this.looseTags.at(look, index);
  }

  /** Whether the tag or token of a call comes after an index. */
  private callFollows(look: Lookahead, index: number): boolean {
    const next = spaceEnd(look.text, index);
    if (next - index > LOOKAHEAD || look.charAt(next) !== "<") return false;
    return this.at(look, next, false)?.opens === "call";
  }
}

/**
 * Where a marker without a meaning is dropped: a token anywhere, an opening tag where a line begins, a closing tag where the reply
 * ends, `[/…]` after a call.
 */
function placeOfNoise(marker: string): "anywhere" | "after-call" | "end" | "around-answer" {
  if (marker.startsWith("[/")) return "after-call";
  if (/^<\/\w+>$/.test(marker)) return "end";
  return /^<[a-z]\w*>$/.test(marker) ? "around-answer" : "anywhere";
}

/** A number for the first characters at an index. */
const hashAt = (text: string, index: number): number =>
  text.charCodeAt(index) ^
  (text.charCodeAt(index + 1) << 5) ^
  (text.charCodeAt(index + 2) << 10) ^
  (text.charCodeAt(index + 3) << 15);

/** Whether a marker is not here in any spelling, because its last character but one is not. */
function differs(marker: string, text: string, index: number): boolean {
  const place = marker.length - 2;
  return place >= 0 && index + place < text.length && text.charCodeAt(index + place) !== marker.charCodeAt(place);
}

/** Where the marker of an opening ends; false: it is not here. Misspelled tags of calls are read as `LooseTags`. */
function endOf(opening: Opening, look: Lookahead, index: number): number | false {
  if (opening.marker === XML) return declarationEnd(look, index);
  if (opening.opens !== "call") return look.markerEnd(opening.marker, index);
  if (!look.has(opening.marker, index)) return false;
  const end = index + opening.marker.length;
  if (opening.keys) return beginsWithKey(look, index, opening.keys) && end;
  // A tag's marker ends before its attributes: the next character must end its name.
  return (!opening.isTag || (/^[\s/>]$/.test(look.charAt(end)) && !endsInWord(look, end))) && end;
}

/** Where the declaration of an XML document ends: `<?xml version="1.0"?>`. */
function declarationEnd(look: Lookahead, index: number): number | false {
  if (!look.has(XML, index)) return false;
  const from = index + XML.length;
  const window = look.text.slice(from, from + LOOKAHEAD);
  const [rest] = REST_OF_XML.exec(window) ?? [];
  if (rest === undefined && window.length < LOOKAHEAD && !/[<>]/.test(window)) look.atEnd();
  return rest !== undefined && from + rest.length;
}

/** Whether the object that begins at an index begins with one of these keys. */
function beginsWithKey(look: Lookahead, index: number, keys: readonly string[]): boolean {
  const begin = look.text.slice(index, index + LOOKAHEAD);
  const [whole, key = "", colon] = /^\{\s*["']?([\w$-]*)["']?\s*(:?)/.exec(begin) ?? [""];
  if (colon) return keys.includes(key);
  look.endsAt(index + whole.length);
  return false;
}

/** Where a marker at an index, or after some space, ends; false: it is not there. */
function indentedEnd(look: Lookahead, index: number, marker: string): number | false {
  let i = index;
  while (isIndent(look.text.charCodeAt(i)) && i - index <= LOOKAHEAD) i++;
  return look.has(marker, i) && i + marker.length;
}

/** One character, as a regular expression spells it. */
const inHex = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
