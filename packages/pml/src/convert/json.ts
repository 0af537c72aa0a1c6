import { wholeFrom } from "@toolingua/core";
import { checkOptions } from "../check-options.js";
import { PmlTreeError } from "../errors.js";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";

/**
 * The tree of a document as JSON. Nothing is lost: `pmlFromJson` gives the same again.
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
 * Reads the JSON of a tree, which `pmlJsonSchema` describes.
 *
 * Errors: `PmlTreeError` `bad-format`, with the JSON pointer to what is wrong.
 *
 * @example const document = pmlFromJson(await readFile("session.json", "utf8"));
 */
export function pmlFromJson(text: string): PmlDocument {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PmlTreeError("bad-format", "", `expected the JSON of a document: ${why}.`);
  }
  checkTree(data, "bad-format");
  return data;
}
