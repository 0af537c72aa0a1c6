import { type Input, LOOKAHEAD, type Status } from "../../notation/input.js";
import { decide, type Lookahead } from "../../notation/lookahead.js";
import type { Plan } from "../../schema/plan.js";
import { type Body, factsOf } from "../../syntax/bodies.js";
import type { RepairCode } from "../../types.js";
import { blockEnd, lastClosers } from "../forms/closers.js";
import type { FormNode } from "../forms/forms.js";
import { callLabelEnd, labelsFrom } from "../forms/input-label.js";
import { callBegins } from "../forms/lost-opener.js";
import { type Branch, matchBranch } from "../forms/match-branch.js";
import {
  blockClosersOf,
  expected,
  holdsMore,
  holdsName,
  labelsAfterName,
  nameEnd,
  takesJson,
} from "../forms/match-token.js";
import { afterElement, type NamingTag, namingTag, statedIn } from "../forms/named-tag.js";
import { openFence, wrappingAt } from "../forms/wrapping.js";
import type { Call } from "../output/call.js";
import type { AnswerHost } from "../readers/action-router.js";
import { type BodyReader, bodyStarts, readerOf } from "../readers/body-kind.js";
import { argumentsFollow, isUnread, needsNothing } from "./after-call.js";
import { passComment } from "./between-calls.js";
import { CallEnd } from "./call-end.js";
import { callNameAt } from "./call-name.js";
import type { CallSequence } from "./call-sequence.js";
import { type BodyState, hasNoCall, isAnswer, lacksCloser, type ReadCall } from "./call-state.js";
import { CallWrapping } from "./call-wrapping.js";

/** Why a call is broken, as the reader of its body says. */
type Failure = Pick<BodyReader, "failure" | "tooDeep" | "hasPlace">;

/** The part that a call reader reads next. */
type State =
  /** The tokens before the arguments, with markers and name; or those after them, in forms that begin with them. */
  | { in: "opener"; afterBody: boolean }
  | BodyState
  /** What follows the arguments: closing markers, and other calls of the block. */
  | { in: "end"; end: CallEnd };

const OPENER: State = { in: "opener", afterBody: false };

/**
 * Reads one call, from after its opener to its end, along the forms that begin with that opener. A list or several
 * objects between the markers make several calls.
 */
export class CallReader {
  /** Where and why reading failed. */
  failed: Failure = { failure: "" };
  private state: State = OPENER;
  /** The body of the last call, which another one of its kind may follow. */
  private last: BodyState | undefined;
  /** The arguments in the tag that names the tool. */
  private stated: ReadonlyMap<string, string> | undefined;
  /** The white space before the current position, which for YAML is the indentation. */
  private gap = "";
  private readonly wrapping: CallWrapping;
  /** The node after the first marker. */
  private inside: FormNode | undefined;
  /** The labels of the arguments of a call that begins a line. */
  private labels: readonly string[] | undefined;

  constructor(
    private node: FormNode,
    private readonly host: CallSequence,
    /** Receives the parts of a message that are not a call. */
    private readonly answers: AnswerHost,
    private readonly trial?: ReadCall["trial"],
  ) {
    this.wrapping = new CallWrapping(host);
  }

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
    const { last, host } = this;
    return isAnswer({ last, host });
  }

  /** Whether the body was a list without a call. */
  get isEmptyList(): boolean {
    return this.state.in === "end" && this.state.end.isEmptyList;
  }

  /** Whether the arguments have begun, or a body that contains them and the name. */
  get hasBody(): boolean {
    return this.last !== undefined;
  }

  /** The markers that end the call if it is broken here. */
  get closers(): string[] {
    const { state, node, inside = node } = this;
    if (state.in === "end") return state.end.closers;
    const own = state.in === "body" ? (state.reader.ownClosers ?? state.node.literals) : undefined;
    return lastClosers(own, node, inside);
  }

  /** Reads on. `done`: the call has ended; `fail`: it is broken here. */
  read(input: Input): Status {
    for (;;) {
      const status = this.advance(input);
      if (status) return status;
    }
  }

  private advance(input: Input): Status | undefined {
    const { state } = this;
    switch (state.in) {
      case "opener":
        return this.step(input, state.afterBody);
      case "body":
        return this.readBody(input, state);
      case "end":
        return this.readEnd(input, state.end);
    }
  }

  private readEnd(input: Input, end: CallEnd): Status | undefined {
    const next = end.read(input);
    if (typeof next === "string") return next;
    if (next.begins === "body") this.begin(next.last.body, next.last.node);
    else {
      this.state = OPENER;
      this.node = next.node;
      this.last = next.last;
    }
    return undefined;
  }

  /** Runs at the end of the reply: whether the call is whole except for closing markers, which is noted. */
  endsWhole(call: Call, cutOff: boolean): boolean {
    const isWhole = this.isWhole(call, cutOff);
    if (isWhole && this.lacksCloser) this.host.current?.repaired("missing-closer");
    return isWhole;
  }

  private get lacksCloser(): boolean {
    const { state } = this;
    if (state.in === "end") return state.end.lacksCloser;
    if (state.in === "body" && state.reader.ownClosers) return true;
    return lacksCloser(state.in === "body" ? state.node : this.node, this.host.options.stops);
  }

  private isWhole(call: Call, cutOff: boolean): boolean {
    const { state } = this;
    if (state.in === "end") return true;
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

  /** After the arguments, what follows is read. */
  private close(): void {
    this.enterEnd();
    this.host.callComplete();
  }

  private enterEnd(): CallEnd {
    const { host, wrapping, inside, last, labels, trial } = this;
    const end = new CallEnd(this.node, { host, wrapping, inside, last, labels, trial });
    this.state = { in: "end", end };
    return end;
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
      const around = wrappingAt(look, input.pos, this.unwrapped, this);
      return () => (around ? this.wrapping.open(input, around) : this.readToken(input, afterBody));
    });
  }

  /** The current node, unless its call is wrapped already. */
  private get unwrapped(): FormNode | undefined {
    return this.wrapping.end === undefined ? this.node : undefined;
  }

  private readToken(input: Input, afterBody: boolean): Status | undefined {
    return decide(input, (look) => {
      const branch = (this.inside ? callBegins : matchBranch)(look, input.pos, this.node, this);
      if (branch) return () => this.follow(input, look, branch, afterBody);
      if (look.isCut) return () => "more";
      return () => (this.node.ends ? this.endAtText(input) : this.readOther(input));
    });
  }

  /** Ends a call that other text may follow, which may be arguments that cannot be read. */
  private endAtText(input: Input): Status {
    return decide(input, (look) => {
      const follows = !this.last && argumentsFollow(look, input.pos, this.node, this.host.currentCall());
      return () => {
        if (follows) this.host.currentCall().reject("the text after its name is not arguments");
        return this.enterEnd().end();
      };
    });
  }

  /** Reads what is in the place of a token: a code fence around the rest, or the end of a block without a call. */
  private readOther(input: Input): Status | undefined {
    const { unwrapped, last, host } = this;
    return decide(input, (look) => {
      const fence = unwrapped && takesJson(unwrapped) ? openFence(look, input.pos) : undefined;
      if (fence) return () => this.wrapping.open(input, fence);
      const empty =
        this.inside && hasNoCall({ last, host }) ? blockEnd(look, input.pos, blockClosersOf(this.node)) : false;
      return () => {
        if (empty !== false) {
          input.pos = empty;
          return this.enterEnd().end();
        }
        this.failed = { failure: expected(this.node) };
        return "fail";
      };
    });
  }

  private follow(input: Input, look: Lookahead, { token, node: next }: Branch, afterBody: boolean): undefined {
    let node = next;
    let isComplete = false;
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
        isComplete = true;
        break;
    }
    this.node = node;
    if (isComplete || (afterBody && !holdsMore(node))) this.close();
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
    this.node = afterElement(body?.node);
    this.close();
    return undefined;
  }

  private begin(body: Body, node: FormNode): BodyState {
    // Repairs are noted on the current call, because a list contains several; an answer notes none.
    const repaired = (code: RepairCode) => {
      if (!this.isAnswer) this.host.currentCall().repaired(code);
    };
    const { gap, host, answers, stated, trial } = this;
    const wrapping = this.wrapping.end;
    const outside = trial?.around ?? [];
    const around = wrapping === undefined ? outside : [wrapping, ...outside];
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
}
