import { ToolDefinitionError } from "@toolingua/core";
import { BaseTool, callableName, type ToolContext } from "./base-tool.js";
import type { ToolCache } from "./cache.js";
import type { FailurePolicy } from "./failure.js";
import type { ArgumentsOf, Schema } from "./schema.js";

/** What is said of a tool besides its name. Each is described at `BaseTool`, where `schema` is `argsSchema`. */
export interface ToolOptions<S extends Schema = Schema> {
  description: string;
  schema?: S | undefined;
  resultSchema?: Schema | undefined;
  resultAsAnswer?: boolean | undefined;
  maxUsageCount?: number | undefined;
  cacheFunction?: ((args: ArgumentsOf<S>, result: unknown) => boolean | Promise<boolean>) | undefined;
  cache?: ToolCache | undefined;
  failurePolicy?: FailurePolicy | undefined;
}

/** What a tool is made of: its function takes the arguments as the schema reads them, and the call's context. */
export type ToolFunction<S extends Schema, R = unknown> = (
  args: ArgumentsOf<S>,
  context: ToolContext,
) => R | Promise<R>;

/**
 * A tool made of a function: what `tool()`, `ToolSpec` and `defineTool()` give.
 *
 * @example await new FunctionTool("now", { description: "The time" }, () => new Date().toISOString()).run({});
 */
export class FunctionTool<S extends Schema = Schema, R = unknown> extends BaseTool<S, R> {
  readonly name: string;
  readonly description: string;
  override readonly argsSchema: S | undefined;
  override readonly resultSchema: Schema | undefined;
  override readonly resultAsAnswer: boolean;
  override readonly maxUsageCount: number | undefined;
  override readonly cache: ToolCache | undefined;
  override readonly failurePolicy: FailurePolicy;
  override readonly cacheFunction?: (args: ArgumentsOf<S>, result: Awaited<R>) => boolean | Promise<boolean>;
  /** The function, as it was given. */
  readonly func: ToolFunction<S, R>;

  /**
   * `name` is how people call it; models get it as `callableName` writes it.
   *
   * Errors: `ToolDefinitionError`, as at `BaseTool`, and `not-a-function`.
   */
  constructor(name: string, options: ToolOptions<S>, func: ToolFunction<S, R>) {
    super();
    if (typeof func !== "function") {
      throw new ToolDefinitionError("not-a-function", name, `The tool "${name}" needs a function that does its work.`);
    }
    this.name = callableName(name);
    this.description = options.description;
    this.argsSchema = options.schema;
    this.resultSchema = options.resultSchema;
    this.resultAsAnswer = options.resultAsAnswer ?? false;
    this.maxUsageCount = options.maxUsageCount;
    this.cache = options.cache;
    this.failurePolicy = options.failurePolicy ?? "report";
    if (options.cacheFunction) this.cacheFunction = options.cacheFunction;
    this.func = func;
    // What is wrong shows where the tool is written, not at its first call.
    void this.parameters;
  }

  _run(args: ArgumentsOf<S>, context: ToolContext): R | Promise<R> {
    return this.func(args, context);
  }
}
