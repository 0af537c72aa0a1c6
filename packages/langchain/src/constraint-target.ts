import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { getEnvironmentVariable } from "@langchain/core/utils/env";
import type { ConstraintTarget } from "@toolingua/core";
import { ModelError } from "./errors.js";
import { chatModelIn, copyOf, hasPrivateFields, replaceModels } from "./inner-runnable.js";

type Fields = Record<string, unknown>;

/**
 * What holds the replies of a wrapped model to a form. `told`: the option `backend`. `undefined` for a model of which it
 * is not known: a field that a server does not know is mostly dropped without a word.
 *
 * Errors: `ModelError` `no-constraint` for a backend whose fields the model's class has no place for or cannot be copied with, and, if `isRequired`,
 * for a model that is not known to take anything.
 */
export function constraintTarget(
  runnable: LanguageModelLike,
  told: ConstraintTarget | undefined,
  isRequired: boolean,
): ConstraintTarget | undefined {
  const model = chatModelIn(runnable);
  const target = told ?? (model && known(model));
  const name = model?.getName() ?? "The runnable";
  if (target !== undefined && target !== "gbnf" && !withRequestFields(runnable, target, {})) {
    throw new ModelError(
      "no-constraint",
      `${name} has no way to send the fields that hold "${target}" to a form. ` +
        (target === "ollama" ? "Use ChatOllama." : "Use ChatOpenAI with the address of that server."),
    );
  }
  if (target === undefined && isRequired) {
    throw new ModelError(
      "no-constraint",
      `It is not known what holds the replies of ${name} to a form, which \`constraint: "required"\` asks for. ` +
        'Say which server it talks to with `backend`, or use `constraint: "auto"`.',
    );
  }
  return target;
}

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

/**
 * The model, in its bindings and fallbacks, with these fields in each of its requests; `undefined` where its class has no
 * place for them. (No call option of `ChatOpenAI` takes fields that are not OpenAI's.)
 */
export function withRequestFields(
  runnable: LanguageModelLike,
  target: ConstraintTarget,
  fields: Fields,
): LanguageModelLike | undefined {
  return replaceModels(runnable, (model) => {
    if (target === "ollama") return model._llmType() === "ollama" ? model.withConfig(fields as never) : undefined;
    return "modelKwargs" in model ? withKwargs(model, fields) : undefined;
  });
}

/** A copy of a model that sends these fields. `ChatOpenAI` passes its requests on to one of two models that it holds. */
function withKwargs(model: BaseChatModel, fields: Fields): BaseChatModel {
  const kwargs = (part: object) => ({ modelKwargs: { ...(part as { modelKwargs?: Fields }).modelKwargs, ...fields } });
  const copy = (part: BaseChatModel, more: Fields = {}) => {
    if (!hasPrivateFields(part)) return copyOf(part, { ...kwargs(part), ...more });
    throw new ModelError(
      "no-constraint",
      `The class of ${part.getName()} keeps #private fields, so no copy of it can be made that sends what holds calls to ` +
        "a form. Declare them with TypeScript's `private`, or leave `constraint` off.",
    );
  };
  const parts = Object.entries(model).filter(([, part]) => part instanceof BaseChatModel && "modelKwargs" in part);
  return copy(model, Object.fromEntries(parts.map(([name, part]) => [name, copy(part as BaseChatModel)])));
}
