import { validateValue } from "@toolingua/core";
import { PmlTreeError } from "../errors.js";
import type { PmlDocument } from "../tree.js";
import { pmlJsonSchema } from "./json-schema.js";

/** Holds data to the schema of the tree. Errors: {@link PmlTreeError}, with the JSON pointer to what is wrong. */
export function checkTree(
  document: unknown,
  code: "bad-tree" | "bad-format" = "bad-tree",
): asserts document is PmlDocument {
  const [issue] = validateValue(document, pmlJsonSchema);
  if (issue) throw new PmlTreeError(code, issue.path, `${issue.message}.`);
}
