import type { LanguageModelLike } from "@langchain/core/language_models/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { getEnvironmentVariable } from "@langchain/core/utils/env";
import type { ConstraintTarget } from "@toolingua/core";
import { ModelError } from "../errors.js";
import { chatModelIn, replaceModels } from "./inner-runnable.js";
import { sendsFields } from "./request-fields.js";

/**
 * What holds the replies of a wrapped model to a form. `told`: the option `backend`. `undefined` for a model of which it
 * is not known (a field that a server does not know is mostly dropped without a word), and where not every model that may
 * answer can be reached by it.
 *
 * Errors: `ModelError` `no-constraint` for a backend whose fields the model's class has no place for, and, if
 * `isRequired`, for whatever is `undefined` otherwise.
 */
export function constraintTarget(
  runnable: LanguageModelLike,
  told: ConstraintTarget | undefined,
  isRequired: boolean,
): ConstraintTarget | undefined {
  const model = chatModelIn(runnable);
  const target = told ?? (model && known(model));
  if (target === "gbnf") return target;
  if (target === undefined) {
    if (!isRequired) return undefined;
    throw new ModelError(
      "no-constraint",
      `It is not known what holds the replies of ${model?.getName() ?? "the runnable"} to a form, which ` +
        '`constraint: "required"` asks for. Say which server it talks to with `backend`, or use `constraint: "auto"`.',
    );
  }
  const unfit = unfitFor(target, runnable);
  if (unfit === undefined) return target;
  // That the very model it is said of has no place for the fields is a mistake; that another part has none is not.
  if (!model || unfitFor(target, model)) throw unable(model?.getName() ?? "The runnable", target);
  if (!isRequired) return undefined;
  throw unfit === runnable ? inChain(model.getName()) : unable(unfit.getName(), target);
}

/** The model within that has no place for the fields; the runnable itself where its models cannot be reached. */
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
    `${name} has no way to send the fields that hold "${target}" to a form. ` +
      (target === "ollama" ? "Use ChatOllama." : "Use ChatOpenAI with the address of that server."),
  );

const inChain = (name: string) =>
  new ModelError(
    "no-constraint",
    `${name} stands in a chain, where the fields that hold it to a form are not sent on. ` +
      "Wrap the model itself, and put what comes back into the chain.",
  );

function known(model: BaseChatModel): ConstraintTarget | undefined {
  if (model.callKeys.includes("constraint")) return "gbnf";
  if (model._llmType() === "ollama") return "ollama";
  return model._llmType() === "openai" && isAtOpenAI(model) ? "openai" : undefined;
}

/** Many servers speak OpenAI's API and take other fields, or take them and do nothing. */
function isAtOpenAI(model: BaseChatModel): boolean {
  const { clientConfig } = model as { clientConfig?: { baseURL?: unknown } };
  const address = clientConfig?.baseURL ?? getEnvironmentVariable("OPENAI_BASE_URL");
  return !address || /^https:\/\/api\.openai\.com\b/.test(String(address));
}
