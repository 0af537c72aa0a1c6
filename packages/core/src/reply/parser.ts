import type { FinishReason, ReplyEvent } from "../types.js";
import { wholeLength } from "./bodies/text-pieces.js";
import { BrokenCall } from "./broken-call.js";
import type { CallOptions } from "./call.js";
import { CallReader } from "./call-reader.js";
import { CallSequence } from "./call-sequence.js";
import { Input, LOOKAHEAD, spaceEnd } from "./input.js";
import type { Compiled } from "./opening/compile.js";
import { beginTokens } from "./opening/end-tokens.js";
import { Fences } from "./opening/fences.js";
import type { FormNode } from "./opening/forms.js";
import type { Header } from "./opening/header.js";
import { type Found, type Message, Openings, type TrialPlace } from "./opening/openings.js";
import { isPlainTag, type Opening } from "./opening/scanner.js";
import { sentenceGoesOn } from "./opening/sentence.js";
import { ToolElements } from "./opening/tool-elements.js";
import { couldBeCalls, Trial } from "./opening/trial.js";
import { randomId } from "./random-id.js";
import type { ReplyParser, ReplyParserOptions } from "./reply-parser.js";
import { type OpenSpan, SpanReader } from "./span-reader.js";
import { TextOutput } from "./text-output.js";
import { ToolTable } from "./tool-table.js";
import { UntrustedText } from "./untrusted/untrusted-text.js";

/** Whether a marker is one sign alone, such as `@`. */
const isSign = (marker: string) => /^[^\p{L}<[{]$/u.test(marker);

enum Mode {
  Text,
  Span,
  Call,
  /** Inside a broken call, up to where it ends. */
  Broken,
  /** The reply so far may be the beginning of calls without any marker. */
  Start,
  /** What comes is held until it is known whether it is calls. */
  Trial,
}

/** Reads one reply, piece by piece: what {@link createReplyParser} makes. */
export class Parser implements ReplyParser {
  private readonly input = new Input();
  private readonly tools: ToolTable;
  private readonly callOptions: CallOptions;
  /** What is to be reported next; the calls write to it as well. */
  private readonly events: ReplyEvent[] = [];
  private readonly output = new TextOutput(this.events);
  private mode = Mode.Text;
  private ended = false;

  private span: SpanReader | undefined;
  private opening: Extract<Opening, { opens: "call" }> | undefined;
  /** The opening began a line, or stood behind markup. */
  private opensLine = true;
  private reader: CallReader | undefined;
  /** Where in the reply the call opened, and how much of texts there was before it. */
  private openedAt = 0;
  private saidBefore = 0;
  private readonly calls: CallSequence;
  private broken: BrokenCall | undefined;
  private readonly fences: Fences;
  private readonly openings: Openings;
  private trial: { reader: Trial; from: number; back: Mode } | undefined;
  private cutOff = false;
  /** The first half of a surrogate pair, whose other half comes with the next chunk. */
  private halfPair = "";

  constructor(
    private readonly compiled: Compiled,
    deltas: boolean,
    options: ReplyParserOptions,
  ) {
    this.tools = ToolTable.of(options.tools);
    // Aliases given by hand may be bad ones, which is to be said now and not in the middle of a reply.
    for (const body of this.compiled.aliased) this.tools.aliases(body);
    this.callOptions = {
      tools: this.tools,
      opensCalls: this.compiled.opensCalls,
      bodies: this.compiled.bodies,
      generateId: options.generateId ?? randomId,
      deltas,
      untrusted: UntrustedText.of(options.untrusted),
    };
    this.calls = new CallSequence(this.input, { events: this.events, output: this.output }, this.callOptions);
    const toolElements = ToolElements.of(this.compiled.toolElements, this.tools);
    const { markers } = this.compiled;
    this.fences = new Fences(this.input, this.output, {
      at: (text, at, final) =>
        markers.at(text, at, final) ?? markers.atLine(text, at, final) ?? toolElements?.at(text, at, final),
    });
    const { input, output, tools, fences, calls } = this;
    this.openings = new Openings({ input, output, compiled, tools, fences, calls, toolElements });
    if (this.openings.bareForms) this.mode = Mode.Start;
    if (options.prefill) this.begin(options.prefill);
  }

  /** The prefill puts the parser where the model began; it is not itself part of the reply. */
  private begin(prefill: string): void {
    this.input.push(prefill);
    this.calls.prefilled = prefill.length;
    this.run();
    this.calls.dropText();
    this.output.reset();
  }

  push(chunk: string): ReplyEvent[] {
    if (this.ended || chunk === "") return this.take();
    const text = this.halfPair + chunk;
    const length = wholeLength(text, false);
    this.halfPair = text.slice(length);
    this.read(text.slice(0, length));
    return this.take();
  }

  private read(text: string): void {
    if (text === "") return;
    if (this.mode === Mode.Call || this.mode === Mode.Broken) this.calls.keep();
    // What a trial has taken may come back.
    if (this.mode !== Mode.Trial) this.openings.passed();
    this.input.push(text);
    this.calls.moved();
    this.run();
  }

  end(how: { finish?: FinishReason | undefined } = {}): ReplyEvent[] {
    if (this.ended) return [];
    this.ended = true;
    this.read(this.halfPair);
    this.input.final = true;
    this.cutOff = how.finish === "length";
    this.run();
    this.conclude();
    return this.take();
  }

  private take(): ReplyEvent[] {
    this.calls.current?.flush();
    if (this.events.length === 0) return [];
    if (!this.callOptions.untrusted) return this.events.splice(0);
    const isOpen = !this.ended && (this.mode === Mode.Call || this.mode === Mode.Broken);
    return this.calls.takeEvents(isOpen);
  }

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
      case Mode.Start:
        return this.readStart();
      case Mode.Trial:
        return this.readTrial();
    }
  }

  // ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readText(): boolean {
    const { input } = this;
    const { text } = input;
    if (!this.fences.close() || input.pos === text.length) return false;
    let i = input.pos;
    const begun = this.output.beginsLine("") ? this.openings.lineAt(i) : i;
    if (typeof begun !== "number") return this.follow(begun, i);
    for (;;) {
      const { at, isName } = this.openings.next(text, i);
      if (at < 0) {
        this.output.text(text.slice(input.pos));
        input.pos = text.length;
        return false;
      }
      const char = text.charAt(at);
      if (isName) {
        const call = this.openings.nameAt(at);
        if (typeof call !== "number") return this.follow(call, at);
        i = call;
        continue;
      }
      if (char === "\n") {
        this.fences.newLine();
        const line = this.openings.lineAt(at + 1);
        if (typeof line !== "number") return this.follow(line, line === "more" ? at : at + 1);
        i = line;
        continue;
      }
      const found = char === "`" ? this.openings.ticks(at) : this.openings.marker(at);
      if (typeof found !== "number") return this.follow(found, at);
      i = found;
    }
  }

  /** What is at an index is a marker, or may be one: the text before it goes out. */
  private follow(found: Found, at: number): boolean {
    const { input } = this;
    // Behind an opening fence the input has already moved on.
    if (input.pos < at) this.output.text(input.text.slice(input.pos, at));
    input.pos = Math.max(input.pos, at);
    if (found === "more") return false;
    this.open(found);
    return true;
  }

  private open(opening: Opening | TrialPlace | Message): void {
    if (opening.opens === "trial") return this.try(opening.node, Mode.Text);
    this.opensLine = this.output.beginsLine("");
    // Reasoning that the prompt opened has come as text, from which what follows stays apart.
    const endsLine = opening.opens === "nothing" && opening.where === "line-end" && this.output.prose;
    if (!endsLine) this.output.markup();
    if (opening.opens === "message") return this.openMessage(opening.header);
    if (opening.opens === "header") return;
    if (opening.opens === "nothing") {
      this.input.pos += opening.marker.length;
      this.output.dropped(opening.marker, "markup around the answer");
      return;
    }
    if (opening.opens === "span") {
      this.input.pos += opening.marker.length;
      const { as, close } = opening.span;
      return this.openSpan({ as, close: close === undefined ? [] : [close], before: [] });
    }
    this.opening = opening;
    this.reader = new CallReader(opening.node, this.calls, this.output);
    this.calls.reset();
    this.openedAt = this.input.place(this.input.pos);
    this.saidBefore = this.output.said;
    this.mode = Mode.Call;
  }

  private openMessage({ kind, tool, end }: Header): void {
    const { input, calls } = this;
    const { open, close, bodies } = this.compiled.messages!;
    const written = input.text.slice(input.pos, end);
    calls.reset();
    input.pos = end;
    if (kind === "call") {
      calls.currentCall().setName(tool);
      this.reader = new CallReader(bodies, calls, this.output);
      this.mode = Mode.Call;
    } else if (kind === "text") {
      this.output.dropped(written, "markup around the answer");
    } else {
      this.openSpan({ as: kind, close, before: open });
    }
  }

  private openSpan(span: OpenSpan): void {
    const { input, output, openings } = this;
    this.span = new SpanReader(span, { input, output, openings, markers: this.compiled.markers });
    this.mode = Mode.Span;
  }

  // ── spans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readSpan(): boolean {
    const span = this.span!;
    const found = span.read();
    if (found === "more") return false;
    if (found === "end") this.mode = !span.isOpen && this.isBeforeAnswer ? Mode.Start : Mode.Text;
    else this.try(found, Mode.Span);
    return true;
  }

  /** Nothing was said yet, so calls without a marker may begin here. */
  private get isBeforeAnswer(): boolean {
    return this.openings.bareForms !== undefined && !this.output.prose && this.calls.count === 0;
  }

  // ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readCall(): boolean {
    const status = this.reader!.read(this.input);
    if (status === "more") return false;
    if (status === "done") {
      if (this.reader!.isEmptyList) {
        this.output.dropped(this.calls.raw(), "an empty list of calls");
        this.calls.hadEmptyList = true;
      }
      this.calls.callsEnded();
      this.mode = Mode.Text;
      return true;
    }
    if (this.calls.isEmpty && !this.calls.current) {
      if (this.input.place(this.input.pos) > this.openedAt) {
        // The marker was read: what follows its calls is text.
        this.mode = Mode.Text;
        return true;
      }
      // A marker with something else behind it than an opener has: text.
      const { marker } = this.opening!;
      this.input.pos += marker.length;
      this.output.text(marker);
      this.mode = Mode.Text;
      return true;
    }
    if (this.reader!.isAnswer) {
      // The answer has been heard; what is broken behind it is text.
      this.endAnswer();
      this.mode = Mode.Text;
      return true;
    }
    const opening = this.openings.openingAt(this.input.pos);
    if (opening === "more") return false;
    if (opening?.opens === "call" || opening?.opens === "header") {
      if (!this.calls.current) {
        this.output.dropped(this.calls.raw(), "an opener written twice");
        this.mode = Mode.Text;
        return true;
      }
      if (this.reader!.endsWhole(this.calls.current, false)) {
        this.calls.current.repaired("missing-closer");
        this.calls.callEnded();
        this.mode = Mode.Text;
        return true;
      }
    }
    // Words that open calls in one format are common in prose; markup is not, but where it is spoken of.
    if (!this.calls.current && beginTokens.includes(this.opening!.marker)) {
      this.output.dropped(this.calls.raw(), "markup around the answer");
      this.mode = Mode.Text;
      return true;
    }
    if (!this.calls.current && (this.opening!.isWord || this.isSpokenOf())) {
      this.output.text(this.calls.raw());
      this.mode = Mode.Text;
      return true;
    }
    const isSentence = !this.reader!.hasBody && this.isSentence();
    if (isSentence === undefined) return false;
    this.broken = new BrokenCall(this.reader!, this.calls, isSentence);
    this.mode = Mode.Broken;
    return true;
  }

  /** A tag in the middle of a line that words follow, as in `Use <tool_call> to call.` */
  private isSpokenOf(): boolean {
    const { marker } = this.opening!;
    const behind = this.calls.raw().slice(marker.length) + this.input.text.slice(this.input.pos, this.input.pos + 1);
    return !this.opensLine && isPlainTag(marker) && /^(?:\s+\p{L}|["'`.,;:)])/u.test(behind);
  }

  /** Whether a sentence goes on after the call's opener; undefined: more input is needed. */
  private isSentence(): boolean | undefined {
    const { text, pos, final } = this.input;
    const marker = this.opening?.marker;
    const source = this.calls.raw() + text.slice(pos, pos + 2 * LOOKAHEAD);
    return marker !== undefined && source.startsWith(marker) && sentenceGoesOn(marker, source, marker.length, final);
  }

  /** A message that has said nothing is text, so that no part of the reply is lost. */
  private endAnswer(): void {
    if (this.output.said === this.saidBefore) this.output.text(this.calls.raw());
  }

  private readBroken(): boolean {
    if (!this.broken!.skip(this.input, this.openings, this.compiled.messages?.open ?? [])) return false;
    this.broken!.end();
    this.mode = Mode.Text;
    return true;
  }

  /** The end of the reply: what is open is closed or given up. */
  private conclude(): void {
    if (this.mode === Mode.Broken) {
      this.input.pos = this.input.text.length;
      this.broken!.end();
    } else if (this.mode === Mode.Call && !this.reader!.isAnswer) {
      if (!this.calls.current && isSign(this.opening?.marker.trim() ?? "")) {
        // Nothing came after a sign that is common in text.
        this.input.pos = this.input.text.length;
        this.output.text(this.calls.raw());
        this.output.end();
        return;
      }
      const call = this.calls.currentCall();
      const isWhole = this.reader!.endsWhole(call, this.cutOff);
      this.input.pos = this.input.text.length;
      if (isWhole) this.calls.callEnded();
      else this.calls.callFailed(() => call.truncate(this.calls.raw));
      this.calls.callsEnded();
    } else {
      if (this.mode === Mode.Call) {
        this.input.pos = this.input.text.length;
        this.endAnswer();
      }
      this.output.end();
    }
  }

  // ── calls if the reply ends with them ─────────────────────────────────────────────────────────────────────────────

  /** The beginning of the reply: calls without a marker may begin here, also with a tool's name. */
  private readStart(): boolean {
    const { text, pos, final } = this.input;
    const marked = this.compiled.markers.at(text, spaceEnd(text, pos), final);
    const could = marked ? false : couldBeCalls(text.slice(pos), this.tools);
    if ((could === undefined || marked === "more") && !final) return false;
    this.mode = Mode.Text;
    if (could) this.try(this.openings.bareForms!, Mode.Text);
    return true;
  }

  private try(node: FormNode, back: Mode): void {
    const unmarked = node !== this.compiled.forms;
    const { calls, callOptions } = this;
    const isOwn = unmarked && this.openings.hasOwnBareForms;
    const place = { beginsReply: !this.output.prose && calls.count === 0, isOwn };
    const from = this.input.place(this.input.pos);
    // A failed trial puts its own text back, and nothing before it.
    this.openings.passed();
    const given = Math.max(0, calls.prefilled - from);
    const reader = new Trial(node, callOptions, calls.count, unmarked, this.compiled.markers, place, given);
    this.trial = { reader, from, back };
    this.mode = Mode.Trial;
  }

  private readTrial(): boolean {
    const { input } = this;
    const { reader, from, back } = this.trial!;
    reader.push(input.text.slice(input.pos));
    input.pos = input.text.length;
    const status = reader.read(input.final, this.cutOff);
    if (status === "more") return false;
    this.trial = undefined;
    this.mode = back;
    if (status === "fail") {
      this.openings.triedTo = from + Math.max(1, reader.reached);
      input.unread(reader.text);
      return true;
    }
    reader.tell(this.output, this.events);
    this.calls.count = reader.count;
    if (reader.rest === "") return false;
    input.unread(reader.rest);
    return true;
  }
}
