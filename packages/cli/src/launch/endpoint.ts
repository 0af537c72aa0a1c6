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

/** A running gateway, and what the user says about the model: by default its only one, with the context that it names. */
export interface Asked {
  url: string;
  key: string;
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
 * The endpoint of a model at a running gateway.
 *
 * Errors: `EndpointError` if the gateway does not answer, or refuses the key; `CliError` `usage` if no model is named, and
 * there is not exactly one.
 */
export async function endpointAt(terminal: Terminal, { url, key, model, context }: Asked): Promise<Endpoint> {
  const answer = await askServer({ baseURL: `${url}/v1`, apiKey: key }, "models");
  const names = listAt(answer, "data").flatMap((one) => textAt(one, "id") ?? []);
  const name = model ?? onlyModel(url, names);
  // A name of the list, or another one that the gateway knows.
  const isKnown = names.length === 0 || names.includes(name) || (await knows({ url, key }, name));
  if (!isKnown) terminal.note(`The gateway at ${url} has no model "${name}". ${didYouMean(name, names)}`);
  const entry = listAt(answer, "models").find((one) => textAt(one, "slug") === name);
  const window = at(entry, "context_window");
  const contextWindow = context ?? (typeof window === "number" ? window : DEFAULT_CONTEXT_WINDOW);
  return { url, key, model: name, contextWindow };
}

async function knows({ url, key }: Asked, model: string): Promise<boolean> {
  const entry = await askServer({ baseURL: `${url}/v1`, apiKey: key }, `models/${encodeURIComponent(model)}`);
  return textAt(entry, "id") !== undefined;
}

/**
 * The endpoint of a model at a gateway that need not run yet, unless it has to be asked for the model.
 *
 * Errors: those of {@link endpointAt}; `CliError` `usage` if no model is named, and the gateway does not answer.
 */
export async function endpointLater(terminal: Terminal, asked: Asked): Promise<Endpoint> {
  try {
    return await endpointAt(terminal, asked);
  } catch (error) {
    if (!(error instanceof EndpointError) || error.code !== "connect") throw error;
    const { url, key, model, context = DEFAULT_CONTEXT_WINDOW } = asked;
    if (model !== undefined) return { url, key, model, contextWindow: context };
    const message = `--model is missing, and no gateway answers that could name its model. ${error.message}`;
    throw new CliError("usage", message, { cause: error });
  }
}
