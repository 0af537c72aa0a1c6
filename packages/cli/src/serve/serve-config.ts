import { type GatewayConfig, type GatewayModelConfig, type LimitsConfig, readConfig } from "@toolingua/gateway";
import { findModel } from "../model-source/find-model.js";
import { listedModels, onlyModel } from "../model-source/listed-models.js";
import type { ModelOptions } from "../model-source/open-model.js";
import { baseUrlOf } from "../model-source/server-facts.js";
import { namedProtocol } from "../protocols/named-protocol.js";
import { CliError } from "../terminal/errors.js";
import { configFile, USUAL_FILE } from "./config-file.js";

/** The options of `toolingua serve`. */
export interface ServeOptions extends ModelOptions {
  config?: string;
  kind?: "chat" | "completion";
  alias?: string[];
  liveCalls?: boolean;
  host?: string;
  port?: number;
  apiKey?: string[];
  /** In milliseconds, as the other times. */
  connectTimeout?: number;
  idleTimeout?: number;
  timeout?: number;
  maxBody?: number;
  rate?: number;
  concurrency?: number;
  admin?: boolean;
}

/**
 * The gateway's configuration: from the file, or for the one model that flags name. Flags for listening override the
 * file.
 *
 * Errors: `CliError` (`usage`); `GatewayConfigError` for the file; those of `listedModels` if no flag names the model.
 *
 * @example await serveConfig({ upstream: "http://localhost:11434/v1", model: "llama3.2" }, {});
 */
export async function serveConfig(options: ServeOptions, env: NodeJS.ProcessEnv): Promise<GatewayConfig> {
  const file = configFile(options);
  const config = file === undefined ? { models: [await oneModel(options)] } : await readConfig(file);
  const { host, port, admin } = options;
  const keys = givenKeys(options, env);
  const limits = givenLimits(options);
  return {
    ...config,
    ...(admin && { admin }),
    server: {
      ...config.server,
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(keys.length > 0 && { keys }),
      limits: { ...config.server?.limits, ...limits },
    },
  };
}

async function oneModel(options: ServeOptions): Promise<GatewayModelConfig> {
  const { alias, protocol, style, backend, constraint, startWithReasoning, liveCalls } = options;
  const source = await modelSource(options);
  if (constraint && constraint !== "off" && source.upstream && !(backend ?? source.backend))
    throw new CliError("usage", `--constraint ${constraint} depends on the kind of server: set it with --backend.`);
  return {
    ...source,
    ...(alias && { aliases: alias }),
    ...(protocol !== undefined && { protocol: namedProtocol(protocol) }),
    ...(style && { style }),
    ...(backend && { backend }),
    ...(constraint && { constraint }),
    ...(startWithReasoning && { startWithReasoning }),
    ...(liveCalls === false && { liveCalls }),
  };
}

/** Where the model is: in this process, at the server that is named, or at the local server that has it. */
async function modelSource(
  options: ServeOptions,
): Promise<Pick<GatewayModelConfig, "name" | "upstream" | "embedded" | "backend">> {
  const { upstream: address, upstreamApiKey, kind, embedded, model } = options;
  if (embedded !== undefined) {
    const { MODELS } = await import("@toolingua/llama-cpp");
    const source = embedded === true ? (model ?? MODELS[0]?.name ?? "") : embedded;
    return { name: model ?? nameOf(source), embedded: source };
  }
  const apiKey = upstreamApiKey?.();
  const how = { ...(apiKey !== undefined && { apiKey }), ...(kind && { kind }) };
  if (address !== undefined) {
    const baseURL = baseUrlOf(address);
    const name = model ?? onlyModel(baseURL, await namesAt(baseURL, apiKey));
    return { name, upstream: { baseURL, ...how } };
  }
  if (model !== undefined) {
    const { baseURL, backend, model: id } = await findModel(model);
    return { name: model, backend, upstream: { baseURL, model: id, ...how } };
  }
  const right = `--upstream URL --model NAME, --model NAME of a server on this machine, --embedded [MODEL], or --config FILE`;
  throw new CliError("usage", `The model to serve is missing: give ${right} (there is no ${USUAL_FILE} here).`);
}

/** The names of the server's models. Errors: those of `listedModels`. */
const namesAt = async (baseURL: string, apiKey: string | undefined): Promise<string[]> =>
  (await listedModels({ baseURL, apiKey })).map(({ id }) => id);

/** The name of a model: for a GGUF file, that of the file. */
const nameOf = (source: string) => source.replace(/^.*[\\/]/, "").replace(/\.gguf$/i, "");

/** The keys of clients. Errors: `CliError` (`usage`) for an empty one, with which the gateway would be open to anyone. */
function givenKeys(
  { apiKey }: ServeOptions,
  { TOOLINGUA_API_KEYS: variable }: NodeJS.ProcessEnv,
): { name: string; key: string }[] {
  const keys = apiKey ?? variable?.split(",") ?? [];
  if (keys.some((key) => key.trim() === "")) {
    const what = "TOOLINGUA_API_KEYS has an empty key";
    throw new CliError("usage", `${what}: give the key that clients must send, or leave it out to require none.`);
  }
  return keys.map((key, index) => ({ name: `key${index + 1}`, key }));
}

function givenLimits(options: ServeOptions): LimitsConfig {
  const { maxBody: body, rate, concurrency } = options;
  const given = {
    connectTimeout: inSeconds(options.connectTimeout),
    idleTimeout: inSeconds(options.idleTimeout),
    timeout: inSeconds(options.timeout),
    ...{ body, rate, concurrency },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);
