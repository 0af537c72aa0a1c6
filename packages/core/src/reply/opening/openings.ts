import type { CallSequence } from "../call-sequence.js";
import { type Input, LOOKAHEAD, spaceEnd, standsFirst } from "../input.js";
import type { TextOutput } from "../text-output.js";
import type { ToolTable } from "../tool-table.js";
import { BareNames } from "./bare-names.js";
import type { Compiled } from "./compile.js";
import { couldBeCalls } from "./could-be-calls.js";
import { beginTokens, turnSpans } from "./end-tokens.js";
import type { Fences } from "./fences.js";
import type { FormNode } from "./forms.js";
import { type Header, readHeader } from "./header.js";
import { OuterJson } from "./outer-json.js";
import { isPlainTag, type Opening } from "./scanner.js";
import { sentenceGoesOn } from "./sentence.js";
import type { ToolElements } from "./tool-elements.js";

/** A position where unmarked calls may begin. They count as calls only if the reply ends with them. */
export interface TrialPlace {
  opens: "trial";
  node: FormNode;
}

export interface Message {
  opens: "message";
  header: Header;
  messages: CompiledMessages;
}

type CompiledMessages = NonNullable<Compiled["messages"]>;

/** `more`: more input is needed. */
export type Found = Opening | TrialPlace | Message | "more";

/** The text that can follow the first character of calls without a marker. */
const STARTS: Record<string, RegExp> = { "{": /[\s"'\w]|^$/, "[": /[\s{\p{L}_]|^$/u, "`": /`/ };

/** Whether a marker is a complete tag or token, as opposed to the part before a tag's attributes. */
const isWholeTag = (marker: string) => /[>\]]$/.test(marker);

/** The parts of the parser that decide what may begin in its text. */
interface Surroundings {
  input: Input;
  output: TextOutput;
  compiled: Compiled;
  tools: ToolTable;
  fences: Fences;
  calls: CallSequence;
  toolElements: ToolElements | undefined;
}

/** Detects what begins at a position in the text of a reply. A number is the index to continue at if nothing begins. */
export class Openings {
  /** Calls without a marker that may begin a line. */
  readonly bareForms: FormNode | undefined;
  /** Those of the requested format, which may begin anywhere. */
  private readonly ownBareForms: FormNode | undefined;
  /** JSON in the text that is not a call. */
  private readonly outer = new OuterJson();
  /** The place in the reply where the last trial failed: no trial begins before it. */
  triedTo = 0;

  /** The tools' names, if calls of the requested format begin with one. */
  private readonly names: BareNames | undefined;
  /** The next marker and name in a text, from an index on. */
  private readonly ahead = { text: "", from: 0, marker: -1, name: -1 };

  constructor(private readonly near: Surroundings) {
    const { bare, nameBrackets } = near.compiled;
    const names = near.tools.areKnown ? near.tools.list.map(({ name }) => name).filter((name) => name !== "") : [];
    if (nameBrackets.length > 0 && names.length > 0) this.names = new BareNames(names, nameBrackets);
    this.ownBareForms = bare.own;
    // Without known tools, only the requested format counts.
    this.bareForms = near.tools.areKnown ? bare.any : bare.own;
  }

  /** Whether the requested format has calls without a marker. */
  get hasOwnBareForms(): boolean {
    return this.ownBareForms !== undefined;
  }

  /** The next index at or after `from` to examine, or -1. */
  next(text: string, from: number): { at: number; isName: boolean } {
    const { markers } = this.near.compiled;
    if (!this.names) return { at: markers.next(text, from), isName: false };
    // Both are cached until passed: if one of them is rare, each search would go to the end of the text.
    const { ahead, names } = this;
    const isOther = ahead.text !== text || from < ahead.from;
    if (isOther || (ahead.marker >= 0 && ahead.marker < from)) ahead.marker = markers.next(text, from);
    if (isOther || (ahead.name >= 0 && ahead.name < from)) ahead.name = names.next(text, from, this.near.input.final);
    Object.assign(ahead, { text, from });
    const { marker: at, name } = ahead;
    return name >= 0 && (at < 0 || name < at) ? { at: name, isName: true } : { at, isName: false };
  }

  /** A call that begins with the name here, or the index to continue at. */
  nameAt(at: number): Found | number {
    const { input, output, fences } = this.near;
    const { text, final } = input;
    if (fences.quotes || !this.mayTry(at) || this.outer.holds(text, at, input.place(0))) return at + 1;
    const before = this.beginsLine(at) ? "" : at > input.pos ? text.charAt(at - 1) : output.lastCharacter;
    const begins = this.names!.at(text, at, before, final);
    if (begins === undefined) return "more";
    return begins && this.ownBareForms ? { opens: "trial", node: this.ownBareForms } : at + 1;
  }

  /** A marker here, unless it is quoted, or the index to continue at. */
  marker(at: number): Found | number {
    const { fences } = this.near;
    if (fences.inline) return at + 1;
    const found = this.openingAt(at) ?? (fences.fenced ? undefined : this.toolElementAt(at));
    if (found === "more") return found;
    if (found?.opens === "header" && !fences.fenced) return this.header(at, found);
    if (!found) return (fences.fenced ? undefined : this.unmarked(at)) ?? at + 1;
    // A fence that is never closed quotes nothing.
    if (fences.fenced) return found.opens === "call" && this.mayTry(at) ? { opens: "trial", node: found.node } : at + 1;
    if (found.opens === "nothing") return this.whereText(found, at) ?? found;
    if (found.opens === "span" && isPlainTag(found.marker) && found.span.as === "reasoning" && !this.beginsLine(at)) {
      // In the middle of a sentence a tag is only mentioned.
      return at + 1;
    }
    if (found.opens === "call") {
      const isSpoken = this.isSpokenOf(found, at);
      if (isSpoken !== false) return isSpoken ? at + found.marker.length : "more";
    }
    return this.asFound(found, at);
  }

  /** Whether a sentence mentions the marker of another format than the requested one. */
  private isSpokenOf({ marker, node }: Extract<Opening, { opens: "call" }>, at: number): boolean | undefined {
    const { input, compiled } = this.near;
    if (node !== compiled.forms || compiled.ownMarkers.has(marker) || this.beginsLine(at)) return false;
    return sentenceGoesOn(marker, input.text, at + marker.length, input.final);
  }

  /** Before any call there are no results, so only the markers around them are dropped. */
  private asFound<T extends Opening | "more" | undefined>(found: T, at: number): T | Opening {
    if (!found || found === "more" || found.opens !== "span" || found.span.as !== "dropped") return found;
    const isTurn = turnSpans.includes(found.span);
    if (this.near.calls.count > 0 || (isTurn && this.hasProse(at))) return found;
    if (!isWholeTag(found.marker) && found.span.close !== undefined) return found;
    return { marker: found.marker, opens: "nothing", where: "anywhere" };
  }

  /** Whether the answer has begun before this index. */
  private hasProse(at: number): boolean {
    const { input, output } = this.near;
    return output.prose || input.text.slice(input.pos, at).trim() !== "";
  }

  private beginsLine(at: number): boolean {
    const { input, output } = this.near;
    return output.beginsLine(input.text.slice(Math.max(input.pos, at - LOOKAHEAD), at));
  }

  /** Whether a marker without meaning is one here, or the index to continue at if it is text. */
  private whereText(
    { marker, where }: Extract<Opening, { opens: "nothing" }>,
    at: number,
  ): "more" | number | undefined {
    const { text, final } = this.near.input;
    const { calls } = this.near;
    if (where === "after-call") return calls.count === 0 && !calls.hadEmptyList ? at + 1 : undefined;
    if (where === "anywhere") return undefined;
    const behind = at + marker.length;
    const end = spaceEnd(text, behind);
    if (where === "line-end" && text.slice(behind, end).includes("\n")) return undefined;
    if (where === "line-end" && !this.hasProse(at)) return undefined;
    if (end - at > LOOKAHEAD) return at + 1;
    if (end < text.length) {
      // After the end of a turn the model may continue with the next one.
      const next = where === "end" ? standsFirst(beginTokens, text, end) : false;
      return next ? undefined : next === undefined && !final ? "more" : at + 1;
    }
    return final ? (where === "line-end" ? at + 1 : undefined) : "more";
  }

  openingAt(at: number): Opening | "more" | undefined {
    const { text, final } = this.near.input;
    const found = this.near.compiled.markers.at(text, at, final);
    // In their own protocol these may begin anywhere, in others only at the beginning of a line of text.
    if (found === "more" || !this.near.toolElements?.anywhere) return found;
    return this.near.toolElements.at(text, at, final, found !== undefined, this.beginsLine(at)) ?? found;
  }

  /** The beginning of this line: a label, or a call without its marker; otherwise the index to continue at. */
  lineAt(at: number): Opening | "more" | number {
    const { text, final } = this.near.input;
    if (this.near.fences.quotes) return at;
    const marked = this.asFound(this.near.compiled.markers.atLine(text, at, final), at);
    if (marked || !this.near.toolElements?.anywhere) return marked ?? at;
    return this.near.toolElements.atLine(text, at, final) ?? at;
  }

  private toolElementAt(at: number): Opening | "more" | undefined {
    if (!this.near.toolElements || this.near.toolElements.anywhere) return undefined;
    const { text, final } = this.near.input;
    return this.beginsLine(at) ? this.near.toolElements.at(text, at, final) : undefined;
  }

  /** The header of a message, or a part of one. */
  private header(at: number, { marker, atStart }: Extract<Opening, { opens: "header" }>): Found | number {
    const { input, compiled } = this.near;
    const { text, final } = input;
    const { messages } = compiled;
    if (!messages || (atStart && (this.near.calls.count > 0 || this.hasProse(at)))) return at + 1;
    const header = readHeader(input, at, messages);
    if (header === "more") return header;
    if (!header) return atStart ? at + 1 : { opens: "nothing", marker, where: "anywhere" };
    if (header.kind !== "call") return { opens: "message", header, messages };
    // The call may be written in a format of its own.
    const body = Math.min(spaceEnd(text, header.end), header.end + LOOKAHEAD);
    const next = body < text.length ? compiled.markers.at(text, body, final) : "more";
    if (next === "more" && !final) return next;
    const names = next !== "more" && next?.opens !== "call" && messages.bodies.branches.length > 0;
    return { opens: "message", header: names ? header : { ...header, kind: "text" }, messages };
  }

  /** Handles backticks: a fence may wrap the calls of a format without a marker. */
  ticks(at: number): Found | number {
    const { fences, input } = this.near;
    const opens = this.hasProse(at) && !fences.quotes && input.text.startsWith("```", at);
    return (opens ? this.unmarked(at) : undefined) ?? fences.ticks(at);
  }

  /** Possible calls without a marker: those of the requested format begin anywhere, others on a line of their own. */
  private unmarked(at: number): TrialPlace | "more" | undefined {
    const { input } = this.near;
    const char = input.text.charAt(at);
    if (!this.bareForms || !STARTS[char] || this.outer.holds(input.text, at, input.place(0))) return undefined;
    const found = this.unmarkedOutside(at);
    if (!found && char !== "`") this.outer.begin(char, input.place(at));
    return found;
  }

  /** Runs before the text up to the current position is dropped. */
  passed(): void {
    const { input } = this.near;
    this.outer.read(input.text, input.pos, input.place(0));
  }

  private unmarkedOutside(at: number): TrialPlace | "more" | undefined {
    const { input, output } = this.near;
    const { text } = input;
    const starts = STARTS[text.charAt(at)];
    if (!starts || !this.mayTry(at) || !starts.test(text.charAt(at + 1))) return undefined;
    const isForeign = !this.ownBareForms && text.charAt(at) !== "`" && output.beginsLine(text.slice(input.pos, at));
    const node = this.ownBareForms ?? (isForeign ? this.bareForms : undefined);
    const could = node && couldBeCalls(text.slice(at), this.near.tools);
    if (!node || could === false) return undefined;
    return could ? { opens: "trial", node } : input.final ? undefined : "more";
  }

  private mayTry(at: number): boolean {
    return this.near.input.place(at) >= this.triedTo;
  }

  /** The next opener of a call in a range, or the index of a possible incomplete one. */
  nextCall(from: number, to: number): { at: number; node?: FormNode } | undefined {
    const { text } = this.near.input;
    const { markers } = this.near.compiled;
    for (let i = markers.next(text, from); i >= 0 && i < to; i = markers.next(text, i + 1)) {
      const found = this.openingAt(i);
      if (found === "more") return { at: i };
      if (found?.opens === "call") return { at: i, node: found.node };
    }
    return undefined;
  }
}
