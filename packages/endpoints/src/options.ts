import {
  checkOptionNames,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
  OptionsError,
  oneOf,
} from "@toolingua/core";
import { aFunction, anObject, isObject, wholeFrom } from "@toolingua/core/adapters";
import type { ConstraintBackend } from "@toolingua/core/grammar";

/** How long is waited, in ms; `Infinity`: for ever. */
export interface Timeouts {
  /** For the connection. Default 10,000. A browser's fetch does not tell when it has one: there `idle` counts. */
  connect?: number | undefined;
  /** For the next byte, the first one too: a long prompt takes a server long to read. Default 300,000. */
  idle?: number | undefined;
  /** For the whole call, with its retries. Default: no limit. */
  total?: number | undefined;
}

/** How a request is repeated that failed before its first byte came: no connection, status 429 or 5xx. */
export interface Retries {
  /** How many times more. Default 2; 0: never. */
  attempts?: number | undefined;
  /** The wait before the first repetition in ms, doubled for each that follows; half of it at random. Default 500. */
  delay?: number | undefined;
  /** The longest wait in ms. A server that asks for a longer one (`retry-after`) is not asked again. Default 60,000. */
  maxDelay?: number | undefined;
}

/** What every endpoint takes. */
export interface EndpointOptions {
  /** Where the API is, up to what comes before `/chat/completions`, such as `http://localhost:11434/v1`. */
  baseURL: string | URL;
  /** The model's id at the server. */
  model: string;
  /** Sent as `Authorization: Bearer …`. A function is asked before each request, for keys that expire. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** More headers of each request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The kind of server. Unknown ones get only what OpenAI's own takes: no grammar, no prefill, four stop sequences. */
  backend?: ConstraintBackend | undefined;
  /** More fields of each request, such as `{ top_p: 0.9 }`. What a call asks for goes before. */
  body?: Readonly<Record<string, unknown>> | undefined;
  timeout?: Timeouts | undefined;
  retries?: Retries | undefined;
  /** How many stop sequences the server takes; more are cut here. Default: what `backend` is known for, else 4. */
  maxStops?: number | undefined;
  /** Makes the requests in place of the built-in client: for proxies, or in tests. */
  fetch?: typeof globalThis.fetch | undefined;
}

const positive: OptionRule = {
  takes: (value) => typeof value === "number" && value > 0,
  words: "a number of milliseconds above 0, or Infinity",
};
const fromZero = (words: string): OptionRule => ({
  takes: (value) => typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY,
  words,
});
/** Values that errors must not show have checks of their own. */
const unchecked: OptionRule = { takes: () => true, words: "" };

export const endpointRules = {
  baseURL: unchecked,
  model: { takes: (value: unknown) => typeof value === "string" && value !== "", words: "the id of a model" },
  apiKey: unchecked,
  headers: unchecked,
  backend: oneOf("llama.cpp", "ollama", "openai", "vllm", "sglang"),
  body: anObject,
  timeout: anObject,
  retries: anObject,
  maxStops: wholeFrom(0),
  fetch: aFunction,
} satisfies OptionRules<EndpointOptions>;

const timeoutRules: OptionRules<Timeouts> = { connect: positive, idle: positive, total: positive };
const retryRules: OptionRules<Retries> = {
  attempts: wholeFrom(0),
  delay: fromZero("a number of milliseconds from 0"),
  maxDelay: fromZero("a number of milliseconds from 0"),
};

/** Fields of a request that are never the user's: a server that is told of tools reads the reply itself. */
const RESERVED = [
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
];

const refuse = (message: string): never => {
  throw new OptionsError("bad-option", message);
};

/**
 * Checks the options of an endpoint. Secrets are never part of an error.
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
  checkParts(timeoutRules, options.timeout, "timeout");
  checkParts(retryRules, options.retries, "retries");
  checkBaseUrl(options.baseURL, path);
  checkSecrets(options);
  const reserved = RESERVED.find((name) => Object.hasOwn(options.body ?? {}, name));
  if (reserved !== undefined) refuse(`\`body\` cannot have "${reserved}": ${whyReserved(reserved)}.`);
}

function whyReserved(name: string): string {
  if (/tool|function/.test(name)) return "tools are part of the messages; give them to `generateWithTools`";
  return name === "model" ? "it is an option of its own" : "it is made for each request";
}

function checkParts(rules: Readonly<Record<string, OptionRule>>, given: object | undefined, name: string): void {
  if (given === undefined) return;
  checkOptionNames(rules, given, `\`${name}\``);
  checkOptionValues(rules, given, `${name}.`);
}

function checkBaseUrl(given: unknown, path: string): void {
  const example = "such as http://localhost:11434/v1";
  if (given === undefined || given === "") refuse(`\`baseURL\` is missing: where the API is, ${example}.`);
  let url: URL;
  try {
    url = new URL(String(given));
  } catch {
    return refuse(`\`baseURL\` is a whole address, ${example}.`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    refuse(`\`baseURL\` begins with http:// or https://, ${example}.`);
  if (url.username !== "" || url.password !== "")
    refuse("`baseURL` cannot hold a name and password: give them as `headers.authorization`.");
  if (url.pathname.replace(/\/+$/, "").endsWith(path))
    refuse(`\`baseURL\` is given without "${path}", which is added.`);
}

/** Whether a header can hold it: the server would not see anything else. */
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
      refuse(`\`headers.${name}\` has a character that no header can hold, such as a line break.`);
  }
}

/** Errors: `OptionsError`, without the key. */
export function checkApiKey(key: unknown): string {
  if (typeof key !== "string" || key === "")
    return refuse("`apiKey` is empty. A server that needs no key is given none.");
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  return refuse("`apiKey` has a character that no key can hold: is there a space or a line break at its end?");
}
