import { isRecord } from "../json.js";
import { CliError } from "../terminal/errors.js";

/** How long a server may take to say which models it has, in ms. */
const PATIENCE = 5000;

/**
 * The model of a server that has only one.
 *
 * Errors: `CliError` (`usage`) with the names where there are several; where the server does not say.
 *
 * @param url up to what comes before /models
 * @example await onlyModelOf("http://localhost:8080/v1", undefined); // "qwen2.5-7b"
 */
export async function onlyModelOf(url: string, key: string | undefined): Promise<string> {
  const names = await modelsOf(url, key).catch(() => undefined);
  const [only, other] = names ?? [];
  if (only !== undefined && other === undefined) return only;
  if (only === undefined)
    throw new CliError("usage", `--model is missing, and ${url} does not say which models it has.`);
  throw new CliError("usage", `--model is missing; ${url} has ${names?.join(", ")}.`);
}

/**
 * The models that a server says it has.
 *
 * Errors: what `fetch` throws, also after five seconds.
 *
 * @example await modelsOf("http://localhost:11434/v1", undefined); // ["llama3.2:latest"]
 */
export async function modelsOf(url: string, key: string | undefined): Promise<string[]> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${url.replace(/\/+$/, "")}/models`, { headers, signal: AbortSignal.timeout(PATIENCE) });
  const answer: unknown = await response.json();
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data : [];
  return data.filter(isRecord).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}
