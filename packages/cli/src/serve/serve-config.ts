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
  holdCalls?: boolean;
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
  const { alias, protocol, style, backend, constraint, startWithReasoning, holdCalls } = options;
  return {
    ...(await modelSource(options)),
    ...(alias && { aliases: alias }),
    ...(protocol !== undefined && { protocol: protocol === "auto" ? protocol : namedProtocol(protocol) }),
    ...(style && { style }),
    ...(backend && { backend }),
    ...(constraint && { constraint }),
    ...(startWithReasoning && { startWithReasoning }),
    ...(holdCalls && { holdCalls }),
  };
}

/** Where the model is: in this process, at the server that is named, or at the local server that has it. */
async function modelSource(
  options: ServeOptions,
): Promise<Pick<GatewayModelConfig, "name" | "upstream" | "embedded" | "backend">> {
  const { upstream: address, upstreamKey, kind, embedded, model } = options;
  if (embedded !== undefined) {
    const { MODELS } = await import("@toolingua/llama-cpp");
    const source = embedded === true ? (model ?? MODELS[0]?.name ?? "") : embedded;
    return { name: model ?? nameOf(source), embedded: source };
  }
  const key = upstreamKey?.();
  const how = { ...(key !== undefined && { key }), ...(kind && { kind }) };
  if (address !== undefined) {
    const url = baseUrlOf(address);
    const name = model ?? onlyModel(url, await namesAt(url, key));
    return { name, upstream: { url, ...how } };
  }
  if (model !== undefined) {
    const { url, backend, model: id } = await findModel(model);
    return { name: model, backend, upstream: { url, model: id, ...how } };
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
