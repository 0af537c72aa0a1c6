import { isObject } from "../common/plain-object.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { checkNames } from "./check-names.js";
import { type CompiledSchema, compileSchema } from "./compile.js";
import { ToolDefinitionError } from "./errors.js";
import { checkLimits, tooDeepTool } from "./limits.js";
import type { SchemaProblem } from "./normalize.js";
import { type AnyTool, checkToolList, readTool, schemaOfTool } from "./tool-shapes.js";
import { typesOf } from "./words.js";

/** The parameters of a tool without parameters. */
const noParameters: JsonSchema = Object.freeze({ type: "object", properties: Object.freeze({}) });

/**
 * Checks tools and converts their parameters to JSON Schema. Besides this package's shape, tools may have OpenAI's,
 * Anthropic's (`input_schema`), MCP's (`inputSchema`) and LangChain's (`schema`), with a schema of any kind. Returns
 * definitions without `execute`. An object that declares no property loses `additionalProperties: false`, which
 * frameworks also write for records.
 *
 * An invalid part of a schema (a `$ref` that leads nowhere, a pattern that does not compile) cannot be checked when a
 * reply comes. It is an error here, unless `onProblem` is given: then each problem is reported there and the tool is
 * accepted, which is right for tools from elsewhere (an MCP server).
 *
 * Errors: {@link ToolDefinitionError}, with the tool's name: `unknown-shape`, `missing-name`, `duplicate-name`,
 * `parameters-not-object`, `invalid-schema`, `limit` (also with `onProblem`, because a schema that is too large is of
 * no use).
 *
 * @example normalizeTools([{ name: "now" }]); // [{ name: "now", parameters: { type: "object", properties: {} } }]
 */
export function normalizeTools(
  tools: readonly AnyTool[],
  options: { onProblem?: ((tool: string, problem: SchemaProblem) => void) | undefined } = {},
): ToolDefinition[] {
  checkToolList(tools);
  const read = tools.map((tool, i) => readTool(tool, `#${i + 1}`));
  checkNames(read);
  return read.map(({ name, description, given }) => {
    const schema = given === undefined ? true : schemaOfTool(name, given);
    const parameters = schema === true ? noParameters : schema;
    checkLimits({ name, parameters });
    const compiled = compileSchema(parameters);
    if (compiled.isTooLarge) throw tooDeepTool(name);
    if (!admitsObject(compiled)) {
      const message = `The parameters of tool ${JSON.stringify(name)} must describe an object ({ type: "object", … }): a call's arguments are one.`;
      throw new ToolDefinitionError("parameters-not-object", name, message);
    }
    if (options.onProblem) for (const problem of compiled.problems) options.onProblem(name, problem);
    else if (compiled.problems.length > 0) throw invalid(name, compiled.problems);
    return { name, ...(description === undefined ? {} : { description }), parameters };
  });
}

/** Whether an object can match, as far as the root shows. */
function admitsObject(compiled: CompiledSchema): boolean {
  const admits = (node: JsonSchema): boolean => {
    if (!isObject(node)) return node === true;
    const types = typesOf(node);
    if (types.length > 0 && !types.includes("object")) return false;
    if (typeof node.$ref === "string") return admits(compiled.resolve(node.$ref));
    const all = (node.allOf as JsonSchema[] | undefined) ?? [];
    const any = (node.anyOf ?? node.oneOf) as JsonSchema[] | undefined;
    return all.every(admits) && (any === undefined || any.some(admits));
  };
  return admits(compiled.root);
}

function invalid(name: string, problems: readonly SchemaProblem[]): ToolDefinitionError {
  const found = problems.map(({ path, keyword, message }) => `${path || "/"} ${keyword} ${message}`);
  const message = `The parameters of tool ${JSON.stringify(name)} are not a valid JSON Schema: ${found.join("; ")}.`;
  return new ToolDefinitionError("invalid-schema", name, message);
}
