import type { Input } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import type { Plan } from "../../schema/plan.js";
import { planOfTool } from "../../schema/tool-plan.js";
import type { Body } from "../../syntax/syntax.js";
import type { ReplyEvent } from "../../types.js";
import type { FormNode } from "../forms/forms.js";
import { calledName } from "../forms/match-token.js";
import { Call, type CallOptions } from "../output/call.js";
import type { TextOutput } from "../output/text-output.js";
import { type BodyKinds, bodyStarts, type WholeBody } from "../readers/body-kind.js";
import type { CallHost } from "../readers/call-router.js";
import type { CopyWatch } from "../untrusted/copy-watch.js";
import type { PlainCall } from "./plain-call.js";

/** What the calls of a reply share, with the readers of their bodies. */
export interface SequenceOptions extends CallOptions {
  bodies: BodyKinds;
  /** The stop sequences of the formats, which a server removes. */
  stops: ReadonlySet<string>;
  /** Whether the requested format is Python without a marker. */
  isPython: boolean;
  /** The number of characters of the input that are a prefill, which the model did not write. */
  prefilled: number;
}

/** What the reply has said so far about its next calls; trials add to it, too. */
interface ReplyState {
  /** The names that it has assigned values to, in Python. */
  readonly variables: Set<string>;
  /** Why the calls from here on are invalid. */
  doubt: string | undefined;
}

const ANSWER_BEGAN = "the final answer begins before it; write a call or the answer";

/** Why a call in a compound statement is invalid. */
const IN_STATEMENT =
  "it is in a statement of Python, where it depends on more than itself; write only the calls to make now";

/** A tag, a closing tag, and white space. */
const ONLY_TAGS = /^\s*<[^<>]{1,64}>\s*<\/[^<>]{1,64}>\s*$/;

/** Where the calls are written. */
interface Destination {
  events: ReplyEvent[];
  /** Receives the source of a copied call, which is text. */
  output: Pick<TextOutput, "text" | "eventsApart" | "pieces" | "mayBeQuoted">;
}

/**
 * The calls of a reply, in order, each with its source text. A call that is copied from untrusted text is emitted as
 * text; until that is known, its events are buffered.
 */
export class CallSequence implements CallHost {
  private call: Call | undefined;
  private isClosed = false;
  /** Whether one of the calls may be data that only looks like a call. */
  areDoubtful = false;
  /** The consumed source of the current call, and the index in the input where its rest begins. */
  private read = new TextBuffer();
  private from = 0;
  private readonly watch: CopyWatch | undefined;
  /** Whether the call is a copy; known when only its closing markers are missing. */
  private copied: boolean | undefined;
  /** Whether the last call was a copy. */
  private wasCopied = false;
  /** The number of events before the call. */
  private before = 0;
  /** The place in the reply where the call began. */
  private place = 0;
  /** The id of a call that was a copy; the next call gets it. */
  private freeId: string | undefined;
  /** Whether a list without calls was read. */
  hadEmptyList = false;
  /** The pieces of text that were written when the last whole call ended; -1: none has. */
  piecesAtEnd = -1;
  /** Whether the calls are in a compound statement of Python. */
  private isInStatement = false;
  /** What the last object was: a call, text of the answer, or neither, as a call of no tool. */
  private last: "call" | "answer" | "nothing" = "call";
  /** Whether a call was reported as invalid, also before these. */
  hadInvalid: boolean;
  /** Why the calls are invalid although they match. */
  contradiction: string | undefined;
  /** The number of calls. */
  count: number;
  private readonly state: ReplyState;

  constructor(
    private readonly input: Input,
    private readonly destination: Destination,
    readonly options: SequenceOptions,
    /** The calls of the same reply before these. */
    previous?: CallSequence,
    /** Whether calls have no marker, not even around several: each one is compared with untrusted text separately. */
    private readonly unmarked = false,
  ) {
    this.count = previous?.count ?? 0;
    this.hadInvalid = previous?.hadInvalid ?? false;
    this.state = previous?.state ?? { variables: new Set(), doubt: undefined };
    this.watch = options.untrusted?.watch();
  }

  /** The call that has begun and not ended, if any. */
  get current(): Call | undefined {
    return this.call;
  }

  /** Whether a quotation may have begun, in the text or in an invalid call. */
  get mayBeQuoted(): boolean {
    return this.destination.output.mayBeQuoted || this.hadInvalid;
  }

  isTool(name: string): boolean | undefined {
    const { tools } = this.options;
    return tools.areKnown ? tools.knows(name) : undefined;
  }

  planOf(name: string): Plan | undefined {
    if (this.call?.isNamed && !this.isClosed) return undefined;
    const found = this.options.tools.resolve(name);
    return found && planOfTool(found.tool);
  }

  /** The tool's name in the text before its arguments; an assignment before it is noted. */
  takeName(text: string, node: FormNode): string {
    const { name, variable, isConditional } = calledName(text, node);
    if (variable !== undefined) this.assigns(variable);
    if (isConditional) {
      this.isInStatement = true;
      if (!this.isClosed) this.call?.reject(IN_STATEMENT);
    }
    return name;
  }

  /** Notes a variable that the reply assigns a value to. */
  assigns(variable: string): void {
    this.state.variables.add(variable);
  }

  get hasVariables(): boolean {
    return this.state.variables.size > 0;
  }

  isVariable(name: string): boolean {
    return this.state.variables.has(name);
  }

  /** The answer begins: calls from here on are invalid. */
  answerBegins(): void {
    this.state.doubt = ANSWER_BEGAN;
  }

  opensCalls(name: string): boolean {
    return this.options.opensCalls(name);
  }

  /** The plan of the current call's arguments, once it names an existing tool. */
  get startedPlan(): Plan | undefined {
    return this.call?.isStarted ? this.call.plan : undefined;
  }

  starts(body: Body, look: Lookahead, at: number): boolean {
    return bodyStarts(body, look, at, this.options.bodies, this.startedPlan);
  }

  /** Whether nothing was read since the last call. */
  get isEmpty(): boolean {
    return this.input.pos === this.from && this.read.isEmpty;
  }

  /** The source of the current call so far. */
  readonly raw = (): string => {
    this.keep();
    return this.read.toString();
  };

  /** Saves the consumed text before the input drops it. */
  keep(): void {
    const piece = this.input.text.slice(this.from, this.input.pos);
    this.read.push(piece);
    this.watch?.read(piece);
    this.from = this.input.pos;
  }

  /** Runs after the input has moved: it now begins at the reading position. */
  moved(): void {
    this.from = 0;
  }

  /** The events that can be emitted: while a call may be a copy, its events are buffered. */
  takeEvents(isOpen: boolean): ReplyEvent[] {
    const { watch, destination } = this;
    if (isOpen) this.keep();
    const waits = isOpen && (this.copied ?? watch?.mayBeCopy);
    const sent = destination.events.splice(0, waits ? this.before : destination.events.length);
    this.before = destination.output.eventsApart = waits ? 0 : destination.events.length;
    return sent;
  }

  /** The part of a source that the model wrote. `place`: where in the reply it begins. */
  withoutPrefill(source: string, place: number): string {
    return source.slice(Math.max(0, this.options.prefilled - place));
  }

  /** The next call is the one after those of others: of a trial, or before this one. */
  continueFrom({ count }: CallSequence): void {
    this.count = count;
    this.piecesAtEnd = this.destination.output.pieces;
  }

  /** Removes all events except those of calls. */
  dropText(): void {
    const { events, output } = this.destination;
    const isCall = ({ type }: ReplyEvent) => type.startsWith("call-");
    this.before = output.eventsApart = events.slice(0, this.before).filter(isCall).length;
    events.splice(0, events.length, ...events.filter(isCall));
  }

  /** Resets the source: the text from here on belongs to the next call. */
  reset(): void {
    this.next();
    this.wasCopied = this.isInStatement = false;
    this.last = "call";
    this.watch?.begin(this.unmarked);
  }

  /** Begins the next call, perhaps in the same block, whose marker is then part of its source. */
  private next(): void {
    this.call = undefined;
    this.isClosed = false;
    if (!this.read.isEmpty) this.read = new TextBuffer();
    this.from = this.input.pos;
    this.copied = undefined;
    if (!this.watch) return;
    this.place = this.input.place(this.from);
    this.before = this.destination.output.eventsApart = this.destination.events.length;
  }

  /** The source of a call begins here; the text before it belongs to the block around it. */
  callBegins(): void {
    if (!this.watch) return;
    this.keep();
    this.watch.begin(this.unmarked);
  }

  /** Only markers that close the current call may follow. */
  callComplete(): void {
    if (!this.watch || this.copied !== undefined) return;
    this.keep();
    this.copied = this.watch.isCopy();
  }

  currentCall(): Call {
    return this.call ?? this.nextCall();
  }

  nextCall(): Call {
    if (this.call && !this.isClosed) return this.call;
    if (this.call) this.callEnded();
    this.call = new Call(this.newId(), this.count++, this.destination.events, this.options);
    if (this.state.doubt !== undefined) this.call.reject(this.state.doubt);
    if (this.isInStatement) this.call.reject(IN_STATEMENT);
    this.call.contradiction = this.contradiction;
    return this.call;
  }

  private newId(): string {
    const id = this.freeId ?? this.options.generateId();
    this.freeId = undefined;
    return id;
  }

  callClosed(): void {
    this.isClosed = true;
  }

  /** The current call has only a name, and its arguments are the next object. */
  callGoesOn(): void {
    this.isClosed = false;
    this.currentCall().split();
  }

  /** The wire format of the current call ends here. */
  callEnded(): void {
    const call = this.currentCall();
    // After the marker of a call, an object is meant as a call.
    const answer =
      (this.unmarked || call.isSaid ? call.answerText : undefined) ??
      call.answer ??
      (this.isLeft(call) ? "" : undefined);
    if (answer !== undefined) return this.emitAnswer(answer);
    this.last = "call";
    call.finish(this.raw);
    this.areDoubtful ||= call.isDoubtful;
    this.piecesAtEnd = this.destination.output.pieces;
    this.settle();
    this.hadInvalid ||= call.isInvalid && !this.wasCopied;
    // The source of a copy, or of an invalid call, contains it.
    if (!this.wasCopied && !call.isInvalid && call.textAfter !== "") this.destination.output.text(call.textAfter);
    this.watch?.goOn();
  }

  /** Whether markers without a call between them are left beside a call that was read. */
  private isLeft({ isNamed, hasArguments }: Call): boolean {
    return this.piecesAtEnd >= 0 && !isNamed && !hasArguments && ONLY_TAGS.test(this.raw());
  }

  /** Emits the text of the answer that an object contains, in place of its source. */
  private emitAnswer(text: string): void {
    const { call, last } = this;
    this.last = text === "" ? "nothing" : "answer";
    if (text === "") this.drop();
    else this.destination.output.text(last === "answer" ? `\n${text}` : text);
    this.settle();
    if (!this.wasCopied) this.takeBack(call);
    this.watch?.goOn();
  }

  /** Takes back the id and number of a call that is none. */
  private takeBack(call: Call | undefined): void {
    this.freeId = call?.id;
    this.count--;
  }

  /** Handles a call that was read as a whole. */
  take({ body, end }: PlainCall): void {
    const { input } = this;
    input.pos = body.end;
    this.callComplete();
    input.pos = end;
    if (body.matches && !this.copied && this.state.doubt === undefined && this.options.tools.has(body.name)) {
      this.emit(body);
      this.settle();
      return this.watch?.goOn();
    }
    const call = this.currentCall();
    call.setName(body.name);
    call.argumentEmitter().writeWhole(body.arguments, body.json);
    this.callEnded();
    this.callsEnded();
  }

  /** Emits a call that is known to be right. */
  private emit({ name, arguments: args, json }: WholeBody): void {
    const { events } = this.destination;
    const id = this.newId();
    const index = this.count++;
    this.piecesAtEnd = this.destination.output.pieces;
    events.push({ type: "call-start", index, id, name });
    if (this.options.deltas) events.push({ type: "call-delta", index, argumentsDelta: json() });
    const call = { id, name, arguments: args as Record<string, unknown> };
    events.push({ type: "call-end", index, call, ...(this.options.sources && { source: this.raw() }) });
  }

  /** Handles a broken or cut-off call. `rest`: the end of its source, which is text. */
  callFailed(fail: (call: Call) => void, rest = ""): void {
    fail(this.currentCall());
    this.settle();
    this.hadInvalid ||= !this.wasCopied;
    // The whole source of a copy is text.
    if (!this.wasCopied && rest !== "") this.destination.output.text(rest);
    this.watch?.begin(this.unmarked);
  }

  /** The source so far is neither a call nor text. */
  private drop(): void {
    const text = this.raw();
    if (text !== "") this.destination.events.push({ type: "dropped", text, reason: "no call" });
  }

  /** No further call follows: the closing markers around a copy are text as well. `isEmpty`: they were a list without calls. */
  callsEnded(isEmpty = false): void {
    this.hadEmptyList ||= isEmpty;
    if (this.wasCopied) {
      this.destination.output.text(this.raw(), "copied-call");
      this.reset();
    } else if (this.last === "nothing") this.drop();
  }

  /** Confirms the call's events, unless it is a copy. */
  private settle(): void {
    this.callComplete();
    this.wasCopied = this.copied === true;
    if (this.copied) {
      const { destination, call, place } = this;
      destination.events.splice(this.before);
      this.takeBack(call);
      destination.output.text(this.withoutPrefill(this.raw(), place), "copied-call");
    }
    this.next();
  }
}
