import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import { typesOf } from "../../schema/words.js";
import type { JsonSchema } from "../../types.js";
import { areDisjoint } from "./disjoint.js";
import { excluded, isFraction, negate } from "./negate.js";
import { UNEVALUATED, unevaluated } from "./unevaluated.js";

/** The maximum number of alternatives in a `oneOf` that overlap: more make too many cases. */
const MOST = 4;

/**
 * Rewrites conditional keywords with `anyOf` and `allOf`: `if`, dependent keys and schemas, `not`, a `oneOf` with
 * overlapping alternatives, and the `unevaluated` keywords. A keyword that cannot be rewritten stays, except an
 * `unevaluated` one, which is removed and noted as `unenforced`, because it depends on the keywords beside it.
 * `standsFor` gets each new schema with the keyword that it replaces.
 */
export function desugar(
  node: JsonObject,
  resolve: (ref: string) => JsonSchema,
  notes: { unenforced(keyword: string): void; standsFor(schema: JsonSchema, keyword: string): void },
): JsonObject {
  if (!Object.keys(node).some((keyword) => DESUGARED.has(keyword))) return node;
  const { if: condition, then = true, else: otherwise = true, dependentRequired, dependentSchemas, ...rest } = node;
  const more: JsonSchema[] = [];
  const add = (keyword: string, schema: JsonSchema) => {
    more.push(schema);
    notes.standsFor(schema, keyword);
  };
  if (condition !== undefined) {
    const not = negate(condition as JsonSchema, resolve);
    if (not === undefined) Object.assign(rest, { if: condition });
    else
      add("if", {
        anyOf: [allOf([condition as JsonSchema, then as JsonSchema]), allOf([not, otherwise as JsonSchema])],
      });
  }
  for (const [key, keys] of Object.entries((dependentRequired as Record<string, string[]> | undefined) ?? {}))
    add("dependentRequired", dependent(key, { required: [key, ...keys] }));
  for (const [key, schema] of Object.entries((dependentSchemas as Record<string, JsonSchema> | undefined) ?? {}))
    add("dependentSchemas", dependent(key, allOf([{ required: [key] }, schema])));
  if (rest.not !== undefined && !excluded(rest.not) && !isFraction(rest)) {
    const not = negate(rest.not as JsonSchema, resolve);
    if (not !== undefined) {
      delete rest.not;
      add("not", not);
    }
  }
  const one = rest.oneOf as JsonSchema[] | undefined;
  const apart = one && exclusive(one, rest, resolve);
  if (apart) {
    delete rest.oneOf;
    add("oneOf", { anyOf: apart });
  }
  for (const keyword of UNEVALUATED) {
    if (node[keyword] === undefined) continue;
    const left = unevaluated(node, keyword, resolve);
    delete rest[keyword];
    if (left === undefined) notes.unenforced(keyword);
    add(keyword, left ?? true);
  }
  if (more.length === 0) return node;
  return { ...rest, allOf: [...((rest.allOf as JsonSchema[] | undefined) ?? []), ...more] };
}

const DESUGARED: ReadonlySet<string> = new Set([
  ...["if", "dependentRequired", "dependentSchemas", "not", "oneOf"],
  ...UNEVALUATED,
]);

const allOf = (parts: JsonSchema[]): JsonSchema => {
  const some = parts.filter((part) => part !== true);
  return some.length === 0 ? true : some.length === 1 ? some[0]! : { allOf: some };
};

const dependent = (key: string, given: JsonSchema): JsonSchema => ({
  anyOf: [{ type: "object", properties: Object.fromEntries([[key, false]]) }, given, { type: NO_OBJECT }],
});

const NO_OBJECT = ["string", "number", "boolean", "null", "array"];

/** The alternatives of a `oneOf`, made mutually exclusive; undefined where that is not possible. */
function exclusive(
  branches: readonly JsonSchema[],
  node: JsonObject,
  resolve: (ref: string) => JsonSchema,
): JsonSchema[] | undefined {
  const { oneOf: _, ...rest } = node;
  const targets = branches.map((branch) =>
    isObject(branch) && typeof branch.$ref === "string" ? resolve(branch.$ref) : branch,
  );
  const known = targets.map((target): JsonSchema => (isObject(target) ? { ...rest, ...target } : target));
  if (areDisjoint(known, resolve)) return [...branches];
  if (branches.length > MOST) return undefined;
  const apart = branches.map((branch, i) => {
    const others = targets.map((other, j) => (i === j ? true : negate(beside(known[i]!, other), resolve)));
    return others.includes(undefined) ? undefined : allOf([branch, ...(others as JsonSchema[])]);
  });
  return apart.includes(undefined) ? undefined : (apart as JsonSchema[]);
}

/** `other` for values that already match `given`: without its type, where `given` implies it. */
function beside(given: JsonSchema, other: JsonSchema): JsonSchema {
  if (!isObject(given) || !isObject(other)) return other;
  const [types, others] = [typesOf(given), typesOf(other)];
  const follows =
    types.length > 0 &&
    types.every((type) => others.includes(type) || (type === "integer" && others.includes("number")));
  if (!follows) return other;
  const { type: _, ...rest } = other;
  return rest;
}
