import { type JsonSchema, toJsonSchema } from "@toolingua/core";
import { isObject, withoutFrameworkKeywords } from "@toolingua/core/adapters";

/** How the answer of a call must look. */
interface AnswerFormat {
  /** The answer is the call of a tool, and its arguments are shown while the model writes them. */
  isCall: boolean;
  /** The JSON Schema of an answer that is text. */
  schema: JsonSchema | undefined;
}

const FREE: AnswerFormat = { isCall: false, schema: undefined };

/**
 * The format of the answer in a call's options, where `withStructuredOutput` and LangChain's `providerStrategy` both describe
 * it, for tracers. For a method other than function calling, the answer itself is JSON.
 *
 * @example
 * answerFormatOf({ ls_structured_output_format: { kwargs: { method: "jsonMode" }, schema } }); // { isCall: false, schema }
 */
export function answerFormatOf(options: object): AnswerFormat {
  const { ls_structured_output_format: format } = options as { ls_structured_output_format?: unknown };
  if (!isObject(format)) return FREE;
  const { kwargs, schema } = format;
  if (isObject(kwargs) && kwargs.method === "functionCalling") return { isCall: true, schema: undefined };
  return isObject(schema) ? { isCall: false, schema: withoutFrameworkKeywords(toJsonSchema(schema)) } : FREE;
}
