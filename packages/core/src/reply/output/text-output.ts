import { isIndent, LOOKAHEAD } from "../../notation/input.js";
import type { DroppedReason, ReplyEvent } from "../../types.js";

type TextEvent = Extract<ReplyEvent, { text: string }>;
type TextReason = Extract<ReplyEvent, { type: "text" }>["reason"];

/** How much of the text before an index is known. */
export const MAX_BEFORE = 8 * LOOKAHEAD;

const reasonOf = (event: ReplyEvent) => ("reason" in event ? event.reason : undefined);

/**
 * Writes the text events. White space around a call belongs to the call, so white space is buffered until the next
 * item. Two texts with a call between them are separated by the white space before the call or, if there is none, after
 * it.
 */
export class TextOutput {
  /** Whether text other than white space was written, without a separator that may be dropped. */
  private wroteProse = false;
  /** The number of pieces of text, reasoning and dropped text. */
  pieces = 0;
  /** Their number where the last markup began. */
  piecesAtMarkup = 0;
  /** The number of events that later text is not joined to. */
  eventsApart = 0;
  /** The number of pieces of text that were more than white space. */
  prosePieces = 0;
  /** White space at the end of the text so far. */
  private space = "";
  /** White space before the last markup. */
  private gap = "";
  /** The first white space after it. */
  private afterMarker = "";
  /** A comma or semicolon directly after markup, and the space after it: it separates calls, if another one follows. */
  private separator = "";
  /** Whether markup was the last, such as a call or a span, and no text after it but a separator. */
  private followsMarkup = false;
  /** The text since the last markup, of which only the last characters are kept, as many as a question about it may see. */
  private tail = "";
  /** The indentation at its end, in characters, and whether a line, or the text, begins before that. */
  private indent = 0;
  private isIndented = true;

  /**
   * Whether a quotation mark is in what was written so far, also before the last markup, so that what follows may be quoted.
   */
  mayBeQuoted = false;

  constructor(private readonly events: ReplyEvent[]) {}

  /** Whether there was text other than white space. */
  get prose(): boolean {
    return this.wroteProse || this.separator !== "";
  }

  /** Whether markup was the last, such as a call or a span, and no text after it. */
  get afterMarkup(): boolean {
    return this.followsMarkup && this.separator === "";
  }

  /** Notes that a call or a span begins. */
  markup(): void {
    this.dropSeparator();
    if (this.gap === "") this.gap = this.space || this.afterMarker;
    this.space = this.afterMarker = "";
    this.forget();
    this.followsMarkup = true;
    this.piecesAtMarkup = this.pieces;
  }

  /**
   * The end of the text since the last markup, with a piece after it that is not written yet: at most `length`
   * characters, however much of it is written, and no more than {@link MAX_BEFORE}.
   */
  before(piece: string, length = LOOKAHEAD): string {
    return piece.length < length ? (this.tail + piece).slice(-length) : piece.slice(-length);
  }

  /** Whether the text after this piece begins a line, or follows markup; not after more space than a question may see. */
  beginsLine(piece: string): boolean {
    const indent = indentOf(piece);
    if (indent < piece.length) return piece.charAt(piece.length - indent - 1) === "\n" && indent < LOOKAHEAD;
    return this.isIndented && this.indent + indent < LOOKAHEAD;
  }

  /** Notes a piece of text for the questions about what is before. */
  private note(piece: string): void {
    this.mayBeQuoted ||= hasQuote(this.tail.slice(-2), piece);
    this.tail += piece;
    // Cutting it off at each piece would copy it each time.
    if (this.tail.length > 2 * MAX_BEFORE) this.tail = this.tail.slice(-MAX_BEFORE);
    const indent = indentOf(piece);
    if (indent < piece.length) {
      this.isIndented = piece.charAt(piece.length - indent - 1) === "\n";
      this.indent = indent;
    } else this.indent += indent;
  }

  private forget(): void {
    this.tail = "";
    this.indent = 0;
    this.isIndented = true;
  }

  text(piece: string, reason?: TextReason): void {
    this.note(piece);
    const body = piece.trimEnd();
    if (body !== "") this.emit(body, reason);
    this.blank(piece.slice(body.length));
  }

  private emit(body: string, reason?: TextReason): void {
    const trimmed = this.followsMarkup && this.separator === "" ? body.trimStart() : body;
    if (this.followsMarkup) this.blank(body.slice(0, body.length - trimmed.length));
    if (this.followsMarkup && this.separator === "" && !reason && /^[,;]$/.test(trimmed)) {
      this.separator = trimmed;
      return;
    }
    const before = !this.followsMarkup ? this.space : this.wroteProse || reason ? this.gap || this.afterMarker : "";
    const text = before + this.separator + trimmed;
    this.separator = "";
    this.add(reason ? { type: "text", text, reason } : { type: "text", text });
    this.wroteProse = true;
    this.prosePieces++;
    this.followsMarkup = false;
    this.space = this.gap = this.afterMarker = "";
  }

  private blank(piece: string): void {
    if (piece === "") return;
    if (this.separator !== "") {
      this.separator += piece;
      if (this.separator.length <= LOOKAHEAD) return;
      const rest = this.separator.slice(LOOKAHEAD);
      this.separator = this.separator.slice(0, LOOKAHEAD);
      this.emit("");
      this.blank(rest);
      return;
    }
    if (this.followsMarkup) {
      this.afterMarker = (this.afterMarker + piece).slice(0, LOOKAHEAD);
      return;
    }
    this.space += piece;
    if (this.space.length <= LOOKAHEAD) return;
    this.add({ type: "text", text: this.space.slice(0, -LOOKAHEAD) });
    this.space = this.space.slice(-LOOKAHEAD);
  }

  /** Writes an answer that is not a string, and its text in JSON. */
  value(value: unknown): void {
    this.markup();
    this.emit(JSON.stringify(value) ?? "null");
    const last = this.events.at(-1);
    if (last?.type === "text") last.value = value;
  }

  private dropSeparator(): void {
    if (this.separator !== "") this.dropped(this.separator, "markup around a call");
    this.separator = "";
  }

  reasoning(text: string): void {
    this.mayBeQuoted ||= hasQuote("", text);
    this.add({ type: "reasoning", text });
  }

  dropped(text: string, reason: DroppedReason): void {
    this.mayBeQuoted ||= hasQuote("", text);
    this.add({ type: "dropped", text, reason });
  }

  /** Drops the white space before a token that ends the turn. */
  endTurn(): void {
    this.space = "";
  }

  /** Ends the reply: white space without a call after it is text. */
  end(): void {
    if (this.separator !== "") this.emit("");
    this.add({ type: "text", text: this.space });
    this.space = "";
  }

  /** Forgets the text so far, as if the reply began here. */
  reset(): void {
    this.wroteProse = false;
    this.space = this.gap = this.afterMarker = this.separator = "";
    this.forget();
  }

  /** Adds an event, joined to the last one if it continues it. */
  private add(event: TextEvent): void {
    if (event.text === "") return;
    this.pieces++;
    const last = this.events.at(-1);
    const isJoined =
      last?.type === event.type && reasonOf(last) === reasonOf(event) && this.events.length > this.eventsApart;
    if (isJoined && "text" in last) last.text += event.text;
    else this.events.push(event);
  }
}

/** A quotation mark; after a letter or digit, one that is an apostrophe as well is none. */
const QUOTE = /["“”„«»‹›「『`]|(?<![\p{L}\p{N}])['‘’]/gu;

/** Whether a text has a quotation mark. `before`: the end of the text before it. */
function hasQuote(before: string, text: string): boolean {
  QUOTE.lastIndex = before.length;
  return QUOTE.test(before + text);
}

/** The number of characters of indentation at the end of a text. */
function indentOf(text: string): number {
  let from = text.length;
  while (from > 0 && isIndent(text.charCodeAt(from - 1))) from--;
  return text.length - from;
}
