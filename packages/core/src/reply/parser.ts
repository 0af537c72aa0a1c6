import { randomId } from "../common/random-id.js";
import { Input, LOOKAHEAD, spaceEnd } from "../notation/input.js";
import { Lookahead } from "../notation/lookahead.js";
import { LABEL_COLONS, LABEL_MARKS } from "../syntax/spelling.js";
import type { FinishReason, ReplyEvent, ReplyParser } from "../types.js";
import { ToolTable } from "./arguments/tool-table.js";
import type { BrokenCall } from "./broken-call.js";
import { CallReader } from "./calls/call-reader.js";
import { CallSequence, type SequenceOptions } from "./calls/call-sequence.js";
import { plainCall } from "./calls/plain-call.js";
import type { FormNode } from "./forms/forms.js";
import { lineOpens } from "./forms/match-branch.js";
import type { Opening } from "./forms/opening.js";
import { type CallStart, OpenCall } from "./open-call.js";
import type { Compiled } from "./opening/compile.js";
import { couldBeCalls, formBegins, WINDOW } from "./opening/could-be-calls.js";
import { Fences } from "./opening/fences.js";
import type { Found, Message, TrialKind, TrialPlace } from "./opening/found-openings.js";
import type { MessageHeader } from "./opening/message-header.js";
import { Openings } from "./opening/openings.js";
import { Trial } from "./opening/trial.js";
import { TextOutput } from "./output/text-output.js";
import { checkedUntrusted, type ReplyOptions, type ReplySettings, refusedPiece } from "./reply-parser-options.js";
import type { ReplyParts } from "./reply-parts.js";
import { type OpenSpan, othersTurn, SpanReader } from "./span-reader.js";
import { isTurnEnd, tailStart } from "./turn-tail.js";

/** What the parser reads, with the state for it. */
type Mode =
  | { in: "text" }
  /**
   * The beginning of the reply or of the answer, where calls without a marker may begin, first of the forms that the requested
   * format has only there.
   */
  | { in: "start"; forms: FormNode; kind: "start" | "own" | "other" }
  | { in: "span"; span: SpanReader }
  | { in: "call"; call: OpenCall }
  | { in: "broken"; call: BrokenCall }
  /** Text that is buffered until it is known whether it is calls. `back`: the mode after it. */
  | { in: "trial"; trial: Trial; back: Mode };

const TEXT: Mode = { in: "text" };

/** A label of words as written, with the emphasis and space around its colon. */
const LABEL = new RegExp(`[\\p{L}\\p{N}][${LABEL_MARKS}\\s]*[${LABEL_COLONS}][${LABEL_MARKS}\\s]*$`, "u");

/** Reads one reply piece by piece; made by {@link createReplyParser}. */
export class Parser implements ReplyParser {
  private readonly input = new Input();
  private readonly tools: ToolTable;
  private readonly callOptions: SequenceOptions;
  /** Events not yet returned. The calls append to this array too. */
  private readonly events: ReplyEvent[] = [];
  private readonly output = new TextOutput(this.events);
  private mode: Mode = TEXT;
  private ended = false;
  private readonly calls: CallSequence;
  private readonly fences: Fences;
  private readonly openings: Openings;
  private readonly parts: ReplyParts;
  /**
   * The calls without a marker that turned out to be text. After one of them, others are text as well, unless each repeats one
   * that was left: of `Option A: … Option B: …`, only the last would run.
   */
  private readonly leftCalls = new Set<string>();
  private cutOff = false;
  /** The end of the text so far, which is not read until more follows, see {@link tailStart}. */
  private tail = "";
  /** The place after the last label without a meaning. */
  private afterLabel = -1;

  constructor(
    private readonly compiled: Compiled,
    options: ReplyOptions,
    { deltas = true, sources = false, untrusted }: ReplySettings,
  ) {
    this.tools = ToolTable.of(options.tools);
    // Aliases that do not suit the tools throw now instead of in the middle of a reply.
    if (this.tools.areKnown) this.compiled.checkTools(this.tools.list);
    this.callOptions = {
      tools: this.tools,
      opensCalls: this.compiled.opensCalls,
      bodies: this.compiled.bodies,
      stops: this.compiled.stops,
      isPython: this.compiled.isPython,
      generateId: options.generateId ?? randomId,
      deltas,
      sources,
      untrusted: checkedUntrusted(untrusted),
      prefilled: options.prefill?.length ?? 0,
    };
    this.calls = new CallSequence(this.input, { events: this.events, output: this.output }, this.callOptions);
    const toolElements = this.compiled.toolElements(this.tools);
    this.fences = new Fences(this.input, this.output, this.calls, {
      at: (look, at) => this.openings.callHeaderAt(look, at) ?? this.lineAt(look, at) ?? toolElements?.at(look, at),
    });
    const { input, output, tools, fences, calls } = this;
    this.openings = new Openings({ input, output, compiled, tools, fences, calls, toolElements });
    this.parts = { input, output, compiled, calls, openings: this.openings };
    this.mode = this.start();
    if (options.prefill) this.begin(options.prefill);
  }

  /** Reads the prefill, so that the parser is where the model began; it is not part of the reply. */
  private begin(prefill: string): void {
    this.input.push(prefill);
    this.run();
    this.calls.dropText();
    this.output.reset();
  }

  /** The marker of a line at an index; one of a call only with what follows it. */
  private lineAt(look: Lookahead, at: number): Opening | undefined {
    const found = this.compiled.markers.atLine(look, at);
    return found?.opens === "call" && !lineOpens(look, at, found.node, this.calls) ? undefined : found;
  }

  push(chunk: string): ReplyEvent[] {
    if (typeof chunk !== "string" || this.ended) throw refusedPiece(chunk, this.ended);
    this.add(chunk);
    return this.take();
  }

  private add(chunk: string): void {
    if (chunk === "") return;
    const text = this.tail + chunk;
    const end = tailStart(text);
    this.tail = text.slice(end);
    this.read(text.slice(0, end));
  }

  private read(text: string): void {
    if (text === "") return;
    const isTrial = this.mode.in === "trial";
    const calls = this.mode.in === "trial" ? this.mode.trial.calls : this.calls;
    if (this.isInCall || isTrial) calls.keep();
    // A trial may return to the text that it has read.
    if (!isTrial) this.openings.passed();
    this.input.push(text);
    calls.moved();
    this.run();
  }

  /** Reads a whole reply: the same as pushing it and then ending it. */
  readAll(text: string, how: { finish?: FinishReason | undefined }): readonly ReplyEvent[] {
    this.add(text);
    this.finish(how);
    this.calls.current?.flush();
    return this.events;
  }

  end(how: { finish?: FinishReason | undefined } = {}): ReplyEvent[] {
    if (this.ended) return [];
    this.finish(how);
    return this.take();
  }

  private finish(how: { finish?: FinishReason | undefined }): void {
    this.ended = true;
    this.cutOff = how.finish !== undefined && how.finish !== "stop";
    const isTurnOver = isTurnEnd(this.tail);
    if (!isTurnOver) this.read(this.tail);
    this.input.final = true;
    this.run();
    // In code, a token is text.
    const isCode = this.mode.in === "text" && this.fences.isCode;
    if (isTurnOver && isCode) this.output.text(this.tail);
    else if (isTurnOver) this.output.endTurn();
    this.conclude();
    if (isTurnOver && !isCode) this.output.dropped(this.tail.trimEnd(), "markup around the answer");
  }

  private take(): ReplyEvent[] {
    this.calls.current?.flush();
    if (this.events.length === 0) return [];
    if (!this.callOptions.untrusted) return this.takeAll();
    return this.calls.takeEvents(!this.ended && this.isInCall);
  }

  private takeAll(): ReplyEvent[] {
    // Most chunks give one event. To take it out is faster than to splice the list.
    const only = this.events.length === 1 ? this.events.pop() : undefined;
    return only ? [only] : this.events.splice(0);
  }

  private get isInCall(): boolean {
    return this.mode.in === "call" || this.mode.in === "broken";
  }

  private run(): void {
    let goesOn = true;
    while (goesOn) goesOn = this.step();
  }

  /** Runs one step of the current mode; false when it needs more input. */
  private step(): boolean {
    const { mode } = this;
    switch (mode.in) {
      case "text":
        return this.readText();
      case "start":
        return this.readStart(mode);
      case "span":
        return this.readSpan(mode.span);
      case "call":
        return this.readCall(mode.call);
      case "broken":
        return this.skipBroken(mode.call);
      case "trial":
        return this.readTrial(mode);
    }
  }

  // ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readText(): boolean {
    const { input } = this;
    const { text } = input;
    if (!this.fences.close() || input.pos === text.length) return false;
    let i = input.pos;
    this.fences.line.read();
    const begun = this.output.beginsLine("") ? this.openings.decide("line", i) : i;
    // On the line of a label without a meaning (`Answer:`), another label opens no call.
    const opensCall = typeof begun === "object" && begun.opens === "call";
    if (typeof begun !== "number" && !(opensCall && input.place(i) === this.afterLabel)) return this.follow(begun, i);
    for (;;) {
      const { at, begins } = this.openings.next(text, i);
      if (at < 0) {
        this.output.text(text.slice(input.pos));
        input.pos = text.length;
        return false;
      }
      if (begins !== "marker") {
        const call = this.openings.decide("name", at);
        if (typeof call !== "number") return this.follow(call, at);
        i = call;
        if (begins === "name") continue;
      }
      if (text.charAt(at) === "\n") {
        this.fences.newLine(this.output.beginsLine(text.slice(Math.max(input.pos, at - LOOKAHEAD), at)), at + 1);
        const line = this.openings.decide("line", at + 1);
        if (typeof line !== "number") return this.follow(line, line === "more" ? at : at + 1);
        i = line;
        continue;
      }
      const found = this.openings.decide("marker", at);
      if (typeof found !== "number") return this.follow(found, at);
      i = found;
    }
  }

  /** Handles a marker, or a possible one, at an index: the text before it is emitted. */
  private follow(found: Found | "more", at: number): boolean {
    const { input } = this;
    // After an opening fence the input has already moved on.
    if (input.pos < at) this.output.text(input.text.slice(input.pos, at));
    input.pos = Math.max(input.pos, at);
    if (found === "more") return false;
    this.open(found);
    return true;
  }

  private open(opening: Opening | TrialPlace | Message): void {
    if (opening.opens === "trial") return this.try(opening.node, opening.kind, TEXT);
    const beginsLine = this.output.beginsLine("");
    // Reasoning that the prompt opened was emitted as text, and the following text stays separate.
    const endsLine = opening.opens === "nothing" && opening.where === "line-end" && this.output.prose;
    if (!endsLine) this.output.markup();
    if (opening.opens === "message") return this.openMessage(opening.header, opening.messages);
    if (opening.opens === "header") return;
    if (opening.opens === "nothing") {
      this.input.pos += opening.marker.length;
      if (LABEL.test(opening.marker)) this.beginAnswer();
      this.output.dropped(opening.marker, "markup around the answer");
      this.openings.dropped(opening);
      if (opening.marker.endsWith("\n")) this.fences.line.begins(this.input.pos, true);
      // They were in reasoning that the prompt opened, which only its closing tag shows.
      if (opening.where === "line-end") this.leftCalls.clear();
      this.mode = this.beforeAnswer();
      return;
    }
    if (opening.opens === "span") {
      if (!opening.isPart) this.input.pos += opening.marker.length;
      const { as, close } = opening.span;
      const isTurn = this.compiled.turns.any.has(opening.span);
      if (isTurn && !this.answerHasBegun) return this.openSpan(othersTurn);
      return this.openSpan({ as, close: close === undefined ? [] : [close], before: [], isTurn });
    }
    this.openCall(opening.node, opening, beginsLine);
  }

  /** After the label of the final answer, calls are a part of it or come too early; those without a marker are text. */
  private beginAnswer(): void {
    this.afterLabel = this.input.place(this.input.pos);
    this.openings.takeOnlyMarked();
    this.calls.answerBegins();
  }

  private openCall(forms: FormNode, opening: CallStart["opening"], beginsLine: boolean): void {
    const { input, output, calls } = this;
    this.fences.line.markupEnds();
    calls.reset();
    const plain = opening && plainCall(input, forms, this.callOptions);
    if (plain) return calls.take(plain);
    const start = { opening, beginsLine, place: input.place(input.pos), pieces: output.pieces };
    const call = new OpenCall(new CallReader(forms, calls, output), start, this.parts);
    this.mode = { in: "call", call };
  }

  private openMessage(
    { kind, tool, end, isTurn }: MessageHeader,
    { open, close, bodies }: NonNullable<Compiled["messages"]>,
  ): void {
    const { input, calls } = this;
    // The header is a part of the call's source.
    if (kind === "call") this.openCall(bodies, undefined, true);
    else calls.reset();
    const written = input.text.slice(input.pos, end);
    input.pos = end;
    if (kind === "call") calls.currentCall().setName(tool);
    else if (kind === "text") this.output.dropped(written, "markup around the answer");
    // After an answer or a call, all that follows such a turn depends on it.
    else if (isTurn && this.answerHasBegun) this.openSpan({ as: kind, close: [], before: [], isTurn });
    else this.openSpan({ as: kind, close, before: open, isTurn });
  }

  private get answerHasBegun(): boolean {
    return this.output.prose || this.calls.count > 0;
  }

  private openSpan(span: OpenSpan): void {
    this.fences.line.markupEnds();
    this.mode = { in: "span", span: new SpanReader(span, this.parts) };
  }

  // ── spans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readSpan(span: SpanReader): boolean {
    const found = span.read(this.cutOff);
    if (found === "more") return false;
    if (found === "end") this.mode = span.isOpen ? TEXT : this.beforeAnswer();
    else this.try(found.node, found.kind, this.mode);
    return true;
  }

  /** After a span or markup with no text before it, calls without a marker may begin. */
  private beforeAnswer(): Mode {
    const isBeforeAnswer = !this.answerHasBegun && this.openings.mayTry(this.input.pos);
    return isBeforeAnswer ? this.start() : TEXT;
  }

  /** The beginning, first for the forms that the requested format has only there. */
  private start(): Mode {
    const { atStart: forms } = this.compiled;
    return forms ? { in: "start", forms, kind: "start" } : this.bareStart();
  }

  /** The beginning for all other calls without a marker. */
  private bareStart(): Mode {
    const { bareForms: forms, bareKind: kind } = this.openings;
    return forms ? { in: "start", forms, kind } : TEXT;
  }

  // ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private readCall(call: OpenCall): boolean {
    const found = call.read();
    if (found === "more") return false;
    this.mode = found === "done" ? TEXT : { in: "broken", call: found };
    return true;
  }

  private skipBroken(call: BrokenCall): boolean {
    if (!call.skip(this.input, this.openings, this.compiled.messages?.open ?? [])) return false;
    call.end();
    this.mode = TEXT;
    return true;
  }

  /** Handles the end of the reply: an open item is closed or given up. */
  private conclude(): void {
    const { mode, input } = this;
    if (mode.in === "call") return mode.call.conclude(this.cutOff);
    if (mode.in !== "broken") return this.output.end();
    input.pos = input.text.length;
    mode.call.end();
  }

  // ── calls if the reply ends with them ─────────────────────────────────────────────────────────────────────────────

  /** Reads the beginning of the reply, where calls without a marker may begin, also with a tool's name. */
  private readStart({ forms, kind }: Extract<Mode, { in: "start" }>): boolean {
    const { text, pos } = this.input;
    const look = new Lookahead(this.input);
    const begin = spaceEnd(text, pos);
    // Calls after more space are read as those within the text.
    const isOther = begin - pos >= WINDOW || this.openings.markerAt(look, begin) !== undefined;
    const { isPython } = this.compiled;
    const code = { mayAssign: isPython, isPython, isOwn: this.openings.bareKind === "own" };
    const begins = () =>
      couldBeCalls(look, pos, this.tools, code) || (kind === "start" && formBegins(look, begin, forms, this.tools));
    const could = !isOther && begins();
    if (look.hitEnd) return false;
    this.mode = kind === "start" && !isOther ? this.bareStart() : TEXT;
    if (could) this.try(forms, kind, this.mode);
    return true;
  }

  private try(node: FormNode, kind: TrialKind, back: Mode): void {
    const { input, calls: before, callOptions: options } = this;
    const { markers } = this.compiled;
    const { mayBeQuoted } = this.output;
    // A failed trial returns to its own text, and to nothing before it.
    this.openings.passed();
    const around = { input, options, markers, before, mayBeQuoted, beginsReply: !this.answerHasBegun };
    this.mode = { in: "trial", trial: new Trial(node, kind, around), back };
  }

  private readTrial({ trial, back }: Extract<Mode, { in: "trial" }>): boolean {
    const { input, leftCalls } = this;
    const status = trial.read(this.cutOff);
    if (status === "more") return false;
    const calls = trial.unmarkedCalls();
    if (status === "fail" || (leftCalls.size > 0 && calls.some((call) => !leftCalls.has(call)))) {
      // Where the reply begins, the same text is tried again with other forms.
      if (back.in !== "start") for (const call of calls) leftCalls.add(call);
      this.mode = back;
      this.openings.triedTo = trial.rollBack();
      return true;
    }
    this.mode = back.in === "start" ? TEXT : back;
    if (/\n[^\S\n]*$/.test(input.sinceMark)) this.fences.line.begins(input.pos, false);
    else this.fences.line.markupEnds();
    trial.commit(this.output, this.events);
    this.calls.continueFrom(trial.calls);
    if (trial.resultFollows) this.openSpan({ as: "dropped", close: [], before: [] });
    return input.pos < input.text.length;
  }
}
