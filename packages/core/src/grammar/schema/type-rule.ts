import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import { typesOf } from "../../schema/words.js";
import { excluded, isFraction } from "../rewriting/negate.js";
import { choice } from "../rules.js";
import { arrayRule, counted } from "./array-rule.js";
import type { NodeContext } from "./node-context.js";
import { numberRule } from "./number-rule.js";
import { objectRule } from "./object-rule.js";
import { stringRule } from "./string-rule.js";

/**
 * The values of the types that a schema names, or to which its keywords apply; `any` returns the expression for all
 * values. The node has no unions, constants and references. Undefined where no value matches.
 */
export function typeRule(node: JsonObject, context: NodeContext, any: () => string): string | undefined {
  const without = excluded(node.not);
  if ("if" in node) context.unenforced("if");
  if ("not" in node && !without && !isFraction(node)) context.unenforced("not");
  const types = typesOf(node);
  if (types.length === 1) return ofType(types[0]!, node, without ?? [], context);
  const of = (types: readonly string[]) => {
    const options = types
      .filter((type) => !(type === "integer" && types.includes("number")))
      .map((type) => ofType(type, node, without ?? [], context))
      .filter((option) => option !== undefined);
    return options.length === 0 ? undefined : choice(options);
  };
  if (types.length > 0) return of(types);
  const meant = Object.keys(keywordsOf).filter((type) => keywordsOf[type]!.some((keyword) => keyword in node));
  if (meant.length === 0) return without ? of(ALL_TYPES) : any();
  const rule = of(meant);
  // The keywords do not limit values of other types.
  if (rule === undefined) return of(ALL_TYPES.filter((type) => !meant.includes(type)));
  context.narrowed("type");
  return rule;
}

/** The values of one type, except those in `without`. */
function ofType(type: string, node: JsonObject, without: readonly unknown[], context: NodeContext): string | undefined {
  const { json } = context;
  switch (type) {
    case "string": {
      const [min = 0, max] = [counted(node, "minLength", context), counted(node, "maxLength", context)];
      const strings = without.filter((value) => typeof value === "string");
      return stringRule(node, min, max, strings, context);
    }
    case "number":
    case "integer":
      return numberRule(
        node,
        type === "integer",
        without.filter((value) => typeof value === "number"),
        context,
      );
    case "boolean": {
      const left = [true, false].filter((value) => !without.includes(value));
      return left.length === 2 ? json.boolean() : left.length === 1 ? json.constant(left[0]) : context.nothing("not");
    }
    case "null":
      return without.includes(null) ? context.nothing("not") : json.nothing();
    case "array":
      if (without.some(Array.isArray)) context.unenforced("not");
      return arrayRule(node, context);
    default:
      if (without.some(isObject)) context.unenforced("not");
      return objectRule(node, context);
  }
}

const ALL_TYPES = ["string", "number", "boolean", "null", "array", "object"];

/** The keywords that apply only to values of one type. */
export const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  object: [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
  ],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};
