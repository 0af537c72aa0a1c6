import { type Input, LOOKAHEAD, type Status } from "../../notation/input.js";
import { decide, Lookahead } from "../../notation/lookahead.js";
import type { Plan } from "../../schema/plan.js";
import { type Body, factsOf } from "../../syntax/bodies.js";
import type { RepairCode } from "../../types.js";
import { blockEnd, type Closer, closerAt, extraBracesEnd, extraBracketAt, lastClosers } from "../forms/closers.js";
import type { FormNode } from "../forms/forms.js";
import { callLabelEnd, labelsFrom } from "../forms/input-label.js";
import { callBegins, callFollows } from "../forms/lost-opener.js";
import { type Branch, matchBranch } from "../forms/match-branch.js";
import {
  blockClosersOf,
  elementOpens,
  expected,
  holdsMore,
  holdsName,
  isMessage,
  labelsAfterName,
  nameEnd,
  takesJson,
} from "../forms/match-token.js";
import { afterElement, type NamingTag, namingTag, statedIn } from "../forms/named-tag.js";
import { openFence, passMarkupComment, type Wrapping, wrappingAt, wrappingEnd } from "../forms/wrapping.js";
import type { Call } from "../output/call.js";
import type { AnswerHost } from "../readers/action-router.js";
import { type BodyReader, bodyStarts, readerOf } from "../readers/body-kind.js";
import { argumentsFollow, doubtAfter, isUnread, leadFollows, needsNothing, objectAfter } from "./after-call.js";
import { commentMark, passComment } from "./between-calls.js";
import { callInBlock } from "./call-in-block.js";
import { callNameAt } from "./call-name.js";
import type { CallSequence } from "./call-sequence.js";
import { type BodyState, lacksCloser, OPENER, type State } from "./call-state.js";
import type { LastCall } from "./last-call.js";
import { otherCloser } from "./other-closer.js";

/**
 * Reads one call, from after its opener to its end, along the forms that begin with that opener. A list or several
 * objects between the markers make several calls.
 */
export class CallReader {
  /** Where and why reading failed. */
  failed: Pick<BodyReader, "failure" | "tooDeep" | "hasPlace"> = { failure: "" };
  /** Whether the body is a list without a call. */
  isEmptyList = false;
  private state: State = OPENER;
  /** The body of the last call, which another one of its kind may follow. */
  private last: BodyState | undefined;
  /** The arguments in the tag that names the tool. */
  private stated: ReadonlyMap<string, string> | undefined;
  /** The white space before the current position, which for YAML is the indentation. */
  private gap = "";
  /** The end of the code fence or section around the JSON. */
  private wrapping: string | undefined;
  /** The node after the first marker. */
  private inside: FormNode | undefined;
  /** The labels of the arguments of a call that begins a line. */
  private labels: readonly string[] | undefined;

  constructor(
    private node: FormNode,
    private readonly host: CallSequence,
    /** Receives the parts of a message that are not a call. */
    private readonly answers: AnswerHost,
    /** In a trial, calls are buffered. `around`: what ends their wrapping; `mayRefuse`: a broken call is invalid, not text. */
    private readonly trial?: { around: readonly string[]; mayRefuse: boolean },
  ) {}

  isTool(name: string): boolean | undefined {
    return this.host.isTool(name);
  }

  /** Text as arguments follows its tag directly, or on its own line; words after a space are a sentence. */
  starts(body: Body, look: Lookahead, at: number): boolean {
    const plan = /^[^\S\n]+$/.test(this.gap) ? undefined : this.host.startedPlan;
    return bodyStarts(body, look, at, this.host.options.bodies, plan);
  }

  /** See {@link KnownTools.planOfLine}. */
  get planOfLine(): Plan | undefined {
    return this.gap.split("\n").length === 2 ? this.host.startedPlan : undefined;
  }

  /** Whether this is a message that has made no call so far. */
  get isAnswer(): boolean {
    return this.last !== undefined && isMessage(this.last.body) && !this.host.current;
  }

  /** Whether the arguments have begun, or a body that contains them and the name. */
  get hasBody(): boolean {
    return this.last !== undefined;
  }

  /** The markers that end the call if it is broken here. */
  get closers(): string[] {
    const { state, node, inside = node } = this;
    const own = state.in === "body" ? (state.reader.ownClosers ?? state.node.literals) : undefined;
    return lastClosers(own, node, inside);
  }

  /** Reads on. `done`: the call has ended; `fail`: it is broken here. */
  read(input: Input): Status {
    let status: Status | undefined;
    while (!status) status = this.advance(input);
    return status;
  }

  private advance(input: Input): Status | undefined {
    const { state } = this;
    switch (state.in) {
      case "opener":
        return this.step(input, state.afterBody);
      case "body":
        return this.readBody(input, state);
      case "closers":
        return this.readCloser(input, state);
      case "block":
        return this.readBlock(input, state);
    }
  }

  /** Runs at the end of the reply: whether the call is whole except for closing markers, which is noted. */
  endsWhole(call: Call, cutOff: boolean): boolean {
    const isWhole = this.isWhole(call, cutOff);
    if (isWhole) this.missesCloser();
    return isWhole;
  }

  private missesCloser(): void {
    if (lacksCloser(this.state, this.node, this.host.options.stops)) this.host.current?.repaired("missing-closer");
  }

  private isWhole(call: Call, cutOff: boolean): boolean {
    const { state } = this;
    if (state.in === "closers" || state.in === "block") return true;
    if (state.in === "opener") return !cutOff && (this.node.ends === true || needsNothing(call, this.node));
    const { reader, body } = state;
    if (cutOff || !reader.isBetweenValues) return false;
    const { ownBrackets } = factsOf(body);
    if (!ownBrackets) {
      this.finishBody(state);
      return !isUnread(call, body);
    }
    if (!call.argumentsComplete || (reader.depth ?? 0) > ownBrackets) return false;
    reader.closeAll?.();
    return true;
  }

  private readBody(input: Input, state: BodyState): Status | undefined {
    const { reader, node } = state;
    const status = reader.read(input);
    if (status === "fail") this.failed = reader;
    if (status !== "done") return status;
    this.finishBody(state);
    this.node = node;
    if (holdsMore(node)) this.state = { in: "opener", afterBody: true };
    else this.close();
    return undefined;
  }

  private close(): void {
    this.state = { in: "closers", isSkipping: false };
    this.host.callComplete();
  }

  /** Advances one token along the matching branch. */
  private step(input: Input, afterBody: boolean): Status | undefined {
    const from = input.pos;
    const isThere = input.skipSpace();
    if (input.pos > from) this.gap = (this.gap + input.text.slice(from, input.pos)).slice(-LOOKAHEAD);
    if (!isThere) return "more";
    if (this.node.begins) this.host.callBegins();
    const comment = passComment(input, this.node, this.inside !== undefined);
    if (comment) return comment === "more" ? comment : undefined;
    return decide(input, (look) => {
      const open = this.wrapping === undefined ? this.node : undefined;
      const around = wrappingAt(look, input.pos, open, this);
      if (around) return () => this.unwrap(input, around);
      if (look.hitEnd) return () => "more";
      // A marker of a wrapping that is cut off is no token's.
      look.again();
      const branch = (this.inside ? callBegins : matchBranch)(look, input.pos, this.node, this);
      if (branch) return () => this.follow(input, look, branch, afterBody);
      return () => (look.isCut ? "more" : this.readOther(input, open));
    });
  }

  /** Reads what is here if no token is. `open`: the node, unless its call is wrapped already. */
  private readOther(input: Input, open: FormNode | undefined): Status | undefined {
    return decide(input, (look) => {
      if (this.node.ends) {
        const follows = !this.last && argumentsFollow(look, input.pos, this.node, this.host.currentCall());
        return () => {
          if (follows) this.host.currentCall().reject("the text after its name is not arguments");
          return this.end();
        };
      }
      const fence = open && takesJson(open) ? openFence(look, input.pos) : undefined;
      if (fence) return () => this.unwrap(input, fence);
      const empty = this.inside && this.hasNoCall ? blockEnd(look, input.pos, blockClosersOf(this.node)) : false;
      return () => {
        input.pos = empty || input.pos;
        if (empty !== false) return this.end();
        this.failed = { failure: expected(this.node) };
        return "fail";
      };
    });
  }

  private unwrap(input: Input, { repair, from, close }: Wrapping): undefined {
    this.host.currentCall().repaired(repair);
    this.wrapping = close;
    input.pos = from;
  }

  private follow(input: Input, look: Lookahead, { token, node: next }: Branch, afterBody: boolean): undefined {
    let node = next;
    if (token.kind !== "body") this.gap = "";
    const { pos } = input;
    const tag = namingTag(token, look, pos);
    if (tag) return this.passTag(input, tag, token.kind === "tag" ? node : (node.branches[0]?.node ?? node));
    switch (token.kind) {
      case "literal":
        input.pos = look.markerEnd(token.text, pos) || pos;
        this.inside ??= node;
        break;
      case "label":
        if (this.labels) this.labels = labelsFrom(look, pos, { label: token.text, node, labels: this.labels });
        input.pos = callLabelEnd(look, pos, token.text, { node, plan: this.planOfLine }) || pos;
        break;
      case "name": {
        this.labels = token.line && labelsAfterName(this.node);
        const { name, end, key, lack } = callNameAt(look, pos, { token, node, calls: this.host });
        this.host.currentCall().setName(name);
        input.pos = end;
        if (key) {
          this.begin(key.body, key.node);
          return undefined;
        }
        if (lack) {
          this.host.currentCall().repaired(lack);
          node = node.branches[0]?.node ?? node;
        }
        break;
      }
      case "index":
        input.pos = nameEnd(look, pos, token.ends);
        break;
      case "body":
        if (this.starts(token.body, look, pos)) {
          this.begin(token.body, node);
          return undefined;
        }
        // The closing marker follows directly: there are no arguments.
        this.close();
        break;
    }
    this.node = node;
    if (afterBody && !holdsMore(node)) this.close();
    return undefined;
  }

  /** Goes on after the tag of a call, whose attributes may be arguments. */
  private passTag(input: Input, tag: NamingTag, node: FormNode): undefined {
    const call = this.host.currentCall();
    call.setName(tag.tool);
    if (tag.contradicted !== undefined) call.reject(`its tag has two values for ${JSON.stringify(tag.contradicted)}`);
    this.stated = statedIn(tag, call.plan);
    input.pos = tag.end;
    this.node = node;
    if (!tag.selfClosing) return undefined;
    const body = node.branches.find(({ token }) => token.kind === "body" && factsOf(token.body).takesTagArguments);
    if (this.stated.size > 0 && body?.token.kind === "body") this.finishBody(this.begin(body.token.body, body.node));
    this.close();
    this.node = afterElement(body?.node);
    return undefined;
  }

  private begin(body: Body, node: FormNode): BodyState {
    // Repairs are noted on the current call, because a list contains several; an answer notes none.
    const repaired = (code: RepairCode) => {
      if (!this.isAnswer) this.host.currentCall().repaired(code);
    };
    const { gap, host, answers, stated, wrapping, trial } = this;
    const around = [...(wrapping === undefined ? [] : [wrapping]), ...(trial?.around ?? [])];
    this.stated = undefined;
    const reader = readerOf(body, { node, around, stated, gap, host, answers, repaired }, host.options.bodies);
    this.last = { in: "body", reader, body, node };
    this.state = this.last;
    return this.last;
  }

  /** Completes the arguments. */
  private finishBody({ reader, body }: BodyState): void {
    reader.finish?.();
    if (factsOf(body).ownBrackets && !holdsName(body)) this.host.callClosed();
  }

  /** Reads the closing markers after complete arguments; they may be wrong or missing. */
  private readCloser(input: Input, state: Extract<State, { in: "closers" }>): Status | undefined {
    const ahead = new Lookahead(input);
    const goesOn = state.isSkipping && elementOpens(ahead, input.pos, this.inside ?? this.node);
    if (ahead.hitEnd) return "more";
    if (goesOn) this.host.currentCall().reject("arguments follow its end");
    const isLast = this.node.branches.length === 0;
    if (!isLast && !input.skipSpace()) {
      if (!input.final) return "more";
      this.missesCloser();
      return this.end();
    }
    const passed = this.passWrapping(input, ahead);
    if (ahead.hitEnd) return "more";
    if (isLast) return this.endBare(input);
    if (passed) return undefined;
    const comment = passMarkupComment(input);
    if (comment) return comment === "more" ? comment : undefined;
    return decide(input, (look) => {
      const closed = closerAt(look, input.pos, this.node);
      if (closed) return () => this.passCloser(input, closed, state);
      const isBracket = extraBracketAt(look, input.pos);
      if (this.node.ends) return () => this.endBare(input);
      const char = input.text.charAt(input.pos);
      const named = this.last && holdsName(this.last.body) ? this.last : undefined;
      if (named && /[[{]/.test(char)) return () => this.readObjectAfter(input, named);
      if (!isBracket && !(named && /[,;]/.test(char))) return () => this.endUnclosed(input);
      return () => {
        if (isBracket) this.host.currentCall().repaired("extra-bracket");
        input.pos++;
        return undefined;
      };
    });
  }

  /** Goes on after a closer. Those before it may be missing. */
  private passCloser(input: Input, { node, end }: Closer, state: Extract<State, { in: "closers" }>): undefined {
    const call = this.host.currentCall();
    const isNext = this.node.branches.some((branch) => branch.node === node);
    if (!isNext && isUnread(call, this.last?.body)) call.reject("it ends before its arguments");
    if (!isNext) call.repaired("missing-closer");
    state.isSkipping ||= !isNext;
    input.pos = end;
    this.node = node;
  }

  /** Begins the object after a whole call, which is another call, or the call's arguments. */
  private readObjectAfter(input: Input, last: BodyState): Status | undefined {
    return decide(input, (look) => {
      const object = objectAfter(look, input.pos, this.lastCall(last));
      return () => {
        if (object === "part") this.host.currentCall().reject("an object continues after its last bracket");
        if (object === "arguments") this.host.callGoesOn();
        else this.host.callEnded();
        this.begin(last.body, last.node);
        return undefined;
      };
    });
  }

  /** Handles other text in place of a closing marker: the next call of the block, another closing marker, or neither. */
  private endUnclosed(input: Input): Status | undefined {
    const { host, inside, node } = this;
    const call = host.currentCall();
    return decide(input, (look) => {
      const follows = !leadFollows(look, input.pos, this.last?.node) && callFollows(look, input.pos, inside, host);
      if (inside && follows) {
        return () => {
          call.repaired("missing-closer");
          host.callEnded();
          host.callBegins();
          this.state = OPENER;
          this.node = inside;
          return undefined;
        };
      }
      const last = this.last && this.lastCall(this.last);
      const other = otherCloser(look, input.pos, inside ?? node, last, call, [...node.literals, ...this.closers]);
      return () => {
        call.reject(other.doubt);
        if (isUnread(call, last?.body)) call.reject("it ends before its arguments");
        call.repaired(other.length > 0 ? "wrong-closer" : "missing-closer");
        input.pos += other.length;
        return this.end();
      };
    });
  }

  /** Skips the end of the wrapping around the call or its arguments. */
  private passWrapping(input: Input, look: Lookahead): boolean {
    const end = wrappingEnd(look, input.pos, this.wrapping, this.node);
    if (end === false) return false;
    if (this.wrapping === undefined) this.host.currentCall().repaired("fence");
    input.pos = end;
    this.wrapping = undefined;
    return true;
  }

  /** Ends a call without a closing marker; an extra brace may follow it. */
  private endBare(input: Input): Status | undefined {
    if (this.hasNoCall) return this.end();
    return decide(input, (look) => {
      const isAgain = this.last?.reader.closesAgain?.(look, input.pos);
      // After a closing marker, no text can belong to the arguments.
      const last = !this.isAnswer && this.last?.node === this.node ? this.last : undefined;
      const language = last && factsOf(last.body).language;
      const doubt =
        last && language !== undefined ? doubtAfter(look, input.pos, this.lastCall(last), this.labels) : undefined;
      const end = doubt?.end ?? input.pos;
      const extra = language === "json" && extraBracesEnd(look, end);
      return () => {
        if (isAgain) this.host.currentCall().reject("its closing markers may be a part of a value");
        if (doubt) this.host.currentCall().reject(doubt.reason);
        if (extra) this.host.currentCall().repaired("extra-bracket");
        input.pos = extra || end;
        if (!this.node.block) return this.end();
        this.host.callEnded();
        this.state = { in: "block", isSeparated: false };
        return undefined;
      };
    });
  }

  private lastCall({ body, node }: BodyState): LastCall {
    const { host, trial } = this;
    return { body, node, call: host.currentCall(), source: host.raw, tools: host, mayRefuse: trial?.mayRefuse ?? true };
  }

  /** Reads on after a call of a block: its end, or another call. */
  private readBlock(input: Input, state: Extract<State, { in: "block" }>): Status | undefined {
    const { block } = this.node;
    if (!block) return "done";
    const comment = this.last && commentMark(this.last.body, block.close);
    const { wrapping, host: tools } = this;
    const found = callInBlock(input, block, { state, comment, wrapping, isBuffered: this.trial !== undefined, tools });
    if (found !== "call") return found;
    this.state = OPENER;
    this.node = block.start;
    this.last = undefined;
    return undefined;
  }

  /** Whether no call has begun where one could be. */
  private get hasNoCall(): boolean {
    return !this.host.current && (!this.last || holdsName(this.last.body)) && !this.isAnswer;
  }

  private end(): Status {
    this.isEmptyList = this.hasNoCall;
    if (!this.isAnswer && !this.isEmptyList) this.host.callEnded();
    return "done";
  }
}
