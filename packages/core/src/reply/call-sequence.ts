import type { ReplyEvent } from "../types.js";
import { loneArgument } from "./bodies/lone-text.js";
import type { BodyKinds } from "./body-kind.js";
import { Call, type CallOptions } from "./call.js";
import type { CallReaderHost } from "./call-reader-host.js";
import type { Input } from "./input.js";
import { TextBuffer } from "./text-buffer.js";
import type { TextOutput } from "./text-output.js";
import { SourceWatch } from "./untrusted/source-watch.js";

/** Where the calls are told. */
interface Told {
  events: ReplyEvent[];
  /** Takes the source of a call that is none, being copied. */
  output: Pick<TextOutput, "text" | "apart">;
}

/**
 * The calls of a reply, one after the other, each with the text it was read from. One that is copied from untrusted text
 * is told as text; until that is known, what it would tell as a call waits in the events.
 */
export class CallSequence implements CallReaderHost {
  private call: Call | undefined;
  private isClosed = false;
  /** A call among them may be data that only looks like one. */
  areDoubtful = false;
  /** What was read of the current call, and from where in the input its rest is. */
  private read = new TextBuffer();
  private from = 0;
  private readonly watch: SourceWatch | undefined;
  /** Whether the call is a copy, once it is complete but for markers that close it. */
  private copied: boolean | undefined;
  /** The last call was a copy. */
  private wasCopied = false;
  /** How many events were there before the call. */
  private before = 0;
  /** Where in the input the call began. */
  private place = 0;
  /** The id of a call that was a copy, for the next. */
  private freeId: string | undefined;
  /** A list without calls was read. */
  hadEmptyList = false;
  /** So much of the input is a prefill, and not written by the model. */
  prefilled = 0;

  constructor(
    private readonly input: Input,
    private readonly told: Told,
    private readonly options: CallOptions,
    /** How many calls there are. */
    public count = 0,
    /** Calls have no marker, not even one around several: each is compared with untrusted text by itself. */
    private readonly unmarked = false,
  ) {
    this.watch = options.untrusted && new SourceWatch(options.untrusted);
  }

  /** The call that is being read, if one has begun. */
  get current(): Call | undefined {
    return this.call;
  }

  get isCalling(): boolean {
    return this.call !== undefined;
  }

  isTool(name: string): boolean | undefined {
    const { tools } = this.options;
    return tools.areKnown ? tools.resolve(name) !== undefined : undefined;
  }

  get bodies(): BodyKinds {
    return this.options.bodies;
  }

  opensCalls(name: string): boolean {
    return this.options.opensCalls(name);
  }

  takesText(): boolean {
    return this.call?.isStarted === true && loneArgument(this.call.plan) !== undefined;
  }

  /** Nothing was read since the last call. */
  get isEmpty(): boolean {
    return this.input.pos === this.from && this.read.isEmpty;
  }

  /** What was read of the current call. */
  readonly raw = (): string => {
    this.keep();
    return this.read.toString();
  };

  /** Remembers what was read before the input forgets it. */
  keep(): void {
    const piece = this.input.text.slice(this.from, this.input.pos);
    this.read.push(piece);
    this.watch?.read(piece);
    this.from = this.input.pos;
  }

  /** The input now begins where reading had come to. */
  moved(): void {
    this.from = 0;
  }

  /** The events that may be sent: while a call is read, those of what may be a copy wait. */
  takeEvents(isOpen: boolean): ReplyEvent[] {
    const { watch, told } = this;
    if (isOpen) this.keep();
    const waits = isOpen && (this.copied ?? watch?.mayBeCopy);
    const sent = told.events.splice(0, waits ? this.before : told.events.length);
    this.before = told.output.apart = waits ? 0 : told.events.length;
    return sent;
  }

  /** Leaves out all that was told but calls. */
  dropText(): void {
    const { events, output } = this.told;
    const isCall = ({ type }: ReplyEvent) => type.startsWith("call-");
    this.before = output.apart = events.slice(0, this.before).filter(isCall).length;
    events.splice(0, events.length, ...events.filter(isCall));
  }

  /** Nothing is open: what is read from here on belongs to the next call. */
  reset(): void {
    this.next();
    this.wasCopied = false;
    this.watch?.begin(this.unmarked);
  }

  /** The next call may begin here, maybe in the same block, whose marker is then part of its source. */
  private next(): void {
    this.call = undefined;
    this.isClosed = false;
    this.read = new TextBuffer();
    this.from = this.input.pos;
    this.copied = undefined;
    if (!this.watch) return;
    this.place = this.input.place(this.from);
    this.before = this.told.output.apart = this.told.events.length;
  }

  callBegins(): void {
    if (!this.watch) return;
    this.keep();
    this.watch.begin(this.unmarked);
  }

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
    const id = this.freeId ?? this.options.generateId();
    this.freeId = undefined;
    this.call = new Call(id, this.count++, this.told.events, this.options);
    return this.call;
  }

  callClosed(): void {
    this.isClosed = true;
  }

  callEnded(): void {
    const call = this.currentCall();
    call.finish(this.raw);
    this.areDoubtful ||= call.isDoubtful;
    this.settle();
    this.watch?.goOn();
  }

  /** The call is broken, or cut off. `said`: the end of what was read of it, which is text. */
  callFailed(fail: (call: Call) => void, said = ""): void {
    fail(this.currentCall());
    this.settle();
    // The source of a copy is text as a whole.
    if (!this.wasCopied && said !== "") this.told.output.text(said);
    this.watch?.begin(this.unmarked);
  }

  /** No further call follows: what closes the block of a copy is text as well. */
  callsEnded(): void {
    if (!this.wasCopied) return;
    this.told.output.text(this.raw(), "copied-call");
    this.reset();
  }

  /** What was told of the call stands, unless it is a copy. */
  private settle(): void {
    this.callComplete();
    this.wasCopied = this.copied === true;
    if (this.copied) {
      const { told, call, prefilled, place } = this;
      told.events.splice(this.before);
      this.freeId = call?.id;
      this.count--;
      told.output.text(this.raw().slice(Math.max(0, prefilled - place)), "copied-call");
    }
    this.next();
  }
}
