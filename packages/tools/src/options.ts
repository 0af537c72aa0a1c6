import type { InputOf } from "@toolingua/core";
import { OptionsError, type Tool, ToolDefinitionError } from "@toolingua/core";
import {
  aBoolean,
  aFunction,
  anObject,
  aString,
  checkedElsewhere,
  checkOptionNames,
  checkOptionValues,
  describeValue,
  MAX_TIMER,
  type OptionRules,
  oneOf,
} from "@toolingua/core/adapters";
import type { ToolCache } from "./cache.js";
import type { FailurePolicy } from "./failure.js";
import { isRequirement, type ToolRequirement } from "./requirements.js";
import type { ArgumentsOf, Schema } from "./schema.js";
import type { ToolContext } from "./tool-context.js";
import type { ToolEventListener } from "./tool-events.js";

/** The owner of cached results: a non-empty string, or a function that makes one from the context of a call. */
export type CacheScope<C = unknown> = string | ((context: C) => string);

/**
 * Options of a tool besides its name. `BaseTool` describes each of them; `schema` is its `argsSchema`. The default
 * `description` is that of the schema.
 */
export interface ToolOptions<S extends Schema = Schema, C = unknown, F = Partial<InputOf<S>>>
  extends Pick<Tool, "needsApproval" | "timeout" | "exclusive" | "readOnly" | "onCrash"> {
  description?: string | undefined;
  schema?: S | undefined;
  resultSchema?: Schema | undefined;
  resultAsAnswer?: boolean | undefined;
  maxUsageCount?: number | undefined;
  partialArguments?: F | undefined;
  requires?: readonly ToolRequirement[] | undefined;
  cacheFunction?: ((args: ArgumentsOf<S>, result: unknown) => boolean | Promise<boolean>) | undefined;
  cache?: ToolCache | undefined;
  cacheScope?: CacheScope<C> | undefined;
  failurePolicy?: FailurePolicy | undefined;
  onResult?: ((result: unknown, args: ArgumentsOf<S>, context: ToolContext<C>) => unknown) | undefined;
  onEvent?: ToolEventListener | undefined;
}

/** A tool's definition with all other options. `parameters` is another name for `schema`. */
export interface NamedToolOptions<S extends Schema = Schema, C = unknown, F = Partial<InputOf<S>>>
  extends ToolOptions<S, C, F> {
  name: string;
  parameters?: S | undefined;
}

/** Options of a method that is a tool. `name`: default is the method's own. */
export interface ToolMetadata extends ToolOptions {
  name?: string | undefined;
}

const isFunction = (value: unknown) => typeof value === "function";

const rules: OptionRules<ToolMetadata> = {
  name: aString,
  description: checkedElsewhere,
  schema: checkedElsewhere,
  resultSchema: checkedElsewhere,
  resultAsAnswer: aBoolean,
  maxUsageCount: checkedElsewhere,
  partialArguments: anObject,
  requires: {
    takes: (value) => Array.isArray(value) && value.every(isRequirement),
    words: 'a list of environment variables, such as ["API_KEY"]',
  },
  cacheFunction: aFunction,
  cache: {
    takes: (value) => {
      const { get, set } = Object(value) as Record<string, unknown>;
      return isFunction(get) && isFunction(set);
    },
    words: "an object with `get` and `set`, such as a Map",
  },
  cacheScope: {
    takes: (value) => (typeof value === "string" && value !== "") || isFunction(value),
    words: "a string that is not empty, or a function",
  },
  failurePolicy: oneOf("report", "throw"),
  onResult: aFunction,
  onEvent: aFunction,
  needsApproval: {
    takes: (value) => typeof value === "boolean" || isFunction(value),
    words: "true, false or a function",
  },
  timeout: checkedElsewhere,
  exclusive: aBoolean,
  readOnly: aBoolean,
  onCrash: oneOf("ask", "rerun", "fail"),
};

/** Names of options that hold the function in other libraries. */
const FUNCTION_NAMES = ["execute", "func", "fn", "run", "handler", "invoke", "callback"];

/** How a tool is written as a function, for errors. */
export const ORDER =
  'Write tool("name", { description: "…", schema }, fn), or tool({ name, description, schema }, fn).';

/**
 * Checks the options of a tool. Errors: `OptionsError` (`bad-option`); for an unknown name, with the one that was
 * probably meant.
 *
 * @example checkToolOptions("t", { descripton: "x" }); // throws: There is no "descripton" in the options of the tool "t". …
 */
export function checkToolOptions(tool: string, options: object): void {
  const misplaced = FUNCTION_NAMES.find((name) => isFunction((options as Record<string, unknown>)[name]));
  if (misplaced !== undefined) {
    const message = `There is no "${misplaced}" in the options of the tool "${tool}": the function comes after them. ${ORDER}`;
    throw new OptionsError("bad-option", message);
  }
  checkOptionNames(rules, options, `the options of the tool "${tool}"`);
  checkOptionValues(rules, options, `${tool}.`);
}

/** The class fields that are options, by their names without `_` and in lower case. */
const FIELDS = new Map(
  [...Object.keys(rules).filter((name) => name !== "schema"), "argsSchema"].map((name) => [plain(name), name]),
);
function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Names of fields that hold the schema elsewhere. Here it would be ignored, and arguments would not be checked. */
const SCHEMA_NAMES = ["schema", "parameters", "inputSchema", "input_schema"];

/**
 * Checks the fields of a tool class. It may have other fields, but none that is an option in another spelling, such as
 * CrewAI's `args_schema`. Errors: `ToolDefinitionError` (`unknown-field`).
 */
export function checkFields(tool: string, instance: object): void {
  const own = [instance, Object.getPrototypeOf(instance) as object].flatMap((one) => Object.getOwnPropertyNames(one));
  const hasSchema = (instance as { argsSchema?: unknown }).argsSchema !== undefined;
  const known = (name: string) => {
    const { value } = Object.getOwnPropertyDescriptor(instance, name) ?? {};
    const isSchema = !hasSchema && SCHEMA_NAMES.includes(name) && Object(value) === value;
    return isSchema ? "argsSchema" : FIELDS.get(plain(name));
  };
  const unknown = own.find((name) => !name.startsWith("_") && (known(name) ?? name) !== name);
  if (unknown === undefined) return;
  const message = `The tool "${tool}" has a field "${unknown}", which is not an option. Did you mean "${known(unknown)}"?`;
  throw new ToolDefinitionError("unknown-field", tool, message);
}

/** Checks the limits of any tool. Errors: `ToolDefinitionError`. */
export function checkLimits(tool: string, maxUsageCount: unknown, timeout: unknown): void {
  const wrong = (code: string, message: string) => new ToolDefinitionError(code, tool, message);
  if (maxUsageCount !== undefined && !(Number.isInteger(maxUsageCount) && (maxUsageCount as number) > 0)) {
    const message = `maxUsageCount of the tool "${tool}" is ${describeValue(maxUsageCount)}; it is a whole number from 1.`;
    throw wrong("bad-usage-limit", message);
  }
  const isTime = typeof timeout === "number" && timeout > 0 && (timeout <= MAX_TIMER || timeout === Infinity);
  if (timeout !== undefined && !isTime) {
    const message = `timeout of the tool "${tool}" is ${describeValue(timeout)}; it is a number of milliseconds up to ${MAX_TIMER}, or Infinity.`;
    throw wrong("bad-timeout", message);
  }
}

/** The description in a schema; undefined if it has none. */
export function describedBy(schema: unknown): string | undefined {
  const { description } = Object(schema) as { description?: unknown };
  return typeof description === "string" && description.trim() !== "" ? description : undefined;
}
