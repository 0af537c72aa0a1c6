import { type GenerateOptions, protocolForModel, type TextModel, ToolSelection } from "@toolingua/core";
import { adapterDefaults } from "@toolingua/core/adapters";
import { chatEndpoint, completionEndpoint, turnOptionsFor } from "@toolingua/endpoints";
import { pmlTranscript } from "@toolingua/pml";
import { upstreamName } from "../config/check-config.js";
import type { GatewayModelConfig, Limits, UpstreamConfig } from "../config/schema.js";
import { isReachable } from "../upstreams/is-reachable.js";
import { type PooledUpstream, UpstreamPool } from "../upstreams/upstream-pool.js";
import { embeddedModel } from "./embedded-model.js";
import { modelInCode } from "./model-in-code.js";

/** A model that the gateway serves. */
export interface ServedModel {
  config: GatewayModelConfig;
  name: string;
  aliases: readonly string[];
  contextWindow: number;
  /** Whether the model accepts images. */
  vision: boolean;
  liveCalls: boolean;
  /** Whether the model is reachable, as far as known. `pool` has the state of each of several upstreams. */
  probe(): Promise<boolean>;
  /** The upstreams, if the model has several. */
  pool: readonly PooledUpstream[];
  /** Frees the model's memory in this process. */
  close(): Promise<void>;
  options: Pick<
    GenerateOptions,
    | "model"
    | "protocol"
    | "style"
    | "transcript"
    | "constraint"
    | "backend"
    | "prefill"
    | "onInvalidCall"
    | "maxInvalidCallRetries"
    | "startWithReasoning"
    | "toolSelection"
    | "fields"
  >;
}

/** The context window that clients are told of a server's model whose configuration does not say it, in tokens. */
export const DEFAULT_CONTEXT_WINDOW = 131_072;
/** The context that an embedded model is loaded with by default: its memory grows with it, so it is far smaller. */
const EMBEDDED_CONTEXT = 8192;

/**
 * Creates a model from its configuration.
 *
 * Errors: `OptionsError` and `ChatFormatError` for options that the endpoint does not accept.
 */
export function servedModel(config: GatewayModelConfig, limits: Limits): ServedModel {
  const { name, aliases = [], backend, protocol, toolSelection, fields } = config;
  const upstreams = config.upstreams ?? (config.upstream ? [config.upstream] : []);
  const id = upstreams[0]?.model ?? config.embedded ?? name;
  // A function given in code may know what its server can do.
  const { abilities } = config.model ?? {};
  const ofTurn = { ...turnOptionsFor(backend), ...(backend === undefined && abilities) };
  const source = sourceOf(config, limits);
  return {
    config,
    name,
    aliases,
    contextWindow: config.contextWindow ?? (config.embedded === undefined ? DEFAULT_CONTEXT_WINDOW : EMBEDDED_CONTEXT),
    vision: config.vision ?? false,
    liveCalls: config.liveCalls ?? true,
    probe: async () => !config.upstream || isReachable(config.upstream.baseURL),
    pool: source.pool ?? [],
    close: source.close ?? (async () => {}),
    options: {
      model: source.model,
      protocol: protocol ?? protocolForModel(id),
      style: config.style,
      transcript: config.transcript === "pml" ? pmlTranscript() : undefined,
      constraint: config.constraint ?? adapterDefaults.constraint,
      backend: ofTurn.backend,
      prefill:
        upstreams.length > 0
          ? upstreams.every(({ kind }) => kind === "completion" || ofTurn.prefill)
          : abilities?.prefill,
      onInvalidCall: config.onInvalidCall ?? adapterDefaults.onInvalidCall,
      maxInvalidCallRetries: config.maxInvalidCallRetries,
      startWithReasoning: config.startWithReasoning,
      toolSelection: toolSelection ? new ToolSelection(toolSelection === true ? {} : toolSelection) : undefined,
      fields,
    },
  };
}

/** Where the model's text comes from. */
interface Source {
  model: TextModel;
  pool?: readonly PooledUpstream[];
  close?(): Promise<void>;
}

/** The source of the text. The configuration check ensures that there is exactly one of four. */
function sourceOf(config: GatewayModelConfig, limits: Limits): Source {
  const { model, upstream, upstreams = [], embedded, circuitBreaker = {}, contextWindow = EMBEDDED_CONTEXT } = config;
  if (embedded !== undefined) return embeddedModel(embedded, contextWindow);
  if (model) return { model: modelInCode(model) };
  if (upstream) return { model: endpointOf(upstream, config, limits) };
  const { failures = 5, openTime = 30 } = circuitBreaker;
  const endpoints = upstreams.map((one) => ({
    name: upstreamName(one),
    baseURL: one.baseURL,
    model: endpointOf(one, config, limits),
  }));
  const pool = new UpstreamPool(endpoints, { failures, openTime: openTime * 1000 });
  return { model: pool.model, pool: pool.upstreams };
}

function endpointOf(upstream: UpstreamConfig, { name, backend, upstreams = [] }: GatewayModelConfig, limits: Limits) {
  const { connectTimeout, idleTimeout, timeout = Number.POSITIVE_INFINITY } = limits;
  const endpoint = upstream.kind === "completion" ? completionEndpoint : chatEndpoint;
  return endpoint({
    baseURL: upstream.baseURL,
    model: upstream.model ?? name,
    apiKey: upstream.apiKey,
    headers: upstream.headers,
    backend,
    // With several upstreams, another one is tried at once. Otherwise the client is the better place to wait.
    retries: { attempts: upstreams.length > 1 ? 0 : 2, delay: 250, maxDelay: 5000 },
    timeout: { connect: connectTimeout * 1000, idle: idleTimeout * 1000, total: timeout * 1000 },
  });
}
