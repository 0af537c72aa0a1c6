import { type GenerateOptions, protocolForModel, type TextModel, ToolSelection } from "@toolingua/core";
import { chatEndpoint, completionEndpoint } from "@toolingua/endpoints";
import { pmlTranscript } from "@toolingua/pml";
import { upstreamName } from "../config/check-config.js";
import type { GatewayModelConfig, Limits, UpstreamConfig } from "../config/schema.js";
import { isReachable } from "../operation/readiness.js";
import { type PooledUpstream, UpstreamPool } from "../upstreams/upstream-pool.js";
import { embeddedModel } from "./embedded-model.js";

/** A model as the gateway asks it. */
export interface ServedModel {
  config: GatewayModelConfig;
  name: string;
  aliases: readonly string[];
  contextWindow: number;
  /** Whether it sees images. */
  vision: boolean;
  holdCalls: boolean;
  /** Whether it can be asked, as far as is known. Of several upstreams, `pool` says it of each. */
  probe(): Promise<boolean>;
  /** The upstreams of a model that has several. */
  pool: readonly PooledUpstream[];
  /** Frees what the model has in this process. */
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
    | "maxRetries"
    | "selection"
    | "fields"
  >;
}

/** How many tokens a model takes where nothing says so: a server's, and one in this process, which is loaded so. */
const CONTEXT = 131_072;
const EMBEDDED_CONTEXT = 8192;

/** Servers that go on from the beginning of a reply. */
const CONTINUES = new Set(["llama.cpp", "vllm", "sglang", "ollama"]);

/**
 * Makes a model of its configuration.
 *
 * Errors: `OptionsError` and `ChatFormatError` for what the endpoint does not take.
 */
export function servedModel(config: GatewayModelConfig, limits: Limits): ServedModel {
  const { name, aliases = [], backend, protocol = "auto", selection, fields } = config;
  const upstreams = config.upstreams ?? (config.upstream ? [config.upstream] : []);
  const id = upstreams[0]?.model ?? config.embedded ?? name;
  // A server that reads no grammars takes a JSON Schema; Ollama, where it speaks OpenAI's API, in OpenAI's field.
  const target = backend === "openai" || backend === "ollama" ? "openai" : undefined;
  const source = sourceOf(config, limits);
  return {
    config,
    name,
    aliases,
    contextWindow: config.contextWindow ?? (config.embedded === undefined ? CONTEXT : EMBEDDED_CONTEXT),
    vision: config.vision ?? false,
    holdCalls: config.holdCalls ?? false,
    probe: async () => !config.upstream || isReachable(config.upstream.url),
    pool: source.pool ?? [],
    close: source.close ?? (async () => {}),
    options: {
      model: source.model,
      protocol: protocol === "auto" ? protocolForModel(id) : protocol,
      style: config.style,
      transcript: config.transcript === "pml" ? pmlTranscript() : undefined,
      constraint: config.constraint ?? "off",
      backend: target,
      prefill: upstreams.every(({ kind }) => kind === "completion" || CONTINUES.has(backend ?? "")),
      onInvalidCall: config.onInvalidCall ?? "retry",
      maxRetries: config.maxRetries,
      selection: selection ? new ToolSelection(selection === true ? {} : selection) : undefined,
      fields,
    },
  };
}

/** Where the text comes from. */
interface Source {
  model: TextModel;
  pool?: readonly PooledUpstream[];
  close?(): Promise<void>;
}

/** Exactly one of four, as the configuration was checked for. */
function sourceOf(config: GatewayModelConfig, limits: Limits): Source {
  const { model, upstream, upstreams = [], embedded, circuitBreaker = {}, contextWindow = EMBEDDED_CONTEXT } = config;
  if (embedded !== undefined) return embeddedModel(embedded, contextWindow);
  if (model) return { model };
  if (upstream) return { model: endpointOf(upstream, config, limits) };
  const { failures = 5, openTime = 30 } = circuitBreaker;
  const endpoints = upstreams.map((one) => ({
    name: upstreamName(one),
    url: one.url,
    model: endpointOf(one, config, limits),
  }));
  const pool = new UpstreamPool(endpoints, { failures, openTime: openTime * 1000 });
  return { model: pool.model, pool: pool.upstreams };
}

function endpointOf(upstream: UpstreamConfig, { name, backend, upstreams = [] }: GatewayModelConfig, limits: Limits) {
  const { connectTimeout, idleTimeout, timeout = Number.POSITIVE_INFINITY } = limits;
  const endpoint = upstream.kind === "completion" ? completionEndpoint : chatEndpoint;
  return endpoint({
    baseURL: upstream.url,
    model: upstream.model ?? name,
    apiKey: upstream.key,
    headers: upstream.headers,
    backend,
    // Another upstream is asked at once. A client can wait longer better than a gateway can.
    retries: { attempts: upstreams.length > 1 ? 0 : 2, delay: 250, maxDelay: 5000 },
    timeout: { connect: connectTimeout * 1000, idle: idleTimeout * 1000, total: timeout * 1000 },
  });
}
