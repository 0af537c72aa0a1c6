import type { Input } from "../../notation/input.js";
import { decide } from "../../notation/lookahead.js";
import { factsOf } from "../../syntax/bodies.js";
import { type Closer, closerAt, extraBracesEnd, extraBracketAt, lastClosers } from "../forms/closers.js";
import type { FormNode } from "../forms/forms.js";
import { callFollows } from "../forms/lost-opener.js";
import { elementOpens, holdsName } from "../forms/match-token.js";
import { passMarkupComment } from "../forms/wrapping.js";
import { doubtAfter, isUnread, leadFollows, objectAfter } from "./after-call.js";
import { commentMark } from "./between-calls.js";
import { callInBlock } from "./call-in-block.js";
import { type BodyState, hasNoCall, isAnswer, lacksCloser, type ReadCall } from "./call-state.js";
import type { LastCall } from "./last-call.js";
import { otherCloser } from "./other-closer.js";

/** What begins after a call: another one at a node, or the same body again. `last`: the body that was read last. */
type Next = { begins: "call"; node: FormNode; last: BodyState | undefined } | { begins: "body"; last: BodyState };

/** Undefined: something was read, and more follows. */
type Ended = "more" | "done" | Next | undefined;

/**
 * Reads what follows the complete arguments of a call: its closing markers, which may be wrong or missing, and in a block the
 * way to the next call.
 */
export class CallEnd {
  /** Whether the body is a list without a call. */
  isEmptyList = false;
  /** Whether a closing marker is missing before one that was read. */
  private isSkipping = false;
  /** Set once the call has ended, and another one of its block may follow. */
  private block: { isSeparated: boolean } | undefined;

  constructor(
    /** The node of what follows. */
    private node: FormNode,
    private readonly call: ReadCall,
  ) {}

  /** The last markers of what is not closed yet. */
  get closers(): string[] {
    return lastClosers(undefined, this.node, this.call.inside ?? this.node);
  }

  /** Whether markers are missing if the reply ends here. */
  get lacksCloser(): boolean {
    return !this.block && lacksCloser(this.node, this.call.host.options.stops);
  }

  /** Reads on. `done`: the calls have ended. */
  read(input: Input): "more" | "done" | Next {
    for (;;) {
      const ended = this.block ? this.readBlock(input, this.block) : this.readCloser(input);
      if (ended) return ended;
    }
  }

  /** Reads the closing markers after complete arguments; they may be wrong or missing. */
  private readCloser(input: Input): Ended {
    const { host } = this.call;
    const goesOn = this.isSkipping && this.argumentsGoOn(input);
    if (goesOn === "more") return goesOn;
    if (goesOn) host.currentCall().reject("arguments follow its end");
    const isLast = this.node.branches.length === 0;
    if (!isLast && !input.skipSpace()) {
      if (!input.final) return "more";
      if (this.lacksCloser) host.current?.repaired("missing-closer");
      return this.end();
    }
    const passed = this.call.wrapping.pass(input, this.node);
    if (passed === "more") return passed;
    if (isLast) return this.endBare(input);
    if (passed) return undefined;
    const comment = passMarkupComment(input);
    if (comment) return comment === "more" ? comment : undefined;
    return decide(input, (look) => {
      const { text, pos } = input;
      const closed = closerAt(look, pos, this.node);
      if (closed) return () => this.passCloser(input, closed);
      const isBracket = extraBracketAt(look, pos);
      if (this.node.ends) return () => this.endBare(input);
      const char = text.charAt(pos);
      const { last } = this.call;
      const named = last && holdsName(last.body) ? last : undefined;
      if (named && /[[{]/.test(char)) return () => this.readObjectAfter(input, named);
      if (!isBracket && !(named && /[,;]/.test(char))) return () => this.endUnclosed(input);
      return () => this.passExtra(input, isBracket);
    });
  }

  /** Whether arguments follow a closer, before which others are missing. */
  private argumentsGoOn(input: Input): boolean | "more" {
    return decide(input, (look) => {
      const opens = elementOpens(look, input.pos, this.call.inside ?? this.node);
      return () => opens;
    });
  }

  private passExtra(input: Input, isBracket: boolean): undefined {
    if (isBracket) this.call.host.currentCall().repaired("extra-bracket");
    input.pos++;
  }

  /** Goes on after a closer. Those before it may be missing. */
  private passCloser(input: Input, { node, end }: Closer): undefined {
    const { host, last } = this.call;
    const call = host.currentCall();
    const isNext = this.node.branches.some((branch) => branch.node === node);
    if (!isNext && isUnread(call, last?.body)) call.reject("it ends before its arguments");
    if (!isNext) call.repaired("missing-closer");
    this.isSkipping ||= !isNext;
    input.pos = end;
    this.node = node;
  }

  /** Begins the object after a whole call, which is another call, or the call's arguments. */
  private readObjectAfter(input: Input, last: BodyState): Ended {
    return decide(input, (look) => {
      const object = objectAfter(look, input.pos, this.lastCall(last));
      return () => {
        const { host } = this.call;
        if (object === "part") host.currentCall().reject("an object continues after its last bracket");
        if (object === "arguments") host.callGoesOn();
        else host.callEnded();
        return { begins: "body", last };
      };
    });
  }

  /** Handles other text in place of a closing marker: the next call of the block, another closing marker, or neither. */
  private endUnclosed(input: Input): Ended {
    const { node } = this;
    const { host, inside, last: before } = this.call;
    const call = host.currentCall();
    return decide(input, (look) => {
      const follows = !leadFollows(look, input.pos, before?.node) && callFollows(look, input.pos, inside, host);
      if (inside && follows) return () => this.beginNext(inside);
      const last = before && this.lastCall(before);
      const closers = [...node.literals, ...lastClosers(undefined, node, inside ?? node)];
      const other = otherCloser(look, input.pos, inside ?? node, last, call, closers);
      return () => {
        call.reject(other.doubt);
        if (isUnread(call, last?.body)) call.reject("it ends before its arguments");
        call.repaired(other.length > 0 ? "wrong-closer" : "missing-closer");
        input.pos += other.length;
        return this.end();
      };
    });
  }

  /** Begins the next call between the same markers. */
  private beginNext(inside: FormNode): Ended {
    const { host, last } = this.call;
    host.currentCall().repaired("missing-closer");
    host.callEnded();
    host.callBegins();
    return { begins: "call", node: inside, last };
  }

  /** Ends a call without a closing marker; an extra brace may follow it. */
  private endBare(input: Input): Ended {
    const { host, last: before, labels } = this.call;
    if (hasNoCall(this.call)) return this.end();
    return decide(input, (look) => {
      const isAgain = before?.reader.closesAgain?.(look, input.pos);
      // After a closing marker, no text can belong to the arguments.
      const last = !isAnswer(this.call) && before?.node === this.node ? before : undefined;
      const language = last && factsOf(last.body).language;
      const doubt =
        last && language !== undefined ? doubtAfter(look, input.pos, this.lastCall(last), labels) : undefined;
      const end = doubt?.end ?? input.pos;
      const extra = language === "json" && extraBracesEnd(look, end);
      return () => {
        if (isAgain) host.currentCall().reject("its closing markers may be a part of a value");
        if (doubt) host.currentCall().reject(doubt.reason);
        if (extra) host.currentCall().repaired("extra-bracket");
        input.pos = extra || end;
        return this.endOne();
      };
    });
  }

  /** Ends a call, and the reading unless another call of its block may follow. */
  private endOne(): Ended {
    if (!this.node.block) return this.end();
    this.call.host.callEnded();
    this.block = { isSeparated: false };
    return undefined;
  }

  private lastCall({ body, node }: BodyState): LastCall {
    const { host, trial } = this.call;
    return { body, node, call: host.currentCall(), source: host.raw, tools: host, mayRefuse: trial?.mayRefuse ?? true };
  }

  /** Reads on after a call of a block: its end, or another call. */
  private readBlock(input: Input, state: { isSeparated: boolean }): Ended {
    const { block } = this.node;
    if (!block) return "done";
    const { last, wrapping, host: tools, trial } = this.call;
    const comment = last && commentMark(last.body, block.close);
    const isBuffered = trial !== undefined;
    const found = callInBlock(input, block, { state, comment, wrapping: wrapping.end, isBuffered, tools });
    return found === "call" ? { begins: "call", node: block.start, last: undefined } : found;
  }

  /** Ends the calls. */
  end(): "done" {
    this.isEmptyList = hasNoCall(this.call);
    if (!isAnswer(this.call) && !this.isEmptyList) this.call.host.callEnded();
    return "done";
  }
}
