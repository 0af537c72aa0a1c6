import { checkOptions, messageOf, wholeFrom } from "@toolingua/core/adapters";
import { PmlTreeError } from "../errors.js";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";

/**
 * Converts a document to JSON without losses: `pmlFromJson` returns the same tree.
 *
 * Errors: `PmlTreeError` `bad-tree`, `OptionsError`.
 *
 * @example pmlToJson(document, { indent: 2 });
 */
export function pmlToJson(document: PmlDocument, options: { indent?: number | undefined } = {}): string {
  checkOptions({ indent: wholeFrom(0) }, options, "the options of pmlToJson");
  checkTree(document);
  return JSON.stringify(document, undefined, options.indent);
}

/**
 * Reads a document from JSON, in the form that `pmlJsonSchema` describes.
 *
 * Errors: `PmlTreeError` `bad-format`, with the JSON pointer to the problem.
 *
 * @example const document = pmlFromJson(await readFile("session.json", "utf8"));
 */
export function pmlFromJson(text: string): PmlDocument {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const why = messageOf(error);
    throw new PmlTreeError("bad-format", "", `expected the JSON of a document: ${why}.`);
  }
  checkTree(data, "bad-format");
  return data;
}
