import { type JsonSchema, ToolDefinitionError } from "@toolingua/core";
import { didYouMean, isObject } from "@toolingua/core/adapters";

type Fixed = Readonly<Record<string, unknown>>;

/**
 * The schema without the parameters fixed by the application: models do not see them.
 *
 * Errors: `ToolDefinitionError` (`unknown-parameter`) for a name that the schema does not have.
 *
 * @example withoutFixed("t", { type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] }, { b: 1 });
 * // { type: "object", properties: { a: {} }, required: ["a"] }
 */
export function withoutFixed(tool: string, schema: JsonSchema, fixed: Fixed | undefined): JsonSchema {
  if (fixed === undefined || Object.keys(fixed).length === 0) return schema;
  const { properties, required } = isObject(schema) ? schema : {};
  const known = isObject(properties) ? properties : {};
  for (const name of Object.keys(fixed)) {
    if (Object.hasOwn(known, name)) continue;
    const hint = didYouMean(name, Object.keys(known));
    const message = `The tool "${tool}" has no parameter "${name}", which \`partialArguments\` fixes. ${hint}`;
    throw new ToolDefinitionError("unknown-parameter", tool, message);
  }
  const isShown = (name: string) => !Object.hasOwn(fixed, name);
  return {
    ...(schema as Record<string, unknown>),
    properties: Object.fromEntries(Object.entries(known).filter(([name]) => isShown(name))),
    ...(Array.isArray(required) && { required: required.filter((name) => isShown(String(name))) }),
  };
}

/** The arguments with the fixed ones, which override them. */
export const withFixed = (args: unknown, fixed: Fixed | undefined): unknown =>
  fixed === undefined || !isObject(args) ? args : { ...args, ...fixed };
