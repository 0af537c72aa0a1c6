import { didYouMean, isObject } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";
import { askServer, type Server } from "./ask-server.js";

/** A model in a server's list, and its owner as the server states it. */
export interface ListedModel {
  id: string;
  owner: unknown;
}

/**
 * The models that a server lists; none if it does not list any.
 *
 * Errors: those of `askServer`.
 *
 * @example await listedModels({ baseURL: "http://localhost:11434/v1" }); // [{ id: "llama3.2:latest", owner: "library" }]
 */
export async function listedModels(server: Server, signal?: AbortSignal): Promise<ListedModel[]> {
  const answer = await askServer(server, "models", { signal });
  const data = Array.isArray(answer?.data) ? answer.data.filter(isObject) : [];
  return data.flatMap(({ id, owned_by: owner }) => (typeof id === "string" ? [{ id, owner }] : []));
}

/**
 * The model of a server that has exactly one.
 *
 * Errors: `CliError` (`usage`), with the names if there are several, and if the server lists none.
 *
 * @example onlyModel("http://localhost:8080/v1", ["qwen2.5-7b"]); // "qwen2.5-7b"
 */
export function onlyModel(url: string, models: readonly string[]): string {
  const [only, ...others] = models;
  if (only === undefined)
    throw new CliError("usage", `--model is missing, and ${url} does not say which models it has.`);
  if (others.length === 0) return only;
  const shown = `${models.slice(0, 10).join(", ")}${models.length > 10 ? ", …" : ""}`;
  throw new CliError("usage", `--model is missing; ${url} has ${shown}.`);
}

/**
 * What to note of a model that its server does not list; `undefined` if the server lists it, or no models at all, and for
 * llama.cpp, whose server answers to any name.
 *
 * @example unlistedModel("qwen3", { models: ["qwen3:8b"] }); // 'The server lists no model "qwen3". Did you mean "qwen3:8b"?'
 */
export function unlistedModel(
  name: string,
  { models, backend }: { models: readonly string[]; backend?: string | undefined },
): string | undefined {
  // Ollama adds the tag to a name that has none, and Gemini's server a folder.
  const isListed = [name, `${name}:latest`, `models/${name}`].some((one) => models.includes(one));
  if (models.length === 0 || isListed || backend === "llama.cpp") return undefined;
  return `The server lists no model "${name}". ${didYouMean(name, models)}`;
}
