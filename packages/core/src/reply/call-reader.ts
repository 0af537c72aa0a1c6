import type { Body } from "../protocol.js";
import type { Token } from "../syntax/tokens.js";
import { argumentsFollow, doubtAfter, type LastCall, partFollows } from "./after-call.js";
import type { AnswerHost } from "./bodies/action-router.js";
import { passComments } from "./bodies/between-calls.js";
import { readTag, statedIn } from "./bodies/markup.js";
import { type BodyReader, readerOf } from "./body-kind.js";
import { fittingBranch } from "./branch-fit.js";
import type { Call } from "./call.js";
import type { CallReaderHost } from "./call-reader-host.js";
import { isClosedAgain } from "./closed-again.js";
import { blockEnd, closerAt, elementFollows, extraBraceEnd } from "./closers.js";
import { type Input, LOOKAHEAD, type Status, spaceEnd, standsAt } from "./input.js";
import type { FormNode } from "./opening/forms.js";
import { labelEnd } from "./opening/labels.js";
import { orFollows } from "./opening/outer-json.js";
import {
  blockClosersOf,
  bodyStands,
  describe,
  holdsMore,
  isTagged,
  isWhole,
  labelsAfterName,
  lineNameEnd,
  literalsAfterBodies,
  nameEnd,
  namesPython,
  plainName,
  takesJson,
  unquoted,
} from "./opening/token-fit.js";
import { otherCloser } from "./other-closer.js";
import { fenceAt, markupCommentEnd, type Wrapping, wrappingAt } from "./wrapping.js";

/**
 * Reads one call, from after its opener to its end, along the forms that begin with that opener. It may turn out to be
 * several calls, when a list or several objects stand between the markers.
 */
export class CallReader {
  failure = "";
  tooDeep = false;
  /** The failure says where it is itself. */
  tellsWhere = false;
  /** What is read is a list that holds no call. */
  isEmptyList = false;
  private body: { reader: BodyReader; node: FormNode } | undefined;
  /** The body of the last call, which may be followed by another of its kind. */
  private last: { body: Body; node: FormNode } | undefined;
  /** The arguments in the tag that names the tool. */
  private stated: ReadonlyMap<string, string> | undefined;
  private closing = false;
  /** The arguments came before the name. */
  private nameFollows = false;
  /** The white space before what stands here: of YAML it is the indentation. */
  private gap = "";
  /** What ends the fence or section that the JSON stands in. */
  private wrapping: string | undefined;
  /** After the first marker, where what it opens begins. */
  private inside: FormNode | undefined;
  /** The last value may go on after the markers that close it. */
  private mayGoOn = false;
  /** A closing marker was passed over that is missing. */
  private isSkipping = false;
  /** The last call has ended; another one of its block may follow. */
  private between = false;
  /** The separator after the last call was read. */
  private separated = false;
  /** The labels of the arguments of a call that begins a line. */
  private labels: readonly string[] | undefined;

  constructor(
    private node: FormNode,
    private readonly host: CallReaderHost,
    /** Hears what a message says that is no call. */
    private readonly answers: AnswerHost,
    /** Nobody waits for the end of a call, so the text after it may be examined. */
    private readonly isHeld = false,
    /** What ends that which all calls stand in. */
    private readonly around: readonly string[] = [],
  ) {}

  /** Text in the place of arguments follows its tag at once, or on a line of its own: words after a space are a sentence's. */
  private readonly known = {
    isTool: (name: string) => this.host.isTool(name),
    takesText: () => this.host.takesText() && !/^[^\S\n]+$/.test(this.gap),
  };

  /** What is read is a message that has made no call, so far. */
  get isAnswer(): boolean {
    return this.last?.body.body === "action" && !this.host.isCalling;
  }

  /** Arguments have begun, or what contains them and the name. */
  get hasBody(): boolean {
    return this.last !== undefined;
  }

  /** The markers that can end the call from here, nearest first. */
  get closers(): string[] {
    return this.body?.reader.ownClosers ?? this.body?.node.literals ?? literalsAfterBodies(this.node);
  }

  /** `done`: the call has ended; `fail`: it is broken here. */
  read(input: Input): Status {
    for (;;) {
      if (this.body) {
        const status = this.readBody(input);
        if (status) return status;
      }
      if (this.closing) {
        const status = this.readClosers(input);
        if (status !== "again") return status;
        continue;
      }
      const status = this.step(input);
      if (status) return status;
    }
  }

  /** Called at the end of the reply: whether what is there is a whole call, when only closing markers are missing. */
  endsWhole(call: Call, cutOff: boolean): boolean {
    if (this.closing || this.between) return true;
    const { body } = this;
    if (!body && this.node.ends) return !cutOff;
    if (!body || cutOff || !body.reader.isBetweenValues) return false;
    if (!body.reader.closeAll) {
      this.finishBody(body);
      return !this.isUnread(call);
    }
    if (!call.argumentsComplete || (body.reader.depth ?? 0) > (this.last?.body.body === "action" ? 2 : 1)) return false;
    body.reader.closeAll();
    return true;
  }

  /** No argument was read of a call that can have some, in a format that writes each with markup of its own. */
  private isUnread(call: Call): boolean {
    const isWritten =
      this.body?.reader.closeAll !== undefined || (this.last && /json|call|action|input/.test(this.last.body.body));
    return !isWritten && call.isStarted && call.isBare && call.plan.properties.size > 0;
  }

  private readBody(input: Input): Status | undefined {
    const body = this.body!;
    const status = body.reader.read(input);
    if (status === "fail") {
      this.failure = body.reader.failure;
      this.tooDeep = body.reader.tooDeep ?? false;
      this.tellsWhere = body.reader.tellsWhere ?? false;
    }
    if (status !== "done") return status;
    this.finishBody(body);
    this.node = body.node;
    this.body = undefined;
    if (!holdsMore(body.node)) this.close();
    this.nameFollows = !this.closing;
    return undefined;
  }

  private close(): void {
    this.closing = true;
    this.host.callComplete();
  }

  /** One token forward, along the branch that fits what stands here. */
  private step(input: Input): Status | undefined {
    const from = input.pos;
    const isThere = input.skipSpace();
    if (input.pos > from) this.gap = (this.gap + input.text.slice(from, input.pos)).slice(-LOOKAHEAD);
    if (!isThere) return "more";
    if (this.node.begins) this.host.callBegins();
    const comment = markupCommentEnd(input);
    if (comment === undefined) return "more";
    if (comment) {
      input.pos = comment;
      return undefined;
    }
    if (input.text.charAt(input.pos) === "#" && namesPython(this.node)) {
      const at = input.pos;
      if (!passComments(input, this.node.literals)) return "more";
      if (input.pos > at) return undefined;
    }
    const isOpen = this.wrapping === undefined;
    const json = isOpen && takesJson(this.node);
    const around = wrappingAt(input, { python: isOpen && namesPython(this.node), json });
    if (around !== false) return around ? this.unwrap(input, around) : "more";
    const branch = fittingBranch(input, this.node, this.known);
    if (branch) return this.follow(input, branch.token, branch.node);
    if (branch === undefined) return "more";
    if (this.node.ends && !this.last) {
      const follows = argumentsFollow(input, this.node, this.host.currentCall());
      if (follows === undefined) return "more";
      if (follows) this.host.currentCall().reject("the text after its name is not arguments");
    }
    if (this.node.ends) return this.end();
    const empty = this.inside && this.hasNoCall ? blockEnd(input, blockClosersOf(this.node)) : false;
    if (empty === undefined) return "more";
    input.pos = empty || input.pos;
    if (empty !== false) return this.end();
    const fence = json && fenceAt(input);
    if (fence !== false) return fence ? this.unwrap(input, fence) : "more";
    return this.unexpected();
  }

  private unwrap(input: Input, { repair, from, close }: Wrapping): undefined {
    this.host.currentCall().repaired(repair);
    this.wrapping = close;
    input.pos = from;
  }

  private unexpected(): Status {
    const wanted = new Set(this.node.branches.map(({ token }) => describe(token)));
    this.failure = `expected ${[...wanted].join(" or ")}`;
    return "fail";
  }

  private follow(input: Input, token: Token, next: FormNode): undefined {
    let node = next;
    if (token.kind !== "body") this.gap = "";
    const { text, pos } = input;
    switch (token.kind) {
      case "literal":
        input.pos += token.text.length;
        this.inside ??= node;
        break;
      case "label":
        input.pos = labelEnd(text, pos, token.text, input.final) || pos;
        break;
      case "tag": {
        const tag = readTag(text, pos);
        if (tag === undefined || tag === "more") break;
        const call = this.host.currentCall();
        call.setName(token.attribute === undefined ? token.name : tag.attributes.get(token.attribute)!.trim());
        this.stated = statedIn(tag, call.plan, token.attribute);
        input.pos = tag.end;
        this.node = node;
        if (tag.selfClosing) {
          this.close();
          this.node = { branches: [], literals: [] };
        }
        return undefined;
      }
      case "name": {
        this.labels = token.line && labelsAfterName(this.node);
        const at = token.line ? lineNameEnd(input, token.ends) || text.length : nameEnd(input, token.ends);
        this.host.currentCall().setName(token.line ? plainName(text.slice(pos, at)) : unquoted(text.slice(pos, at)));
        input.pos = at;
        if (isTagged(token.ends) && !token.ends.some((end) => text.startsWith(end, spaceEnd(text, at)))) {
          this.host.currentCall().repaired("missing-bracket");
          node = node.branches[0]?.node ?? node;
        }
        break;
      }
      case "index":
        input.pos = nameEnd(input, token.ends);
        break;
      case "body":
        if (bodyStands(token.body, input, this.known.takesText())) {
          this.begin(token.body, node);
          return undefined;
        }
        // The closing marker follows at once: there are no arguments.
        this.close();
        break;
    }
    this.node = node;
    if (this.nameFollows && !holdsMore(node)) this.close();
    return undefined;
  }

  private begin(body: Body, node: FormNode): void {
    this.last = { body, node };
    this.isSkipping = false;
    // Repairs are noted on the call that is being read, of which a list holds several; an answer notes none.
    const repaired = (code: string) => {
      if (!this.isAnswer) this.host.currentCall().repaired(code);
    };
    const { gap, host, answers } = this;
    const around = this.wrapping === undefined ? this.around : [this.wrapping, ...this.around];
    const { stated } = this;
    this.stated = undefined;
    this.body = { reader: readerOf(body, { node, around, stated, gap, host, answers, repaired }, host.bodies), node };
  }

  /** The arguments are complete. */
  private finishBody({ reader }: { reader: BodyReader }): void {
    reader.finish?.();
    this.mayGoOn = reader.mayGoOn ?? false;
    if (reader.closeAll && this.last && !isWhole(this.last.body)) this.host.callClosed();
  }

  /** The arguments are complete; what is left are closing markers, which may be wrong or missing. */
  private readClosers(input: Input): Status | "again" {
    for (;;) {
      if (this.isSkipping) {
        const goesOn = elementFollows(input, this.last?.body);
        if (goesOn === undefined) return "more";
        if (goesOn) this.host.currentCall().reject("arguments follow its end");
      }
      if (this.node.branches.length === 0) {
        if (this.passWrapping(input) === undefined) return "more";
        this.wrapping = undefined;
        return this.endBare(input);
      }
      if (!input.skipSpace()) return input.final ? this.end() : "more";
      const unwrapped = this.passWrapping(input);
      const comment = markupCommentEnd(input);
      if (unwrapped === undefined || (comment === undefined && !input.final)) return "more";
      if (comment && !unwrapped) input.pos = comment;
      if (comment || unwrapped) continue;
      const { text, pos } = input;
      const closed = closerAt(this.node, text, pos);
      if (closed === undefined && !input.final) return "more";
      if (!closed && this.node.ends) return this.endBare(input);
      if (closed) {
        const isNext = this.node.branches.some(({ node }) => node === closed.node);
        const call = this.host.currentCall();
        if (!isNext && this.isUnread(call)) call.reject("it ends before its arguments");
        this.isSkipping ||= !isNext;
        input.pos += closed.text.length;
        this.node = closed.node;
        continue;
      }
      const char = text.charAt(pos);
      if (this.last && isWhole(this.last.body) && (char === "{" || char === "[")) {
        const isPart = partFollows(input, this.lastCall(this.last));
        if (isPart === undefined) return "more";
        if (isPart) this.host.currentCall().reject("an object continues after its last bracket");
        this.host.callEnded();
        this.closing = false;
        this.begin(this.last.body, this.last.node);
        return "again";
      }
      if (char === "}" || char === "]" || (char === "," && this.last && isWhole(this.last.body))) {
        if (char !== ",") this.host.currentCall().repaired("extra-bracket");
        input.pos++;
        continue;
      }
      const next = this.inside && fittingBranch(input, this.inside, this.host);
      if (next === undefined && this.inside && !input.final) return "more";
      if (next && next.token.kind === "literal") {
        // The call's own marker stands around several.
        this.host.currentCall().repaired("missing-closer");
        this.host.callEnded();
        this.closing = false;
        this.node = this.inside!;
        return "again";
      }
      const call = this.host.currentCall();
      const other = otherCloser(input, this.inside ?? this.node, this.last && this.lastCall(this.last), call);
      if (other === undefined) return "more";
      for (const doubt of other.doubts) call.reject(doubt);
      if (this.isUnread(call)) call.reject("it ends before its arguments");
      call.repaired(other.length > 0 ? "wrong-closer" : "missing-closer");
      input.pos += other.length;
      return this.end();
    }
  }

  /** Skips the end of what the call or its arguments stand in; undefined: more input is needed. */
  private passWrapping(input: Input): boolean | undefined {
    const stands = this.wrapping === undefined ? false : standsAt(input.text, input.pos, this.wrapping);
    if (!stands) return stands === undefined && !input.final ? undefined : false;
    input.pos += this.wrapping!.length;
    this.wrapping = undefined;
    return true;
  }

  /** The end of a call that nothing closes, after which a brace too many may stand. */
  private endBare(input: Input): Status | "again" {
    if (this.hasNoCall) return this.end();
    if (!this.between && this.mayGoOn && this.last) {
      const isAgain = isClosedAgain(input, this.last);
      if (isAgain === undefined) return "more";
      if (isAgain) this.host.currentCall().reject("its closing markers may be a part of a value");
    }
    // After a closing marker nothing can belong to the arguments.
    if (
      !this.between &&
      !this.isAnswer &&
      this.last?.node === this.node &&
      /json|call|action|python|input/.test(this.last.body.body)
    ) {
      const doubt = doubtAfter(input, this.last.node, this.lastCall(this.last), this.labels);
      if (doubt === undefined) return "more";
      if (doubt) this.host.currentCall().reject(doubt.reason);
      if (doubt) input.pos = doubt.end;
    }
    if (this.isHeld && !this.between && this.last && isWhole(this.last.body)) {
      const end = extraBraceEnd(input);
      if (end === undefined) return "more";
      if (end !== false) this.host.currentCall().repaired("extra-bracket");
      input.pos = end || input.pos;
    }
    return this.node.block ? this.readBlock(input) : this.end();
  }

  private lastCall({ body }: { body: Body }): LastCall {
    return { body, call: this.host.currentCall(), tools: this.host };
  }

  /** After a call of a block: its end, or another call. */
  private readBlock(input: Input): Status | "again" {
    const { separator, close, start } = this.node.block!;
    const isPython = this.last?.body.body === "python-arguments";
    const passSpace = () => (isPython ? passComments(input, close) : input.skipSpace());
    if (!this.between) this.host.callEnded();
    this.between = true;
    if (!passSpace()) return input.final ? "done" : "more";
    const follows = separator !== "" && !this.separated && standsAt(input.text, input.pos, separator);
    if (follows === undefined && !input.final) return "more";
    if (follows) {
      this.separated = true;
      input.pos += separator.length;
      if (!passSpace()) return input.final ? "done" : "more";
    }
    // With `or` between two calls, neither runs: which one is meant is unknown.
    const or = this.isHeld && orFollows(input);
    if (or || (or === undefined && !input.final)) return or ? "done" : "more";
    const closed = blockEnd(input, close);
    const found = fittingBranch(input, start, this.host);
    // Where nothing is around the calls, any word could be a name.
    const next = this.isHeld && close.length === 0 && found && found.token.kind === "name" ? false : found;
    if (closed || next) {
      this.between = this.closing = this.separated = false;
      if (closed) {
        input.pos = closed;
        return "done";
      }
      this.node = start;
      this.last = undefined;
      return "again";
    }
    return (closed === undefined || next === undefined) && !input.final ? "more" : "done";
  }

  /** Where a call could be, none has begun. */
  private get hasNoCall(): boolean {
    return !this.host.isCalling && !this.between && (!this.last || isWhole(this.last.body)) && !this.isAnswer;
  }

  private end(): Status {
    this.isEmptyList = this.hasNoCall;
    if (!this.isAnswer && !this.isEmptyList) this.host.callEnded();
    return "done";
  }
}
