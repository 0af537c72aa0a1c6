import { oncePer } from "../common/once-per.js";
import { isObject } from "../common/plain-object.js";
import { type JsonObject, join, stepsOf } from "./json.js";

/** The target of a reference: the subschema and its JSON pointer in the document. */
export interface Target {
  schema: unknown;
  path: string;
}

/** Whether a document is of a draft (up to 7) in which keywords beside `$ref` are ignored. */
export const ignoresBesideRef = (document: unknown): boolean =>
  isObject(document) && typeof document.$schema === "string" && /draft-0[3-7]/.test(document.$schema);

/**
 * Follows a `$ref` within one document: `#`, a JSON pointer, an `$anchor`, or a subschema's own `$id` (with or without
 * a fragment). `from`: the JSON pointer of the reference; within a subschema that has an `$id` the reference is
 * relative to that `$id`. Other documents are never fetched.
 *
 * @example resolveReference({ $defs: { a: { type: "null" } } }, "#/$defs/a")?.schema; // { type: "null" }
 */
export function resolveReference(root: unknown, ref: string, from = ""): Target | undefined {
  const own = resourceAt(root, from);
  // Schemas with their own ids are often combined without a change of their references.
  return within(root, ref, own) ?? (own.path === "" ? undefined : within(root, ref, resourceAt(root, "")));
}

function within(root: unknown, ref: string, own: Resource): Target | undefined {
  const hash = ref.indexOf("#");
  const id = hash < 0 ? ref : ref.slice(0, hash);
  const fragment = hash < 0 ? "" : ref.slice(hash + 1);
  const uri = id === "" ? own.uri : absolute(id, own.uri);
  const base = id === "" ? own : indexOf(root).resources.get(uri);
  if (!base) return undefined;
  if (fragment === "") return { schema: base.schema, path: base.path };
  if (fragment.startsWith("/")) return follow(base, fragment);
  return indexOf(root).anchors.get(`${base.uri}#${fragment}`);
}

/** The place of a schema in a document, if it matters for references in the schema; see {@link resolveReference}. */
export const placeOf = (root: unknown, schema: object): string => indexOf(root).places.get(schema) ?? "";

/**
 * Whether the target of a `$dynamicRef` or `$recursiveRef` depends on the path to it: its target is a `$dynamicAnchor`,
 * or `$recursiveAnchor`, and the document has others of that name.
 */
export function isAmbiguous(root: unknown, ref: string, { schema }: Target): boolean {
  const name = ref.slice(ref.indexOf("#") + 1);
  return isObject(schema) && dynamicName(schema) === name && (indexOf(root).dynamic.get(name) ?? 0) > 1;
}

/** The name of a schema's dynamic anchor; empty for a `$recursiveAnchor`. */
const dynamicName = ({ $dynamicAnchor, $recursiveAnchor }: JsonObject): unknown =>
  $recursiveAnchor === true ? "" : $dynamicAnchor;

/** A document, or a part of it with its own `$id`. */
interface Resource extends Target {
  uri: string;
}

/** The targets of a document's references, by name. */
interface Index {
  resources: Map<string, Resource>;
  /** By the resource's URI, `#` and the anchor. */
  anchors: Map<string, Target>;
  /** The number of dynamic anchors, by their name. */
  dynamic: Map<string, number>;
  /** The place of each schema, in a document with parts that have their own ids. */
  places: Map<unknown, string>;
}

/** The index of a document, created when a name is first looked up. */
const indexOf = (root: unknown): Index =>
  typeof root === "object" && root !== null ? documentIndex(root) : createIndex(root);

const documentIndex = oncePer<object, Index>(createIndex);

function createIndex(root: unknown): Index {
  const index: Index = { resources: new Map(), anchors: new Map(), dynamic: new Map(), places: new Map() };
  const isOld = hasPlainIds(root);
  const seen = new Set<unknown>();
  const waiting: (Resource & { isMap?: boolean })[] = [{ schema: root, path: "", uri: NO_URI }];
  // The list grows during the loop.
  for (const next of waiting) {
    const { schema, path, isMap } = next;
    if (typeof schema !== "object" || schema === null || seen.has(schema)) continue;
    seen.add(schema);
    const uri = isMap || !isObject(schema) ? next.uri : note(index, schema, next, isOld);
    for (const [key, value] of Object.entries(schema)) {
      if (!isMap && VALUES.has(key)) continue;
      waiting.push({ schema: value, path: join(path, key), uri, isMap: !isMap && MAPS.has(key) });
    }
  }
  if (index.resources.size > 1) for (const { schema, path } of waiting) first(index.places, schema, path);
  return index;
}

/** Notes the names of a schema. Returns its URI, or that of the schema around it. */
function note(index: Index, schema: JsonObject, { path, uri: base }: Resource, isOld: boolean): string {
  const [id, own] = [idOf(schema), ownId(schema, isOld)];
  const uri = own === undefined ? base : absolute(own, base);
  if (path === "") first(index.resources, uri, { schema, path, uri });
  if (id !== undefined) first(index.resources, absolute(id, base), { schema, path, uri });
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor, plainName(schema)])
    if (typeof anchor === "string") first(index.anchors, `${uri}#${anchor}`, { schema, path });
  const name = dynamicName(schema);
  if (typeof name === "string") index.dynamic.set(name, (index.dynamic.get(name) ?? 0) + 1);
  return uri;
}

/** Of several equal names the first one counts. */
function first<K, T>(map: Map<K, T>, key: K, value: T): void {
  if (!map.has(key)) map.set(key, value);
}

/** Keywords whose values are not schemas. */
export const VALUES = new Set(["enum", "const", "default", "examples", "example"]);
/** Keywords that contain schemas by names, which are not keywords. */
export const MAPS = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"],
]);

/** The URI of a document that does not state one. */
const NO_URI = "schema:/";

/** The innermost schema with an `$id` that contains the place, or the document. */
function resourceAt(root: unknown, place: string): Resource {
  let found: Resource = { schema: root, path: "", uri: NO_URI };
  let node: unknown = root;
  let path = "";
  const isOld = hasPlainIds(root);
  const enter = () => {
    const id = isObject(node) ? ownId(node, isOld) : undefined;
    if (id !== undefined) found = { schema: node, path, uri: absolute(id, found.uri) };
  };
  enter();
  for (const key of stepsOf(place)) {
    if (typeof node !== "object" || node === null) break;
    node = (node as JsonObject)[key];
    path = join(path, key);
    enter();
  }
  return found;
}

/** Whether a document is of a draft in which `id` is a keyword, and not just a common name. */
const hasPlainIds = (document: unknown): boolean =>
  isObject(document) && typeof document.$schema === "string" && /draft-0[34]/.test(document.$schema);

/** The id of a schema that is the base of references within it. */
const ownId = (node: JsonObject, isOld: boolean): string | undefined =>
  isOld || "$id" in node ? idOf(node) : undefined;

/** The id by which references can name a schema; not one that is only a name in its document. */
function idOf(node: JsonObject): string | undefined {
  const id = node.$id ?? node.id;
  return typeof id === "string" && !id.startsWith("#") ? id.replace(/#$/, "") : undefined;
}

/** An anchor in drafts up to 7: `$id: "#name"`. */
function plainName(node: JsonObject): string | undefined {
  const id = node.$id ?? node.id;
  return typeof id === "string" && id.length > 1 && id.startsWith("#") ? id.slice(1) : undefined;
}

/** Resolves a URI against another one; returns it as it is if that fails. */
function absolute(uri: string, base: string): string {
  try {
    return new URL(uri, base).href;
  } catch {
    return uri;
  }
}

function follow(base: Target, pointer: string): Target | undefined {
  let { schema, path } = base;
  for (const step of pointer.slice(1).split("/")) {
    const key = unescaped(decode(step));
    if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key)) return undefined;
    schema = (schema as JsonObject)[key];
    path = join(path, key);
  }
  return typeof schema === "boolean" || isObject(schema) ? { schema, path } : undefined;
}

const unescaped = (step: string) => step.replaceAll("~1", "/").replaceAll("~0", "~");

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
