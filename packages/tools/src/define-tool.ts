import { type JsonSchema, OptionsError, ToolDefinitionError, toJsonSchema } from "@toolingua/core";
import { aBoolean, checkArgument, checkOptionNames, describeValue, jsonPointer } from "@toolingua/core/adapters";
import { FunctionTool, type ToolFunction } from "./function-tool.js";
import { checkToolOptions, type ToolOptions } from "./options.js";

/** The type of the parameters' schema. */
interface ObjectSchema<P, Q extends string> {
  type: "object";
  properties: P;
  required: readonly Q[];
  additionalProperties: false;
}

const parameterRules = { required: aBoolean };

/** The names of the required parameters, and `N` if it is one. */
type Needs<Q extends string, N extends string, Needed> = Q | (Needed extends true ? N : never);

/** Builds a tool. Each step returns a new builder, so a common beginning can be shared by several tools. */
class ToolBuilder<P extends Record<string, JsonSchema>, Q extends string> {
  readonly #name: string;
  readonly #schema: ObjectSchema<P, Q>;
  readonly #said: Omit<ToolOptions, "schema" | "cacheFunction">;

  constructor(name: string, schema: ObjectSchema<P, Q>, said: Omit<ToolOptions, "schema" | "cacheFunction">) {
    this.#name = name;
    this.#schema = schema;
    this.#said = said;
  }

  /** All that takes tools reads their names first. Errors: `ToolDefinitionError` (`missing-execute`). */
  protected get name(): never {
    const name = this.#name;
    const message = `The tool ${JSON.stringify(name)} has no function yet: end defineTool(…) with .execute(fn).`;
    throw new ToolDefinitionError("missing-execute", name, message);
  }

  description(description: string): ToolBuilder<P, Q> {
    return this.options({ description });
  }

  /**
   * Adds a parameter with its JSON Schema; optional, unless it is `required`.
   *
   * Errors: `ToolDefinitionError` (`duplicate-parameter`) for a name that the tool has already; `OptionsError` (`bad-option`).
   */
  parameter<const N extends string, const T extends JsonSchema, const Needed extends boolean = false>(
    name: N,
    schema: T,
    options: { required?: Needed | undefined } = {},
  ): ToolBuilder<Omit<P, N> & Record<N, T>, Needs<Q, N, Needed>> {
    checkArgument("name", "string", name);
    // JSON Schema is converted to itself.
    if (Object(schema) === schema && !Array.isArray(schema) && toJsonSchema(schema) !== schema) {
      const message = `The schema of the parameter "${name}" is that of a library, and not JSON Schema. With a library, write tool({ name, description, schema }, fn).`;
      throw new OptionsError("bad-option", message);
    }
    checkOptionNames(parameterRules, options, `the options of the parameter "${name}"`);
    if (Object.hasOwn(this.#schema.properties, name)) {
      const message = `The tool ${JSON.stringify(this.#name)} has two parameters ${JSON.stringify(name)}. Give each a name of its own.`;
      throw new ToolDefinitionError("duplicate-parameter", this.#name, message, {
        path: jsonPointer("/properties", name),
      });
    }
    const { required } = options;
    const properties = Object.fromEntries([...Object.entries(this.#schema.properties), [name, schema]]);
    return new ToolBuilder(
      this.#name,
      {
        ...this.#schema,
        properties: properties as Omit<P, N> & Record<N, T>,
        required: [...this.#schema.required, ...(required ? [name] : [])] as Needs<Q, N, Needed>[],
      },
      this.#said,
    );
  }

  /**
   * Sets any other options of `tool()`: `maxUsageCount`, `cache`, `resultAsAnswer`, …
   *
   * Errors: `OptionsError` (`bad-option`), also for a `name` and a `schema`, which would be ignored.
   */
  options(options: Omit<ToolOptions, "schema" | "cacheFunction">): ToolBuilder<P, Q> {
    checkToolOptions(this.#name, options);
    const elsewhere = {
      schema: "its parameters are those of .parameter(…)",
      name: `it is named by defineTool(${JSON.stringify(this.#name)})`,
    };
    for (const [option, why] of Object.entries(elsewhere)) {
      if ((options as Record<string, unknown>)[option] === undefined) continue;
      const message = `There is no "${option}" in the options of the tool "${this.#name}": ${why}.`;
      throw new OptionsError("bad-option", message);
    }
    return new ToolBuilder(this.#name, this.#schema, { ...this.#said, ...options });
  }

  /**
   * Completes the tool with the function that does the work.
   *
   * Errors: `ToolDefinitionError`, as in `tool()`; `missing-description` if none was given.
   */
  execute<R, C = unknown>(func: ToolFunction<ObjectSchema<P, Q>, R, C>): FunctionTool<ObjectSchema<P, Q>, R, C> {
    // The names in `partialArguments` are checked when the tool is made.
    const options = { ...this.#said, schema: this.#schema } as ToolOptions<ObjectSchema<P, Q>, C>;
    return new FunctionTool<ObjectSchema<P, Q>, R, C>(this.#name, options, func);
  }
}

export type { ToolBuilder };

/**
 * Starts a tool, built step by step and without a schema library. The function's argument types follow from the
 * parameters.
 *
 * Errors: `ToolDefinitionError` (`missing-name`) without a name, or with a definition in its place; `OptionsError`
 * (`bad-option`) for anything beside the name.
 *
 * @example
 * const weather = defineTool("get_weather")
 *   .description("The weather in a city")
 *   .parameter("city", { type: "string" }, { required: true })
 *   .parameter("unit", { enum: ["C", "F"], default: "C" })
 *   .execute(({ city, unit }) => `20 °${unit} in ${city}`);
 * await weather.run({ city: "Oslo" }); // "20 °C in Oslo"
 */
export function defineTool(name: string, ...others: readonly never[]): ToolBuilder<Record<never, never>, never> {
  if (typeof name !== "string" || name.trim() === "") {
    const message = `The name of a tool is a string that is not empty, not ${describeValue(name)}. ${STEPS}`;
    throw new ToolDefinitionError("missing-name", "(unnamed)", message);
  }
  if (others.length > 0) throw new OptionsError("bad-option", `defineTool() takes a name only. ${STEPS}`);
  return new ToolBuilder(
    name,
    { type: "object", properties: {}, required: [], additionalProperties: false },
    { description: "" },
  );
}

const STEPS =
  'Write defineTool("name").description("…").parameter("city", { type: "string" }).execute(fn), or, with a whole definition, tool({ name, description, schema }, fn).';
