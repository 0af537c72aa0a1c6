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

/** Skips the separator between the calls of a block. `call`: another one begins here; `done`: the block has ended. */
export function callInBlock(
  input: Input,
  { separator, close, start }: Block,
  { state, comment, wrapping, isBuffered, tools }: AfterCall,
): "more" | "done" | "call" {
  const isOpen = close.length === 0;
  const passSpace = () => (comment ? passComments(input, close, comment) : input.skipSpace());
  const begins = (look: Lookahead, at: number) => {
    const call = callBegins(look, at, start, tools);
    if (!isOpen || call === undefined) return call !== undefined;
    // Without a marker that ends the block, any word could be a name, any `@` a mention, and a token may begin another turn.
    const { token } = call;
    const isWord = token.kind === "name" && !token.known && start.branches.includes(call);
    const mayBeProse = isWord || (token.kind === "literal" && isPunctuation(token.text));
    return !mayBeProse && look.find(turnSpans, ({ open }) => look.has(open, at)) === undefined;
  };
  if (!passSpace()) return input.final ? "done" : "more";
  if (separator !== "" && !state.isSeparated) {
    const look = new Lookahead(input);
    const isHere = look.has(separator, input.pos);
    const goesOn = !isOpen || openBlockGoesOn(look, input.pos, separator, begins);
    if (look.hitEnd) return "more";
    if (!goesOn) return "done";
    state.isSeparated = isHere;
    if (isHere) input.pos += separator.length;
    if (!passSpace()) return input.final ? "done" : "more";
  }
  return decide(input, (look) => {
    // Models write the punctuation of a list between calls that have markers.
    const at = (!isOpen && punctuationEnd(look, input.pos, close, begins)) || input.pos;
    const found = (to: number, what: "done" | "call") => () => {
      input.pos = to;
      return what;
    };
    // With `or` between two calls, neither runs: which one is meant is unknown.
    if (isBuffered && orFollows(look, at)) return found(at, "done");
    // Between the markers of the block, another list may follow, and without a last marker the end of one that was not opened.
    const next = listGoesOn(look, at, { separator, close }, begins);
    if (next !== undefined) return found(next, "call");
    if (isOpen && separator !== "" && isExtraBracket(look, at)) return found(at + 1, "done");
    // The fence around a list ends after its bracket, and before the last marker of the block.
    const end = new Lookahead(input);
    const closed = blockEnd(end, at, wrapping === undefined ? close : close.toSpliced(1, 0, wrapping));
    if (closed === false && begins(look, at)) return found(at, "call");
    if (end.hitEnd) look.atEnd();
    return found(closed || at, "done");
  });
}

type Begins = (look: Lookahead, at: number) => boolean;

/** Where a comma or semicolon ends, and the space after it, if another call or the end of the block follows. */
function punctuationEnd(look: Lookahead, at: number, close: readonly string[], begins: Begins): number | false {
  if (!/[,;]/.test(look.charAt(at))) return false;
  const next = look.next(at + 1);
  return next !== undefined && (begins(look, next) || blockEnd(look, next, close) !== false) && next;
}

/** Where the first call of another list begins, as in `[a()], [b()]`: after this list's end, before the block's. */
function listGoesOn(
  look: Lookahead,
  at: number,
  { separator, close }: Pick<Block, "separator" | "close">,
  begins: Begins,
): number | undefined {
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
