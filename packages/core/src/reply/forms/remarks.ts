import { BLOCK_COMMENT, HOLDS_KEY, SLASH_COMMENT } from "../../notation/comment.js";
import { spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";

// What models write after a call, before its closing marker or the end of the reply, that says nothing of it: rules, comments,
// a sign between statements or sentences, the end of a fence, of inline code or of CDATA, a line break as JSON writes it.

const RULE = String.raw`(?:-{3,}|\*{3,}|_{3,})[^\S\n]*(?=\n|$)`;
const SIGN = String.raw`[;,.。!]|\*\*|\`{1,3}(?![\w\`])|~{3}|\\[nrt]|\]\]>`;
const REMARK = new RegExp(`${RULE}|${SLASH_COMMENT}|#[^\\n]*|${BLOCK_COMMENT}|<!--[\\s\\S]*?-->|${SIGN}`, "y");
/** The beginning of one. */
const PART = /^(?:--?|\*\*?|__?|\/(?:\*[\s\S]*)?|<(?:!(?:-(?:-[\s\S]*)?)?)?|\\|`+|~~?|\]\]?)$/;

/** The characters that remarks begin with, by kind. After words, a comment may say that calls without a marker are an example. */
export const RULES = "-*_";
export const COMMENTS_AND_RULES = "-*_/";
export const ALL_REMARKS = "-*_/#<;,.。!`~\\]";

/** A key, or a quote before a bracket: the call may go on in what looks like a comment. */
const MAY_GO_ON = new RegExp(`${HOLDS_KEY.source}|["'][^\\n]*[}\\])]`, "u");

/** The longest remarks to wait for. */
const MAX_REMARKS = 512;

/**
 * Where the remarks of some kinds end that begin after a call at an index, with nothing after them but one of the closers or the
 * end of the reply, where a comment after a call with a marker is text. Undefined: there is something else.
 */
export function remarksEnd(
  look: Lookahead,
  from: number,
  { kinds, closers }: { kinds: string; closers: readonly string[] },
): number | undefined {
  const text = look.text.slice(from, from + MAX_REMARKS);
  let at = 0;
  let isText = false;
  for (let next = 0; next < MAX_REMARKS; ) {
    if (at > 0 && closers.some((closer) => look.markerEnd(closer, from + next) !== false)) return from + at;
    if (at > 0 && look.endsAt(from + next)) return isText ? undefined : from + at;
    if (!kinds.includes(text.charAt(next))) return undefined;
    REMARK.lastIndex = next;
    let [remark = ""] = REMARK.exec(text) ?? [];
    if (remark === "" && text.length < MAX_REMARKS && PART.test(text.slice(next))) look.atEnd();
    // A closer of one character, such as a list's bracket, may be a part of the words.
    for (const closer of closers) if (closer.length > 1) remark = remark.split(closer, 1)[0]!;
    if (remark === "" || MAY_GO_ON.test(remark)) return undefined;
    isText ||= kinds === ALL_REMARKS && /^[/#<]/.test(remark);
    at = next + remark.length;
    next = spaceEnd(text, at);
  }
  return undefined;
}

/** Whether a comment at an index may contain more of the call before it. */
export function commentGoesOn(look: Lookahead, from: number): boolean {
  const [comment = ""] = /^(?:#|\/[/*]).*/.exec(look.text.slice(from, from + MAX_REMARKS)) ?? [];
  return MAY_GO_ON.test(comment);
}
