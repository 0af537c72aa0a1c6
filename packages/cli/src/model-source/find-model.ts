import { CliError } from "../terminal/errors.js";
import { listedModels } from "./listed-models.js";

/** The default addresses of model servers. */
const usual = [
  { title: "Ollama", baseURL: "http://127.0.0.1:11434/v1", backend: "ollama" },
  { title: "llama.cpp", baseURL: "http://127.0.0.1:8080/v1", backend: "llama.cpp" },
  { title: "LM Studio", baseURL: "http://127.0.0.1:1234/v1", backend: "openai" },
  { title: "vLLM", baseURL: "http://127.0.0.1:8000/v1", backend: "vllm" },
  { title: "SGLang", baseURL: "http://127.0.0.1:30000/v1", backend: "sglang" },
] as const;

/** A local server that has a model. */
export interface Found {
  baseURL: string;
  backend: (typeof usual)[number]["backend"];
  /** The server's own name for it: Ollama's includes a tag. */
  model: string;
}

/**
 * Finds the local server that has a model. Only loopback addresses are tried.
 *
 * Errors: `CliError` `not-found`, with the servers that answer.
 *
 * @example await findModel("llama3.2"); // { baseURL: "http://127.0.0.1:11434/v1", backend: "ollama", model: "llama3.2:latest" }
 */
export async function findModel(model: string, servers: readonly (typeof usual)[number][] = usual): Promise<Found> {
  const answers = await Promise.all(
    servers.map(async (server) => ({
      ...server,
      models: await listedModels(server).then(
        (models) => models.map(({ id }) => id),
        () => undefined,
      ),
    })),
  );
  for (const { baseURL, backend, models } of answers) {
    const name = models?.find((one) => one === model) ?? models?.find((one) => one === `${model}:latest`);
    if (name !== undefined) return { baseURL, backend, model: name };
  }
  const seen = answers.flatMap(({ title, models }) => (models ? `${title} has ${models.join(", ") || "none"}` : []));
  const where = seen.length > 0 ? seen.join("; ") : "no server of models answers on this machine";
  throw new CliError(
    "not-found",
    `There is no model "${model}": ${where}. Say where it is with --upstream URL, or use --embedded.`,
  );
}
