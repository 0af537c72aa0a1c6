import { characterTest } from "../../notation/character-test.js";
import { matchAt } from "../../notation/growing-pattern.js";
import { isIndent, LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { mayBeOtherTag } from "../../syntax/reasoning-spans.js";
import { markerOf, spellingOf } from "../../syntax/spelling.js";
import type { Messages, Span } from "../../syntax/syntax.js";
import { isLabel } from "../../syntax/tokens.js";
import { answerTokens, beginTokens, endTokens } from "../../syntax/turn-tokens.js";
import { endsInWord } from "../forms/call-tag.js";
import type { FormNode } from "../forms/forms.js";
import { LEAD, labelEnd, ROLE_BEGINS } from "../forms/labels.js";
import { isTwice } from "../forms/match-token.js";
import type { Opening } from "../forms/opening.js";
import { LooseTags } from "./loose-tags.js";
import { inHex, MarkerTable } from "./marker-table.js";

/** Elements that models put around their calls, and around answers with calls. Any other may be a quotation. */
const AROUND_CALLS = ["functions", "tools", "calls"];
const AROUND_ANSWERS = ["answer", "response", "final", "assistant"];

/** The beginning of the declaration of an XML document, and the rest. */
const XML = "<?xml";
const REST_OF_XML = { whole: /^\s[^<>]*\?>/, part: /^[^<>]*$/ };

/** Whether a marker is a tag or word that a sentence may mention, such as `<think>`, as opposed to a token. */
export const isPlainTag = (marker: string): boolean => /^(?:<[\w:]+(?:\s[^<>]*)?>|◁\w+▷|\/\w+\n)$/.test(marker);

/** Whether a marker is a complete tag or token, as opposed to the part before a tag's attributes. */
export const isWholeTag = (marker: string): boolean => /[>\]]$/.test(marker);

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
  private readonly table: MarkerTable;
  private readonly looseTags: LooseTags;
  /** All markers. */
  private readonly taken: Set<string>;

  constructor(parts: MarkedParts) {
    const { forms, spans, messages, tags } = parts;
    this.looseTags = new LooseTags(forms);
    const marked: Opening[] = [
      ...callOpenings(forms),
      ...spans.map((span) => ({ marker: span.open, opens: "span" as const, span })),
      ...(messages?.open ?? []).map((marker) => ({ marker, opens: "header" as const, atStart: false })),
      ...(messages ? [{ marker: "to=", opens: "header" as const, atStart: true }] : []),
    ];
    this.taken = new Set(marked.map(({ marker }) => marker));
    const openings = [...marked, ...ignoredOpenings(parts, this.taken)];
    const beginsLine = (opening: Opening) => isLabel(opening.marker) || (opening.opens === "call" && opening.line);
    this.ofLines = openings.filter(beginsLine).map((opening) => ({ opening, isLabel: isLabel(opening.marker) }));
    const lineStarts = this.ofLines.map(({ opening }) => inHex(opening.marker.charAt(0)));
    this.mayBeginLine = characterTest(new RegExp([LEAD.source, ROLE_BEGINS.source, ...lineStarts].join("|"), "i"));
    const inLines = openings.filter((opening) => !beginsLine(opening));
    this.table = new MarkerTable(inLines, tags || !this.looseTags.isEmpty);
  }

  /** The next index at or after `from` to examine, or -1. */
  next(text: string, from: number): number {
    return this.table.next(text, from);
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
    if (!found) return undefined;
    const written = text.slice(index, end || index);
    const isPartOfAnother = (this.at(look, index)?.marker.length ?? 0) > written.length;
    return isPartOfAnother ? undefined : { ...found.opening, marker: written };
  }

  /**
   * The longest matching marker at an index, as written. A tag around calls matches only directly before a call, where one
   * around the answer is the same. Undefined also where more input decides (`hitEnd`).
   */
  at(look: Lookahead, index: number, aroundCalls = true): Opening | undefined {
    for (const opening of this.table.candidates(look.text, index)) {
      // Quick, because every `<` comes here: in all spellings of a longer marker the second character is the same.
      if (
        opening.marker.length > 2 &&
        index + 1 < look.text.length &&
        look.text.charCodeAt(index + 1) !== opening.marker.charCodeAt(1)
      )
        continue;
      const end = endOf(opening, look, index);
      // Only more input decides.
      if (look.hitEnd) return undefined;
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
    const next = look.next(index);
    if (next === undefined || look.text.charAt(next) !== "<") return false;
    return this.at(look, next, false)?.opens === "call";
  }
}

/** The markers of calls. The call reader matches the opener again, so that forms with the same opener can differ after it. */
const callOpenings = (forms: FormNode): Opening[] =>
  forms.branches.flatMap(({ token }): Opening[] => {
    const spelling = spellingOf(token);
    const marker = spelling && markerOf(spelling);
    if (!spelling || marker === undefined) return [];
    const { kind } = spelling;
    const keys = kind === "object" ? { keys: spelling.keys } : {};
    const isTag = kind === "tag" && spelling.attributes;
    const isWord = !/^[<[\]]/.test(marker);
    const line = token.kind === "label" || (token.kind === "literal" && token.line === true);
    return [{ marker, isTag, isWord, line, ...keys, opens: "call", node: forms }];
  });

type Ignored = Extract<Opening, { opens: "nothing" }>;

/** The markers without a meaning, except those that are `taken`; they are added to these. */
function ignoredOpenings({ spans, noise, closers }: MarkedParts, taken: Set<string>): Ignored[] {
  const ignored: Ignored[] = [];
  const ignore = (markers: readonly string[], where: Ignored["where"]) => {
    for (const marker of markers) {
      if (taken.has(marker)) continue;
      taken.add(marker);
      ignored.push({ marker, opens: "nothing", where });
    }
  };
  for (const marker of noise) ignore([marker], placeOfNoise(marker));
  // A closing tag without an opener closes reasoning that the prompt opened. Tokens are never text; tags may be.
  for (const { as, close } of spans) {
    if (close === undefined || endTokens.includes(close) || isLabel(close) || mayBeOtherTag(close)) continue;
    if (hasBar(close)) ignore([close], "anywhere");
    else if (as === "reasoning") ignore([close], "line-end");
  }
  for (const { as, open } of spans)
    if (as === "dropped" && isWholeTag(open)) ignore([`</${open.slice(1)}`], "after-around");
  ignore([XML], "around-calls");
  for (const name of [...AROUND_CALLS, ...AROUND_ANSWERS]) ignore([`<${name}>`], "around-calls");
  for (const name of AROUND_ANSWERS) ignore([`</${name}>`], "after-around");
  ignore([...AROUND_CALLS.map((name) => `</${name}>`), ...closers], "after-call");
  ignore(endTokens, "end");
  ignore([...beginTokens, ...answerTokens], "start");
  for (const { as, open, close } of spans)
    if (as === "dropped" && isWholeTag(open) && close !== undefined) ignore([close], "after-around");
  return ignored;
}

/**
 * Where a marker without a meaning is dropped: a word with its line break where the reply starts, a token anywhere, an opening
 * tag where a line begins, a closing tag where the reply ends, `[/…]` after a call.
 */
function placeOfNoise(marker: string): "anywhere" | "after-call" | "end" | "around-answer" | "start" {
  if (/^\w+\n/.test(marker)) return "start";
  if (/^(?:\[\/|\]<)/.test(marker)) return "after-call";
  if (/^<\/\w+>$/.test(marker)) return "end";
  return /^<[a-z]\w*>$/.test(marker) ? "around-answer" : "anywhere";
}

/** Where the marker of an opening ends; false: it is not here. Misspelled tags of calls are read as `LooseTags`. */
function endOf(opening: Opening, look: Lookahead, index: number): number | false {
  if (opening.marker === XML) return declarationEnd(look, index);
  if (opening.opens !== "call") return look.markerEnd(opening.marker, index);
  if (!look.has(opening.marker, index) || isTwice(look, index, opening.marker)) return false;
  const end = index + opening.marker.length;
  if (opening.keys) return beginsWithKey(look, index, opening.keys) && end;
  // A tag's marker ends before its attributes: the next character must end its name.
  return (!opening.isTag || (/^[\s/>]$/.test(look.charAt(end)) && !endsInWord(look, end))) && end;
}

/** Where the declaration of an XML document ends: `<?xml version="1.0"?>`. */
function declarationEnd(look: Lookahead, index: number): number | false {
  if (!look.has(XML, index)) return false;
  const from = index + XML.length;
  const [rest] = matchAt(look, from, REST_OF_XML) ?? [];
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
