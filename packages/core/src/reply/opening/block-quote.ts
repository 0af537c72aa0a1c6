import { type Input, isIndent } from "../../notation/input.js";
import { isToken } from "../../syntax/spelling.js";
import type { Opening } from "../forms/opening.js";

/** What a line is. The text after markup counts as a line. */
type Line =
  /** Its first character is not known yet. */
  | { is: "unknown"; isAfterMarkup: boolean }
  | { is: "plain" }
  /** It begins with the mark `>`, at this place of the reply. `hasMarker`: it quotes a marker. */
  | { is: "quote"; mark: number; isAfterMarkup: boolean; hasMarker: boolean };

const NEW: Line = { is: "unknown", isAfterMarkup: false };
const AFTER_MARKUP: Line = { is: "unknown", isAfterMarkup: true };
const PLAIN: Line = { is: "plain" };

/** Block quotes of Markdown: a line that begins with `>` is a quotation and contains no calls. */
export class BlockQuote {
  private line: Line = NEW;

  constructor(private readonly input: Input) {}

  /** A line begins at an index. */
  lineBegins(at: number): void {
    this.line = NEW;
    this.read(at);
  }

  /** Markup ends, and a line may begin after it. */
  markupEnds(): void {
    this.line = AFTER_MARKUP;
  }

  /** Reads the first character of the line, if it is not known yet, at or after an index. */
  read(from: number): void {
    if (this.line.is !== "unknown") return;
    const { isAfterMarkup } = this.line;
    const { text } = this.input;
    let i = from;
    while (isIndent(text.charCodeAt(i))) i++;
    if (i === text.length) return;
    const isQuote = text.charAt(i) === ">";
    this.line = isQuote ? { is: "quote", mark: this.input.place(i), isAfterMarkup, hasMarker: false } : PLAIN;
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
    const isFirst = !this.has(at - 1);
    // Between two calls, the bracket of a tag may be written twice.
    if (isFirst && line.isAfterMarkup) return false;
    if (line.hasMarker) return true;
    const isGlued = !isFirst && !/\s/.test(before);
    return found.opens !== "nothing" && !(isGlued && isToken(found.marker));
  }

  /** The line quotes a marker, and so the rest of the line. */
  quoteMarker(): void {
    if (this.line.is === "quote") this.line.hasMarker = true;
  }
}
