import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { isTooDeep, MAX_JSON_LEVELS, textOfBytes, whyNotText } from "@toolingua/core/adapters";
import { unreadable } from "../files/refused.js";
import { CliError, shownMessage } from "../terminal/errors.js";

/**
 * Reads a text file: UTF-8, or UTF-16 with a byte order mark.
 *
 * Errors: `CliError` (`not-found`; `bad-input` for another encoding).
 *
 * @example await readText("reply.txt");
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw unreadable(cause, path);
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
    throw new CliError("bad-input", `${from} is not valid ${isYaml ? "YAML" : "JSON"}: ${whyInvalid(cause, isYaml)}`, {
      cause,
    });
  }
}

/** The reason on one line. That of JSON quotes the text around the mistake, and may say again that it is no JSON. */
function whyInvalid(cause: unknown, isYaml: boolean): string {
  const message = shownMessage(cause);
  if (isYaml) return message.split("\n")[0] ?? message;
  const why = message.replace(/\s+/g, " ").replace(/ is not valid JSON$/, "");
  return why.startsWith("Unexpected token '/'") ? `${why}. JSON has no comments.` : why;
}
