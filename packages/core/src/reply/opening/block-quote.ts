import { type Input, isIndent } from "../../notation/input.js";
import { isToken } from "../../syntax/spelling.js";
import type { Opening } from "../forms/opening.js";

/** What a line is. */
type Line =
  /** Its first character is not known yet. */
  | { is: "unknown" }
  | { is: "plain" }
  /** It begins with the mark `>`, at this place of the reply, or goes on with such a paragraph. `hasMarker`: it quotes a marker. */
  | { is: "quote"; mark: number; hasMarker: boolean };

const UNKNOWN: Line = { is: "unknown" };
const PLAIN: Line = { is: "plain" };

/**
 * Block quotes of Markdown: a line that begins with `>` is a quotation and contains no calls. So are the lines after one that quotes
 * a marker, up to an empty one.
 */
export class BlockQuote {
  private line: Line = UNKNOWN;

  constructor(private readonly input: Input) {}

  /** A line begins at an index. `isBlank`: the line before it is empty. */
  lineBegins(at: number, isBlank: boolean): void {
    const { line } = this;
    // In Markdown, a paragraph of a quote goes on without the mark.
    if (line.is === "quote" && line.hasMarker && !isBlank) return;
    this.line = UNKNOWN;
    this.read(at);
  }

  /** Markup ends: the rest of its line is not quoted. */
  markupEnds(): void {
    this.line = PLAIN;
  }

  /** Reads the first character of the line, if it is not known yet, at or after an index. */
  read(from: number): void {
    if (this.line.is !== "unknown") return;
    const { text } = this.input;
    let i = from;
    while (isIndent(text.charCodeAt(i))) i++;
    if (i === text.length) return;
    this.line = text.charAt(i) === ">" ? { is: "quote", mark: this.input.place(i), hasMarker: false } : PLAIN;
  }

  /** Whether the character at an index is quoted. The mark is not, because a marker may begin with the same character. */
  has(at: number): boolean {
    return this.line.is === "quote" && this.input.place(at) > this.line.mark;
  }

  /**
   * Whether a marker at an index is quoted. A token directly after the words of the quote ends it, because models write no
   * line break before their tokens; the end of a turn ends it anywhere. `before`: the character before the marker.
   */
  quotes(found: Opening, at: number, before: string): boolean {
    const { line } = this;
    const isTurnEnd = found.opens === "nothing" && found.where === "end";
    if (line.is !== "quote" || !this.has(at) || isTurnEnd) return false;
    if (line.hasMarker) return true;
    const isGlued = /[\p{L}\p{N}.!?…。！？]/u.test(before) && this.has(at - 1);
    return found.opens !== "nothing" && !(isGlued && isToken(found.marker));
  }

  /** The line quotes a marker, and so the rest of its paragraph. */
  quoteMarker(): void {
    if (this.line.is === "quote") this.line.hasMarker = true;
  }
}
