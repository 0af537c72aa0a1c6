import { jsonPointer } from "@toolingua/core/adapters";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";
import { isXmlText } from "./xml-text.js";

/**
 * The JSON pointers of the texts in which `stringifyPml` writes U+FFFD for characters that XML does not allow.
 * Arguments of calls and schemas of tools lose nothing: they are written as JSON if necessary.
 *
 * Errors: `PmlTreeError` `bad-tree`.
 *
 * @example unwritableIn({ version: "1", memory: [{ type: "fact", text: "\u0000" }] }); // ["/memory/0/text"]
 */
export function unwritableIn(document: PmlDocument): string[] {
  checkTree(document);
  const walk = (value: unknown, path: string): string[] => {
    if (typeof value === "string") return isXmlText(value) ? [] : [path];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, part]) =>
      (key === "arguments" || key === "parameters") && typeof part !== "string"
        ? []
        : walk(part, jsonPointer(path, key)),
    );
  };
  return walk(document, "");
}
