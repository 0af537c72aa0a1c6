import { StopSequences } from "@toolingua/core";
import type { Part, Piece } from "./parts.js";

/**
 * Ends a reply before the first of the client's stop sequences in its text. Calls and reasoning may contain them, and so may
 * the white space around calls, which is no part: a model that is given the sequences would end within these.
 *
 * @example
 * const stops = new TextStops(["END"], parts.list);
 * const pieces = stops.on(parts.on(event));
 * stops.met; // "END", if the text has it; then the reply is over, and the list ends there.
 */
export class TextStops {
  /** The sequence that ended the text. */
  met: string | undefined;
  readonly #stops: readonly string[];
  #text: OpenText | undefined;

  /** `list`: the parts of the reply. */
  constructor(
    stops: readonly string[],
    private readonly list: Part[],
  ) {
    this.#stops = stops.filter((stop) => stop !== "");
  }

  /** The same pieces up to a sequence. Text that may be the beginning of one comes with a later piece. */
  on(pieces: Piece[]): Piece[] {
    if (this.#stops.length === 0) return pieces;
    const sent: Piece[] = [];
    for (const piece of pieces) {
      if (this.met !== undefined) break;
      if (piece.part.type !== "text") sent.push(piece);
      else this.#on(piece, sent);
    }
    return sent;
  }

  #on(piece: Piece, sent: Piece[]): void {
    const { part } = piece;
    if (piece.type === "open") this.#text = new OpenText(part, this.#stops);
    const text = this.#text!;
    if (piece.type === "delta") this.met = text.push(piece.text, sent);
    if (piece.type === "close") text.end(sent);
    if (this.met === undefined) return;
    part.text = text.sent;
    this.list.length = text.isSent ? part.index + 1 : part.index;
    if (text.isSent) sent.push({ type: "close", part });
  }
}

/** A part with text that is being read. */
class OpenText {
  /** The text that was sent. */
  sent = "";
  readonly #sequences: StopSequences;
  /** The text that was not sent: white space at the beginning, or what may be the beginning of a sequence. */
  #space = "";
  #begun = "";

  constructor(
    private readonly part: Part,
    private readonly stops: readonly string[],
  ) {
    this.#sequences = new StopSequences(stops);
  }

  /** Whether any of it was sent. White space alone is no part. */
  get isSent(): boolean {
    return this.sent !== "";
  }

  /** Returns the sequence that ends the text. */
  push(text: string, sent: Piece[]): string | undefined {
    const { text: free, stopped } = this.#sequences.push(text);
    this.#begun = (this.#begun + text).slice(free.length);
    this.#send(free, sent);
    // Of several at this place, the shortest is the first that is complete.
    const met = this.stops.filter((one) => this.#begun.startsWith(one)).sort((a, b) => a.length - b.length);
    return stopped ? met[0] : undefined;
  }

  end(sent: Piece[]): void {
    this.#send(this.#sequences.end(), sent);
    sent.push({ type: "close", part: this.part });
  }

  #send(free: string, sent: Piece[]): void {
    const { part } = this;
    const text = this.#space + free;
    this.#space = text;
    if (text === "" || (!this.isSent && text.trim() === "")) return;
    if (!this.isSent) sent.push({ type: "open", part });
    sent.push({ type: "delta", part, text });
    this.#space = "";
    this.sent += text;
  }
}
