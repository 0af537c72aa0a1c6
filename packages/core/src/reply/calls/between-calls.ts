import { partial } from "../../common/partial.js";
import { type CommentMark, HASH_COMMENTS, HOLDS_KEY } from "../../notation/comment.js";
import { type Input, isAt } from "../../notation/input.js";
import { decide, type Lookahead } from "../../notation/lookahead.js";
import { operationEnd } from "../../notation/python/python-expression.js";
import { type Body, factsOf } from "../../syntax/bodies.js";
import type { FormNode } from "../forms/forms.js";
import { namesPython, takesJson } from "../forms/match-token.js";
import { passMarkupComment } from "../forms/wrapping.js";

// The text between calls.

/** The longest comment or expression that is buffered. */
const MAX_LENGTH = 1024;

/** The number of characters of an expression that an error shows. */
const SHOWN_REST = 40;

/** The mark of comments between calls with this body: in JSON, only where a marker ends the calls. */
export function commentMark(body: Body, closers: readonly string[]): CommentMark | undefined {
  const { language } = factsOf(body);
  if (language === "python") return "#";
  return language === "json" && closers.length > 0 ? "//" : undefined;
}

/**
 * The mark of a comment that may be at an index, before the call or arguments that are expected; `isInside`: after the marker
 * that opened the calls.
 */
function commentAt(text: string, at: number, node: FormNode, isInside: boolean): CommentMark | undefined {
  const char = text.charAt(at);
  if (char === "#") return namesPython(node) ? "#" : undefined;
  return char === "/" && isInside && takesJson(node) && node.block?.close.length !== 0 ? "//" : undefined;
}

/**
 * Skips comments that begin with a mark, and in Python semicolons, with the space around them; true when the input so far
 * contains something after them. A comment ends with its line, or before a marker that ends the calls.
 */
export function passComments(input: Input, closers: readonly string[], mark: CommentMark): boolean {
  const { text, final } = input;
  while (input.skipSpace()) {
    const { pos } = input;
    if (mark === "#" && text.charAt(pos) === ";") input.pos++;
    else if (isAt(text, pos, mark)) {
      const window = text.slice(pos, pos + MAX_LENGTH);
      const end = markerIn(window, ["\n", ...closers]);
      if (end === MAX_LENGTH) return true;
      if (!final && end > window.length - (halfMarker(window, closers) || 1)) return false;
      // Whether the call in the comment is meant is unknown.
      if (mark === "//" && HOLDS_KEY.test(window.slice(0, end))) return true;
      input.pos += end;
    } else return final || !mark.startsWith(text.slice(pos));
  }
  return false;
}

/** Whether JSON follows lines that begin with a hash: it has no such comments, so the lines are headings or words. */
function jsonFollows(look: Lookahead, at: number): boolean {
  const window = look.text.slice(at, at + MAX_LENGTH);
  const rest = window.slice(HASH_COMMENTS.exec(window)?.[0].length ?? 0);
  if (/^(?:#.*|\[\s*)?$/.test(rest) && window.length < MAX_LENGTH) look.atEnd();
  return /^(?:["{]|\[\s*["{])/.test(rest);
}

/**
 * Moves the input past the comment at its position, before the call or arguments that are expected. Undefined: there is none.
 */
export function passComment(input: Input, node: FormNode, isInside: boolean): "passed" | "more" | undefined {
  const { text, pos } = input;
  const markup = passMarkupComment(input);
  if (markup) return markup;
  const mark = commentAt(text, pos, node, isInside);
  if (mark === undefined) return undefined;
  return decide(input, (look) => {
    const isHeading = mark === "#" && !isInside && jsonFollows(look, pos);
    if (isHeading) return () => undefined;
    return () => {
      if (!passComments(input, node.literals, mark)) return "more";
      return input.pos > pos ? "passed" : undefined;
    };
  });
}

/**
 * Where an expression ends that continues after a call, as in `f() if x else None` and `[f(a) for a in b]`, and why
 * that is not a call. It ends before a marker that ends the calls; `line`: or with its line.
 */
export function expressionAfter(
  look: Lookahead,
  from: number,
  closers: readonly string[],
  line: boolean,
): { end: number; reason: string } | undefined {
  const window = look.text.slice(from, from + MAX_LENGTH);
  const marker = markerIn(window, closers);
  const half = look.isWhole ? 0 : halfMarker(window, closers);
  const rest = window.slice(0, Math.min(marker, window.length - half));
  const isWhole = marker < window.length || (look.isWhole && window.length < MAX_LENGTH);
  const end = operationEnd(rest, 0, { line, final: isWhole });
  if (end === undefined && !isWhole && window.length < MAX_LENGTH) look.atEnd();
  if (typeof end !== "number") return undefined;
  const shown = rest.slice(0, Math.min(end, SHOWN_REST)).trim() + (end > SHOWN_REST ? "…" : "");
  return { end: from + end, reason: `it is part of an expression (… ${shown}), and a call must be alone` };
}

/** How many characters at the end of a text may be the beginning of a marker, which may contain another one. */
const halfMarker = (text: string, markers: readonly string[]): number =>
  Math.max(0, ...markers.map((marker) => partial(text, 0, marker)));

/**
 * The index of the first marker, or of the end of the text. A marker of one character counts only if it is a newline.
 */
const markerIn = (text: string, markers: readonly string[]): number =>
  Math.min(
    text.length,
    ...markers
      .filter((marker) => !/^[^\n]$/.test(marker) && text.includes(marker))
      .map((marker) => text.indexOf(marker)),
  );
