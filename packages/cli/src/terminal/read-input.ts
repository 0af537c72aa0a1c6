import { createReadStream } from "node:fs";
import { TextBytes } from "@toolingua/core/adapters";
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
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EISDIR")
      throw new CliError("bad-input", `${file} is a folder; the name of a file is needed.`, { cause, file });
    if (code === "ENOENT") throw new CliError("not-found", `There is no file ${file}.`, { cause, file });
    if (isInput || typeof code !== "string") throw cause;
    throw new CliError("not-found", `The file ${file} cannot be read (${code}).`, { cause, file });
  }
}

/**
 * As {@link readChunks}, decoded to text: UTF-8, or UTF-16 with a byte order mark.
 *
 * @example for await (const piece of readPieces(terminal, "reply.txt")) parser.push(piece);
 */
export async function* readPieces(terminal: Terminal, file: string | undefined): AsyncGenerator<string> {
  const bytes = new TextBytes();
  for await (const chunk of readChunks(terminal, file)) {
    const text = typeof chunk === "string" ? chunk : bytes.decode(chunk);
    if (text !== "") yield text;
  }
  const rest = bytes.decode();
  if (rest !== "") yield rest;
}

/**
 * Reads a file or standard input as a whole. Errors: `CliError` (`not-found`).
 *
 * @example await readAll(terminal, undefined); // standard input
 */
export async function readAll(terminal: Terminal, file: string | undefined): Promise<string> {
  let text = "";
  for await (const piece of readPieces(terminal, file)) text += piece;
  return text;
}
