import { didYouMean } from "@toolingua/core/adapters";
import { EndpointError } from "@toolingua/endpoints";
import { DEFAULT_CONTEXT_WINDOW } from "@toolingua/gateway";
import { at, listAt, textAt } from "../json.js";
import { askServer } from "../model-source/ask-server.js";
import { onlyModel } from "../model-source/listed-models.js";
import { urlOf } from "../model-source/url-of.js";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";
import type { Endpoint } from "./clients.js";

const NO_KEY = "none";

/** What the user says of an endpoint: the gateway, and the model. By default its only one, with the context that it names. */
interface EndpointRequest {
  url: string;
  /** Default: a word for gateways without keys, since clients require one. */
  key?: string | undefined;
  model?: string | undefined;
  context?: number | undefined;
}

/** The address of a gateway, given with or without `http://` and `/v1`. Errors: `CliError` `usage`; those of `urlOf`. */
export function addressOf(url: string): string {
  const { href, search, hash } = urlOf(url);
  if (search !== "" || hash !== "")
    throw new CliError("usage", `--url is the address of the gateway, without "${search}${hash}" at its end.`);
  return href.replace(/\/+$/, "").replace(/\/v1$/, "");
}

/**
 * The endpoint of a model at a running gateway. Notes a server that is none, and a model that it does not have.
 *
 * Errors: `EndpointError` if the gateway does not answer, or refuses the key; `CliError` `usage` if no model is named, and
 * there is not exactly one.
 */
export async function endpointAt(
  terminal: Terminal,
  { url, key = NO_KEY, model, context }: EndpointRequest,
): Promise<Endpoint> {
  const ask = (path: string) => askServer({ baseURL: `${url}/v1`, apiKey: key }, path);
  const answer = await ask("models");
  const entries = listAt(answer, "data");
  const isOther = entries.length > 0 && !entries.some((one) => textAt(one, "owned_by") === "toolingua");
  if (isOther)
    terminal.note(
      `${url} is not Toolingua's gateway: the client gets that server's own tool calling. ` +
        `\`toolingua serve --upstream ${url} --model ${model ?? "NAME"}\` starts a gateway in front of it.`,
    );
  const names = entries.flatMap((one) => textAt(one, "id") ?? []);
  const name = model ?? onlyModel(url, names);
  // Perhaps it is no name of the list, but an alias.
  const isListed = names.length === 0 || names.includes(name);
  const entry = isListed ? undefined : await ask(`models/${encodeURIComponent(name)}`);
  if (!isListed && textAt(entry, "id") === undefined)
    terminal.note(`${isOther ? url : `The gateway at ${url}`} has no model "${name}". ${didYouMean(name, names)}`);
  const ownName = textAt(entry, "display_name") ?? name;
  const listed = listAt(answer, "models").find((one) => textAt(one, "slug") === ownName);
  const contextWindow = context ?? windowOf(entry) ?? windowOf(listed) ?? DEFAULT_CONTEXT_WINDOW;
  return { url, key, model: name, contextWindow };
}

/** The context that a model's entry names, in tokens. */
function windowOf(entry: unknown): number | undefined {
  const tokens = at(entry, "context_window");
  return typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/**
 * The endpoint of a model at a gateway that need not run yet, which is noted, unless it has to be asked for the model.
 *
 * Errors: those of {@link endpointAt}; `CliError` `usage` if no model is named, and the gateway does not answer.
 */
export async function endpointLater(terminal: Terminal, request: EndpointRequest): Promise<Endpoint> {
  try {
    return await endpointAt(terminal, request);
  } catch (error) {
    if (!(error instanceof EndpointError) || error.code !== "connect") throw error;
    const { url, key = NO_KEY, model, context = DEFAULT_CONTEXT_WINDOW } = request;
    if (model !== undefined) {
      terminal.note(`No gateway answers at ${url} yet: \`toolingua serve\` starts one.`);
      return { url, key, model, contextWindow: context };
    }
    const message = `--model is missing, and no gateway answers that could name its model. ${error.message}`;
    throw new CliError("usage", message, { cause: error });
  }
}
