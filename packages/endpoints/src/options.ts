import { OptionsError } from "@toolingua/core";
import {
  aDuration,
  aFunction,
  anObject,
  backends,
  checkedElsewhere,
  checkOptionNames,
  checkOptionValues,
  isObject,
  lackedByJson,
  type OptionRule,
  type OptionRules,
  oneOf,
  optionsIn,
  wholeFrom,
} from "@toolingua/core/adapters";
import type { ConstraintBackend } from "@toolingua/core/grammar";

/** Time limits in ms; `Infinity`: no limit. */
export interface Timeouts {
  /** For the connection. Default 10,000. A browser's fetch does not report the connection: there `idle` applies. */
  connect?: number | undefined;
  /** For the next byte, including the first: a server needs time to read a long prompt. Default 300,000. */
  idle?: number | undefined;
  /** For the whole call, including its retries. Default: no limit. */
  total?: number | undefined;
}

/** How to repeat a request that failed before its first byte: no connection, status 429 or 5xx except 501. */
export interface Retries {
  /** The number of repetitions. Default 2; 0: none. */
  attempts?: number | undefined;
  /** The wait before the first repetition in ms, doubled for each further one; half of it is random. Default 500. */
  delay?: number | undefined;
  /** The longest wait in ms. If a server asks for a longer one (`retry-after`), the call fails. Default 60,000. */
  maxDelay?: number | undefined;
}

/** Options of every endpoint. */
export interface EndpointOptions {
  /** The base URL of the API, up to but without `/chat/completions`, such as `http://localhost:11434/v1`. */
  baseURL: string | URL;
  /** The id of the model at the server. */
  model: string;
  /** Sent as `Authorization: Bearer …`. A function is called before each request, for keys that expire. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Additional headers of each request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The kind of server. Unknown ones get only what OpenAI's own accepts: no grammar, no prefill, four stop sequences.
   */
  backend?: ConstraintBackend | undefined;
  /** Additional fields of each request, such as `{ top_p: 0.9 }`. The fields of a call override them. */
  body?: Readonly<Record<string, unknown>> | undefined;
  timeout?: Timeouts | undefined;
  retries?: Retries | undefined;
  /**
   * The most stop sequences that the server accepts; the endpoint cuts at any further ones. Default: by `backend`, else
   * 4.
   */
  maxStops?: number | undefined;
  /** Makes the requests instead of the built-in client: for proxies, or in tests. */
  fetch?: typeof globalThis.fetch | undefined;
}

const fromZero = (words: string): OptionRule => ({
  takes: (value) => typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY,
  words,
});

const timeoutRules: OptionRules<Timeouts> = { connect: aDuration, idle: aDuration, total: aDuration };
const retryRules: OptionRules<Retries> = {
  attempts: wholeFrom(0),
  delay: fromZero("a number of milliseconds from 0"),
  maxDelay: fromZero("a number of milliseconds from 0"),
};

/** Values that errors must not show have checks of their own. */
export const endpointRules = {
  baseURL: checkedElsewhere,
  model: { takes: (value: unknown) => typeof value === "string" && value !== "", words: "the id of a model" },
  apiKey: checkedElsewhere,
  headers: checkedElsewhere,
  backend: oneOf(...backends),
  body: anObject,
  timeout: optionsIn("timeout", timeoutRules, anObject.words),
  retries: optionsIn("retries", retryRules, "an object such as { attempts: 0 }"),
  maxStops: wholeFrom(0),
  fetch: aFunction,
} satisfies OptionRules<EndpointOptions>;

const RESERVED = new Set([
  "messages",
  "prompt",
  "model",
  "stream",
  "n",
  "stop",
  "tools",
  "tool_choice",
  "functions",
  "function_call",
]);

const refuse = (message: string): never => {
  throw new OptionsError("bad-option", message);
};

/**
 * Checks the options of an endpoint. Errors never contain secrets.
 *
 * Errors: `OptionsError`.
 */
export function checkEndpointOptions(
  rules: Readonly<Record<string, OptionRule>>,
  options: EndpointOptions,
  path: string,
): void {
  if (typeof options !== "object" || options === null) refuse("The options are an object with `baseURL` and `model`.");
  checkOptionNames(rules, options);
  if (options.model === undefined) refuse("`model` is missing: the id of the model at the server.");
  checkOptionValues(rules, options);
  checkBaseUrl(options.baseURL, path);
  checkSecrets(options);
  checkJson("body", options.body);
  for (const name of Object.keys(options.body ?? {})) {
    const why = whyReserved(name);
    if (why !== undefined) refuse(`\`body\` cannot have "${name}": ${why}.`);
  }
}

/**
 * Why a field of the request cannot be set by options, because an endpoint sets it, or because a server that receives tools
 * reads the reply itself; undefined for every other field.
 *
 * @example whyReserved("model"); // "it is an option of its own"
 */
export function whyReserved(name: string): string | undefined {
  if (!RESERVED.has(name)) return undefined;
  if (/tool|function/.test(name))
    return "tools are part of the messages, and a server that gets them reads the reply itself";
  return name === "model" ? "it is an option of its own" : "it is made for each request";
}

/**
 * Refuses fields of a request that cannot be sent as JSON. `name`: the option that they are of.
 *
 * Errors: `OptionsError`.
 */
export function checkJson(name: string, fields: Readonly<Record<string, unknown>> = {}): void {
  const lacks = lackedByJson(fields);
  if (lacks) refuse(`\`${name}${lacks.path}\` cannot be sent as JSON: it ${lacks.what}.`);
}

function checkBaseUrl(given: unknown, path: string): void {
  const example = "such as http://localhost:11434/v1";
  if (given === undefined || given === "") refuse(`\`baseURL\` is missing: the URL of the API, ${example}.`);
  let url: URL;
  try {
    url = new URL(String(given));
  } catch {
    return refuse(`\`baseURL\` is a complete URL, ${example}.`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    refuse(`\`baseURL\` begins with http:// or https://, ${example}.`);
  if (url.username !== "" || url.password !== "")
    refuse("`baseURL` cannot contain a name and password: give them as `headers.authorization`.");
  if (url.pathname.replace(/\/+$/, "").endsWith(path))
    refuse(`\`baseURL\` is given without "${path}", which is added.`);
}

/** Matches text that a header can carry; the server would not receive anything else. */
const headerText = /^[\x20-\x7e\x80-\xff\t]*$/;

function checkSecrets({ apiKey, headers = {} }: EndpointOptions): void {
  if (typeof apiKey === "string") checkApiKey(apiKey);
  else if (apiKey !== undefined && typeof apiKey !== "function")
    refuse("`apiKey` is a string, or a function that gives one.");
  if (!isObject(headers)) refuse("`headers` is an object of strings.");
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) refuse(`"${name}" cannot be the name of a header.`);
    if (typeof value !== "string") refuse(`\`headers.${name}\` is a string.`);
    if (!headerText.test(value))
      refuse(`\`headers.${name}\` has a character that headers do not allow, such as a line break.`);
  }
}

/** Returns the key. Errors: `OptionsError`, without the key. */
export function checkApiKey(key: unknown): string {
  if (typeof key !== "string" || key === "")
    return refuse("`apiKey` is empty. Omit it for a server that needs no key.");
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  return refuse("`apiKey` has a character that keys do not allow: does it end with a space or a line break?");
}
