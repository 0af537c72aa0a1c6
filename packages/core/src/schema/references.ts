import { isObject } from "../plain-object.js";
import { type JsonObject, join } from "./json.js";

/** What a reference leads to: the subschema and its JSON pointer in the document. */
export interface Target {
  schema: unknown;
  path: string;
}

/** Whether a document is of a draft (up to 7) in which whatever stands beside `$ref` is ignored. */
export const ignoresBesideRef = (document: unknown): boolean =>
  isObject(document) && typeof document.$schema === "string" && /draft-0[3-7]/.test(document.$schema);

/**
 * Follows a `$ref` within one document: `#`, a JSON pointer, an `$anchor`, or a subschema's own `$id` (with or without a
 * fragment). Other documents are never fetched.
 *
 * @example resolveReference({ $defs: { a: { type: "null" } } }, "#/$defs/a")?.schema; // { type: "null" }
 */
export function resolveReference(root: unknown, ref: string): Target | undefined {
  const hash = ref.indexOf("#");
  const id = hash < 0 ? ref : ref.slice(0, hash);
  const fragment = hash < 0 ? "" : ref.slice(hash + 1);
  const base: Target | undefined = id === "" ? { schema: root, path: "" } : find(root, (node) => idOf(node) === id);
  if (!base || fragment === "") return base;
  if (fragment.startsWith("/")) return follow(base, fragment);
  return find(
    root,
    (node) => node.$anchor === fragment || node.$dynamicAnchor === fragment || idOf(node) === `#${fragment}`,
  );
}

const idOf = (node: JsonObject): unknown => {
  const id = node.$id ?? node.id;
  return typeof id === "string" && id !== "#" ? id.replace(/#$/, "") : undefined;
};

function follow(base: Target, pointer: string): Target | undefined {
  let { schema, path } = base;
  for (const step of pointer.slice(1).split("/")) {
    const key = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key)) return undefined;
    schema = (schema as JsonObject)[key];
    path = join(path, key);
  }
  return typeof schema === "boolean" || isObject(schema) ? { schema, path } : undefined;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The first object of the document that satisfies `wanted`, wherever it stands. */
function find(root: unknown, wanted: (node: JsonObject) => boolean): Target | undefined {
  const seen = new Set<unknown>();
  const waiting: Target[] = [{ schema: root, path: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { schema, path } = next;
    if (typeof schema !== "object" || schema === null || seen.has(schema)) continue;
    seen.add(schema);
    if (isObject(schema) && wanted(schema)) return next;
    for (const [key, value] of Object.entries(schema)) waiting.push({ schema: value, path: join(path, key) });
  }
  return undefined;
}
