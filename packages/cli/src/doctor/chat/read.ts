import { isObject, shallowJson } from "@toolingua/core/adapters";
import { at, listAt, textAt } from "../../json.js";
import type { Call, Reply } from "../reply.js";
import type { Scenario } from "../scenarios.js";
import type { Exchange } from "../wire/exchange.js";

/** A call of a stream, with all of its deltas. */
export interface StreamedCall extends Call {
  /** The indexes of its deltas; `undefined` for a delta without one. */
  indexes: unknown[];
  /** Each name and id received, in order. */
  names: string[];
  ids: string[];
  types: string[];
}

/** The deltas of calls in a stream. */
const callDeltas = ({ events }: Exchange) =>
  events.flatMap(({ json }) => listAt(json, "choices").flatMap((choice) => listAt(choice, "delta", "tool_calls")));

/**
 * The calls of a stream. A delta belongs to the call with its index, unless it has a different id; without an index, to
 * the call with its id, else to the last call.
 */
export function streamedCalls(exchange: Exchange): StreamedCall[] {
  const calls: StreamedCall[] = [];
  for (const delta of callDeltas(exchange)) {
    const index = at(delta, "index");
    const id = textAt(delta, "id") || undefined;
    const name = textAt(delta, "function", "name") || undefined;
    const known =
      typeof index === "number"
        ? calls.findLast((call) => call.indexes.includes(index))
        : id === undefined
          ? calls.at(-1)
          : calls.find((call) => call.id === id);
    const isOther = known?.id !== undefined && id !== undefined && id !== known.id && name !== undefined;
    let call = isOther ? undefined : known;
    if (!call) {
      call = { id, name, arguments: "", indexes: [], names: [], ids: [], types: [] };
      calls.push(call);
    }
    call.id ??= id;
    call.name ??= name;
    call.indexes.push(index);
    if (id !== undefined) call.ids.push(id);
    if (name !== undefined) call.names.push(name);
    const type = textAt(delta, "type");
    if (type !== undefined) call.types.push(type);
    call.arguments += textAt(delta, "function", "arguments") ?? "";
  }
  return calls;
}

/** The finish reasons in a stream. */
export const finishesOf = ({ events }: Exchange): string[] =>
  events.flatMap(({ json }) => listAt(json, "choices").flatMap((choice) => textAt(choice, "finish_reason") ?? []));

/** The chunks of a stream. */
export const chunksOf = ({ events }: Exchange): unknown[] =>
  events.map(({ json }) => json).filter((json) => Array.isArray(at(json, "choices")));

/** Reads an answer. */
export function readChat(scenario: Scenario, exchange: Exchange): Reply {
  const { events, text } = exchange;
  if (scenario.stream && events.length > 0) {
    const contents = events.map(({ json }) => textAt(json, "choices", 0, "delta", "content") ?? "");
    const finish = finishesOf(exchange)[0];
    const failure = events.find(({ event, json }) => event === "error" || isFailure(json));
    return {
      ...{ scenario, exchange, finish, text: contents.join("") },
      calls: streamedCalls(exchange),
      isCut: finish === "length",
      failure: failure ? (failure.json ?? failure.data) : exchange.invalidLines.find((line) => /error/i.test(line)),
    };
  }
  const json = shallowJson(text);
  const finish = textAt(json, "choices", 0, "finish_reason");
  return {
    ...{ scenario, exchange, finish, text: textAt(json, "choices", 0, "message", "content") ?? "" },
    calls: listAt(json, "choices", 0, "message", "tool_calls").map((call) => ({
      id: textAt(call, "id"),
      name: textAt(call, "function", "name"),
      arguments: textAt(call, "function", "arguments") ?? JSON.stringify(at(call, "function", "arguments") ?? {}),
    })),
    isCut: finish === "length",
    failure: exchange.status < 400 && isFailure(json) ? json : undefined,
  };
}

/** Whether this is an error in place of a chunk or an answer, in any shape. */
const isFailure = (json: unknown): boolean =>
  isObject(json) &&
  ((json.error !== undefined && json.error !== null) || (!Array.isArray(json.choices) && isSaid(json)));

const isSaid = (json: Record<string, unknown>) => ["message", "detail"].some((name) => json[name] !== undefined);
