import { isObject } from "../common/plain-object.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { checkNames } from "./check-names.js";
import { acceptParameters, invalidSchema, misplacedProperties, requireObject } from "./check-parameters.js";
import { compileSchema } from "./compile.js";
import { checkLimits, tooDeepTool } from "./limits.js";
import type { SchemaProblem } from "./normalize.js";
import { type AnyTool, checkToolList, readTool, schemaOfTool } from "./tool-shapes.js";
import { refuseUnwritable } from "./unwritable.js";

/** The parameters of a tool without parameters. */
const noParameters: JsonSchema = Object.freeze({ type: "object", properties: Object.freeze({}) });

/**
 * Checks tools and converts their parameters to JSON Schema. Besides this package's shape, tools may have OpenAI's,
 * Anthropic's (`input_schema`), MCP's (`inputSchema`) and LangChain's (`schema`), with a schema of any kind. Returns
 * definitions without `execute`. An object that declares no property loses `additionalProperties: false`, which
 * frameworks also write for records.
 *
 * An invalid part of a schema (a `$ref` that leads nowhere, a pattern that does not compile) cannot be checked when a
 * reply comes, and a misspelt keyword (`minimun`, `descripton`) has no effect. Both are errors here, unless `onProblem`
 * is given: then each problem is reported there and the tool is accepted, also by all other functions as long as its
 * schema is the same object, which is right for tools from elsewhere (an MCP server). Those functions refuse by
 * themselves only what is certainly a mistake: a keyword with a value of another kind (`required: true`), an empty list of
 * values or alternatives (`enum: []`, which nothing matches), a misspelt type (`objct`), a misspelt `properties` or
 * `required`, properties that are not under `properties`, and parameters that no object matches. A keyword is misspelt if
 * the schema lacks the right one, which would take the value; any other unknown keyword is accepted.
 *
 * Errors: {@link ToolDefinitionError}, with the tool's name: `unknown-shape`, `missing-name`, `duplicate-name`,
 * `parameters-not-object`, `invalid-schema`, `limit` (also with `onProblem`, because a schema that is too large, or with
 * data that JSON lacks, is of no use).
 *
 * @example normalizeTools([{ name: "now" }]); // [{ name: "now", parameters: { type: "object", properties: {} } }]
 */
export function normalizeTools(
  tools: readonly AnyTool[],
  options: { onProblem?: ((tool: string, problem: SchemaProblem) => void) | undefined } = {},
): ToolDefinition[] {
  checkToolList(tools);
  const read = Array.from(tools, (tool, i) => readTool(tool, `#${i + 1}`));
  checkNames(read);
  return read.map(({ name, description, given }) => {
    const schema = given === undefined ? true : schemaOfTool(name, given);
    const parameters = schema === true ? noParameters : schema;
    checkLimits({ name, parameters });
    const compiled = compileSchema(parameters);
    if (compiled.isTooLarge) throw tooDeepTool(name);
    requireObject(name, compiled);
    refuseUnwritable(name, parameters);
    const problems = [...compiled.problems, ...(isObject(parameters) ? misplacedProperties(parameters) : [])];
    if (problems.length > 0 && !options.onProblem) throw invalidSchema(name, problems);
    for (const problem of problems) options.onProblem?.(name, problem);
    // Also as they were given: the copy differs where a record was opened.
    acceptParameters(parameters);
    acceptParameters(given);
    return { name, ...(description === undefined ? {} : { description }), parameters };
  });
}
