import { EndpointError } from "@toolingua/endpoints";
import type { GatewayModelConfig } from "@toolingua/gateway";
import { listedModels, unlistedModel } from "../model-source/listed-models.js";
import { backendOf } from "../model-source/server-facts.js";
import { shownAddress } from "../model-source/url-of.js";
import { CliError } from "../terminal/errors.js";

/**
 * What to note of the servers that do not list a model, with their addresses if it has several. An error status is an answer.
 *
 * Errors: those of `listedModels` if none of the servers answers.
 *
 * @example await unlistedAt({ name: "qwen3", upstream: { baseURL: "http://localhost:11434/v1" } }); // ['The server lists no …']
 */
export async function unlistedAt(
  { name, backend, upstream, upstreams = [] }: GatewayModelConfig,
  listed: typeof listedModels = listedModels,
): Promise<string[]> {
  const servers = upstream ? [upstream] : upstreams;
  const asked = await Promise.allSettled(servers.map(({ baseURL, apiKey }) => listed({ baseURL, apiKey })));
  const lost = asked.flatMap((one) => (one.status === "rejected" && isLost(one.reason) ? [one.reason] : []));
  if (lost.length > 0 && lost.length === asked.length) throw lost[0];
  const notes = asked.flatMap((one, i) => {
    if (one.status === "rejected") return [];
    const models = one.value.map(({ id }) => id);
    const kind = backend ?? backendOf(one.value[0]?.owner);
    const note = unlistedModel(servers[i]?.model ?? name, { models, backend: kind });
    if (note === undefined) return [];
    return servers.length > 1 ? `${shownAddress(servers[i]?.baseURL ?? "")}: ${note}` : note;
  });
  return [...new Set(notes)];
}

/**
 * What to note of all models of a gateway, each server asked once: as {@link unlistedAt}, after the names of the models if
 * there are several. A server need not run yet, so only an address that cannot be asked is noted.
 *
 * @example await unlistedIn(config.models, signal); // ['small, large: The server lists no …']
 */
export async function unlistedIn(models: readonly GatewayModelConfig[], signal: AbortSignal): Promise<string[]> {
  const asked = new Map<string, ReturnType<typeof listedModels>>();
  const listed: typeof listedModels = (server) => {
    const key = JSON.stringify([server.baseURL, server.apiKey]);
    const found = asked.get(key) ?? listedModels(server, signal);
    asked.set(key, found);
    return found;
  };
  const why = (error: unknown) => (error instanceof CliError ? [error.message] : []);
  const notes = await Promise.all(models.map((model) => unlistedAt(model, listed).catch(why)));
  const names = new Map<string, string[]>();
  for (const [i, { name }] of models.entries())
    for (const note of notes[i] ?? []) names.set(note, [...(names.get(note) ?? []), name]);
  return [...names].map(([note, of]) => (models.length > 1 ? `${of.join(", ")}: ${note}` : note));
}

/** Whether the server cannot be reached, or its port is refused. */
const isLost = (error: unknown) =>
  error instanceof CliError || (error instanceof EndpointError && error.code === "connect");
