import { type PmlDocument, parsePml } from "@toolingua/pml";
import { CliError } from "../terminal/errors.js";
import { inFile } from "../terminal/in-file.js";
import { readChunks } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";

/**
 * Reads a file or standard input as a whole. Bytes that are not UTF-8 are rejected, since writing them back would
 * change them.
 *
 * Errors: `CliError` (`not-found`, `bad-input`).
 *
 * @example await readUtf8(terminal, "session.pml");
 */
export async function readUtf8(terminal: Terminal, file: string | undefined): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for await (const chunk of readChunks(terminal, file)) {
      text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CliError("bad-input", `${file ?? "Standard input"} is not UTF-8. Save it as UTF-8.`, { cause });
  }
}

/**
 * A document. Errors: `CliError` (`not-found`, `bad-input`); `PmlSyntaxError`, with line and column.
 *
 * @example const document = await readPmlFile(terminal, "session.pml");
 */
export async function readPmlFile(terminal: Terminal, file: string | undefined): Promise<PmlDocument> {
  const text = await readUtf8(terminal, file);
  return inFile(file, () => parsePml(text));
}
