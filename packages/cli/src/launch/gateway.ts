import { randomBytes } from "node:crypto";
import { type GatewayConfig, type GatewayModelConfig, type RunningGateway, serve } from "@toolingua/gateway";
import { findModel } from "../model-source/find-model.js";
import type { GivenKey } from "../model-source/given-key.js";
import type { ModelOptions } from "../model-source/open-model.js";
import { configFile } from "../serve/config-file.js";
import { fetchEmbedded } from "../serve/run.js";
import { serveConfig } from "../serve/serve-config.js";
import { unlistedAt } from "../serve/unlisted-at.js";
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
    for (const note of await unlistedAt(served)) terminal.note(note);
    await fetchEmbedded(terminal, config);
    return { endpoint: await endpointAt(terminal, { url: gateway.url, key: ownKey, model: served.name }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

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
  const { baseURL, backend, model: name } = await findModel(model);
  return { upstream: baseURL, model: name, backend };
}
