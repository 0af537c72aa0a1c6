import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { isTooDeep, MAX_JSON_LEVELS, textOfBytes, whyNotText } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";

/**
 * Reads a text file: UTF-8, or UTF-16 with a byte order mark.
 *
 * Errors: `CliError` (`not-found`; `bad-input` for another encoding).
 *
 * @example await readText("reply.txt");
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    const why = code === "ENOENT" ? `There is no file ${path}.` : `The file ${path} cannot be read (${String(code)}).`;
    throw new CliError("not-found", why, { cause });
  });
  const wrong = whyNotText(bytes);
  if (wrong !== undefined) throw new CliError("bad-input", `${path} ${wrong}`);
  return textOfBytes(bytes);
}

/**
 * Reads a JSON or YAML file, by its extension.
 *
 * Errors: `CliError`: `not-found`; `bad-input`, with the location.
 *
 * @example await readDocument("tools.json");
 */
export async function readDocument(path: string): Promise<unknown> {
  return await parseDocument(await readText(path), path, /^\.ya?ml$/i.test(extname(path)));
}

/** Parses a JSON or YAML text; `from` names it in errors. */
export async function parseDocument(text: string, from: string, isYaml: boolean): Promise<unknown> {
  const data = await parsedDocument(text, from, isYaml);
  if (!isTooDeep(data)) return data;
  throw new CliError("bad-input", `${from} is nested more than ${MAX_JSON_LEVELS} levels deep.`);
}

async function parsedDocument(text: string, from: string, isYaml: boolean): Promise<unknown> {
  try {
    // A warning would be written to the terminal as it is, with the document's own words.
    return isYaml ? (await import("yaml")).parse(text, { logLevel: "error" }) : JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new CliError("bad-input", `${from} is not valid ${isYaml ? "YAML" : "JSON"}: ${why}`, { cause });
  }
}
