import { isObject } from "../plain-object.js";
import { type JsonObject, join, stepsOf } from "./json.js";

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
 * fragment). `from`: where the reference stands, as a JSON pointer; within a subschema that has an `$id` it is relative to
 * that one. Other documents are never fetched.
 *
 * @example resolveReference({ $defs: { a: { type: "null" } } }, "#/$defs/a")?.schema; // { type: "null" }
 */
export function resolveReference(root: unknown, ref: string, from = ""): Target | undefined {
  const own = resourceAt(root, from);
  // Many schemas with ids of their own are put together without a change of their references.
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

/** Where a schema of a document stands, as far as that matters for the references in it; see {@link resolveReference}. */
export const placeOf = (root: unknown, schema: object): string => indexOf(root).places.get(schema) ?? "";

/**
 * Whether it depends on the way to a `$dynamicRef` or `$recursiveRef` where it leads: it does where its target is a
 * `$dynamicAnchor`, or `$recursiveAnchor`, and the document has others of that name.
 */
export function isAmbiguous(root: unknown, ref: string, { schema }: Target): boolean {
  const name = ref.slice(ref.indexOf("#") + 1);
  return isObject(schema) && dynamicName(schema) === name && (indexOf(root).dynamic.get(name) ?? 0) > 1;
}

/** The name of a schema that may stand for others; empty for a `$recursiveAnchor`. */
const dynamicName = ({ $dynamicAnchor, $recursiveAnchor }: JsonObject): unknown =>
  $recursiveAnchor === true ? "" : $dynamicAnchor;

/** A document, or a part of it with an `$id` of its own. */
interface Resource extends Target {
  uri: string;
}

/** What references of a document lead to by name. */
interface Index {
  resources: Map<string, Resource>;
  /** By the resource's URI, `#` and the anchor. */
  anchors: Map<string, Target>;
  /** How many schemas may stand for others, by their name. */
  dynamic: Map<string, number>;
  /** Where each schema stands, in a document that has parts with ids of their own. */
  places: Map<unknown, string>;
}

const indexes = new WeakMap<object, Index>();

/** That of a document; made once, when something is looked for by name. */
function indexOf(root: unknown): Index {
  const known = typeof root === "object" && root !== null ? indexes.get(root) : undefined;
  if (known) return known;
  const index: Index = { resources: new Map(), anchors: new Map(), dynamic: new Map(), places: new Map() };
  const isOld = hasPlainIds(root);
  const seen = new Set<unknown>();
  const waiting: (Resource & { isMap?: boolean })[] = [{ schema: root, path: "", uri: NO_URI }];
  // A list that grows while it is gone through.
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
  if (typeof root === "object" && root !== null) indexes.set(root, index);
  return index;
}

/** Notes by what names a schema is known; its URI, or that of what it stands in. */
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

/** Of the same names the first one counts. */
function first<K, T>(map: Map<K, T>, key: K, value: T): void {
  if (!map.has(key)) map.set(key, value);
}

/** Keywords whose values are no schemas. */
export const VALUES = new Set(["enum", "const", "default", "examples", "example"]);
/** Keywords that hold schemas by names, which are no keywords. */
export const MAPS = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"],
]);

/** The URI of a document that does not say one. */
const NO_URI = "schema:/";

/** The innermost schema with an `$id` that holds the place, or the document. */
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

/** Whether a document is of a draft in which `id` is the keyword, and not just a word that stands in many schemas. */
const hasPlainIds = (document: unknown): boolean =>
  isObject(document) && typeof document.$schema === "string" && /draft-0[34]/.test(document.$schema);

/** The id that makes a schema a resource of its own, to which references within it are relative. */
const ownId = (node: JsonObject, isOld: boolean): string | undefined =>
  isOld || "$id" in node ? idOf(node) : undefined;

/** The id by which a schema can be referred to: none that is only a name in its document. */
function idOf(node: JsonObject): string | undefined {
  const id = node.$id ?? node.id;
  return typeof id === "string" && !id.startsWith("#") ? id.replace(/#$/, "") : undefined;
}

/** An anchor as drafts up to 7 have it: `$id: "#name"`. */
function plainName(node: JsonObject): string | undefined {
  const id = node.$id ?? node.id;
  return typeof id === "string" && id.length > 1 && id.startsWith("#") ? id.slice(1) : undefined;
}

/** A URI against another one; as it is where they make none. */
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
