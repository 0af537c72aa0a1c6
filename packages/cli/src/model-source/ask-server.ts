import { isObject, whyUnreachable } from "@toolingua/core/adapters";
import { EndpointError } from "@toolingua/endpoints";
import { bearer } from "./bearer.js";
import { refusedPort, urlOf } from "./url-of.js";

/** The server of a model. */
export interface Server {
  /** The base URL, up to but without `/chat/completions`. */
  baseURL: string;
  apiKey?: string | undefined;
}

/** How long a question about the server may take, in ms. Slow answers are not needed. */
const PATIENCE = 5000;

/** The longest answer that is read, in characters: a chat template has some thousands. */
const LONGEST = 4_000_000;

/**
 * Requests a JSON object from the server. Returns an empty object for an error status and other JSON; `undefined` if
 * the answer is not JSON, or does not arrive in time.
 *
 * Errors: `EndpointError` `connect` and `http` (401, 403); those of `urlOf`; `CliError` `usage` for a port that `fetch` refuses;
 * the reason of an abort.
 *
 * @param path after the base URL, such as `models`
 * @param body sent as JSON by POST; without one it is GET
 * @example await askServer({ baseURL: "http://localhost:8080/v1" }, "models");
 */
export async function askServer(
  { baseURL, apiKey }: Server,
  path: string,
  { body, signal }: { body?: object | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Record<string, unknown> | undefined> {
  const url = urlOf(baseURL);
  url.pathname = url.pathname.replace(/\/*$/, "/");
  const { href, pathname, origin } = new URL(path, url);
  const shown = origin + pathname;
  const patience = AbortSignal.timeout(PATIENCE);
  try {
    const response = await fetch(href + url.search, {
      method: body ? "POST" : "GET",
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...bearer(apiKey),
      },
      ...(body && { body: JSON.stringify(body) }),
      // A redirect would send the key to another server.
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      const hint = apiKey === undefined ? "It wants an API key." : "Is the key right?";
      throw new EndpointError("http", `${shown} answered ${response.status}. ${hint}`, { status: response.status });
    }
    const answer: unknown = JSON.parse(await textOf(response));
    return isObject(answer) ? answer : {};
  } catch (error) {
    if (error instanceof EndpointError) throw error;
    signal?.throwIfAborted();
    // The server exists, but is slow, or its answer is not JSON: its facts are optional.
    if (patience.aborted || error instanceof SyntaxError) return undefined;
    // Without a cause nothing was sent: a mistake of ours, not of the network.
    if (error instanceof TypeError && error.cause === undefined) throw error;
    const { words } = whyUnreachable(error);
    const refused = refusedPort(url, words);
    if (refused) throw refused;
    throw new EndpointError("connect", `Cannot reach ${shown}: ${words}. Is the server running?`, { cause: error });
  }
}

async function textOf(response: Response): Promise<string> {
  if (!response.ok) {
    await response.body?.cancel();
    return "null";
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LONGEST) return "null";
  }
  return text + decoder.decode();
}
