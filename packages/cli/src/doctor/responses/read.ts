import { shallowJson } from "@toolingua/core/adapters";
import { at, listAt, textAt, typeOf } from "../../json.js";
import type { Call, Reply } from "../reply.js";
import type { Scenario } from "../scenarios.js";
import type { Exchange } from "../wire/exchange.js";

/** The types of a stream's last event. */
const ends = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** The event that ends a stream. */
export const endOf = ({ events }: Exchange): unknown => events.find(({ json }) => ends.has(typeOf(json)))?.json;

/** The items in a stream's `done` events. */
export const itemsDone = ({ events }: Exchange): unknown[] =>
  events.flatMap(({ json }) => (typeOf(json) === "response.output_item.done" ? [at(json, "item")] : []));

/** The items in a stream's `added` events. */
export const itemsAdded = ({ events }: Exchange): unknown[] =>
  events.flatMap(({ json }) => (typeOf(json) === "response.output_item.added" ? [json] : []));

const callsIn = (items: readonly unknown[]): Call[] =>
  items
    .filter((item) => typeOf(item) === "function_call")
    .map((item) => ({
      id: textAt(item, "call_id"),
      name: textAt(item, "name"),
      arguments: textAt(item, "arguments") ?? JSON.stringify(at(item, "arguments") ?? {}),
    }));

const textOf = (items: readonly unknown[]): string =>
  items.flatMap((item) => listAt(item, "content").map((part) => textAt(part, "text") ?? "")).join("");

/**
 * Reads an answer. Looks for items of a stream where clients do: in `done` events, else in the end event, else in
 * `added` events.
 */
export function readResponses(scenario: Scenario, exchange: Exchange): Reply {
  const { events, text, status } = exchange;
  if (scenario.stream && events.length > 0) {
    const end = endOf(exchange);
    const done = itemsDone(exchange);
    const last = listAt(end, "response", "output");
    const items = done.length > 0 ? done : last.length > 0 ? last : itemsAdded(exchange).map((one) => at(one, "item"));
    const deltas = events.flatMap(({ json }) =>
      typeOf(json) === "response.output_text.delta" ? (textAt(json, "delta") ?? "") : [],
    );
    const failure = events.find(({ event, json }) => event === "error" || isFailure(json));
    const isCut = textAt(end, "response", "status") === "incomplete";
    return {
      ...{ scenario, exchange, isCut, calls: callsIn(items), finish: textAt(end, "response", "status") },
      text: deltas.join("") || textOf(items),
      failure: failure && errorIn(failure.json ?? failure.data),
    };
  }
  const json = shallowJson(text);
  const items = listAt(json, "output");
  const finish = textAt(json, "status");
  const error = at(json, "error") ?? undefined;
  return {
    ...{ scenario, exchange, finish, calls: callsIn(items), text: textOf(items) },
    isCut: finish === "incomplete",
    failure: status < 400 && error !== undefined ? json : undefined,
  };
}

/** Whether an event is an error, in any shape. */
const isFailure = (json: unknown): boolean =>
  ["error", "response.failed"].includes(typeOf(json)) || (typeOf(json) === "" && at(json, "error") !== undefined);

/** The error of an event, in the shape of an answer's: it is inside the response, or the event itself. */
function errorIn(json: unknown): unknown {
  const error = at(json, "error") ?? at(json, "response", "error");
  if (error !== undefined && error !== null) return { error: { type: "server_error", ...Object(error) } };
  const message = textAt(json, "message");
  return message === undefined ? json : { error: { type: "server_error", message } };
}
