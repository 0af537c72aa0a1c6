import { ToolDefinitionError } from "@toolingua/core";
import type { ToolContext } from "./base-tool.js";
import { FunctionTool, type ToolFunction, type ToolOptions } from "./function-tool.js";
import { recordMethod } from "./methods.js";
import type { ArgumentsOf, Schema } from "./schema.js";

/** Marks a method as a tool, as a standard decorator and as a legacy one (`experimentalDecorators`). */
export interface ToolDecorator<S extends Schema> {
  <This, Method extends (this: This, args: ArgumentsOf<S>, context: ToolContext) => unknown>(
    method: Method,
    context: ClassMethodDecoratorContext<This, Method>,
  ): void;
  <Method extends (args: ArgumentsOf<S>, context: ToolContext) => unknown>(
    prototype: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void;
}

/**
 * Makes a tool, after CrewAI's `@tool`: of a function, or, without one, as the decorator of a method. The decorated
 * methods of an object are its tools: see `ToolSpec` and `toolsOf`. The schema's types flow to the function.
 *
 * A name may be written for people (`"Search the web"`, which models get as `Search_the_web`); a decorated method's
 * default is its own. Needs no `reflect-metadata`.
 *
 * Errors: `ToolDefinitionError`, with the codes of `BaseTool` (those of a method when the tools are listed),
 * `not-a-function` where `func` is none, and `not-a-method` where a private member, one named by a symbol, or no method is decorated.
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
export function tool<const S extends Schema = Record<never, never>, R = unknown>(
  name: string,
  options: ToolOptions<S>,
  func: ToolFunction<S, R>,
): FunctionTool<S, R>;
export function tool<const S extends Schema = Record<never, never>>(
  name: string,
  options: ToolOptions<S>,
): ToolDecorator<S>;
export function tool<const S extends Schema = Record<never, never>>(options: ToolOptions<S>): ToolDecorator<S>;
export function tool(
  nameOrOptions: string | ToolOptions,
  given?: ToolOptions,
  func?: ToolFunction<Schema>,
): FunctionTool | ToolDecorator<Schema> {
  const [name, options] =
    typeof nameOrOptions === "string" ? ([nameOrOptions, given] as const) : ([undefined, nameOrOptions] as const);
  if (typeof options !== "object" || options === null) {
    throw new ToolDefinitionError(
      "missing-description",
      name ?? "(unnamed)",
      'tool() needs options with a description: tool("name", { description: "…" }, fn).',
    );
  }
  if (name !== undefined && func !== undefined) return new FunctionTool(name, options, func);
  return (target: unknown, keyOrContext: unknown, descriptor?: unknown) =>
    recordMethod({ name, ...options }, target, keyOrContext, descriptor);
}
