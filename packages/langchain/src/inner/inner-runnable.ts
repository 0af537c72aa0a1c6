import type { LanguageModelLike } from "@langchain/core/language_models/base";
import type { BaseChatModel, BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import type { RunnableConfig } from "@langchain/core/runnables";

type Wrapping = {
  bound?: unknown;
  config?: { tools?: unknown };
  kwargs?: { tools?: unknown };
  /** Of `ChatOpenAI`: its `withConfig` and `bindTools` return a copy that keeps them here. */
  defaultOptions?: { tools?: unknown };
  /** Of `initChatModel`: what is called on the model once it is made. */
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

/** The chat model that a runnable is, but for what is bound to it: every run of it is that model's. */
export function boundModel(runnable: unknown): BaseChatModel | undefined {
  if (typeof runnable !== "object" || runnable === null) return undefined;
  return isChatModel(runnable) ? runnable : boundModel((runnable as Wrapping).bound);
}

function partsOf(runnable: object): unknown[] {
  const { bound, runnable: first, steps = [] } = runnable as Wrapping;
  return [bound, first, ...steps];
}

/** The tools that are bound to a model inside already. */
export function toolsWithin(runnable: unknown): object[] {
  if (typeof runnable !== "object" || runnable === null) return [];
  const { config, kwargs, defaultOptions, _queuedMethodOperations: queued, fallbacks = [] } = runnable as Wrapping;
  const own = [config?.tools, kwargs?.tools, defaultOptions?.tools, queued?.bindTools?.[0]].flat();
  const within = [...partsOf(runnable), ...(Array.isArray(fallbacks) ? fallbacks : [])].flatMap(toolsWithin);
  return [...own.filter((tool): tool is object => typeof tool === "object" && tool !== null), ...within];
}

/**
 * A copy of a runnable in whose bindings (`withConfig`, `withRetry`) and fallbacks each chat model is replaced;
 * `undefined` if one of them cannot be, or none is there.
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
 * Whether `invoke` of it does more than to gather a stream: a `withRetry` tries again, and fallbacks stand in for an error
 * in the middle of a reply, only there.
 */
export function doesMoreOnInvoke(runnable: unknown): boolean {
  if (typeof runnable !== "object" || runnable === null || isChatModel(runnable)) return false;
  if ("maxAttemptNumber" in runnable || Array.isArray((runnable as Wrapping).fallbacks)) return true;
  return partsOf(runnable).some(doesMoreOnInvoke);
}

/**
 * The chat model inside, for what is read off it. `initChatModel` gives a stand-in that makes the model for each
 * configuration and says nothing of itself: then it is the model of its defaults, once that was made.
 */
export function describedModel(runnable: unknown): BaseChatModel | undefined {
  const model = chatModelIn(runnable);
  const { _modelInstanceCache: made } = (model ?? {}) as { _modelInstanceCache?: unknown };
  return (made instanceof Map && chatModelIn(made.get("{}"))) || model;
}

/** The chat model that a call with this configuration runs: a stand-in of `initChatModel` has one for each. */
export async function madeModel(runnable: unknown, config: RunnableConfig): Promise<BaseChatModel | undefined> {
  type StandIn = { _getModelInstance?: (config: RunnableConfig) => Promise<unknown> };
  const model = chatModelIn(runnable);
  const made = await (model as StandIn | undefined)?._getModelInstance?.(config);
  return made === undefined ? model : chatModelIn(made);
}

/** What of a call's configuration a stand-in of `initChatModel` may make its model of; LangGraph's own is not. */
export function configuration(runnable: unknown, configurable: Record<string, unknown>) {
  if (!("_modelInstanceCache" in (chatModelIn(runnable) ?? {}))) return undefined;
  const entries = Object.entries(configurable).filter(([key]) => !/^(?:__|thread_|checkpoint)/.test(key));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The name of the model that is served, as tracing knows it. */
export function modelName(runnable: unknown): string | undefined {
  type Named = { model?: unknown; modelName?: unknown; _defaultConfig?: { model?: unknown } };
  const model = describedModel(runnable) as (BaseChatModel & Named) | undefined;
  const told = model?.getLsParams({}).ls_model_name ?? model?.model ?? model?.modelName;
  const name = told ?? model?._defaultConfig?.model;
  return typeof name === "string" ? name : undefined;
}

/** What the wrapper takes over: its runs stand for the model's, so the cache and the form of content are the same. */
export function inherited(model: BaseChatModel | undefined): Pick<BaseChatModelParams, "cache" | "outputVersion"> {
  return {
    ...(model?.cache && { cache: model.cache }),
    ...(model?.outputVersion && { outputVersion: model.outputVersion }),
  };
}

const instances = new WeakMap<object, string>();

/** What tells a runnable from every other in a cache key: its own parameters, or else that it is this very object. */
export function identityOf(runnable: object): unknown {
  const model = "_identifyingParams" in runnable ? (runnable as BaseChatModel) : undefined;
  const params: Record<string, unknown> = model?._identifyingParams() ?? {};
  if (model && Object.keys(params).length > 0) return { type: model._llmType(), ...params };
  const known = instances.get(runnable);
  if (known) return known;
  // A cache may be shared by processes, so a mere count would not do.
  const id = Array.from({ length: 2 }, () => Math.random().toString(36).slice(2)).join("");
  instances.set(runnable, id);
  return id;
}
