import { knownProtocol, nativeProtocol, type ProtocolName } from "@toolingua/core";
import { isObject } from "@toolingua/core/adapters";
import type { ConstraintBackend } from "@toolingua/core/grammar";
import { askServer, type Server } from "./ask-server.js";
import { listedModels } from "./listed-models.js";
import { urlOf } from "./url-of.js";

/** The facts about a server and a model that are available without generating. */
export interface ServerFacts {
  backend?: ConstraintBackend;
  /** The ids of its models, if it lists them. */
  models: string[];
  /** The model's chat template, and where it was found. */
  template?: { text: string; from: "/props" | "/api/show" };
  /** Further names of the model, from its file or its publisher. */
  modelNames: string[];
}

/**
 * The base URL as `chatEndpoint` takes it: `/v1` is added if there is no path.
 *
 * Errors: those of `urlOf`.
 *
 * @example baseUrlOf("http://localhost:8080"); // "http://localhost:8080/v1"
 */
export function baseUrlOf(address: string): string {
  const url = urlOf(address);
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  url.pathname = path === "" ? "/v1" : path;
  return url.href;
}

/**
 * Collects the facts about a server: `/models` lists its models, whose owners show the kind of server; llama.cpp's
 * `/props` and Ollama's `/api/show` have the chat template.
 *
 * Errors: `EndpointError` `connect` if there is no answer, `http` for a rejected key.
 *
 * @example const { template, backend } = await serverFacts({ baseURL: "http://localhost:8080/v1" }, "qwen2.5-7b");
 */
export async function serverFacts(
  server: Server,
  model: string | undefined,
  signal?: AbortSignal,
): Promise<ServerFacts> {
  const ask = (path: string, body?: object) => askServer(server, path, { body, signal });
  const list = await listedModels(server, signal);
  const models = list.map(({ id }) => id);
  const owner = list.find(({ id }) => id === model)?.owner ?? list[0]?.owner;
  const named = model ?? (models.length === 1 ? models[0] : undefined);
  // Both paths are next to the API, not below it.
  const [props, shown] = await Promise.all([
    ask("../props").catch(unlessAborted(signal)),
    named === undefined ? undefined : ask("../api/show", { model: named }).catch(unlessAborted(signal)),
  ]);
  if (typeof props?.chat_template === "string")
    return {
      backend: "llama.cpp",
      models,
      template: { text: props.chat_template, from: "/props" },
      modelNames: textsIn([props.model_alias, fileName(props.model_path)]),
    };
  if (typeof shown?.template === "string") {
    const info = recordOf(shown.model_info);
    const template = shown.template === "" ? {} : { template: { text: shown.template, from: "/api/show" as const } };
    return {
      backend: "ollama",
      models,
      ...template,
      modelNames: textsIn([info["general.basename"], info["general.name"]]),
    };
  }
  const backend = backendOf(owner);
  return { ...(backend && { backend }), models, modelNames: [] };
}

/**
 * The wire format that a model was trained on, as far as it is known without generating.
 *
 * @example nativeFormat({ models: [], modelNames: [] }, "qwen2.5:7b"); // { protocol: "hermes", from: "its name" }
 */
export function nativeFormat(
  { template, modelNames }: Pick<ServerFacts, "template" | "modelNames">,
  model: string,
): { protocol: ProtocolName; from: string } | undefined {
  const written = template && nativeProtocol(template.text);
  if (template && written) return { protocol: written, from: `its chat template (${template.from})` };
  const named = [model, ...modelNames].map(knownProtocol).find((protocol) => protocol !== undefined);
  return named && { protocol: named, from: "its name" };
}

/** The kind of server, by the owner of its models. */
export function backendOf(owner: unknown): ConstraintBackend | undefined {
  switch (owner) {
    case "llamacpp":
      return "llama.cpp";
    case "vllm":
    case "sglang":
      return owner;
    case "openai":
    case "system":
    case "openai-internal":
      return "openai";
    default:
      return undefined;
  }
}

/** Ignores errors of optional requests: a server without such a path may send any answer. */
const unlessAborted = (signal: AbortSignal | undefined) => (): undefined => {
  signal?.throwIfAborted();
  return undefined;
};

const recordOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const textsIn = (values: readonly unknown[]) =>
  values.filter((value): value is string => typeof value === "string" && value !== "");

const fileName = (path: unknown) => (typeof path === "string" ? path.split(/[\\/]/).at(-1) : undefined);
