import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument } from "../tree.js";

const checked = new WeakSet<PmlDocument>();

/**
 * Checks a document, unless it was checked before or is the valid result of an edit. Errors: `PmlTreeError` `bad-tree`.
 */
export function checkOnce(document: PmlDocument): void {
  if (checked.has(document)) return;
  checkTree(document);
  checked.add(document);
}

/** Records that a document is valid, and returns it. */
export function valid(document: PmlDocument): PmlDocument {
  checked.add(document);
  return document;
}
