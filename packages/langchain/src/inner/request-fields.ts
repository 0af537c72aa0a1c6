import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ConstraintTarget } from "@toolingua/core";
import { isChatModel } from "./inner-runnable.js";

type Fields = Record<string, unknown>;

/** The call option that carries the fields through all wrappers to the model that sends them. */
const OPTION = "toolingua_request_fields";

/** The call options that add these fields to a request. `format` is an option of `ChatOllama`. */
export const asCallOptions = (target: ConstraintTarget, fields: Fields): Fields =>
  target === "ollama" ? fields : { [OPTION]: fields };

const sending = new WeakSet<object>();

/**
 * Makes a model, and each model that it delegates requests to, send the fields of {@link asCallOptions}. Returns
 * `false` if its class has no `modelKwargs`, which are sent unchanged.
 *
 * `ChatOpenAI` has no call option for fields outside OpenAI's API, and `modelKwargs` apply to every request. Therefore
 * the method that builds the request is wrapped; requests without the option do not change. (A copy of the model with
 * other `modelKwargs` would lack its `#private` fields.)
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
  // `ChatOpenAI` contains one model for each of OpenAI's two APIs.
  for (const part of Object.values(model)) {
    if (typeof part === "object" && part !== null && isChatModel(part)) sendsFields(part);
  }
  return true;
}

/** The Responses API expects the schema of a reply in `text`, Chat Completions in `response_format`. */
function withFields(params: Fields, { response_format, ...fields }: Fields): Fields {
  if (response_format === undefined) return { ...params, ...fields };
  const isResponses = "text" in params && !("response_format" in params);
  if (!isResponses) return { ...params, ...fields, response_format };
  const { json_schema, ...format } = response_format as { json_schema?: Fields };
  return { ...params, ...fields, text: { ...(params.text as Fields), format: { ...format, ...json_schema } } };
}
