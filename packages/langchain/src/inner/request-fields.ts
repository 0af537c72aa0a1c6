import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ConstraintTarget } from "@toolingua/core";
import { isChatModel } from "./inner-runnable.js";

type Fields = Record<string, unknown>;

/** The call option by which the fields reach the model that sends them, whatever is wrapped around it. */
const OPTION = "toolingua_request_fields";

/** The call options that put these fields into a request. `format` is one of `ChatOllama`'s own. */
export const asCallOptions = (target: ConstraintTarget, fields: Fields): Fields =>
  target === "ollama" ? fields : { [OPTION]: fields };

const sending = new WeakSet<object>();

/**
 * Sees to it that a model, and each that it hands its requests to, sends the fields of {@link asCallOptions}; `false`
 * where its class has no `modelKwargs`, which are sent as they are.
 *
 * No call option of `ChatOpenAI` takes fields that are not OpenAI's, and what `modelKwargs` holds goes with every request.
 * So what the model makes its requests of is asked for them; requests without the option are what they were. (A copy with
 * other `modelKwargs` would lack what stands in `#private` fields.)
 */
export function sendsFields(model: BaseChatModel): boolean {
  if (!("modelKwargs" in model)) return false;
  if (sending.has(model)) return true;
  sending.add(model);
  const paramsOf = model.invocationParams;
  Object.defineProperty(model, "invocationParams", {
    configurable: true,
    writable: true,
    value(this: BaseChatModel, options?: Fields, ...more: unknown[]): unknown {
      const params: Fields = Reflect.apply(paramsOf, this, [options, ...more]);
      const fields = options?.[OPTION] as Fields | undefined;
      return fields ? withFields(params, fields) : params;
    },
  });
  // `ChatOpenAI` holds one model for each of OpenAI's two APIs.
  for (const part of Object.values(model)) {
    if (typeof part === "object" && part !== null && isChatModel(part)) sendsFields(part);
  }
  return true;
}

/** The Responses API takes the schema of a reply in `text`, where Chat Completions takes `response_format`. */
function withFields(params: Fields, { response_format, ...fields }: Fields): Fields {
  if (response_format === undefined) return { ...params, ...fields };
  const isResponses = "text" in params && !("response_format" in params);
  if (!isResponses) return { ...params, ...fields, response_format };
  const { json_schema, ...format } = response_format as { json_schema?: Fields };
  return { ...params, ...fields, text: { ...(params.text as Fields), format: { ...format, ...json_schema } } };
}
