import { isObject } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";
import type { Api } from "./api.js";

type ApiName = Api["name"];

/** The places of a field in an API, the preferred one first; or why the API has none, and what to do instead. */
type Places = readonly string[] | string;

/** A field that the three APIs name differently, or that some of them lack. */
type Field = Readonly<Record<ApiName, Places>>;

/** The values that ask for nothing, at their places. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  background: false,
  logprobs: false,
  n: 1,
  parallel_tool_calls: true,
  "tool_choice.disable_parallel_tool_use": false,
  top_logprobs: 0,
};

const AS_MESSAGE = 'send a message with the role "system"';
const AGAIN = "send the request as often as you need answers";
const WHOLE = "send the whole conversation as `messages`";

const fields: readonly Field[] = [
  { chat: ["messages"], responses: ["input"], messages: ["messages"] },
  { chat: AS_MESSAGE, responses: ["instructions"], messages: ["system"] },
  { chat: WHOLE, responses: ["previous_response_id"], messages: WHOLE },
  { chat: ["max_completion_tokens", "max_tokens"], responses: ["max_output_tokens"], messages: ["max_tokens"] },
  { chat: ["stop"], responses: "Responses has no stop sequences", messages: ["stop_sequences"] },
  { chat: ["n"], responses: AGAIN, messages: AGAIN },
  { chat: ["tools", "functions"], responses: ["tools"], messages: ["tools"] },
  { chat: ["tool_choice", "function_call"], responses: ["tool_choice"], messages: ["tool_choice"] },
  {
    chat: ["parallel_tool_calls"],
    responses: ["parallel_tool_calls"],
    messages: ["tool_choice.disable_parallel_tool_use"],
  },
  {
    chat: ["response_format"],
    responses: ["text.format"],
    messages: ["output_config.format", "output_format"],
  },
  {
    // Clients of OpenRouter write the second, which is ignored.
    chat: ["reasoning_effort", "reasoning.effort"],
    responses: ["reasoning.effort", "reasoning_effort"],
    messages: "set it in the configuration of the model (`fields`)",
  },
];

/** Why log probabilities cannot be served. */
export const NO_LOGPROBS = "calls are read from the model's text";

/** The fields of each API that no API here serves, and why. */
const unserved: Readonly<Record<ApiName, Readonly<Record<string, string>>>> = {
  chat: { logprobs: NO_LOGPROBS },
  responses: {
    conversation: "send the whole conversation as `input`",
    prompt: "send its text as `instructions` or `input`",
    background: "wait for the answer, or stream it",
    top_logprobs: NO_LOGPROBS,
  },
  messages: {},
};

/** The places of fields that an API does not read, and those of the same here, or why there are none. */
function unreadIn(api: ApiName): { place: string; here: Places }[] {
  const placesIn = (places: Places) => (typeof places === "string" ? [] : places);
  const unread = fields.flatMap(({ chat, responses, messages, [api]: here }) => {
    const all = new Set([chat, responses, messages].flatMap(placesIn));
    for (const own of placesIn(here)) all.delete(own);
    return [...all].map((place) => ({ place, here }));
  });
  return [...unread, ...Object.entries(unserved[api]).map(([place, here]) => ({ place, here }))];
}

const unread = { chat: unreadIn("chat"), responses: unreadIn("responses"), messages: unreadIn("messages") };

/** The names of the fields of an API that are refused, so that their misspellings are too. */
export const unservedNames = (api: ApiName): string[] => Object.keys(unserved[api]);

/** Whether a name is that of a field which this API does not read, though it or another one has it. */
export const isUnread = (api: ApiName, name: string): boolean => unread[api].some(({ place }) => place === name);

/**
 * Refuses a field that this API does not read because it has another name here, or cannot be served: it would be ignored
 * silently. It is accepted if its value is the default, or if the right one is there too.
 *
 * Errors: {@link Failure} `invalid`, with the field.
 *
 * @example
 * refuseUnread({ max_tokens: 5 }, "responses"); // throws: … Here it is `max_output_tokens`.
 */
export function refuseUnread(body: object, api: ApiName): void {
  for (const { place, here } of unread[api]) {
    const value = valueAt(body, place);
    if (isDefault(place, value)) continue;
    if (typeof here === "string" && Array.isArray(value) && value.length === 0) continue;
    if (typeof here === "string") throw notServed(place, `\`${place}\` is not supported: ${here}.`);
    if (here.every((one) => valueAt(body, one) == null)) {
      const message = `\`${place}\` is a field of another API. Here it is \`${here[0]}\`.`;
      throw new Failure("invalid", message, { param: place, code: "unknown_parameter" });
    }
  }
}

/** The failure of a request for something that cannot be served. */
export const notServed = (param: string, message: string): Failure =>
  new Failure("invalid", message, { param, code: "unsupported_parameter" });

/** Whether a value asks for what the API does without it, such as an answer in text. */
const isDefault = (place: string, value: unknown): boolean =>
  value == null || value === "" || value === DEFAULTS[place] || (isObject(value) && value.type === "text");

function valueAt(body: unknown, place: string): unknown {
  let value = body;
  for (const name of place.split(".")) value = isObject(value) ? value[name] : undefined;
  return value;
}
