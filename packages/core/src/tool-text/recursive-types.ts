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
  /** The parts that were visited, and whether their own parts still are. */
  const isOpen = new Map<object, boolean>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || isOpen.has(value)) return;
    isOpen.set(value, true);
    for (const [key, part] of Object.entries(value)) {
      if (key === "$ref" && typeof part === "string") {
        const target = resolveReference(root, part)?.schema;
        if (isObject(target) && isOpen.get(target) && !named.has(target)) named.set(target, freeName(part, named));
        visit(target);
      }
      // Definitions are visited where a reference leads to them.
      else if (!/^(?:\$defs|definitions)$/.test(key) && !VALUES.has(key)) visit(part);
    }
    isOpen.set(value, false);
  };
  visit(root);
  return named;
}

function freeName(ref: string, named: ReadonlyMap<object, string>): string {
  const base = /[^/#]*$/.exec(ref)?.[0].replace(/[^\p{L}\p{N}_$]+/gu, "_") || "Args";
  const taken = [...named.values()];
  let name = base;
  for (let i = 2; taken.includes(name); i++) name = base + i;
  return name;
}
