import type { LanguageModelLike } from "@langchain/core/language_models/base";
import type { BaseChatModel, BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import type { RunnableConfig } from "@langchain/core/runnables";
import { oncePer } from "@toolingua/core/adapters";

type Wrapping = {
  bound?: unknown;
  config?: { tools?: unknown };
  kwargs?: { tools?: unknown };
  /** For `ChatOpenAI`: its `withConfig` and `bindTools` return a copy that stores their arguments here. */
  defaultOptions?: { tools?: unknown };
  /** For `initChatModel`: the calls to make on the model once it is created. */
  _queuedMethodOperations?: { bindTools?: unknown[] };
  runnable?: unknown;
  fallbacks?: unknown[];
  steps?: unknown[];
};

/** The chat model inside bindings (`withConfig`, `withRetry`), fallbacks and chains; undefined if there is none. */
export function chatModelIn(runnable: unknown): BaseChatModel | undefined {
  if (typeof runnable !== "object" || runnable === null) return undefined;
  if (isChatModel(runnable)) return runnable;
  for (const part of partsOf(runnable)) {
    const model = chatModelIn(part);
    if (model) return model;
  }
  return undefined;
}

/** The chat model of a runnable that consists of one model and bindings only. */
export function boundModel(runnable: unknown): BaseChatModel | undefined {
  if (typeof runnable !== "object" || runnable === null) return undefined;
  return isChatModel(runnable) ? runnable : boundModel((runnable as Wrapping).bound);
}

function partsOf(runnable: object): unknown[] {
  const { bound, runnable: first, steps = [] } = runnable as Wrapping;
  return [bound, first, ...steps];
}

/** The tools that are already bound to an inner model. */
export function toolsWithin(runnable: unknown): object[] {
  if (typeof runnable !== "object" || runnable === null) return [];
  const { config, kwargs, defaultOptions, _queuedMethodOperations: queued, fallbacks = [] } = runnable as Wrapping;
  const own = [config?.tools, kwargs?.tools, defaultOptions?.tools, queued?.bindTools?.[0]].flat();
  const within = [...partsOf(runnable), ...(Array.isArray(fallbacks) ? fallbacks : [])].flatMap(toolsWithin);
  return [...own.filter((tool): tool is object => typeof tool === "object" && tool !== null), ...within];
}

/**
 * A copy of a runnable with each chat model in its bindings (`withConfig`, `withRetry`) and fallbacks replaced;
 * `undefined` if there is none, or if one cannot be replaced.
 */
export function replaceModels(
  runnable: unknown,
  replace: (model: BaseChatModel) => LanguageModelLike | undefined,
): LanguageModelLike | undefined {
  if (typeof runnable !== "object" || runnable === null) return undefined;
  if (isChatModel(runnable)) return replace(runnable);
  const { bound, runnable: first, fallbacks } = runnable as Wrapping;
  const within = (part: unknown) => replaceModels(part, replace);
  const holding = (parts: Record<string, unknown>) => {
    if (Object.values(parts).flat().includes(undefined)) return undefined;
    return Object.assign(
      Object.create(Object.getPrototypeOf(runnable) as object),
      runnable,
      parts,
    ) as LanguageModelLike;
  };
  if (bound !== undefined) return holding({ bound: within(bound) });
  if (Array.isArray(fallbacks)) return holding({ runnable: within(first), fallbacks: fallbacks.map(within) });
  return undefined;
}

export const isChatModel = (runnable: object): runnable is BaseChatModel =>
  "_llmType" in runnable && "getLsParams" in runnable;

/**
 * Whether `invoke` does more than collect the stream: only there does `withRetry` retry, and only there do fallbacks
 * replace a reply that fails in the middle.
 */
export function doesMoreOnInvoke(runnable: unknown): boolean {
  if (typeof runnable !== "object" || runnable === null || isChatModel(runnable)) return false;
  if ("maxAttemptNumber" in runnable || Array.isArray((runnable as Wrapping).fallbacks)) return true;
  return partsOf(runnable).some(doesMoreOnInvoke);
}

/**
 * The inner chat model, for reading its properties. `initChatModel` returns a proxy that creates the model for each
 * configuration and has no properties itself; for a proxy this is the model of its defaults, once created.
 */
export function describedModel(runnable: unknown): BaseChatModel | undefined {
  const model = chatModelIn(runnable);
  const { _modelInstanceCache: made } = (model ?? {}) as { _modelInstanceCache?: unknown };
  return (made instanceof Map && chatModelIn(made.get("{}"))) || model;
}

/** The chat model that a call with this configuration runs: a proxy of `initChatModel` has one for each. */
export async function madeModel(runnable: unknown, config: RunnableConfig): Promise<BaseChatModel | undefined> {
  type StandIn = { _getModelInstance?: (config: RunnableConfig) => Promise<unknown> };
  const model = chatModelIn(runnable);
  const made = await (model as StandIn | undefined)?._getModelInstance?.(config);
  return made === undefined ? model : chatModelIn(made);
}

/**
 * The part of a call's configuration that may select the model of an `initChatModel` proxy, without LangGraph's keys.
 */
export function configuration(runnable: unknown, configurable: Record<string, unknown>) {
  if (!("_modelInstanceCache" in (chatModelIn(runnable) ?? {}))) return undefined;
  const entries = Object.entries(configurable).filter(([key]) => !/^(?:__|thread_|checkpoint)/.test(key));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The name of the served model, as in traces. */
export function modelName(runnable: unknown): string | undefined {
  type Named = { model?: unknown; modelName?: unknown; _defaultConfig?: { model?: unknown } };
  const model = describedModel(runnable) as (BaseChatModel & Named) | undefined;
  const told = model?.getLsParams({}).ls_model_name ?? model?.model ?? model?.modelName;
  const name = told ?? model?._defaultConfig?.model;
  return typeof name === "string" ? name : undefined;
}

/** The model's fields that the wrapper takes over: its cache and its content format. */
export function inherited(model: BaseChatModel | undefined): Pick<BaseChatModelParams, "cache" | "outputVersion"> {
  return {
    ...(model?.cache && { cache: model.cache }),
    ...(model?.outputVersion && { outputVersion: model.outputVersion }),
  };
}

// Processes may share a cache, so a counter is not unique.
const idOf = oncePer((_runnable: object) =>
  Array.from({ length: 2 }, () => Math.random().toString(36).slice(2)).join(""),
);

/** The identity of a runnable in a cache key: its parameters, or else an id of this object. */
export function identityOf(runnable: object): unknown {
  const model = "_identifyingParams" in runnable ? (runnable as BaseChatModel) : undefined;
  const params: Record<string, unknown> = model?._identifyingParams() ?? {};
  if (model && Object.keys(params).length > 0) return { type: model._llmType(), ...params };
  return idOf(runnable);
}
