import type { InputOf } from "@toolingua/core";
import { ToolDefinitionError } from "@toolingua/core";
import { describeValue } from "@toolingua/core/adapters";
import { FunctionTool, type ToolFunction } from "./function-tool.js";
import { bareDecorated, recordMethod } from "./methods.js";
import { checkToolOptions, type NamedToolOptions, ORDER, type ToolOptions } from "./options.js";
import type { ArgumentsOf, Schema } from "./schema.js";
import type { ToolContext } from "./tool-context.js";

/** Marks a method as a tool, as a standard decorator and as a legacy one (`experimentalDecorators`). */
export interface ToolDecorator<S extends Schema> {
  <This, Method extends (this: This, args: ArgumentsOf<S>, context: ToolContext<never>) => unknown>(
    method: Method,
    context: ClassMethodDecoratorContext<This, Method>,
  ): void;
  <Method extends (args: ArgumentsOf<S>, context: ToolContext<never>) => unknown>(
    prototype: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void;
}

/**
 * Makes a tool, after CrewAI's `@tool`: from a function, or, without one, as the decorator of a method. `ToolSpec` and
 * `toolsOf` list the decorated methods of an object. The function's argument types follow from the schema.
 *
 * A whole definition may precede the function, with its schema as `schema` or `parameters`: for example one that
 * `@toolingua/schema-from-types` generated at build time, including `resultSchema`.
 *
 * A name may be written for people (`"Search the web"`, which models get as `Search_the_web`); the default for a
 * decorated method is its own name. Needs no `reflect-metadata`.
 *
 * Errors: `ToolDefinitionError`, with the codes of `BaseTool` (for methods when the tools are listed), `not-a-function`
 * if `func` is not a function, `missing-description` for a decorator without parentheses, and `not-a-method` if a
 * private member, a member named by a symbol, or no method is decorated; `OptionsError` (`bad-option`).
 *
 * @example
 * const add = tool("add", { description: "Adds two numbers", schema: z.object({ a: z.number(), b: z.number() }) },
 *   ({ a, b }) => a + b);
 * await add.run({ a: 1, b: 2 }); // 3
 *
 * @example
 * class Weather extends ToolSpec {
 *   @tool({ description: "The weather in a city", schema: z.object({ city: z.string() }) })
 *   forecast({ city }: { city: string }) { return `${city}: sunny`; }
 * }
 * new Weather().toToolList(); // [forecast]
 */
export function tool<
  const S extends Schema = Record<never, never>,
  R = unknown,
  C = unknown,
  F extends Partial<InputOf<S>> = Record<never, never>,
>(name: string, options: ToolOptions<S, C, F>, func: ToolFunction<S, R, C>): FunctionTool<S, R, C, F>;
export function tool<
  const S extends Schema = Record<never, never>,
  R = unknown,
  C = unknown,
  F extends Partial<InputOf<S>> = Record<never, never>,
>(definition: NamedToolOptions<S, C, F>, func: ToolFunction<S, R, C>): FunctionTool<S, R, C, F>;
export function tool<const S extends Schema = Record<never, never>>(
  name: string,
  options: ToolOptions<S>,
): ToolDecorator<S>;
export function tool<const S extends Schema = Record<never, never>>(options: ToolOptions<S>): ToolDecorator<S>;
export function tool(
  nameOrOptions: string | ToolOptions | NamedToolOptions,
  given?: ToolOptions | ToolFunction<Schema>,
  func?: ToolFunction<Schema>,
): FunctionTool | ToolDecorator<Schema> {
  const bare = bareDecorated(nameOrOptions, given);
  if (bare !== undefined) {
    const message = `@tool on "${bare}" needs a description: write @tool({ description: "…" }), with its arguments as \`schema\`.`;
    throw new ToolDefinitionError("missing-description", bare, message);
  }
  if (typeof nameOrOptions === "function") {
    throw new ToolDefinitionError("missing-description", "(unnamed)", `tool() takes the function last. ${ORDER}`);
  }
  if (typeof given === "function") return ofDefinition(nameOrOptions, given);
  if (func !== undefined && typeof nameOrOptions !== "string") {
    const message = `The name of a tool is a string, not ${describeValue(nameOrOptions)}. ${ORDER}`;
    throw new ToolDefinitionError("missing-name", "(unnamed)", message);
  }
  const [name, options] =
    typeof nameOrOptions === "string" ? ([nameOrOptions, given] as const) : ([undefined, nameOrOptions] as const);
  if (typeof options !== "object" || options === null) {
    throw new ToolDefinitionError("missing-description", name ?? "(unnamed)", `tool() needs options. ${ORDER}`);
  }
  if (name !== undefined && func !== undefined) return new FunctionTool(name, options, func);
  const { name: written = name } = options as { name?: unknown };
  checkToolOptions(typeof written === "string" ? written : "a method", options);
  return (target: unknown, keyOrContext: unknown, descriptor?: unknown) =>
    recordMethod({ name, ...options }, target, keyOrContext, descriptor);
}

function ofDefinition(definition: unknown, func: ToolFunction<Schema>): FunctionTool {
  if (typeof definition !== "object" || definition === null) {
    const name = typeof definition === "string" ? definition : "(unnamed)";
    throw new ToolDefinitionError("missing-description", name, `tool() needs options before the function. ${ORDER}`);
  }
  const { name, parameters, ...options } = definition as Partial<NamedToolOptions>;
  if (typeof name !== "string")
    throw new ToolDefinitionError("missing-name", "(unnamed)", `The tool has no name. ${ORDER}`);
  return new FunctionTool(name, { ...(parameters !== undefined && { schema: parameters }), ...options }, func);
}
