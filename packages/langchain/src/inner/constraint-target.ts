import type { LanguageModelLike } from "@langchain/core/language_models/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { getEnvironmentVariable } from "@langchain/core/utils/env";
import type { ConstraintTarget } from "@toolingua/core";
import { isOpenAIAddress } from "@toolingua/core/adapters";
import { ModelError } from "../errors.js";
import { chatModelIn, replaceModels } from "./inner-runnable.js";
import { sendsFields } from "./request-fields.js";

/**
 * Where the grammar for a wrapped model is enforced. `given`: the option `backend`. Returns `undefined` if the backend
 * is unknown (most servers silently ignore unknown fields), or if the fields do not reach every model that may answer.
 *
 * Errors: `ModelError` `no-constraint` if the model's class cannot send the backend's fields, and, with `isRequired`,
 * instead of `undefined`.
 */
export function constraintTarget(
  runnable: LanguageModelLike,
  given: ConstraintTarget | undefined,
  isRequired: boolean,
): ConstraintTarget | undefined {
  const model = chatModelIn(runnable);
  const target = given ?? (model && known(model));
  if (target === "gbnf") return target;
  if (target === undefined) {
    if (!isRequired) return undefined;
    throw new ModelError(
      "no-constraint",
      `\`constraint: "required"\` needs a backend that enforces it, and none is known for ` +
        `${model?.getName() ?? "the runnable"}. Name its server with \`backend\`, or use \`constraint: "auto"\`.`,
    );
  }
  const unfit = unfitFor(target, runnable);
  if (unfit === undefined) return target;
  // A `backend` whose fields the described model itself cannot send is an error; in other parts it is not.
  if (!model || unfitFor(target, model)) throw unable(model?.getName() ?? "The runnable", target);
  if (!isRequired) return undefined;
  throw unfit === runnable ? inChain(model.getName()) : unable(unfit.getName(), target);
}

/** The inner model that cannot send the fields; the runnable itself if its models cannot be reached. */
function unfitFor(target: ConstraintTarget, runnable: LanguageModelLike): LanguageModelLike | undefined {
  let unfit: BaseChatModel | undefined;
  const all = replaceModels(runnable, (model) => {
    if (target === "ollama" ? model._llmType() === "ollama" : sendsFields(model)) return model;
    unfit ??= model;
    return undefined;
  });
  return all ? undefined : (unfit ?? runnable);
}

const unable = (name: string, target: ConstraintTarget) =>
  new ModelError(
    "no-constraint",
    `${name} cannot send the request fields that constrain "${target}". ` +
      (target === "ollama" ? "Use ChatOllama." : "Use ChatOpenAI with the address of that server."),
  );

const inChain = (name: string) =>
  new ModelError(
    "no-constraint",
    `${name} is part of a chain, which does not pass on the fields that constrain it. ` +
      "Wrap the model itself, and put the wrapped model into the chain.",
  );

function known(model: BaseChatModel): ConstraintTarget | undefined {
  if (model.callKeys.includes("constraint")) return "gbnf";
  if (model._llmType() === "ollama") return "ollama";
  return model._llmType() === "openai" && isAtOpenAI(model) ? "openai" : undefined;
}

function isAtOpenAI(model: BaseChatModel): boolean {
  const { clientConfig } = model as { clientConfig?: { baseURL?: unknown } };
  const address = clientConfig?.baseURL ?? getEnvironmentVariable("OPENAI_BASE_URL");
  return !address || isOpenAIAddress(String(address));
}
