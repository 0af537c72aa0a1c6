import type { ConstraintTarget, TextModelRequest } from "@toolingua/core";
import { ModelError } from "./errors.js";
import { isRecord } from "./records.js";
import type { CallOptions, LanguageModel, ProviderOptions } from "./sdk.js";

/** The provider of `EmbeddedChatModel`, and its key in `providerOptions`. */
const EMBEDDED = "toolingua";

/**
 * What constrains the replies of a wrapped model. `told`: the option `backend`. `undefined` where it is not known, since most
 * servers drop a field that they do not know without a word.
 *
 * Errors: `ModelError` (`no-constraint`) where `isRequired` and it is not known, and where the model's provider has no place
 * for the fields of `told`.
 */
export function constraintTarget(
  model: LanguageModel,
  told: ConstraintTarget | undefined,
  isRequired: boolean,
): ConstraintTarget | undefined {
  const target = told ?? detected(model);
  if (target === undefined && isRequired) {
    throw new ModelError(
      "no-constraint",
      `It is not known what constrains the replies of "${model.provider}", which \`constraint: "required"\` asks for. ` +
        'Name the server behind it with `backend`, or use `constraint: "auto"`.',
    );
  }
  const isOpenAI = /^(?:openai|azure)\b(?!-compatible)/.test(model.provider);
  if (isOpenAI && target !== undefined && ["llama.cpp", "vllm", "sglang"].includes(target)) {
    throw new ModelError(
      "no-constraint",
      `The provider "${model.provider}" sends only OpenAI's own fields, and none that constrain "${target}". Use ` +
        "createOpenAICompatible of @ai-sdk/openai-compatible with the address of that server.",
    );
  }
  return target;
}

function detected(model: LanguageModel): ConstraintTarget | undefined {
  if (model.provider.startsWith(`${EMBEDDED}.`)) return "gbnf";
  if (/^ollama\b/.test(model.provider)) return "ollama";
  return /^openai\./.test(model.provider) && isAtOpenAI(model) ? "openai" : undefined;
}

/** Many servers speak OpenAI's API and take other fields, or take them and do nothing. */
function isAtOpenAI(model: LanguageModel): boolean {
  const config: unknown = "config" in model ? model.config : undefined;
  if (!isRecord(config) || typeof config.url !== "function") return false;
  const address: unknown = config.url({ path: "/", modelId: model.modelId });
  return typeof address === "string" && /^https:\/\/api\.openai\.com\//.test(address);
}

/** The call options that constrain a reply: each provider has its own place for them. */
export function constrained(
  model: LanguageModel,
  target: ConstraintTarget | undefined,
  { constraint, fields }: Pick<TextModelRequest, "constraint" | "fields">,
  given: ProviderOptions | undefined,
): Pick<CallOptions, "providerOptions" | "responseFormat"> {
  if (constraint) {
    const { type, grammar, triggers } = constraint;
    const plain = { type, grammar, ...(triggers && { triggers: triggers.map((trigger) => ({ ...trigger })) }) };
    return { providerOptions: withOptions(given, EMBEDDED, { constraint: plain }) };
  }
  if (!fields) return {};
  if (target === "ollama") return { responseFormat: { type: "json", ...schemaOf(fields.format) } };
  const format = isRecord(fields.response_format) ? fields.response_format : undefined;
  if (target === "openai" && isRecord(format?.json_schema)) {
    return {
      responseFormat: { type: "json", name: "reply", ...schemaOf(format.json_schema.schema) },
      providerOptions: withOptions(given, "openai", { strictJsonSchema: false }),
    };
  }
  return { providerOptions: withOptions(given, optionsKey(model.provider), fields) };
}

const schemaOf = (schema: unknown) => (isRecord(schema) ? { schema } : {});

/** By which name `createOpenAICompatible` looks for the options of a provider: `my-server.chat` is `myServer`. */
const optionsKey = (provider: string) =>
  (provider.split(".")[0] ?? provider).trim().replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());

function withOptions(given: ProviderOptions | undefined, key: string, own: Record<string, unknown>): ProviderOptions {
  // Fields are JSON: they are made to be sent.
  const plain: ProviderOptions[string] = JSON.parse(JSON.stringify(own));
  return { ...given, [key]: { ...given?.[key], ...plain } };
}
