import type { ReplyEvent } from "../../types.js";
import { CALL_KEYS } from "../bodies/call-keys.js";
import type { Call, CallOptions } from "../call.js";
import { CallReader } from "../call-reader.js";
import { CallSequence } from "../call-sequence.js";
import { Input, LOOKAHEAD } from "../input.js";
import { Lookahead } from "../lookahead.js";
import { TextBuffer } from "../text-buffer.js";
import { TextOutput } from "../text-output.js";
import type { ToolTable } from "../tool-table.js";
import { markupCommentEnd } from "../wrapping.js";
import type { FormNode } from "./forms.js";
import { orFollows } from "./outer-json.js";
import { mayBePackaging, packagingOf } from "./packaging.js";
import type { Markers } from "./scanner.js";

/** Comments before a Python call. */
const COMMENTS = /^(?:#[^\n]*\n\s*)+/;

/** Brackets that may be superfluous. */
const EXTRA = ["]", "}", ")"];

/** The event of a copied call. */
const copied = (text: string, reason: "copied-call" | undefined): ReplyEvent => ({
  type: "text",
  text,
  ...(reason && { reason }),
});

/** The number of unexpected characters that an error shows. */
const SHOWN = 20;

/** A blank line. It is shorter than LOOKAHEAD. */
const BLANK_LINE = /\n[^\S\n]{0,60}\n/;

/** The maximum number of characters that are examined, and so buffered, before a text is known to be possible calls. */
const WINDOW = 128;

/** Values of the `type` key in a call's object. */
const CALL_TYPES = new Set(["function", "function_call", "tool_call", "tool_use", "tool"]);

/**
 * Whether a text with this beginning may consist only of calls without a marker: JSON objects whose first key is a
 * call's and whose name, if it comes first, is a tool's; or a tool's name and the bracket before its arguments; each
 * alone or in a list. Undefined: more input is needed.
 */
export function couldBeCalls(text: string, tools: ToolTable): boolean | undefined {
  const unknown = text.length < WINDOW ? undefined : false;
  const window = text.slice(0, WINDOW);
  const begin = window
    .slice(packagingOf(window).length)
    .replace(COMMENTS, "")
    .replace(/^(?:\[\s*["'`]?|["'](?=[\p{L}_][\p{L}\p{N}_.\\-]*\()|print\(\s*)/u, "")
    .replace(COMMENTS, "");
  if (begin.startsWith("#")) return begin.includes("\n") ? false : unknown;
  if (begin === "" || mayBePackaging(begin)) return unknown;
  const [pair, , item = ""] = PAIR.exec(begin) ?? [];
  if (pair !== undefined) return isTool(item, tools);
  if (PART_OF_PAIR.test(begin)) return unknown;
  const name = /^([\p{L}_][\p{L}\p{N}_.\\-]*)["']?\s*([({]?)/u.exec(begin);
  if (name) return name[2] ? isTool(name[1]!, tools) : name[0].length === begin.length ? unknown : false;
  const key = /^\{\s*["']?([\w.]+)["']?\s*:\s*/.exec(begin);
  if (!key) return /^\{\s*(?:["']?[\w.]*["']?\s*)?$/.test(begin) ? unknown : false;
  if (key[1] === "thought") return true;
  const isType = key[1] === "type";
  const value = begin.slice(key[0].length);
  if (tools.has(key[1]!) && (value === "" || value.startsWith("{"))) return value === "" ? unknown : true;
  if (!isType && !CALL_KEYS.has(key[1] ?? "")) return false;
  if (value === "") return unknown;
  if (!/^["']/.test(value)) return !isType;
  const end = value.indexOf(value.charAt(0), 1);
  if (end < 0) return unknown;
  const word = value.slice(1, end);
  return isType ? CALL_TYPES.has(word) : isTool(word, tools);
}

/**
 * A list or tuple that begins with a name, with or without the bracket of an outer list, and the beginning of its next
 * item.
 */
const PAIR = /^[[(]\s*(["'])([\p{L}_][\p{L}\p{N}_.-]*)\1\s*,\s*["'{]/u;
const PART_OF_PAIR = /^[[(]\s*(?:["'](?:[\p{L}_][\p{L}\p{N}_.-]*(?:["']\s*(?:,\s*)?)?)?)?$/u;

const isTool = (name: string, tools: ToolTable) => tools.resolve(name) !== undefined;

/** The start of a trial. */
export interface TrialStart {
  /** Whether only white space and reasoning come before it. */
  beginsReply: boolean;
  /** Whether the requested format has calls without a marker. */
  isOwn: boolean;
}

/**
 * Reads on from a position where calls may begin that count only if the reply ends with them: calls without a marker,
 * and those in a code fence or in reasoning that is never closed. Until that is known, the text is buffered.
 */
export class Trial {
  readonly events: ReplyEvent[] = [];
  private readonly input = new Input();
  private readonly calls: CallSequence;
  private readonly held = new TextBuffer();
  private reader: CallReader | undefined;
  private started = false;
  /** The markers that may close the wrapping around the calls. */
  private closers: readonly string[];
  /** Whether the wrapping is a quotation. */
  private isQuotation = false;
  /** The number of events that were checked. */
  private checked = 0;
  /** Whether there is a valid call. */
  private hasCall = false;
  /** A broken call after valid ones: its name, the failure, and its index in the text. */
  private broken: { name: string; failure: string; at: number } | undefined;
  /** Whether the line of the last call, or its wrapping, has ended. */
  private lineEnded = false;

  constructor(
    private readonly forms: FormNode,
    private readonly options: CallOptions,
    private readonly countBefore: number,
    /** Whether the calls have no marker, so that a wrapping may be around them. */
    private readonly unmarked: boolean,
    private readonly markers: Markers,
    private readonly place: TrialStart,
    /** The number of characters of the text that are a prefill. */
    private readonly prefilled: number,
  ) {
    const { events } = this;
    this.closers = unmarked ? ["```"] : [];
    const output = { text: (text: string, reason?: "copied-call") => events.push(copied(text, reason)), apart: 0 };
    this.calls = new CallSequence(this.input, { events, output }, options, countBefore, unmarked);
    this.calls.prefilled = prefilled;
  }

  /** Whether the reply begins here in the requested format, so that an explanation may follow. */
  private get opensReply(): boolean {
    return this.place.beginsReply && this.place.isOwn;
  }

  /** The number of calls in the reply, including these. */
  get count(): number {
    return this.calls.count;
  }

  /** The whole buffered text. */
  get text(): string {
    return this.held.toString();
  }

  /** Emits the result. */
  tell(output: TextOutput, events: ReplyEvent[]): void {
    const isCopy = (event: ReplyEvent) => event.type === "text" && event.reason === "copied-call";
    if (this.events.every(isCopy)) {
      // The wrapping around the calls is copied as well.
      const source = this.text.slice(this.prefilled, this.text.length - this.rest.length);
      return output.text(source, "copied-call");
    }
    output.markup();
    for (const event of this.events) {
      if (event.type === "text" && event.reason) output.text(event.text, event.reason);
      else events.push(event);
    }
  }

  /** The text after these calls. */
  get rest(): string {
    return this.input.text.slice(this.input.pos);
  }

  /** The index in the text up to which it was read. */
  get reached(): number {
    return this.input.place(this.input.pos);
  }

  push(text: string): void {
    this.held.push(text);
    this.calls.keep();
    this.input.push(text);
    this.calls.moved();
  }

  /** Reads on. `fail`: it is text; `done`: these were calls, whether or not the reply has ended with them. */
  read(final: boolean, cutOff: boolean): "more" | "done" | "fail" {
    const { input, calls } = this;
    input.final = final;
    if (!this.started) this.begin();
    for (;;) {
      if (this.broken) return this.refuse(this.broken);
      if (this.reader) {
        const status = this.reader.read(input);
        if (status === "fail") {
          this.broken = this.findBroken(this.reader.failure);
          if (!this.broken) return "fail";
          continue;
        }
        if (status === "more" && !final) return "more";
        if (status === "more") {
          const call = calls.current;
          if (!call) return "fail";
          const whole = this.reader.endsWhole(call, cutOff);
          if (!whole && !(this.opensReply && call.isStarted)) return "fail";
          input.pos = input.text.length;
          if (!whole) return this.giveUp(call);
          calls.callEnded();
        }
        this.reader = undefined;
        if (!this.areCalls()) return "fail";
        // The search for another call may have moved to the next line.
        const passed = calls.raw();
        this.lineEnded = passed.slice(passed.trimEnd().length).includes("\n");
      }
      const from = input.pos;
      const goesFurther = input.skipSpace();
      this.lineEnded ||= input.text.slice(from, input.pos).includes("\n");
      if (!goesFurther) return final ? "done" : "more";
      const look = new Lookahead(input);
      if (this.passPunctuation(look)) continue;
      if (look.hitEnd) return "more";
      if (this.unmarked && orFollows(look, input.pos)) return "fail";
      if (look.hitEnd) return "more";
      const marked = this.markedCallFollows();
      if (marked) return "done";
      const goesOn = !this.unmarked || couldBeCalls(input.text.slice(input.pos), this.options.tools);
      if ((goesOn === undefined || marked === undefined) && !final) return "more";
      if (!goesOn) return this.opensReply && this.lineEnded && !this.isQuotation ? "done" : "fail";
      this.next();
    }
  }

  /** The broken call in the requested format, of an existing tool and after calls that were read. */
  private findBroken(failure: string): Trial["broken"] {
    const { events, calls } = this;
    const isOwn = this.opensReply && calls.current?.isStarted === true;
    const start = events.findLast(({ type }) => type === "call-start");
    const isCopy = events.some((event) => event.type === "text");
    if (!isOwn || isCopy || start?.type !== "call-start" || !events.some(({ type }) => type === "call-end")) return;
    return { name: start.name, failure, at: this.reached };
  }

  /**
   * Rejects all calls if one of several is broken inside, because one may begin in another. They end before a blank
   * line.
   */
  private refuse({ name, failure, at }: NonNullable<Trial["broken"]>): "more" | "done" {
    const { input, calls } = this;
    const end = input.text.slice(input.pos).search(BLANK_LINE);
    if (end < 0 && !input.final) {
      input.pos = Math.max(input.pos, input.text.length - LOOKAHEAD);
      return "more";
    }
    input.pos = end < 0 ? input.text.length : input.pos + end;
    const raw = this.text.slice(0, this.text.length - this.rest.length);
    const found = JSON.stringify(raw.slice(at, at + SHOWN));
    const reason = `one of several calls is broken, so none was run: ${failure}, found ${found}`;
    this.events.splice(0);
    calls.count = this.countBefore;
    calls.reset();
    calls.callFailed((call) => {
      call.setName(name);
      call.fail(reason, () => raw);
    });
    return "done";
  }

  /** Handles a call in the requested format that the end of the reply cuts off. */
  private giveUp(call: Call): "done" {
    this.calls.callFailed(() => call.truncate(this.calls.raw));
    return "done";
  }

  /** Whether a call with a marker follows calls without one: then all of them are calls. */
  private markedCallFollows(): boolean | undefined {
    const { text, pos, final } = this.input;
    const found = this.unmarked ? this.markers.at(text, pos, final) : undefined;
    return found === "more" ? undefined : found?.opens === "call";
  }

  private begin(): void {
    this.started = true;
    this.next();
  }

  /** Skips the wrapping around the next call. */
  private unpack(): void {
    const { input } = this;
    const { length, closers, isQuotation } = packagingOf(input.text.slice(input.pos, input.pos + WINDOW));
    input.pos += length;
    if (closers.length > 0) this.closers = closers;
    this.isQuotation ||= isQuotation;
  }

  private next(): void {
    if (this.unmarked) this.unpack();
    this.calls.reset();
    this.lineEnded = false;
    this.reader = new CallReader(this.forms, this.calls, new TextOutput(this.events), true, this.closers);
  }

  /** Skips a character between two calls, the end of the wrapping, or a token without meaning. */
  private passPunctuation(look: Lookahead): boolean {
    const { events, input } = this;
    const { pos } = input;
    const end = this.punctuationEnd(look);
    if (end === undefined) return false;
    // The source of a broken call ends before it.
    const last = events.at(-1)?.type;
    if (last === "call-invalid" || last === "dropped") {
      events.push({ type: "dropped", text: input.text.slice(pos, end), reason: "markup around the answer" });
    }
    input.pos = end;
    return true;
  }

  private punctuationEnd(look: Lookahead): number | undefined {
    const { text, pos, final } = this.input;
    const comment = markupCommentEnd(look, pos);
    if (comment !== undefined) return comment;
    const marker = this.unmarked ? this.markers.at(text, pos, final) : undefined;
    if (marker !== "more" && marker?.opens === "nothing" && /^(?:end|after-call)$/.test(marker.where)) {
      this.lineEnded = true;
      return pos + marker.marker.length;
    }
    if (marker === "more") look.atEnd();
    // Nothing was opened before the calls, so a bracket is superfluous.
    const extra = this.unmarked && this.place.beginsReply ? EXTRA : [];
    const closer = [";", ",", ...extra, ...this.closers].find((one) => look.has(one, pos));
    if (closer === undefined) return undefined;
    this.lineEnded ||= closer.length > 1;
    return pos + closer.length;
  }

  /** Whether these are calls of existing tools, and none is only data in the form of a call. */
  private areCalls(): boolean {
    // Among calls of existing tools in the requested format, a call of an unknown tool is a mistake.
    const unchecked = this.events.slice(this.checked);
    this.hasCall ||= unchecked.some((event) => event.type === "call-end");
    const known = this.opensReply && this.hasCall;
    const isMistake = (code: string) =>
      code === "invalid-arguments" || (known && code === "unknown-tool") || (this.opensReply && code === "malformed");
    const broken = unchecked.some((event) => event.type === "call-invalid" && !isMistake(event.call.error.code));
    this.checked = this.events.length;
    return this.checked > 0 && !broken && !this.calls.areDoubtful;
  }
}
