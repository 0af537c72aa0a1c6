import type { Constraint, ConstraintTarget, TextModelRequest } from "@toolingua/core";
import { isObject, isOpenAIAddress, takesGrammar } from "@toolingua/core/adapters";
import { ModelError } from "../errors.js";
import { asJson } from "../messages/metadata.js";
import type { CallOptions, LanguageModel, ProviderOptions } from "../sdk.js";

/** The provider of `EmbeddedChatModel`, and its key in `providerOptions`. */
const EMBEDDED = "toolingua";

/**
 * Where the grammar for a wrapped model is enforced. `given`: the option `backend`. Returns `undefined` if the backend
 * is unknown, because most servers silently ignore unknown fields.
 *
 * Errors: `ModelError` (`no-constraint`) if `isRequired` and the backend is unknown or the model cannot have it, or if the
 * model's provider cannot send the fields of `given`.
 */
export function constraintTarget(
  model: LanguageModel,
  given: ConstraintTarget | undefined,
  isRequired: boolean,
): ConstraintTarget | undefined {
  const target = given ?? detected(model);
  if (target === undefined && isRequired) {
    throw new ModelError(
      "no-constraint",
      `\`constraint: "required"\` needs a backend that enforces it, and none is known for "${model.provider}". ` +
        'Name the server behind it with `backend`, or use `constraint: "auto"`.',
    );
  }
  const isEmbedded = isOfEmbedded(model);
  const isOpenAI = /^(?:openai|azure)\b(?!-compatible)/.test(model.provider);
  if (isOpenAI && target !== undefined && target !== "gbnf" && takesGrammar(target)) {
    throw new ModelError(
      "no-constraint",
      `The provider "${model.provider}" sends only OpenAI's own fields, and none that constrain "${target}". Use ` +
        "createOpenAICompatible of @ai-sdk/openai-compatible with the address of that server.",
    );
  }
  if (isRequired && target !== undefined && isEmbedded !== (target === "gbnf")) {
    const others = isOpenAI ? '"openai"' : '"ollama", "openai", "llama.cpp", "vllm" or "sglang"';
    throw new ModelError(
      "no-constraint",
      isEmbedded
        ? `The backend "${target}" cannot constrain an EmbeddedChatModel. It reads only "gbnf", which is detected: leave \`backend\` out.`
        : `The backend "gbnf" constrains only an EmbeddedChatModel: use ${others} for "${model.provider}".`,
    );
  }
  return target;
}

const isOfEmbedded = ({ provider }: LanguageModel): boolean => provider.startsWith(`${EMBEDDED}.`);

function detected(model: LanguageModel): ConstraintTarget | undefined {
  if (isOfEmbedded(model)) return "gbnf";
  if (/^ollama\b/.test(model.provider)) return "ollama";
  return /^openai\./.test(model.provider) && isAtOpenAI(model) ? "openai" : undefined;
}

function isAtOpenAI(model: LanguageModel): boolean {
  const config: unknown = "config" in model ? model.config : undefined;
  if (!isObject(config) || typeof config.url !== "function") return false;
  const address: unknown = config.url({ path: "/", modelId: model.modelId });
  return typeof address === "string" && isOpenAIAddress(address);
}

/** The call options that constrain a reply; their place depends on the provider. */
export function constrained(
  model: LanguageModel,
  target: ConstraintTarget | undefined,
  { constraint, fields }: Pick<TextModelRequest, "constraint" | "fields">,
  given: ProviderOptions | undefined,
): Pick<CallOptions, "providerOptions" | "responseFormat"> | undefined {
  if (constraint) {
    return { providerOptions: { ...given, [EMBEDDED]: { ...given?.[EMBEDDED], constraint: plain(constraint) } } };
  }
  if (!fields) return undefined;
  if (target === "ollama") {
    if (!dropsSchemas(model)) return { responseFormat: { type: "json", ...schemaOf(fields.format) } };
    const format = { type: "json_schema", json_schema: { name: "reply", schema: fields.format } };
    return { providerOptions: withOptions(given, optionsKey(model.provider), { response_format: format }) };
  }
  const format = isObject(fields.response_format) ? fields.response_format : undefined;
  if (target === "openai" && isObject(format?.json_schema)) {
    return {
      responseFormat: { type: "json", name: "reply", ...schemaOf(format.json_schema.schema) },
      providerOptions: withOptions(given, "openai", { strictJsonSchema: false }),
    };
  }
  return { providerOptions: withOptions(given, optionsKey(model.provider), fields) };
}

/**
 * Whether a model of `createOpenAICompatible` leaves out the schema of a `responseFormat`. It sends the fields of
 * `providerOptions`.
 */
const dropsSchemas = (model: LanguageModel) =>
  "supportsStructuredOutputs" in model && model.supportsStructuredOutputs === false;

/** A response format without the schema that the model would leave out, with a warning: the answer is checked here. */
export const acceptedFormat = (model: LanguageModel, format: CallOptions["responseFormat"]) =>
  format?.type === "json" && dropsSchemas(model) ? ({ type: "json" } as const) : format;

/** A constraint as plain JSON. `whole` is compiled only for a model that reads it. */
function plain(constraint: Constraint) {
  const { type, grammar, triggers } = constraint;
  if (!triggers) return { type, grammar };
  return {
    ...{ type, grammar, triggers: triggers.map((trigger) => ({ ...trigger })) },
    get whole() {
      return constraint.whole;
    },
  };
}

const schemaOf = (schema: unknown) => (isObject(schema) ? { schema } : {});

/** The key of a provider's options in `createOpenAICompatible`: `my-server.chat` becomes `myServer`. */
const optionsKey = (provider: string) =>
  (provider.split(".")[0] ?? provider).trim().replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());

function withOptions(given: ProviderOptions | undefined, key: string, own: Record<string, unknown>): ProviderOptions {
  return { ...given, [key]: { ...given?.[key], ...asJson(own) } };
}
