import { randomBytes } from "node:crypto";
import { EndpointError } from "@toolingua/endpoints";
import { type GatewayConfig, type GatewayModelConfig, type RunningGateway, serve } from "@toolingua/gateway";
import { findModel } from "../model-source/find-model.js";
import type { GivenKey } from "../model-source/given-key.js";
import { listedModels, unlistedModel } from "../model-source/listed-models.js";
import type { ModelOptions } from "../model-source/open-model.js";
import { backendOf } from "../model-source/server-facts.js";
import { shownAddress } from "../model-source/url-of.js";
import { configFile } from "../serve/config-file.js";
import { fetchEmbedded } from "../serve/run.js";
import { serveConfig } from "../serve/serve-config.js";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";
import type { Endpoint } from "./clients.js";
import { addressOf, endpointAt } from "./endpoint.js";

/** The gateway of a launched client: a running one (`url`, `key`), or the model for one of its own. */
export interface GatewayOptions extends ModelOptions {
  url?: string;
  key?: GivenKey;
  context?: number;
}

/** The alias of the models that Claude Code requests by names of its own. */
const CLAUDE = "claude-*";

/** The endpoint for a client. `close` stops the gateway that was started for it. */
export interface Started {
  endpoint: Endpoint;
  close(): Promise<void>;
}

/**
 * Uses a running gateway (`--url`), or starts one on a free port with a random key. The gateway and the server of its model
 * must answer: the client would not say why they do not.
 *
 * Errors: `CliError` if there is no such model; `EndpointError`; `GatewayConfigError`.
 */
export async function startGateway(terminal: Terminal, options: GatewayOptions): Promise<Started> {
  const { url, key, model, context } = options;
  if (url !== undefined) {
    const endpoint = await endpointAt(terminal, { url: addressOf(url), key: key?.(), model, context });
    return { endpoint, close: async () => {} };
  }
  const { config, served } = await configOf(options);
  const ownKey = `tl-${randomBytes(24).toString("hex")}`;
  const gateway: RunningGateway = await serve(
    { ...config, server: { ...config.server, host: "127.0.0.1", port: 0, keys: [{ name: "launch", key: ownKey }] } },
    // Log lines would overwrite the client's own screen.
    { log: () => {} },
  );
  const close = () => gateway.close();
  try {
    // The configuration is checked by now.
    await checkServers(terminal, served);
    await fetchEmbedded(terminal, config);
    return { endpoint: await endpointAt(terminal, { url: gateway.url, key: ownKey, model: served.name }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Notes each server that does not list the model, with its address if there are several. An error status is an answer.
 *
 * Errors: `EndpointError` `connect` if none of the servers answers.
 */
async function checkServers(
  terminal: Terminal,
  { name, backend, upstream, upstreams = [] }: GatewayModelConfig,
): Promise<void> {
  const servers = upstream ? [upstream] : upstreams;
  const asked = await Promise.allSettled(servers.map(({ url, key }) => listedModels({ baseURL: url, apiKey: key })));
  const lost = asked.flatMap((one) => (one.status === "rejected" && isLost(one.reason) ? [one.reason] : []));
  if (lost.length > 0 && lost.length === asked.length) throw lost[0];
  const notes = asked.flatMap((one, i) => {
    if (one.status === "rejected") return [];
    const models = one.value.map(({ id }) => id);
    const kind = backend ?? backendOf(one.value[0]?.owner);
    const note = unlistedModel(servers[i]?.model ?? name, { models, backend: kind });
    if (note === undefined) return [];
    return servers.length > 1 ? `${shownAddress(servers[i]?.url ?? "")}: ${note}` : note;
  });
  for (const note of new Set(notes)) terminal.note(note);
}

const isLost = (error: unknown) => error instanceof EndpointError && error.code === "connect";

/**
 * The configuration to serve, with the client's model: from flags or toolingua.yaml, else the local server that has the
 * model.
 */
async function configOf(options: GatewayOptions): Promise<{ config: GatewayConfig; served: GatewayModelConfig }> {
  const { upstream, embedded, context, model } = options;
  const isSaid = upstream !== undefined || embedded !== undefined;
  const given = isSaid ? undefined : await configFileOf(options);
  const config = given ?? (await serveConfig({ ...options, ...(!isSaid && (await place(options.model))) }, {}));
  const { models } = config;
  const one = models.find(({ name }) => name === model) ?? models[0];
  if (!one) throw new CliError("usage", "There is no model to serve.");
  // A name can be the alias of one model only.
  const isTaken = models.some(({ aliases }) => aliases?.includes(CLAUDE));
  const served: GatewayModelConfig = {
    ...one,
    ...(!isTaken && { aliases: [...(one.aliases ?? []), CLAUDE] }),
    ...(context !== undefined && { contextWindow: context }),
  };
  return { config: { ...config, models: models.map((other) => (other === one ? served : other)) }, served };
}

/** The configuration in toolingua.yaml, if it exists and has the model. */
async function configFileOf({ model }: GatewayOptions): Promise<GatewayConfig | undefined> {
  if (configFile({}) === undefined) return undefined;
  const config = await serveConfig({}, {});
  return model === undefined || config.models.some(({ name }) => name === model) ? config : undefined;
}

async function place(model: string | undefined): Promise<Pick<GatewayOptions, "upstream" | "model" | "backend">> {
  if (model === undefined)
    throw new CliError("usage", "Which model? Give --model NAME, --upstream URL or --embedded [MODEL].");
  const { url, backend, model: name } = await findModel(model);
  return { upstream: url, model: name, backend };
}
