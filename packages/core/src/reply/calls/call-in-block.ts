import type { CommentMark } from "../../notation/comment.js";
import { type Input, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { decide, Lookahead } from "../../notation/lookahead.js";
import { isPunctuation } from "../../syntax/tokens.js";
import { turnSpans } from "../../syntax/turn-tokens.js";
import { blockEnd } from "../forms/closers.js";
import type { FormNode } from "../forms/forms.js";
import { callBegins } from "../forms/lost-opener.js";
import type { KnownTools } from "../forms/match-branch.js";
import { orFollows } from "../forms/or-follows.js";
import { turnIsOver } from "../forms/turn-end.js";
import { passComments } from "./between-calls.js";

/** The state after a call of a block. */
interface AfterCall {
  /** Whether the separator was skipped. */
  state: { isSeparated: boolean };
  /** The mark of comments between the calls. */
  comment: CommentMark | undefined;
  /** The end of the wrapping around the calls. */
  wrapping: string | undefined;
  /** Whether the calls are buffered, so that the text after them may be examined. */
  isBuffered: boolean;
  tools: KnownTools;
}

type Block = NonNullable<FormNode["block"]>;

/** What is after a call of a block. `call`: another one begins here; `done`: the block has ended. */
type InBlock = "more" | "done" | "call";

/** Skips the separator between the calls of a block, and what else may be before the next call or the end. */
export function callInBlock(input: Input, block: Block, after: AfterCall): InBlock {
  const { separator, close } = block;
  const { state } = after;
  if (!passSpace(input, close, after)) return input.final ? "done" : "more";
  if (separator === "" || state.isSeparated) return afterSeparator(input, block, after);
  const isOpen = close.length === 0;
  return decide(input, (look) => {
    const isHere = look.has(separator, input.pos);
    const goesOn = !isOpen || openBlockGoesOn(look, input.pos, separator, beginsIn(block, after));
    if (!goesOn) return () => "done";
    return () => {
      if (isHere) {
        state.isSeparated = true;
        input.pos += separator.length;
        if (!passSpace(input, close, after)) return input.final ? "done" : "more";
      }
      return afterSeparator(input, block, after);
    };
  });
}

const passSpace = (input: Input, close: readonly string[], { comment }: AfterCall): boolean =>
  comment ? passComments(input, close, comment) : input.skipSpace();

/** Whether a call of the block begins at an index. */
const beginsIn =
  ({ close, start }: Block, { tools }: AfterCall): Begins =>
  (look, at) => {
    const call = callBegins(look, at, start, tools);
    if (close.length > 0 || call === undefined) return call !== undefined;
    // Without a marker that ends the block, any word could be a name, any `@` a mention, and a token may begin another turn.
    const { token } = call;
    const isWord = token.kind === "name" && !token.known && start.branches.includes(call);
    const mayBeProse = isWord || (token.kind === "literal" && isPunctuation(token.text));
    return !mayBeProse && look.find(turnSpans, ({ open }) => look.has(open, at)) === undefined;
  };

/** Skips the punctuation of a list, which models write between calls that have markers. */
function afterSeparator(input: Input, block: Block, after: AfterCall): InBlock {
  const begins = beginsIn(block, after);
  return decide(input, (look) => {
    const end = block.close.length > 0 && punctuationEnd(look, input.pos, block.close, begins);
    return () => {
      if (end) input.pos = end;
      return nextInBlock(input, block, after);
    };
  });
}

function nextInBlock(input: Input, block: Block, after: AfterCall): InBlock {
  const { separator, close } = block;
  const begins = beginsIn(block, after);
  return decide(input, (look) => {
    const { pos } = input;
    const moveTo = (end: number, found: InBlock) => () => {
      input.pos = end;
      return found;
    };
    // With `or` between two calls, neither runs: which one is meant is unknown.
    if (after.isBuffered && orFollows(look, pos)) return () => "done";
    // Between the markers of the block, another list may follow, and without a last marker the end of one that was not opened.
    const next = listGoesOn(look, pos, block, begins);
    if (next !== undefined) return moveTo(next, "call");
    const isExtra = close.length === 0 && separator !== "" && isExtraBracket(look, pos);
    if (isExtra) return moveTo(pos + 1, "done");
    return () => callOrEnd(input, block, after);
  });
}

function callOrEnd(input: Input, block: Block, after: AfterCall): InBlock {
  const { close } = block;
  const { wrapping } = after;
  const look = new Lookahead(input);
  // The fence around a list ends after its bracket, and before the last marker of the block.
  const closed = blockEnd(look, input.pos, wrapping === undefined ? close : close.toSpliced(1, 0, wrapping));
  if (closed !== false) {
    if (look.hitEnd) return "more";
    input.pos = closed;
    return "done";
  }
  // A call that begins here whatever follows needs no decision on the end.
  const ahead = new Lookahead(input);
  if (beginsIn(block, after)(ahead, input.pos) && !ahead.hitEnd) return "call";
  return look.hitEnd || ahead.hitEnd ? "more" : "done";
}

type Begins = (look: Lookahead, at: number) => boolean;

/** Where a comma or semicolon ends, and the space after it, if another call or the end of the block follows. */
function punctuationEnd(look: Lookahead, at: number, close: readonly string[], begins: Begins): number | false {
  if (!/[,;]/.test(look.charAt(at))) return false;
  const next = look.next(at + 1);
  return next !== undefined && (begins(look, next) || blockEnd(look, next, close) !== false) && next;
}

/** Where the first call of another list begins, as in `[a()], [b()]`: after this list's end, before the block's. */
function listGoesOn(look: Lookahead, at: number, { separator, close }: Block, begins: Begins): number | undefined {
  const [bracket = "", ...others] = close;
  if (bracket !== "]" || others.length === 0 || separator === "" || !look.has(bracket, at)) return undefined;
  const comma = look.next(at + 1);
  if (comma === undefined || look.text.charAt(comma) !== separator.trim()) return undefined;
  const open = look.next(comma + 1);
  if (open === undefined || look.text.charAt(open) !== "[") return undefined;
  return begins(look, open + 1) ? open + 1 : undefined;
}

/** Whether the bracket at an index ends a list that was not opened, because the turn ends after it. */
function isExtraBracket(look: Lookahead, at: number): boolean {
  if (look.charAt(at) !== "]") return false;
  const end = spaceEnd(look.text, at + 1);
  return end - at <= LOOKAHEAD && turnIsOver(look, end);
}

/**
 * Whether a block may go on at an index without a marker that ends it. Punctuation may belong to the text after the block,
 * so a call must follow the separator; without the separator, a bracket may belong to that text too.
 */
function openBlockGoesOn(look: Lookahead, from: number, separator: string, begins: Begins): boolean {
  if (!look.has(separator, from)) return look.charAt(from) !== "[";
  const at = look.next(from + separator.length);
  return at !== undefined && begins(look, at);
}
