import { shallowJson } from "@toolingua/core/adapters";
import { at, listAt, quoted, textAt } from "../../json.js";
import { refusedPort, urlOf } from "../../model-source/url-of.js";
import { CliError } from "../../terminal/errors.js";
import { lacks } from "../reply.js";
import { type Exchange, type SendOptions, type Sent, send } from "../wire/exchange.js";

/** The server's base URL and models. */
export interface Target {
  /** The base URL, up to but without `/chat/completions`. */
  base: string;
  /** The answer of `GET /models`. */
  list: Exchange;
  /** The names of the models in the answer. */
  models: string[];
}

/** Matches paths of the APIs that a user may include in the URL. */
const OWN = /\/(?:chat\/completions|completions|responses|messages|models)$/;

/** Possible base URLs of the APIs, the most likely first. */
function bases(url: string): string[] {
  const whole = urlOf(url);
  const path = whole.pathname.replace(/\/+$/, "").replace(OWN, "");
  const base = `${whole.origin}${path}`;
  return path.endsWith("/v1") ? [base] : [`${base}/v1`, base];
}

/**
 * Finds a server's APIs, given a URL with or without `http://` and `/v1`.
 *
 * Errors: `CliError` `usage` for an invalid URL or a port that `fetch` refuses, `failed` if there is no answer.
 */
export async function findTarget(url: string, headers: Record<string, string>, options: SendOptions): Promise<Target> {
  const found: Target[] = [];
  for (const base of bases(url)) {
    const sent: Sent = { method: "GET", url: `${base}/models`, headers };
    const list = await send(sent, options);
    const refused = refusedPort(new URL(base), list.problem ?? "");
    if (refused) throw refused;
    if (list.status === 0)
      throw new CliError("failed", `There is no answer from ${base}: ${list.problem ?? list.ending}. Is it running?`);
    const models = listAt(shallowJson(list.text), "data").flatMap((model) => textAt(model, "id") ?? []);
    const target = { base, list, models };
    if (list.status < 300 && models.length > 0) return target;
    found.push(target);
  }
  const [first] = found;
  if (!first) throw new CliError("failed", `There is no answer from ${url}.`);
  return found.find(({ list }) => list.status !== 404) ?? first;
}

/** The model to use. Errors: `CliError` `usage` if neither the user nor the server names one. */
export function modelOf({ models, list }: Target, given: string | undefined): string {
  const model = given ?? models[0];
  if (model !== undefined) return model;
  const why = list.status === 200 ? "names none" : `answers ${list.status}: ${quoted(list.text)}`;
  throw new CliError("usage", `Which model? ${list.sent.url} ${why}. Give --model NAME.`);
}

/** The problem of the list of models. */
export function listProblem({ list }: Target): string | undefined {
  if (list.status !== 200) return `${list.status}: ${quoted(list.text)}`;
  const json = shallowJson(list.text);
  if (!Array.isArray(at(json, "data"))) return lacks("list `data`", list);
  const without = listAt(json, "data").filter((model) => textAt(model, "id") === undefined).length;
  return without > 0 ? `${without} models have no id` : undefined;
}
