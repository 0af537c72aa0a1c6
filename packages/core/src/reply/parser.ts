import type { Span } from "../protocol.js";
import { getProtocol } from "../protocols/index.js";
import type { FinishReason, ReplyEvent } from "../types.js";
import { couldBeCalls, readBareCalls } from "./bare-calls.js";
import { Call } from "./call.js";
import { CallReader, type CallReaderHost } from "./call-reader.js";
import { type Compiled, compile } from "./compile.js";
import type { FormNode } from "./forms.js";
import { Input, LOOKAHEAD, partial, spaceEnd } from "./input.js";
import { randomId } from "./random-id.js";
import type { ReplyParser, ReplyParserOptions } from "./reply-parser.js";
import type { Opening } from "./scanner.js";
import { TextBuffer } from "./text-buffer.js";
import { TextOutput } from "./text-output.js";
import { ToolTable } from "./tool-table.js";

/**
 * A parser for one reply. Text, reasoning and arguments come out as they come in; at any moment they lag by at most the
 * longest marker and 64 characters.
 *
 * Errors: `ProtocolError` for an unknown protocol. The reply itself never makes it throw: broken calls are events.
 *
 * @example
 * const parser = createReplyParser({ protocol: "hermes", tools });
 * for await (const chunk of stream) for (const event of parser.push(chunk)) handle(event);
 * for (const event of parser.end()) handle(event);
 */
export function createReplyParser(options: ReplyParserOptions = {}): ReplyParser {
  return new Parser(options);
}

/** The reason of the `dropped` events for results that the model wrote itself. */
export const MADE_UP_RESULT = "a result that the model made up";

enum Mode {
  Text,
  Span,
  Call,
  /** Inside a broken call, up to where it ends. */
  Broken,
  /** The reply so far may be calls without any marker. */
  Bare,
}

class Parser implements ReplyParser, CallReaderHost {
  private readonly input = new Input();
  private readonly tools: ToolTable;
  private readonly compiled: Compiled;
  private readonly generateId: () => string;
  /** What is to be reported next; the calls write to it as well. */
  private readonly events: ReplyEvent[] = [];
  private readonly output = new TextOutput(this.events);
  private mode = Mode.Text;
  private ended = false;

  private span: Span | undefined;
  private opener = "";
  private reader: CallReader | undefined;
  private call: Call | undefined;
  private callIsClosed = false;
  private failure: { reason: string; code: "malformed" | "limit"; at: number } | undefined;
  private brokenClosers: string[] = [];
  private calls = 0;
  /** What was read of the current call, and from where in the input its rest is. */
  private raw = new TextBuffer();
  private rawFrom = 0;

  /** Inside a code fence, or inline code, of an explanation. */
  private fenced = false;
  private inlineCode = false;
  /** The call stands in a code fence that is the whole reply. */
  private wrapped = false;
  /** Calls without a marker are looked for, and what is held until it is known whether it is one. */
  private readonly bareForms: FormNode | undefined;
  private bare = new TextBuffer();

  constructor(options: ReplyParserOptions) {
    this.tools = new ToolTable(options.tools);
    const protocol = options.protocol ?? "auto";
    const accept = options.tools?.length === 0 ? "none" : protocol === "auto" ? "any" : (options.accept ?? "any");
    this.compiled = compile(protocol === "auto" ? protocol : getProtocol(protocol), accept);
    this.generateId = options.generateId ?? randomId;
    this.bareForms = this.tools.areKnown ? this.compiled.bare.known : this.compiled.bare.unknown;
    if (this.bareForms) this.mode = Mode.Bare;
    if (options.prefill) this.begin(options.prefill);
  }

  /** The prefill puts the parser where the model began; it is not itself part of the reply. */
  private begin(prefill: string): void {
    this.input.push(prefill);
    this.run();
    const calls = this.events.filter(({ type }) => type !== "text" && type !== "reasoning" && type !== "dropped");
    this.events.splice(0, this.events.length, ...calls);
    this.output.reset();
  }

  push(chunk: string): ReplyEvent[] {
    if (!this.ended && chunk !== "") {
      this.keepRaw();
      this.input.push(chunk);
      this.rawFrom = 0;
      this.run();
    }
    return this.take();
  }

  end(how: { finish?: FinishReason | undefined } = {}): ReplyEvent[] {
    if (this.ended) return [];
    this.ended = true;
    this.input.final = true;
    this.run();
    this.conclude(how.finish === "length");
    return this.take();
  }

  private take(): ReplyEvent[] {
    this.call?.flush();
    return this.events.splice(0);
  }

  /** What was consumed of the current call is remembered before the input forgets it. */
  private keepRaw(): void {
    if (this.mode !== Mode.Call && this.mode !== Mode.Broken) return;
    this.raw.push(this.input.text.slice(this.rawFrom, this.input.pos));
    this.rawFrom = this.input.pos;
  }

  private readonly rawText = (): string => {
    this.keepRaw();
    return this.raw.toString();
  };

  private run(): void {
    for (;;) {
      const goesOn = this.step();
      if (!goesOn) return;
    }
  }

  /** One mode's work; false when it needs more input. */
  private step(): boolean {
    switch (this.mode) {
      case Mode.Text:
        return this.readText();
      case Mode.Span:
        return this.readSpan();
      case Mode.Call:
        return this.readCall();
      case Mode.Broken:
        return this.readBroken();
      case Mode.Bare:
        return this.readBare();
    }
  }

  // ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readText(): boolean {
    const { input } = this;
    const { text } = input;
    const { markers } = this.compiled;
    if (this.wrapped && !this.closeFence()) return false;
    let i = input.pos;
    for (;;) {
      const at = markers.next(text, i);
      if (at < 0) {
        this.output.text(text.slice(input.pos));
        input.pos = text.length;
        return false;
      }
      const char = text.charAt(at);
      if (char === "\n") {
        this.inlineCode = false;
        i = at + 1;
        continue;
      }
      const found = char === "`" ? this.ticks(at) : this.marker(at);
      if (typeof found === "number") {
        i = found;
        continue;
      }
      // Behind an opening fence the input has already moved on.
      if (input.pos < at) this.output.text(text.slice(input.pos, at));
      input.pos = Math.max(input.pos, at);
      if (found === "more") return false;
      this.open(found);
      return true;
    }
  }

  /** A marker here, unless it is quoted; where to go on if there is none. */
  private marker(at: number): Opening | "more" | number {
    if (this.fenced || this.inlineCode) return at + 1;
    const found = this.compiled.markers.at(this.input.text, at, this.input.final) ?? at + 1;
    const isText = typeof found === "object" && found.opens === "nothing" && found.afterCall && this.calls === 0;
    return isText ? at + 1 : found;
  }

  /** Backticks: around the call that is the whole reply they are markup, else what they enclose is quoted. */
  private ticks(at: number): Opening | "more" | number {
    const { text, final } = this.input;
    let end = at;
    while (text.charAt(end) === "`" && end - at < LOOKAHEAD) end++;
    if (end === text.length && !final && end - at < LOOKAHEAD) return "more";
    if (!this.output.prose && text.slice(this.input.pos, at).trim() === "" && !this.fenced && !this.inlineCode) {
      const wrapped = this.wraps(at, end);
      if (wrapped) return wrapped;
    }
    if (end - at >= 3) this.fenced = !this.fenced;
    // Inline code does not begin with space: a backtick before space is one that stands alone.
    else if (!this.fenced) this.inlineCode = !this.inlineCode && !/\s/.test(text.charAt(end));
    return end;
  }

  private wraps(at: number, end: number): Opening | "more" | undefined {
    const { text, final } = this.input;
    const info = /[\w-]{0,20}\s*/y;
    info.lastIndex = end;
    info.test(text);
    const inside = info.lastIndex;
    if (inside - at > LOOKAHEAD) return undefined;
    if (inside === text.length) return final ? undefined : "more";
    const found = this.compiled.markers.at(text, inside, final);
    if (found === "more") return found;
    if (found?.opens !== "call") return undefined;
    this.output.text(text.slice(this.input.pos, at));
    this.output.dropped(text.slice(at, inside), "markup around a call");
    this.input.pos = inside;
    this.wrapped = true;
    return found;
  }

  /** Over the fence behind a call that stood in one; false: too little is there to tell. */
  private closeFence(): boolean {
    const { input } = this;
    const { text, pos, final } = input;
    const start = spaceEnd(text, pos);
    let end = start;
    while (text.charAt(end) === "`" && end - pos <= LOOKAHEAD) end++;
    const waits = end === text.length && end - pos <= LOOKAHEAD && !final;
    // Another call may follow in the same fence.
    const next = end === start ? this.compiled.markers.at(text, start, final) : undefined;
    if (waits || next === "more") return false;
    if (end > start) {
      this.output.dropped(text.slice(pos, end), "markup around a call");
      input.pos = end;
    }
    this.wrapped = next !== undefined;
    return true;
  }

  private open(opening: Opening): void {
    this.output.markup();
    if (opening.opens === "nothing") {
      this.input.pos += opening.marker.length;
      this.output.dropped(opening.marker, "markup around the answer");
      return;
    }
    if (opening.opens === "span") {
      this.input.pos += opening.marker.length;
      this.span = opening.span;
      this.mode = Mode.Span;
      return;
    }
    this.opener = opening.marker;
    this.reader = new CallReader(opening.node, this);
    this.raw = new TextBuffer();
    this.rawFrom = this.input.pos;
    this.call = undefined;
    this.mode = Mode.Call;
  }

  // ── spans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readSpan(): boolean {
    const span = this.span!;
    const { input } = this;
    const { text, pos } = input;
    const at = input.find(span.close, pos);
    const end = at >= 0 ? at : input.final ? text.length : text.length - partial(text, pos, span.close);
    const piece = text.slice(pos, end);
    if (span.as === "reasoning") this.output.reasoning(piece);
    else if (piece !== "") this.output.dropped(piece, MADE_UP_RESULT);
    input.pos = at >= 0 ? at + span.close.length : end;
    if (at < 0) return false;
    this.mode = this.bareForms && !this.output.prose && this.calls === 0 ? Mode.Bare : Mode.Text;
    return true;
  }

  // ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  currentCall(): Call {
    return this.call ?? this.nextCall();
  }

  nextCall(): Call {
    if (this.call && !this.callIsClosed) return this.call;
    if (this.call) this.callEnded();
    this.callIsClosed = false;
    this.call = new Call(this.calls++, this.tools, this.events, this.generateId);
    return this.call;
  }

  callClosed(): void {
    this.callIsClosed = true;
  }

  callEnded(): void {
    this.currentCall().finish(this.rawText);
    this.call = undefined;
    this.callIsClosed = false;
    this.raw = new TextBuffer();
    this.rawFrom = this.input.pos;
  }

  private readCall(): boolean {
    const status = this.reader!.read(this.input);
    if (status === "more") return false;
    if (status === "done") {
      this.mode = Mode.Text;
      return true;
    }
    if (this.input.pos === this.rawFrom && this.raw.isEmpty) {
      // A marker with something else behind it than an opener has: text.
      this.input.pos += this.opener.length;
      this.output.text(this.opener);
      this.mode = Mode.Text;
      return true;
    }
    const opening = this.compiled.markers.at(this.input.text, this.input.pos, this.input.final);
    if (opening === "more") return false;
    if (opening?.opens === "call") {
      if (!this.call) {
        this.output.dropped(this.rawText(), "an opener written twice");
        this.mode = Mode.Text;
        return true;
      }
      if (this.reader!.endsWhole(this.call, false)) {
        this.call.repaired("missing-closer");
        this.callEnded();
        this.mode = Mode.Text;
        return true;
      }
    }
    // Words that open calls in one format are common in prose; markup is not.
    if (!this.call && !/^[<[]/.test(this.opener)) {
      this.output.text(this.rawText());
      this.mode = Mode.Text;
      return true;
    }
    const { failure, tooDeep, closers } = this.reader!;
    this.failure = { reason: failure, code: tooDeep ? "limit" : "malformed", at: this.rawText().length };
    this.brokenClosers = closers;
    this.mode = Mode.Broken;
    return true;
  }

  /** A broken call ends at its last closing marker, before the next opener, or with the reply. */
  private readBroken(): boolean {
    const { input } = this;
    const { text } = input;
    const closer = this.brokenClosers.at(-1);
    const closes = closer === undefined ? -1 : input.find(closer, input.pos);
    const { at, waits } = this.nextOpener(input.pos, closes < 0 ? text.length : closes);
    if (at < 0 && closes < 0) {
      const closing = closer === undefined ? 0 : partial(text, input.pos, closer);
      input.pos = input.final ? text.length : Math.min(waits, text.length - closing);
      return false;
    }
    input.pos = at >= 0 ? at : closes + closer!.length;
    this.endBroken();
    return true;
  }

  /** The next opener of a call before `to`, or -1; and where one may begin that is not yet there whole. */
  private nextOpener(from: number, to: number): { at: number; waits: number } {
    const { text } = this.input;
    const { markers } = this.compiled;
    for (let i = markers.next(text, from); i >= 0 && i < to; i = markers.next(text, i + 1)) {
      const opening = markers.at(text, i, this.input.final);
      if (opening === "more") return { at: -1, waits: i };
      if (opening?.opens === "call") return { at: i, waits: i };
    }
    return { at: -1, waits: to };
  }

  private endBroken(): void {
    const { reason, code, at } = this.failure!;
    const found = this.rawText().slice(at, at + 20);
    const where = found === "" ? "" : `, found ${JSON.stringify(found)}`;
    this.currentCall().fail(reason + where, this.rawText, code);
    this.call = undefined;
    this.callIsClosed = false;
    this.mode = Mode.Text;
  }

  /** The end of the reply: what is open is closed or given up. */
  private conclude(cutOff: boolean): void {
    if (this.mode === Mode.Broken) {
      this.input.pos = this.input.text.length;
      this.endBroken();
    } else if (this.mode === Mode.Call) {
      const call = this.currentCall();
      const whole = this.reader!.endsWhole(call, cutOff);
      this.input.pos = this.input.text.length;
      if (whole) this.callEnded();
      else call.truncate(this.rawText);
      this.call = undefined;
    } else {
      this.output.end();
    }
  }

  // ── calls without a marker ────────────────────────────────────────────────────────────────────────────────────────

  /** Holds the reply as long as it may be nothing but calls in JSON; as soon as it cannot, it is read as text. */
  private readBare(): boolean {
    const { input } = this;
    const { text } = input;
    if (this.bare.isEmpty) {
      const verdict = couldBeCalls(text.slice(input.pos), this.tools);
      if (verdict === undefined && !input.final) return false;
      if (!verdict) {
        this.mode = Mode.Text;
        return true;
      }
    }
    this.bare.push(text.slice(input.pos));
    input.pos = text.length;
    if (!input.final) return false;
    const reply = this.bare.toString();
    const events = readBareCalls(reply, this.bareForms!, this.tools, this.generateId);
    this.mode = Mode.Text;
    if (events) {
      this.events.push(...events);
      return false;
    }
    input.pos = input.text.length;
    input.push(reply);
    return true;
  }
}
