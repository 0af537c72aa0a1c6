import { isObject } from "../../common/plain-object.js";
import { ToolinguaError } from "../../errors.js";
import { readJsonText, readStrictJson } from "../../notation/json/read-json.js";
import { repeatedKeyMessage } from "../../notation/repeated-keys.js";
import { coerce } from "../../reply/arguments/coerce.js";
import { Repairs } from "../../reply/arguments/repairs.js";
import { refuseUnknown } from "../../reply/arguments/unknown-keys.js";
import { explainInvalidArguments } from "../../schema/explain.js";
import { join, stepsOf } from "../../schema/json.js";
import { parametersOf, planOfTool } from "../../schema/tool-plan.js";
import { type AnyTool, definitionOf } from "../../schema/tool-shapes.js";
import { validateJson } from "../../schema/validate.js";
import type { ValidationIssue } from "../../schema/validation-issue.js";
import { describeJson } from "../../schema/words.js";
import type { Repair, ToolDefinition } from "../../types.js";
import { objectAt, providerNameAt } from "./expect.js";
import { Losses } from "./losses.js";
import { plainData } from "./plain-data.js";
import type { ProviderName } from "./types.js";

/**
 * One mismatch of arguments and schema: the place (`path`), the correct form (`expected`, `schema`) and the `value`.
 */
export interface ArgumentIssue extends ValidationIssue {
  /** The value at `path`; undefined if it is missing. */
  value?: unknown;
}

/**
 * Arguments that a tool cannot run with. Codes: `malformed` (they are not an object, or not JSON), `invalid-arguments`
 * (they do not match the tool's schema). `feedback` is written for the model.
 *
 * @example
 * try { parseToolCallArguments(tool, text, "openai"); }
 * catch (error) { if (error instanceof ToolArgumentsError) console.error(error.feedback); }
 */
export class ToolArgumentsError extends ToolinguaError {
  static override readonly name: string = "ToolArgumentsError";

  readonly issues: ArgumentIssue[];
  readonly feedback: string;

  constructor(code: "malformed" | "invalid-arguments", tool: ToolDefinition, args: unknown, issues: ArgumentIssue[]) {
    const { name, parameters: schema } = tool;
    const { message, feedback } = explainInvalidArguments({ name, arguments: args, issues, schema });
    super(code, message);
    this.issues = issues;
    this.feedback = feedback;
  }
}

/**
 * Checks a call's arguments against the tool's schema. An empty list means that they match. Every issue has the place
 * (`path`, a JSON pointer), the correct form (`message`, `expected`) and the `value`. Never throws for the arguments.
 *
 * The tool may have any shape that `normalizeTools` accepts. Errors: `ToolDefinitionError` (`invalid-schema`,
 * `unknown-shape`, `missing-name`), `ProviderFormatError` if the tool is not a tool.
 *
 * @example
 * validateArguments({ name: "add", parameters: { properties: { a: { type: "integer" } } } }, { a: "x" });
 * // [{ path: "/a", keyword: "type", message: 'expected integer, got string "x"', expected: "integer", value: "x", … }]
 */
export function validateArguments(tool: AnyTool, args: unknown): ArgumentIssue[] {
  const schema = parametersOf(definitionAt(tool));
  if (!isObject(args)) return [misshapen("an object with the tool's arguments", args)];
  // They come first: a JSON validator cannot locate them.
  const issues = noNumbers(args);
  if (issues.length > 0) return issues;
  return validateJson(args, schema).map((issue) => ({ ...issue, value: valueAt(args, issue.path) }));
}

/**
 * Parses the arguments of a call as the provider's API returns them: JSON text from OpenAI, an object from Anthropic
 * and Gemini. Broken JSON is repaired and values are coerced to the schema, as in replies; `repairs` lists the repairs.
 * A duplicate key with different values is an error. So is an integer with more digits than a number can represent,
 * unless the schema allows a string, which it becomes, or any number, to which it is rounded, as `repairs` reports.
 *
 * Errors: {@link ToolArgumentsError}, with all issues and a `feedback` for the model; `ProviderFormatError` for an
 * unknown provider, an invalid tool or arguments that contain themselves; `ToolDefinitionError` if the tool's shape or
 * schema is unknown.
 *
 * @example
 * const add = { name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } };
 * parseToolCallArguments(add, '{"a": "2"}', "openai"); // { arguments: { a: 2 }, repairs: [{ code: "to-number", path:
 * "/a" }] }
 */
export function parseToolCallArguments(
  given: AnyTool,
  args: unknown,
  provider: ProviderName,
): { arguments: Record<string, unknown>; repairs: Repair[] } {
  const tool = definitionAt(given);
  const repairs = new Repairs();
  const unkept = new Set<string>();
  const sent = providerNameAt(provider).startsWith("openai")
    ? fromText(tool, args, repairs, unkept)
    : fromObject(tool, args, provider);
  const invalid = (read: unknown, issues: ArgumentIssue[]) => {
    if (issues.length > 0) throw new ToolArgumentsError("invalid-arguments", tool, read, issues);
  };
  invalid(sent, noNumbers(sent));
  const context = { unkept, tool: tool.name };
  const read = coerce(plainData(sent, "", new Losses()), planOfTool(tool), "", repairs, context);
  refuseUnknown(read, planOfTool(tool), repairs);
  invalid(
    read,
    repairs.issues.map((issue) => ({ ...issue, value: valueAt(read, issue.path) })),
  );
  invalid(read, validateArguments(tool, read));
  return { arguments: read as Record<string, unknown>, repairs: repairs.list() };
}

function definitionAt(tool: AnyTool): ToolDefinition {
  objectAt(tool, "tool", "a tool: { name, parameters }");
  return definitionOf(tool);
}

/** The numbers that JSON does not have, such as the value of `1e400`. */
function noNumbers(args: unknown): ArgumentIssue[] {
  const issues: ArgumentIssue[] = [];
  const seen = new Set<unknown>();
  const left: { value: unknown; path: string }[] = [{ value: args, path: "" }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, path } = next;
    if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) {
      const expected = "a number that JSON has";
      issues.push({
        path,
        keyword: "json",
        message: `expected ${expected}, got ${typeof value} ${value}`,
        expected,
        value,
      });
    }
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, part] of Object.entries(value)) left.push({ value: part, path: join(path, key) });
  }
  return issues.reverse();
}

/** `unkept`: collects the strings that are the digits of an integer too long for a number. */
function fromText(tool: ToolDefinition, text: unknown, repairs: Repairs, unkept: Set<string>): Record<string, unknown> {
  // Models write empty text for no arguments; if the tool has parameters, the call was truncated.
  const hasParameters = planOfTool(tool).properties.size > 0;
  if (typeof text === "string" && text.trim() === "" && !hasParameters) return {};
  const repeated = (key: string) => {
    const issue = { path: "", keyword: "json", message: repeatedKeyMessage(key), value: text };
    throw new ToolArgumentsError("invalid-arguments", tool, text, [issue]);
  };
  const notes = { repeated, unkept: (digits: string) => unkept.add(digits) };
  const strict = typeof text === "string" ? readStrictJson(text, notes) : undefined;
  const read = strict ?? (typeof text === "string" ? readJsonText(text, notes) : undefined);
  if (!isObject(read)) {
    throw new ToolArgumentsError("malformed", tool, text, [misshapen("the text of a JSON object", text)]);
  }
  if (strict === undefined) repairs.add("json", "");
  return read;
}

function fromObject(tool: ToolDefinition, args: unknown, provider: ProviderName): Record<string, unknown> {
  // Gemini omits empty arguments.
  if (args === undefined && provider === "gemini") return {};
  if (isObject(args)) return args;
  throw new ToolArgumentsError("malformed", tool, args, [misshapen("an object", args)]);
}

function misshapen(expected: string, value: unknown): ArgumentIssue {
  const got = value === undefined ? "nothing" : describeJson(value);
  return { path: "", keyword: "type", message: `expected ${expected}, got ${got}`, expected, value };
}

function valueAt(root: unknown, path: string): unknown {
  let at = root;
  for (const step of stepsOf(path)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}
