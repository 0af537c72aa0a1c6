import { partial } from "../../common/partial.js";
import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import { type Input, LOOKAHEAD } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { contentsOf } from "../../syntax/fence-languages.js";
import type { ReplyEvent } from "../../types.js";
import { CallReader } from "../calls/call-reader.js";
import { CallSequence, type SequenceOptions } from "../calls/call-sequence.js";
import type { FormNode } from "../forms/forms.js";
import { orBegins, orFollows } from "../forms/or-follows.js";
import { markupCommentEnd } from "../forms/wrapping.js";
import { type Call, reasonWith } from "../output/call.js";
import { TextOutput } from "../output/text-output.js";
import { bareRoleAt, nextTurnAt } from "./bare-role.js";
import { type CodePlace, couldBeCalls, formBegins, WINDOW } from "./could-be-calls.js";
import { AROUND_CALL, FENCES } from "./fences.js";
import type { TrialKind } from "./found-openings.js";
import type { Markers } from "./marker-index.js";
import { isFence, OpenPackaging } from "./open-packaging.js";
import { fenceAt, remarksEnd } from "./packaging.js";
import { commentEnd, printEnd } from "./python-remarks.js";
import { TrialEvents } from "./trial-events.js";

/** Why calls after words are invalid. */
const DOUBTED = "the words before it may say that it is not meant; if it is, write it without them";

/** Brackets that may be superfluous. */
const EXTRA = ["]", "}", ")"];

/** The language of a code fence, up to the end of its line. */
const LANGUAGE = growingPattern([["[\\w+#-]{1,32}", "[^\\S\\n]*", "\\n"]]);

/** A blank line. It is shorter than LOOKAHEAD. */
const BLANK_LINE = /\n[^\S\n]{0,60}\n/;

/** `fail`: it is text; `done`: these were calls. */
type Status = "more" | "done" | "fail";

/** `on`: nothing is decided, and more of the input can be read. */
type Step = Status | "on";

/** The place of a trial in its reply. */
interface TrialContext {
  input: Input;
  options: SequenceOptions;
  markers: Markers;
  before: CallSequence;
  /** Whether they may be in a quotation that began before. */
  mayBeQuoted: boolean;
  /** Whether only white space and reasoning come before it. */
  beginsReply: boolean;
}

/**
 * Reads on from a position where calls may begin that count only if the reply ends with them: calls without a marker,
 * and those in a code fence or in reasoning that is never closed. Until that is known, the events are buffered, and the
 * input can be rewound.
 */
export class Trial {
  private readonly found: TrialEvents;
  readonly calls: CallSequence;
  /** The place where it began. */
  private readonly from: number;
  private reader: CallReader | undefined;
  /** The wrapping around the calls. */
  private readonly packaging: OpenPackaging;
  /** A broken call: its name, the failure, and its index in the text. */
  private broken: { name: string; failure: string; at: number } | undefined;
  /** Whether the line of the last call, or its wrapping, has ended. */
  private lineEnded = false;
  /** Whether the rest of a program around the calls is being skipped. */
  private skipsCode = false;
  /** Whether the fence of a result that the model made up follows the calls. */
  resultFollows = false;
  /** Whether the bracket of a list of calls is directly before the input's position. */
  private isAfterList = false;

  constructor(
    private readonly forms: FormNode,
    private readonly kind: TrialKind,
    private readonly around: TrialContext,
  ) {
    const { input, options, before, mayBeQuoted } = around;
    this.packaging = new OpenPackaging(this.mayBeWrapped);
    this.from = input.place(input.pos);
    const found = new TrialEvents(this.opensReply, kind === "fenced");
    this.found = found;
    const output = {
      text: (text: string, reason?: "copied-call") => found.text(text, reason),
      eventsApart: 0,
      pieces: 0,
      mayBeQuoted,
    };
    this.calls = new CallSequence(input, { events: found.list, output }, options, before, this.isUnmarked);
    if (kind === "doubted") this.calls.contradiction = DOUBTED;
    input.mark();
    this.next();
  }

  /** Whether the calls have no marker. */
  private get isUnmarked(): boolean {
    return this.kind !== "marked";
  }

  /** Whether the requested format has calls without a marker here. */
  private get isOwn(): boolean {
    return this.kind === "own" || this.kind === "start";
  }

  /** Whether the reply begins here in the requested format, so that an explanation may follow. */
  private get opensReply(): boolean {
    return this.around.beginsReply && this.isOwn;
  }

  /** Whether a wrapping may be around the calls. */
  private get mayBeWrapped(): boolean {
    return this.isUnmarked && this.kind !== "start";
  }

  /** Where the calls are a program: in a fence of code that runs, and where a reply in Python begins. */
  private get code(): CodePlace {
    const { isPython } = this.around.options;
    return { mayAssign: this.packaging.isCode || (isPython && this.opensReply), isPython, isOwn: this.isOwn };
  }

  /** Whether an incomplete call is one. In another format, an object without arguments after the tool's name may be data. */
  private isCutOff({ isStarted, hasArguments, isKeyed }: Call): boolean {
    return isStarted && (this.opensReply || (this.around.beginsReply && hasArguments && !isKeyed));
  }

  /** Ends the trial with calls, and emits them. */
  commit(output: TextOutput, events: ReplyEvent[]): void {
    const { input, before } = this.around;
    this.found.emit(output, events, before.withoutPrefill(input.sinceMark, this.from));
    input.unmark();
  }

  /** The calls without a marker that were read (see {@link TrialEvents.callTexts}); none if they have a marker. */
  unmarkedCalls(): string[] {
    return this.isUnmarked ? this.found.callTexts() : [];
  }

  /** Ends the trial with text, which the input has again. Returns the place before which no other trial begins. */
  rollBack(): number {
    const { input } = this.around;
    const reached = input.place(input.pos);
    input.rewind();
    return Math.max(this.from + 1, reached);
  }

  /** Reads on. `fail`: it is text; `done`: these were calls, whether or not the reply has ended with them. */
  read(cutOff: boolean): Status {
    let step: Step = "on";
    while (step === "on") step = this.step(cutOff);
    return step === "done" && this.packaging.isDiff ? "fail" : step;
  }

  private step(cutOff: boolean): Step {
    if (this.broken) return this.refuse(this.broken);
    if (this.skipsCode) return this.skipCode();
    return this.reader ? this.readCall(this.reader, cutOff) : this.readOn();
  }

  private readCall(reader: CallReader, cutOff: boolean): Step {
    const { input } = this.around;
    const status = reader.read(input);
    if (status === "fail") {
      this.broken = this.findBroken(reader.failed.failure);
      return this.broken ? "on" : "fail";
    }
    if (status === "more" && !input.final) return "more";
    const ended = status === "more" ? this.endCall(reader, cutOff) : undefined;
    if (ended !== undefined) return ended;
    this.reader = undefined;
    if (!this.found.areCalls(this.around.options.isPython && this.calls.hasVariables) || this.calls.areDoubtful)
      return "fail";
    // The search for another call may have moved to the next line.
    const passed = this.calls.raw();
    this.lineEnded = passed.slice(passed.trimEnd().length).includes("\n");
    this.isAfterList = passed.endsWith("]");
    return "on";
  }

  /** Ends the call in which the reply ends; undefined: it is whole. */
  private endCall(reader: CallReader, cutOff: boolean): "done" | "fail" | undefined {
    const { input } = this.around;
    const call = this.calls.current;
    if (!call) return "fail";
    const whole = reader.endsWhole(call, cutOff);
    if (!whole && !this.isCutOff(call)) return "fail";
    input.pos = input.text.length;
    if (whole) this.calls.callEnded();
    else this.calls.callFailed(() => call.truncate(this.calls.raw));
    return whole ? undefined : "done";
  }

  /** Decides what follows a call: another one, something without meaning between them, or the end of the calls. */
  private readOn(): Step {
    const { input, options } = this.around;
    const from = input.pos;
    const goesFurther = input.skipSpace();
    this.lineEnded ||= input.text.slice(from, input.pos).includes("\n");
    this.isAfterList &&= input.pos === from;
    if (!goesFurther) return input.final ? "done" : "more";
    const look = new Lookahead(input);
    this.resultFollows = contentsOf(fenceAt(look, input.pos)?.language ?? "") === "output";
    // A tool may be named like the word between two alternatives.
    const alternativeFollows = !options.tools.knows("or") && orFollows(look, input.pos);
    if (look.hitEnd) return "more";
    if (this.resultFollows) return "done";
    if (alternativeFollows) return "fail";
    if (this.passPunctuation(look)) return "on";
    const markerFollows = !look.hitEnd && this.markerFollows(look);
    if (look.hitEnd) return "more";
    if (markerFollows) return "done";
    const goesOn =
      !this.isUnmarked ||
      (!this.sentenceFollows && (this.ownBegins(look) || couldBeCalls(look, input.pos, options.tools, this.code)));
    if (look.hitEnd) return "more";
    if (!goesOn) return this.textFollows(look);
    this.next();
    return "on";
  }

  /** Decides whether the text after the calls is an answer, or part of a text that contains the calls. */
  private textFollows(look: Lookahead): Step {
    const { input } = this.around;
    const { isCode, isMeant, isQuotation, closers, fence } = this.packaging;
    // The rest of a program uses the results of its calls.
    this.skipsCode = isCode && fence !== undefined;
    if (this.skipsCode) return "on";
    if (isMeant && closers.length === 0) return "done";
    const mayExplain = this.opensReply && !isQuotation;
    if (mayExplain && bareRoleAt(look, input.pos) && !look.hitEnd) return "done";
    const beginsWithOr = this.kind === "start" && orBegins(look, input.pos);
    if (look.hitEnd) return "more";
    return mayExplain && !beginsWithOr && this.answerFollows ? "done" : "fail";
  }

  /** Skips code up to the end of its fence. */
  private skipCode(): Step {
    const { text, pos, final } = this.around.input;
    const { fence = FENCES[0] } = this.packaging;
    const end = text.indexOf(fence, pos);
    this.skipsCode = end < 0;
    // The fence may be in two pieces.
    this.drop(end >= 0 ? end : text.length - (final ? 0 : partial(text, pos, fence)), true);
    if (end >= 0) return "on";
    return final ? "done" : "more";
  }

  /**
   * The broken call in the requested format, of an existing tool: after calls that were read, or where the reply begins with
   * the bracket around it.
   */
  private findBroken(failure: string): Trial["broken"] {
    const { found, calls } = this;
    const { input } = this.around;
    if (!this.opensReply || !calls.current?.isStarted) return;
    const name = found.startedName;
    if (name === undefined || (!found.hasCall && !/^[[{]/.test(input.sinceMark))) return;
    return { name, failure, at: input.place(input.pos) - this.from };
  }

  /**
   * Rejects the only call, or all if one of several is broken inside, because one may begin in another. They end before a blank
   * line. `fail`: words after the only one may explain how a call is written.
   */
  private refuse({ name, failure, at }: NonNullable<Trial["broken"]>): Status {
    const { calls } = this;
    const { input, before } = this.around;
    const end = input.text.slice(input.pos).search(BLANK_LINE);
    if (end < 0 && !input.final) {
      input.pos = Math.max(input.pos, input.text.length - LOOKAHEAD);
      return "more";
    }
    input.pos = end < 0 ? input.text.length : input.pos + end;
    const raw = input.sinceMark;
    const found = reasonWith(failure, raw, at);
    if (!this.found.hasCall) {
      if (!/[\]})]\s*$/.test(raw)) return "fail";
      calls.callFailed((call) => call.fail(found, calls.raw));
      return "done";
    }
    const reason = `one of several calls is broken, so none was run: ${found}`;
    this.found.list.splice(0);
    calls.continueFrom(before);
    calls.reset();
    calls.callFailed((call) => {
      call.setName(name);
      call.fail(reason, () => raw);
    });
    return "done";
  }

  /**
   * Whether an answer begins at the input's position: on a later line than the calls, or with a sentence directly after the
   * bracket of their list, as where a server drops the token between them.
   */
  private get answerFollows(): boolean {
    return this.lineEnded || this.sentenceFollows;
  }

  /** Whether a sentence begins directly after the bracket of a list. */
  private get sentenceFollows(): boolean {
    const { text, pos } = this.around.input;
    return this.isAfterList && /\p{Lu}|\p{Lo}/u.test(text.charAt(pos));
  }

  /** Whether a call of the requested format begins here, in a form that is read only where the reply begins. */
  private ownBegins(look: Lookahead): boolean {
    const { input, options } = this.around;
    return this.kind === "start" && formBegins(look, input.pos, this.forms, options.tools);
  }

  /**
   * Whether a call with a marker follows calls without one, so that all of them are calls, or a result that the model made up.
   */
  private markerFollows(look: Lookahead): boolean {
    const { input, markers } = this.around;
    const found = this.isUnmarked ? markers.at(look, input.pos) : undefined;
    if (nextTurnAt(look, found, input.pos, true) !== undefined) return true;
    return (
      (found?.opens === "call" && this.kind !== "fenced") || (found?.opens === "span" && found.span.as === "dropped")
    );
  }

  /** Skips the wrapping around the next call. */
  private unpack(): void {
    const { input } = this.around;
    const window = input.text.slice(input.pos, input.pos + WINDOW);
    this.drop(input.pos + this.packaging.open(window, this.around.options.isPython));
  }

  /** Skips markup around the calls, up to an index. `isCode`: a piece of it may be only white space. */
  private drop(end: number, isCode = false): void {
    const { input } = this.around;
    const text = input.text.slice(input.pos, end);
    if ((isCode ? text : text.trim()) !== "") this.found.list.push({ type: "dropped", text, reason: AROUND_CALL });
    input.pos = end;
  }

  private next(): void {
    if (this.mayBeWrapped) this.unpack();
    this.calls.reset();
    this.lineEnded = false;
    this.reader = new CallReader(this.forms, this.calls, new TextOutput(this.found.list), {
      around: this.packaging.closers,
      mayRefuse: this.opensReply,
    });
  }

  /** Skips a character between two calls, the end of the wrapping, a token without meaning, or a rule or comment. */
  private passPunctuation(look: Lookahead): boolean {
    const end = this.punctuationEnd(look);
    if (end === undefined) return false;
    this.isAfterList = false;
    this.drop(end);
    return true;
  }

  private punctuationEnd(look: Lookahead): number | undefined {
    const { input, markers, beginsReply } = this.around;
    const { closers, isFenceOpen } = this.packaging;
    const { pos } = input;
    const comment = markupCommentEnd(look, pos);
    if (comment !== undefined) return comment;
    const passed = this.pythonRemarkEnd(look);
    if (passed !== undefined || look.hitEnd) return passed;
    const remarks = this.mayBeWrapped ? remarksEnd(look, pos, { closers, beginsReply }) : undefined;
    if (look.hitEnd) return undefined;
    if (remarks !== undefined) return remarks;
    const marker = this.isUnmarked ? markers.at(look, pos) : undefined;
    if (nextTurnAt(look, marker, pos, true) !== undefined) return undefined;
    if (!look.hitEnd && marker?.opens === "nothing" && /^(?:end|after-call|anywhere)$/.test(marker.where)) {
      this.lineEnded = true;
      return pos + marker.marker.length;
    }
    // Nothing was opened before the calls, so a bracket is superfluous.
    const extra = this.isUnmarked && beginsReply ? EXTRA : [];
    // After words, a full stop is that of a sentence, which may mention the call.
    const isStop = beginsReply && look.text.charAt(pos) === "." && /^\s*$/.test(look.charAt(pos + 1));
    const closer = isStop ? "." : [";", ",", ...extra, ...closers].find((one) => look.has(one, pos));
    if (closer === undefined) return undefined;
    // The fence may as well open around the next call or, where none was open and it names a language, around other code.
    const opensAgain =
      isFence(closer) &&
      (couldBeCalls(look, pos, this.around.options.tools, this.code) ||
        (!isFenceOpen && this.opensCode(look, pos + closer.length)));
    if (opensAgain || look.hitEnd) return undefined;
    this.lineEnded ||= closer.length > 1;
    this.packaging.close(closer);
    return pos + closer.length;
  }

  /**
   * Whether the fence before an index names a language, so that it opens, and is not around a call with a marker. Without a
   * language it may as well be the end of a fence whose beginning a server dropped.
   */
  private opensCode(look: Lookahead, at: number): boolean {
    const [language] = matchAt(look, at, LANGUAGE) ?? [];
    return language !== undefined && this.around.markers.at(look, at + language.length)?.opens !== "call";
  }

  /** Where code of a program ends that prints a result, or a comment on the line of a call that begins the reply. */
  private pythonRemarkEnd(look: Lookahead): number | undefined {
    const { pos } = this.around.input;
    const printed = this.code.mayAssign ? printEnd(look, pos, (name) => this.calls.isVariable(name)) : undefined;
    return printed ?? (this.opensReply && !this.lineEnded ? commentEnd(look, pos) : undefined);
  }
}
