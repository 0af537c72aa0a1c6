import { CliError } from "../terminal/errors.js";
import { listedModels } from "./listed-models.js";

/** Where servers of models listen unless they are told otherwise. */
const usual = [
  { title: "Ollama", url: "http://127.0.0.1:11434/v1", backend: "ollama" },
  { title: "llama.cpp", url: "http://127.0.0.1:8080/v1", backend: "llama.cpp" },
  { title: "LM Studio", url: "http://127.0.0.1:1234/v1", backend: "openai" },
  { title: "vLLM", url: "http://127.0.0.1:8000/v1", backend: "vllm" },
  { title: "SGLang", url: "http://127.0.0.1:30000/v1", backend: "sglang" },
] as const;

/** A server of this machine that has a model. */
export interface Found {
  url: string;
  backend: (typeof usual)[number]["backend"];
  /** As the server calls it: Ollama's has a tag. */
  model: string;
}

/**
 * The server of this machine that has a model. Only loopback is asked.
 *
 * Errors: `CliError` `not-found` with the servers that answer.
 *
 * @example await findModel("llama3.2"); // { url: "http://127.0.0.1:11434/v1", backend: "ollama", model: "llama3.2:latest" }
 */
export async function findModel(model: string, servers: readonly (typeof usual)[number][] = usual): Promise<Found> {
  const answers = await Promise.all(
    servers.map(async (server) => ({
      ...server,
      models: await listedModels({ baseURL: server.url }).then(
        (models) => models.map(({ id }) => id),
        () => undefined,
      ),
    })),
  );
  for (const { url, backend, models } of answers) {
    const name = models?.find((one) => one === model) ?? models?.find((one) => one === `${model}:latest`);
    if (name !== undefined) return { url, backend, model: name };
  }
  const seen = answers.flatMap(({ title, models }) => (models ? `${title} has ${models.join(", ") || "none"}` : []));
  const where = seen.length > 0 ? seen.join("; ") : "no server of models answers on this machine";
  throw new CliError(
    "not-found",
    `There is no model "${model}": ${where}. Say where it is with --upstream URL, or use --embedded.`,
  );
}
