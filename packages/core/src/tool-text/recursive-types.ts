import { isObject } from "../common/plain-object.js";
import { resolveReference, VALUES } from "../schema/references.js";
import type { JsonSchema } from "../types.js";

/**
 * The schemas to which a reference within them leads, with a name for each: the last segment of the reference, `Args` for
 * the whole document. Written by these names, no type contains itself. Takes time linear in the schema.
 *
 * @example recursiveTypes({ properties: { children: { items: { $ref: "#" } } } }); // the document, as "Args"
 */
export function recursiveTypes(root: JsonSchema): ReadonlyMap<object, string> {
  const named = new Map<object, string>();
  const names = new Set<string>();
  const state = new Map<object, "open" | "done">();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || state.has(value)) return;
    state.set(value, "open");
    if ("$ref" in value && typeof value.$ref === "string") {
      const target = resolveReference(root, value.$ref)?.schema;
      if (isObject(target) && state.get(target) === "open" && !named.has(target)) {
        named.set(target, freeName(value.$ref, names));
      }
      visit(target);
    }
    for (const [key, part] of Object.entries(value)) if (!DEFINITIONS.has(key) && !VALUES.has(key)) visit(part);
    state.set(value, "done");
  };
  visit(root);
  return named;
}

/** Definitions are visited where a reference leads to them. */
const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"]);

function freeName(ref: string, taken: Set<string>): string {
  const segment = ref.slice(Math.max(ref.lastIndexOf("/"), ref.lastIndexOf("#")) + 1);
  const word = segment.replace(/%[\dA-F]{2}/gi, "_").replace(/[^\p{L}\p{N}_$]/gu, "_");
  const base = word === "" ? "Args" : /^\p{N}/u.test(word) ? `_${word}` : word;
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}${i}`;
  taken.add(name);
  return name;
}
