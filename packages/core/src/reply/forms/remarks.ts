import { BLOCK_COMMENT, HOLDS_KEY, SLASH_COMMENT } from "../../notation/comment.js";
import { spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";

// What models write after a call, before its closing marker or the end of the reply, that says nothing of it.

const RULE = String.raw`(?:-{3,}|\*{3,}|_{3,})[^\S\n]*(?=\n|$)`;
const MARKUP_COMMENT = "<!--[\\s\\S]*?-->";
/** A sign between statements or sentences, the end of a fence, of inline code or of CDATA, and a line break as JSON writes it. */
const SIGN = String.raw`[;,.。]|\`{1,3}(?![\w\`])|\\[nrt]|\]\]>`;

/** Remarks, and their beginnings. `comment`: those that say something, which may be text where no marker follows. */
interface Remarks {
  all: RegExp;
  part: RegExp;
  comment: RegExp;
}

const remarks = (all: string, part: string): Remarks => ({
  all: new RegExp(all, "y"),
  part: new RegExp(`^(?:${part})$`),
  comment: /^[/#<]/,
});

const PART_OF_RULE = String.raw`--?|\*\*?|__?`;
const PART_OF_COMMENT = String.raw`\/(?:\*[\s\S]*)?`;

/** Rules alone: after words, a comment may say that the calls are an example. */
export const RULES = remarks(RULE, PART_OF_RULE);
/** Where calls without a marker are the whole reply. */
export const COMMENTS_AND_RULES = remarks(
  `${RULE}|${SLASH_COMMENT}(?=\\n|$)|${BLOCK_COMMENT}`,
  `${PART_OF_RULE}|${PART_OF_COMMENT}`,
);
/** After a call with a marker. */
export const ALL_REMARKS = remarks(
  `${RULE}|${SLASH_COMMENT}|#[^\\n]*|${BLOCK_COMMENT}|${MARKUP_COMMENT}|${SIGN}`,
  `${PART_OF_RULE}|${PART_OF_COMMENT}|<(?:!(?:-(?:-[\\s\\S]*)?)?)?|\\\\|\`+|\\]\\]?`,
);

/** A key, or a quote before a bracket: the call may go on in what looks like a comment. */
const MAY_GO_ON = new RegExp(`${HOLDS_KEY.source}|["'][^\\n]*[}\\])]`, "u");

/** The longest remarks to wait for. */
const MAX_REMARKS = 512;

/**
 * Where the remarks end that begin after a call at an index, with nothing after them but one of the closers or the end of the
 * reply. Undefined: there is something else.
 */
export function remarksEnd(
  look: Lookahead,
  from: number,
  { kinds, closers }: { kinds: Remarks; closers: readonly string[] },
): number | undefined {
  const text = look.text.slice(from, from + MAX_REMARKS);
  let at = 0;
  let isComment = false;
  for (let next = 0; next < MAX_REMARKS; ) {
    if (at > 0 && closers.some((closer) => look.markerEnd(closer, from + next) !== false)) return from + at;
    if (at > 0 && look.endsAt(from + next)) return isComment && kinds === ALL_REMARKS ? undefined : from + at;
    kinds.all.lastIndex = next;
    let [remark = ""] = kinds.all.exec(text) ?? [];
    if (remark === "" && text.length < MAX_REMARKS && kinds.part.test(text.slice(next))) look.atEnd();
    // A closer of one character, such as a list's bracket, may be a part of the words.
    for (const closer of closers) if (closer.length > 1) remark = remark.split(closer, 1)[0]!;
    if (remark === "" || MAY_GO_ON.test(remark)) return undefined;
    isComment ||= kinds.comment.test(remark);
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
