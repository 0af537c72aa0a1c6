import { type GenerateOptions, protocolForModel, ToolSelection } from "@toolingua/core";
import { chatEndpoint, completionEndpoint } from "@toolingua/endpoints";
import type { GatewayModelConfig, Limits } from "../config/schema.js";
import { isReachable } from "../operation/readiness.js";
import { type EmbeddedModel, embeddedModel } from "./embedded-model.js";

/** A model as the gateway asks it. */
export interface ServedModel {
  config: GatewayModelConfig;
  name: string;
  aliases: readonly string[];
  contextWindow: number;
  holdCalls: boolean;
  /** Whether it can be asked, as far as is known. */
  probe(): Promise<boolean>;
  /** Frees what the model has in this process. */
  close(): Promise<void>;
  options: Pick<
    GenerateOptions,
    | "model"
    | "protocol"
    | "style"
    | "constraint"
    | "backend"
    | "prefill"
    | "onInvalidCall"
    | "maxRetries"
    | "selection"
    | "fields"
  >;
}

/** Servers that go on from the beginning of a reply. */
const CONTINUES = new Set(["llama.cpp", "vllm", "sglang", "ollama"]);

/**
 * Makes a model of its configuration.
 *
 * Errors: `OptionsError` and `ChatFormatError` for what the endpoint does not take.
 */
export function servedModel(config: GatewayModelConfig, limits: Limits): ServedModel {
  const { name, aliases = [], upstream, backend, protocol = "auto", selection, fields } = config;
  const id = upstream?.model ?? config.embedded ?? name;
  // A server that reads no grammars takes a JSON Schema; Ollama, where it speaks OpenAI's API, in OpenAI's field.
  const target = backend === "openai" || backend === "ollama" ? "openai" : undefined;
  const source = sourceOf(config, limits);
  const continues = !upstream || upstream.kind === "completion" || CONTINUES.has(backend ?? "");
  return {
    config,
    name,
    aliases,
    contextWindow: config.contextWindow ?? 131_072,
    holdCalls: config.holdCalls ?? false,
    probe: async () => (upstream ? isReachable(upstream.url) : true),
    close: source.close,
    options: {
      model: source.model,
      protocol: protocol === "auto" ? protocolForModel(id) : protocol,
      style: config.style,
      constraint: config.constraint ?? "off",
      backend: target,
      prefill: continues,
      onInvalidCall: config.onInvalidCall ?? "retry",
      maxRetries: config.maxRetries,
      selection: selection ? new ToolSelection(selection === true ? {} : selection) : undefined,
      fields,
    },
  };
}

/** Where the text comes from: exactly one of three, as the configuration was checked for. */
function sourceOf(config: GatewayModelConfig, limits: Limits): EmbeddedModel {
  const { name, model, upstream, embedded, backend, contextWindow } = config;
  if (embedded !== undefined) return embeddedModel(embedded, contextWindow);
  const close = async () => {};
  if (model || !upstream) return { model: model!, close };
  const { connectTimeout, idleTimeout, timeout = Number.POSITIVE_INFINITY } = limits;
  const endpoint = upstream.kind === "completion" ? completionEndpoint : chatEndpoint;
  const options = {
    baseURL: upstream.url,
    model: upstream.model ?? name,
    apiKey: upstream.key,
    headers: upstream.headers,
    backend,
    // A client can wait longer better than a gateway can.
    retries: { attempts: 2, delay: 250, maxDelay: 5000 },
    timeout: { connect: connectTimeout * 1000, idle: idleTimeout * 1000, total: timeout * 1000 },
  };
  return { model: endpoint(options), close };
}
