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
 * @example await unlistedAt({ name: "qwen3", upstream: { url: "http://localhost:11434/v1" } }); // ['The server lists no …']
 */
export async function unlistedAt(
  { name, backend, upstream, upstreams = [] }: GatewayModelConfig,
  signal?: AbortSignal,
): Promise<string[]> {
  const servers = upstream ? [upstream] : upstreams;
  const asked = await Promise.allSettled(
    servers.map(({ url, key }) => listedModels({ baseURL: url, apiKey: key }, signal)),
  );
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
  return [...new Set(notes)];
}

/** Whether the server cannot be reached, or its port is refused. */
const isLost = (error: unknown) =>
  error instanceof CliError || (error instanceof EndpointError && error.code === "connect");
