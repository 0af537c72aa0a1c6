import { isObject } from "../common/plain-object.js";
import { requiredOf } from "../schema/required.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { definitionLine, typesIn } from "./signature.js";

/** The differences between templates that show tools in this form. */
export interface TypescriptLayout {
  /** The text before each line of a parameter. Default: none. */
  indent?: string | undefined;
  /** The text after the last parameter. Default: a comma. */
  last?: string | undefined;
}

/** Keywords that a type cannot express, written as comments. */
const limits = ["format", "pattern", "minimum", "maximum", "minItems", "maxItems"];

/**
 * A tool as TypeScript's type of a function with one argument. OpenAI's models were trained on this form, and others
 * after them: descriptions come before a parameter, defaults after it.
 *
 * @example
 * // // Adds
 * // type add = (_: {
 * // // The first
 * // a: number,
 * // b?: number, // default: 0
 * // }) => any;
 */
export function typescriptOf(tool: ToolDefinition, { indent = "", last = "," }: TypescriptLayout = {}): string {
  const { name, parameters = {} } = tool;
  const properties =
    isObject(parameters) && isObject(parameters.properties) ? Object.entries(parameters.properties) : [];
  const required = new Set(requiredOf(parameters));
  const types = typesIn(parameters, "number");
  const lines = properties.flatMap(([key, value], index) => {
    const schema = isObject(value) ? value : {};
    const above = [
      ...comment(schema.description),
      ...limits.filter((limit) => limit in schema).map((limit) => limitOf(schema, limit)),
    ];
    const type = `${key}${required.has(key) ? "" : "?"}: ${types.of(value as JsonSchema, indent).type}`;
    const fallback = "default" in schema ? ` // default: ${JSON.stringify(schema.default)}` : "";
    const comma = index < properties.length - 1 || fallback !== "" ? "," : last;
    return [...above, `${type}${comma}${fallback}`].map((line) => indent + line);
  });
  const argument = lines.length === 0 ? "" : `_: {\n${lines.join("\n")}\n}`;
  const definitions = types.definitions().map(({ name, type }) => `${definitionLine({ name, type, note: "" })};`);
  return [...comment(tool.description), `type ${name} = (${argument}) => any;`, ...definitions].join("\n");
}

const comment = (text: unknown): string[] =>
  typeof text === "string" && text.trim() !== ""
    ? text
        .trim()
        .split("\n")
        .map((line) => `// ${line}`)
    : [];

const limitOf = (schema: { [keyword: string]: unknown }, limit: string) =>
  `// ${limit}: ${JSON.stringify(schema[limit])}`;
