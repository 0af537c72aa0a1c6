import type { InputOf } from "@toolingua/core";
import { ToolDefinitionError } from "@toolingua/core";
import { BaseTool, callableName } from "./base-tool.js";
import { checkToolOptions, describedBy, type ToolOptions } from "./options.js";
import type { ArgumentsOf, Schema } from "./schema.js";
import type { ToolContext } from "./tool-context.js";

/** The function of a tool. It takes the arguments as the schema reads them, and the call's context. */
export type ToolFunction<S extends Schema, R = unknown, C = unknown> = (
  args: ArgumentsOf<S>,
  context: ToolContext<C>,
) => R | Promise<R>;

/**
 * A tool made of a function: the result of `tool()`, `ToolSpec` and `defineTool()`.
 *
 * @example await new FunctionTool("now", { description: "The time" }, () => new Date().toISOString()).run({});
 */
export class FunctionTool<
  S extends Schema = Schema,
  R = unknown,
  C = unknown,
  F = Record<never, never>,
> extends BaseTool<S, R, C, F> {
  readonly name: string;
  readonly description: string;
  override readonly argsSchema: S | undefined;
  /** The given function. */
  readonly func: ToolFunction<S, R, C>;
  readonly #owner: object;

  /**
   * `name` may be written for people; models get it as `callableName` writes it. `owner`: the object whose method it
   * is.
   *
   * Errors: `ToolDefinitionError`, as in `BaseTool`, and `not-a-function`; `OptionsError` (`bad-option`).
   */
  constructor(
    name: string,
    options: ToolOptions<S, C, F | Partial<InputOf<S>>>,
    func: ToolFunction<S, R, C>,
    owner?: object,
  ) {
    super();
    if (typeof func !== "function") {
      throw new ToolDefinitionError("not-a-function", name, `The tool "${name}" needs a function that does its work.`);
    }
    checkToolOptions(name, options);
    const {
      schema,
      description = describedBy(schema) ?? "",
      name: _,
      ...fields
    } = options as typeof options & {
      name?: string | undefined;
    };
    // Each option is a field of the class, under its own name.
    Object.assign(this, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
    this.name = callableName(name);
    this.description = description;
    this.argsSchema = schema;
    this.func = func;
    this.#owner = owner ?? this;
    // Reports problems where the tool is defined, not at its first call.
    void this.parameters;
  }

  protected override get cacheOwner(): object {
    return this.#owner;
  }

  protected override get parameterCount(): number {
    return this.func.length;
  }

  _run(args: ArgumentsOf<S>, context: ToolContext<C>): R | Promise<R> {
    return this.func(args, context);
  }
}
