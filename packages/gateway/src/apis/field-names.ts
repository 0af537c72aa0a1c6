import { isObject } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";
import type { Api } from "./api.js";
import { notServed } from "./misspelt.js";

type ApiName = Api["name"];

/** The places of a field in an API, the preferred one first; or why the API has none, and what to do instead. */
type Places = readonly string[] | string;

/** A field that the three APIs name differently, or that some of them lack. */
type Field = Readonly<Record<ApiName, Places>>;

/** The values that ask for nothing, at their places. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  n: 1,
  parallel_tool_calls: true,
  "tool_choice.disable_parallel_tool_use": false,
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

/** The places of fields in other APIs that an API does not read, and those of the same here. */
const otherNames = (api: ApiName) =>
  fields.flatMap(({ chat, responses, messages, [api]: here }) => {
    const placesIn = (places: Places) => (typeof places === "string" ? [] : places);
    const all = new Set([chat, responses, messages].flatMap(placesIn));
    for (const own of placesIn(here)) all.delete(own);
    return [...all].map((place) => ({ place, here }));
  });

const others = { chat: otherNames("chat"), responses: otherNames("responses"), messages: otherNames("messages") };

/** Whether a name is that of a field of another API, which this API does not read. */
export const isOtherName = (api: ApiName, name: string): boolean => others[api].some(({ place }) => place === name);

/**
 * Refuses a field under its name in another API: it would be ignored silently. It is accepted if its value is the default, or if
 * the right one is there too.
 *
 * Errors: {@link Failure} `invalid`, with the field.
 *
 * @example
 * refuseOtherNames({ max_tokens: 5 }, "responses"); // throws: … Here it is `max_output_tokens`.
 */
export function refuseOtherNames(body: object, api: ApiName): void {
  for (const { place, here } of others[api]) {
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

/** Whether a value asks for what the API does without it, such as an answer in text. */
const isDefault = (place: string, value: unknown): boolean =>
  value == null || value === "" || value === DEFAULTS[place] || (isObject(value) && value.type === "text");

function valueAt(body: unknown, place: string): unknown {
  let value = body;
  for (const name of place.split(".")) value = isObject(value) ? value[name] : undefined;
  return value;
}
