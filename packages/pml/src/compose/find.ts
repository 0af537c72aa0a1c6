import { jsonPointer } from "@toolingua/core/adapters";
import { PmlEditError } from "../errors.js";
import type { PmlDocument } from "../tree.js";
import { checkOnce } from "./checked-documents.js";

/**
 * Selects a node of a document: `#id`, the id of any node; a JSON pointer, such as `/conversation/turns/0`; or `{ path
 * }`, the file of an attachment or an edit.
 */
export type Where = string | { path: string };

/** A node of a document, and its place. */
export interface Place {
  /** Its JSON pointer. */
  pointer: string;
  node: Readonly<Record<string, unknown>>;
}

/** Every node of a document that can be added, replaced or removed, in document order. */
export function* placesIn({ memory, conversation }: PmlDocument): Generator<Place> {
  const list = function* (nodes: readonly object[], path: string): Generator<Place> {
    for (const [i, node] of nodes.entries()) {
      const pointer = jsonPointer(path, i);
      yield { pointer, node: { ...node } };
      if ("messages" in node && Array.isArray(node.messages)) yield* list(node.messages, `${pointer}/messages`);
      if ("parts" in node && Array.isArray(node.parts)) yield* list(node.parts, `${pointer}/parts`);
      if ("attachments" in node && Array.isArray(node.attachments))
        yield* list(node.attachments, `${pointer}/attachments`);
    }
  };
  yield* list(memory ?? [], "/memory");
  yield* list(conversation?.turns ?? [], "/conversation/turns");
}

/**
 * Finds the one selected node.
 *
 * Errors: `PmlEditError` `not-found`, `ambiguous`, `bad-place`; `PmlTreeError` `bad-tree`.
 *
 * @example findInPml(document, "#plan").pointer; // "/conversation/turns/0/messages/0/parts/1"
 */
export function findInPml(document: PmlDocument, where: Where): Place {
  checkOnce(document);
  return placeOf(document, where);
}

/** As {@link findInPml}, for a document that was already checked. */
export function placeOf(document: PmlDocument, where: Where): Place {
  checkWhere(where);
  const isMeant = ({ pointer, node }: Place) => {
    if (typeof where === "object") return node.path === where.path || node.file === where.path;
    return where.startsWith("#") ? idOf(node) === where.slice(1) : pointer === where;
  };
  const [found, second] = [...placesIn(document)].filter(isMeant);
  const shown = typeof where === "object" ? `the path ${JSON.stringify(where.path)}` : JSON.stringify(where);
  if (!found) throw new PmlEditError("not-found", `The document has nothing at ${shown}. ${known(document, where)}`);
  if (!second) return found;
  const message = `The document has ${shown} more than once, at ${found.pointer} and ${second.pointer}: say which by its pointer.`;
  throw new PmlEditError("ambiguous", message);
}

function checkWhere(where: unknown): void {
  if (typeof where === "string") return;
  if (typeof where === "object" && where !== null && "path" in where && typeof where.path === "string") return;
  const given = where === null ? "null" : typeof where === "object" ? "an object without a path" : typeof where;
  throw new PmlEditError("bad-place", `A place is "#id", { path: "src/a.ts" } or a pointer, not ${given}.`);
}

function known(document: PmlDocument, where: Where): string {
  if (typeof where === "string" && !where.startsWith("#")) {
    return "Places are #id, { path }, or a pointer such as /conversation/turns/0.";
  }
  const names = [...placesIn(document)].flatMap(({ node }) =>
    (typeof where === "object" ? [node.path, node.file] : [idOf(node)]).filter((name) => typeof name === "string"),
  );
  return names.length > 0 ? `There are: ${names.slice(0, 20).join(", ")}.` : "There are none of that kind.";
}

/** The id by which a node is found. A call has none, because its id is for its output. */
const idOf = (node: Place["node"]): unknown => (node.type === "call" ? undefined : node.id);
