import { constants } from "node:buffer";
import { createReadStream } from "node:fs";
import { isUtf16, TextBytes } from "@toolingua/core/adapters";
import { unreadable } from "../files/refused.js";
import { CliError } from "./errors.js";
import type { Terminal } from "./terminal.js";

/**
 * Reads a file or standard input as it arrives: bytes, or text. At a terminal, prints that it waits.
 *
 * Errors: `CliError` (`not-found`, `bad-input` for a folder).
 *
 * @example for await (const chunk of readChunks(terminal, "session.pml")) read(chunk);
 */
export async function* readChunks(terminal: Terminal, file: string | undefined): AsyncGenerator<string | Uint8Array> {
  const isInput = file === undefined || file === "-";
  if (isInput && terminal.io.stdin.isTTY) terminal.note("Reading from the terminal; Ctrl-D ends.");
  try {
    yield* isInput ? terminal.io.stdin : createReadStream(file);
  } catch (cause) {
    throw isInput ? cause : unreadable(cause, file);
  }
}

/**
 * As {@link readChunks}, decoded to text: UTF-8, or UTF-16 with a byte order mark. Notes that the bytes are in another
 * encoding: which one is not known, so nothing is guessed.
 *
 * @example for await (const piece of readPieces(terminal, "reply.txt")) parser.push(piece);
 */
export async function* readPieces(terminal: Terminal, file: string | undefined): AsyncGenerator<string> {
  const bytes = new TextBytes();
  const noted = new EncodingNote(terminal, file);
  for await (const chunk of readChunks(terminal, file)) {
    const text = typeof chunk === "string" ? chunk : bytes.decode(chunk);
    if (typeof chunk !== "string") noted.see(text, chunk);
    if (text !== "") yield text;
  }
  const rest = bytes.decode();
  noted.see(rest, new Uint8Array());
  if (rest !== "") yield rest;
}

const nameOf = (file: string | undefined): string => (file === undefined || file === "-" ? "The input" : file);

/** Notes once that an input is in another encoding than those that are read. */
class EncodingNote {
  #done = false;
  #text = "";

  constructor(
    private readonly terminal: Terminal,
    private readonly file: string | undefined,
  ) {}

  /** `text`: what the next bytes decode to. */
  see(text: string, bytes: Uint8Array): void {
    if (this.#done) return;
    if (this.#text.length < 2) this.#text += text.slice(0, 2);
    const what = isUtf16(this.#text)
      ? "is UTF-16 without a byte order mark"
      : text.includes("\uFFFD") && !Buffer.from(bytes).includes("\uFFFD")
        ? "has bytes that are not UTF-8, shown as \uFFFD"
        : undefined;
    if (what === undefined) return;
    this.#done = true;
    this.terminal.note(`${nameOf(this.file)} ${what}. Save it as UTF-8.`);
  }
}

/**
 * Reads a file or standard input as a whole. Errors: `CliError` (`not-found`; `bad-input` for a folder, or more than a text
 * can contain).
 *
 * @example await readAll(terminal, undefined); // standard input
 */
export async function readAll(terminal: Terminal, file: string | undefined): Promise<string> {
  let text = "";
  for await (const piece of readPieces(terminal, file)) {
    if (text.length + piece.length > constants.MAX_STRING_LENGTH)
      throw new CliError("bad-input", `${nameOf(file)} is longer than ${constants.MAX_STRING_LENGTH} characters.`, {
        file,
      });
    text += piece;
  }
  return text;
}
