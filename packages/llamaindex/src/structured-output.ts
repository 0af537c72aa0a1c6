import type { BaseToolWithCall } from "@llamaindex/core/llms";
import { isZodSchema, safeParseSchema, type ZodSchema, zodToJsonSchema } from "@llamaindex/core/zod";
import { type JsonSchema, SchemaError, type ToolDefinition, toJsonSchema, validateValue } from "@toolingua/core";
import { jsonObject, onlyObjectIn, unkeptNumber } from "@toolingua/core/adapters";
import { toLlamaIndexTools } from "./tool-conversion.js";

/** The name of the tool whose arguments are the structured answer, as in LlamaIndex. */
export const FORMAT_OUTPUT = "format_output";

const description = "Gives the answer. Call it once everything that the answer needs is known.";

/** The definition of the tool for a `responseFormat`; `undefined` if that is not a schema. */
export function outputDefinition(responseFormat: object): ToolDefinition | undefined {
  const parameters = isZodSchema(responseFormat) ? zodSchema(responseFormat) : plainSchema(responseFormat);
  return parameters === undefined ? undefined : { name: FORMAT_OUTPUT, description, parameters };
}

/**
 * The one object in a text that matches the tool's parameters; `undefined` if there is none or more than one. One with a number
 * that JavaScript cannot represent does not match.
 *
 * @example objectIn('It is {"sum": 5}.', outputDefinition(responseFormat)!); // { sum: 5 }
 */
export function objectIn(text: string, { parameters }: ToolDefinition): Record<string, unknown> | undefined {
  return onlyObjectIn(text, (json) => {
    const value = jsonObject(json);
    if (value && unkeptNumber(json) !== undefined) return undefined;
    return value && validateValue(value, parameters).length === 0 ? value : undefined;
  });
}

/** The tool for a `responseFormat`, with the object of its call as parsed by the schema. */
export class OutputTool {
  object: unknown;
  readonly tool: BaseToolWithCall;
  readonly #definition: ToolDefinition;
  readonly #execute: (args: Record<string, unknown>) => unknown;

  constructor(schema: ZodSchema) {
    this.#execute = (args) => {
      const read = safeParseSchema(schema, args);
      if (!read.success) return new Error(`The object is not what is asked for: ${read.error.message}`);
      this.object = read.data;
      return read.data;
    };
    this.#definition = outputDefinition(schema)!;
    const [tool] = toLlamaIndexTools([{ ...this.#definition, resultAsAnswer: true, execute: this.#execute }]);
    this.tool = tool!;
  }

  /** Reads the object from an answer without a call. */
  takeFrom(text: string): void {
    const given = objectIn(text, this.#definition);
    if (given) this.#execute(given);
  }
}

function zodSchema(schema: ZodSchema): JsonSchema {
  try {
    return toJsonSchema(schema);
  } catch (error) {
    // zod 4.1, which LlamaIndex also supports, has no Standard JSON Schema.
    if (!(error instanceof SchemaError)) throw error;
    const { $schema: _, ...parameters } = zodToJsonSchema(schema) as Record<string, unknown>;
    return parameters;
  }
}

/** A JSON Schema of an object, bare or in OpenAI's envelope. */
function plainSchema(format: object): JsonSchema | undefined {
  const { json_schema: envelope } = format as { json_schema?: { schema?: object } };
  const schema = envelope?.schema ?? format;
  return "properties" in schema ? (schema as JsonSchema) : undefined;
}
