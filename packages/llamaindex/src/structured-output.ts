import type { BaseToolWithCall } from "@llamaindex/core/llms";
import { isZodSchema, safeParseSchema, type ZodSchema, zodToJsonSchema } from "@llamaindex/core/zod";
import { type JsonSchema, SchemaError, type ToolDefinition, toJsonSchema } from "@toolingua/core";
import { toLlamaIndexTools } from "./tool-conversion.js";

/** The tool whose arguments are the answer, where that is data: LlamaIndex's name for it. */
export const FORMAT_OUTPUT = "format_output";

const description = "Gives the answer. Call it once everything that the answer needs is known.";

/** The definition of the tool that takes what a `responseFormat` describes; `undefined` where that is no schema. */
export function outputDefinition(responseFormat: object): ToolDefinition | undefined {
  const parameters = isZodSchema(responseFormat) ? zodSchema(responseFormat) : plainSchema(responseFormat);
  return parameters === undefined ? undefined : { name: FORMAT_OUTPUT, description, parameters };
}

/** The same as a tool, and the object it was called with, as the schema reads it. */
export class OutputTool {
  object: unknown;
  readonly tool: BaseToolWithCall;

  constructor(schema: ZodSchema) {
    const execute = (args: Record<string, unknown>) => {
      const read = safeParseSchema(schema, args);
      if (!read.success) return new Error(`The object is not what is asked for: ${read.error.message}`);
      this.object = read.data;
      return read.data;
    };
    const [tool] = toLlamaIndexTools([{ ...outputDefinition(schema)!, resultAsAnswer: true, execute }]);
    this.tool = tool!;
  }
}

function zodSchema(schema: ZodSchema): JsonSchema {
  try {
    return toJsonSchema(schema);
  } catch (error) {
    // zod 4.1, which LlamaIndex takes, too, does not say its JSON Schema itself.
    if (!(error instanceof SchemaError)) throw error;
    const { $schema: _, ...parameters } = zodToJsonSchema(schema) as Record<string, unknown>;
    return parameters;
  }
}

/** A JSON Schema of an object, by itself or in OpenAI's envelope. */
function plainSchema(format: object): JsonSchema | undefined {
  const { json_schema: envelope } = format as { json_schema?: { schema?: object } };
  const schema = envelope?.schema ?? format;
  return "properties" in schema ? (schema as JsonSchema) : undefined;
}
