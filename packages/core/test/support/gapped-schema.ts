import type { GrammarGap } from "../../src/grammar/index.js";
import type { JsonSchema } from "../../src/types.js";

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

function nodeAt(schema: JsonSchema, path: string): unknown {
  return path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, step) => (node as Node | undefined)?.[step], schema);
}

/** Keywords that a schema does not contain, though a grammar narrows their meaning. */
const UNSAID = ["type", "additionalProperties"];

const OPTIONS = ["maxStringLength", "maxItems", "maxDepth", "whitespace"];

/** Whether a gap names a keyword that occurs at its place in the schema, or an option. */
export function isWritten(schema: JsonSchema, { path, keyword }: GrammarGap): boolean {
  if (OPTIONS.includes(keyword)) return true;
  const node = nodeAt(schema, path);
  return isNode(node) ? keyword in node || UNSAID.includes(keyword) : node === true && UNSAID.includes(keyword);
}

/** Below these a schema without a keyword admits less. */
export const isBehindNegation = ({ path }: GrammarGap): boolean => /\/(?:not|if|oneOf|contains)(?:\/|$)/.test(path);

/** Keywords without an effect of their own. */
const companions: Readonly<Record<string, readonly string[]>> = {
  contains: ["minContains", "maxContains"],
  if: ["then", "else"],
};

const all = ["additionalProperties", "items", "unevaluatedProperties", "unevaluatedItems"];
const keyed = ["properties", "patternProperties"];

/** The schema without the keywords that are not enforced. */
export function relaxed(schema: JsonSchema, unenforced: readonly GrammarGap[]): JsonSchema {
  const copy = structuredClone(schema);
  for (const { path, keyword } of unenforced) {
    const node = nodeAt(copy, path);
    if (!isNode(node)) continue;
    for (const name of [keyword, ...(companions[keyword] ?? [])]) {
      // Keywords that depend on the keys and items of others still find them.
      if (all.includes(name)) node[name] = true;
      else if (keyed.includes(name) && isNode(node[name]))
        node[name] = Object.fromEntries(Object.keys(node[name]).map((key) => [key, true]));
      else delete node[name];
    }
  }
  return copy;
}

const meant: Readonly<Record<string, readonly string[]>> = {
  object: [
    ...["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
    ...["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"],
  ],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "unevaluatedItems"],
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** The schema as the grammar narrows it; `false` if the keyword alone does not determine that. */
export function tightened(schema: JsonSchema, narrowed: readonly GrammarGap[]): JsonSchema {
  const copy = structuredClone(schema);
  for (const { path, keyword } of narrowed) {
    const node = nodeAt(copy, path);
    const types = Object.keys(meant).filter((type) => isNode(node) && meant[type]!.some((name) => name in node));
    if (!isNode(node) || !UNSAID.includes(keyword)) return false;
    if (keyword === "additionalProperties") node.additionalProperties = false;
    else if (node.type !== undefined || types.length === 0) return false;
    else node.type = types;
  }
  return copy;
}
