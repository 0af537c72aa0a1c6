import { HASH_BEGINS, SLASHES_BEGIN } from "../../notation/comment.js";
import { growingPattern } from "../../notation/growing-pattern.js";
import { type Input, isIndent } from "../../notation/input.js";
import { isToken } from "../../syntax/spelling.js";
import type { Opening } from "../forms/opening.js";

/** What a line is. Places are those of the reply. */
type Line =
  /** It is not known yet. `lead`: its text after its indentation and list marks, which was read up to `next`. */
  | { is: "unknown"; lead: string; next: number }
  | { is: "plain" }
  /** It begins with the mark of a comment, and is quoted from a place on. */
  | { is: "comment"; from: number }
  /** It begins with the mark `>`, or goes on with such a paragraph. `hasMarker`: it quotes a marker. */
  | { is: "quote"; from: number; hasMarker: boolean };

const PLAIN: Line = { is: "plain" };

/** A bullet, a number, and the box of a task. */
const LIST_MARK = growingPattern([
  ["[-*+•]", "[^\\S\\n]"],
  ["\\d", "\\d{0,8}", "[.)]", "[^\\S\\n]"],
  ["\\[", "[ xX]", "\\]", "[^\\S\\n]"],
]);

/** The first character of a list mark or comment. */
const BEGINS_MARK = /^[-*+•\d[/#]/;

const mayBeMark = (lead: string) => [LIST_MARK, SLASHES_BEGIN, HASH_BEGINS].some(({ part }) => part.test(lead));

/**
 * Lines without calls. One that begins with `>` is a block quote of Markdown and contains no calls; nor do the lines after
 * one that quotes a marker, up to an empty one. One that begins with `//` or `#` is a comment and contains no calls without a
 * marker. Both may be an item of a list.
 */
export class QuotedLine {
  private line: Line = { is: "unknown", lead: "", next: 0 };

  constructor(private readonly input: Input) {}

  /** A line begins at an index. `isBlank`: the line before it is empty. */
  begins(at: number, isBlank: boolean): void {
    const { line } = this;
    // In Markdown, a paragraph of a quote goes on without the mark.
    if (line.is === "quote" && line.hasMarker && !isBlank) return;
    this.line = { is: "unknown", lead: "", next: this.input.place(at) };
    this.read();
  }

  /** Markup ends: the rest of its line is not quoted. */
  markupEnds(): void {
    this.line = PLAIN;
  }

  /** Reads the beginning of the line, as far as it is not known yet. */
  read(): void {
    const { input } = this;
    const { text } = input;
    while (this.line.is === "unknown") {
      const { lead, next } = this.line;
      const at = next - input.place(0);
      if (at >= text.length) return;
      const isSpace = lead === "" && isIndent(text.charCodeAt(at));
      this.line = isSpace ? { ...this.line, next: next + 1 } : lineOf(lead + text.charAt(at), next);
    }
  }

  /** Whether a call without a marker at an index is quoted. */
  quotesUnmarked(at: number): boolean {
    const { line } = this;
    return (line.is === "quote" || line.is === "comment") && this.input.place(at) >= line.from;
  }

  /**
   * Whether a marker at an index is quoted. A token directly after the words of the quote, or after markup, ends it, because
   * models write no line break before their tokens; the end of a turn ends it anywhere. `before`: the end of the text before
   * it.
   */
  quotesMarker(found: Opening, at: number, before: string): boolean {
    const { line } = this;
    const isTurnEnd = found.opens === "nothing" && found.where === "end";
    // The mark is not quoted, because a marker may begin with the same character.
    if (line.is !== "quote" || !this.quotesUnmarked(at) || isTurnEnd) return false;
    if (line.hasMarker) return true;
    const isGlued = /(?:^|[\p{L}\p{N}.!?…。！？])$/u.test(before) && this.quotesUnmarked(at - 1);
    return found.opens !== "nothing" && !(isGlued && isToken(found.marker));
  }

  /** The line quotes a marker, and so the rest of its paragraph. */
  quoteMarker(): void {
    if (this.line.is === "quote") this.line.hasMarker = true;
  }
}

/** The line with this beginning, whose last character is at a place. */
function lineOf(lead: string, place: number): Line {
  const next = place + 1;
  if (lead === ">") return { is: "quote", from: next, hasMarker: false };
  if (!BEGINS_MARK.test(lead)) return PLAIN;
  if (SLASHES_BEGIN.whole.test(lead)) return { is: "comment", from: next };
  // The character after the hash may be the call's first.
  if (HASH_BEGINS.whole.test(lead)) return { is: "comment", from: place };
  if (LIST_MARK.whole.test(lead)) return { is: "unknown", lead: "", next };
  return mayBeMark(lead) ? { is: "unknown", lead, next } : PLAIN;
}
