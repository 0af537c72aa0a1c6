import { isObject } from "@toolingua/core/adapters";
import { at, isObjectText, listAt, quoted, textAt, typeOf } from "../../json.js";
import { type Check, hasCalls } from "../check.js";
import { NOT_JSON } from "../clients.js";
import { checksOf, missingIn, ofStreams, ofWhole } from "../judges.js";
import { lacks, type Reply } from "../reply.js";
import type { StreamEvent } from "../wire/exchange.js";
import { endOf, itemsAdded, itemsDone } from "./read.js";

const object = "https://platform.openai.com/docs/api-reference/responses/object";
const streaming = "https://platform.openai.com/docs/api-reference/responses-streaming";

const check = checksOf("responses", { whole: object, stream: streaming });

const usageNames = ["input_tokens", "output_tokens", "total_tokens"];
const ints = (usage: unknown) => usageNames.every((name) => Number.isInteger(at(usage, name)));

/** The calls among the items of an answer, except the last item if the answer was truncated. */
function wholeCalls(items: readonly unknown[], isCut: boolean): unknown[] {
  const calls = items.filter((item) => typeOf(item) === "function_call");
  return isCut ? calls.slice(0, -1) : calls;
}

function callProblem(call: unknown): string | undefined {
  const missing = ["call_id", "name"].filter((name) => !textAt(call, name));
  if (missing.length > 0) return `a call has no ${missing.join(" and no ")}`;
  const args = at(call, "arguments");
  return typeof args === "string" && isObjectText(args) ? undefined : `the arguments are ${quoted(args)}`;
}

const callSays = '`{ type: "function_call", id, call_id, name, arguments }`; `arguments` is JSON as a text.';

/** The checks of whole answers of Responses. */
export const wholeChecks: Check[] = [
  check({
    id: "whole.shape",
    title: "A whole answer has the fields of a response",
    says: '`object: "response"`, `id`, `status` and the list `output`.',
    breaks: {
      "openai-sdk": "code that reads `output` throws",
      "ai-sdk": "refuses the answer",
      "openai-agents": "throws",
    },
    judge: ofWhole((json, { exchange }) => {
      if (!Array.isArray(at(json, "output"))) return lacks("`output`", exchange);
      return missingIn(json, ["id", "object", "status"]);
    }),
  }),
  check({
    id: "whole.calls",
    title: "Calls have a call_id and a name, and arguments that are the text of an object",
    says: callSays,
    breaks: {
      "openai-sdk": NOT_JSON,
      "ai-sdk": "the call is invalid",
      langchain: "the call is invalid",
      "openai-agents": NOT_JSON,
    },
    judge: ofWhole(
      (json, { isCut }) => wholeCalls(listAt(json, "output"), isCut).flatMap((call) => callProblem(call) ?? [])[0],
      hasCalls,
    ),
  }),
  check({
    id: "whole.usage",
    title: "A whole answer counts its tokens",
    says: "`usage.{ input_tokens, output_tokens, total_tokens }`.",
    breaks: { langchain: "counts nothing", "openai-agents": "counts nothing" },
    judge: ofWhole((json) => (ints(at(json, "usage")) ? undefined : "`usage` lacks one of its three counts")),
    level: "warning",
  }),
];

/** The checks of streams of Responses. */
export const streamChecks: Check[] = [
  check({
    id: "stream.events",
    title: "Each event has a name, which is its type",
    says: "`event:` is the `type` of the data.",
    judge: ofStreams(({ exchange: { events } }) => {
      const wrong = events.find(({ event, json }) => isObject(json) && event !== typeOf(json));
      return wrong && `${quoted(typeOf(wrong.json))} has the name ${quoted(wrong.event ?? "none")}`;
    }),
    level: "warning",
  }),
  check({
    id: "stream.created",
    title: "A stream begins with response.created",
    says: "`response.created` is the first event.",
    breaks: { "openai-sdk": "`.stream()` throws" },
    judge: ofStreams(({ exchange: { events } }) =>
      typeOf(events[0]?.json) === "response.created" ? undefined : `it begins with ${quoted(typeOf(events[0]?.json))}`,
    ),
  }),
  check({
    id: "stream.numbers",
    title: "Events are numbered",
    says: "`sequence_number` grows by one with each event.",
    judge: ofStreams(({ exchange: { events } }) => {
      const numbers = events.flatMap(({ json }) => (isObject(json) ? [json.sequence_number] : []));
      const wrong = numbers.findIndex((number, i) => number !== i + (numbers[0] === 1 ? 1 : 0));
      return wrong < 0 ? undefined : `event ${wrong} has the number ${quoted(numbers[wrong])}`;
    }),
    level: "warning",
  }),
  check({
    id: "stream.added",
    title: "Each item is added before anything is said of it",
    says: "`response.output_item.added` comes before the deltas of an item.",
    breaks: {
      "openai-sdk": "`.stream()` throws: missing output at index 0",
      "ai-sdk": "the text is lost: text part not found",
    },
    judge: ofStreams((reply) => orderProblem(reply.exchange.events)),
    costs: { codex: "shows text only when it is whole" },
  }),
  check({
    id: "stream.parts",
    title: "Text comes in a part that was added",
    says: "`response.content_part.added` comes before `response.output_text.delta`.",
    breaks: { "openai-sdk": "`.stream()` throws: missing content at index 0" },
    judge: ofStreams(({ exchange: { events } }) => {
      const parts = new Set<unknown>();
      for (const { json } of events) {
        const index = at(json, "output_index");
        if (typeOf(json) === "response.content_part.added") parts.add(index);
        if (typeOf(json) === "response.output_text.delta" && !parts.has(index)) return "text comes without a part";
      }
      return undefined;
    }),
  }),
  check({
    id: "stream.done",
    title: "Each item that is added is done",
    says: "`response.output_item.done` has the whole item.",
    breaks: {
      codex: "no call is run: it takes calls from this event alone",
      "ai-sdk": "the call is lost",
    },
    judge: ofStreams(({ exchange }) => {
      const [added, done] = [itemsAdded(exchange).length, itemsDone(exchange).length];
      return done < added ? `${added} items are added and ${done} done` : undefined;
    }),
  }),
  check({
    id: "stream.ids",
    title: "An item has one id in all events and in the end",
    says: "`item.id`, `item_id` and `response.output[].id` are the same.",
    judge: ofStreams(idProblem),
    level: "warning",
  }),
  check({
    id: "stream.calls",
    title: "Calls have a call_id and a name, and arguments that are the text of an object",
    says: callSays,
    breaks: {
      ...{ codex: NOT_JSON, "openai-sdk": NOT_JSON, "ai-sdk": "the call is invalid", langchain: "the call is invalid" },
      ...{ crewai: NOT_JSON, "openai-agents": NOT_JSON },
    },
    judge: ofStreams(
      ({ exchange, isCut }) => wholeCalls(itemsDone(exchange), isCut).flatMap((call) => callProblem(call) ?? [])[0],
      hasCalls,
    ),
  }),
  check({
    id: "stream.arguments",
    title: "Deltas of arguments join to the arguments of the item, and arguments.done has them too",
    says: "`response.function_call_arguments.delta`, then `.done` with all of them.",
    judge: ofStreams((reply) => argumentProblem(reply.exchange.events), hasCalls),
    level: "warning",
  }),
  check({
    id: "stream.completed",
    title: "A stream ends with response.completed, once, as its last event",
    says: "The last event is `response.completed`, `.incomplete` or `.failed`.",
    breaks: {
      codex: "stream closed before response.completed: asks again up to five times",
      "openai-sdk": "the status stays in_progress",
      "ai-sdk": 'finishes with "other"',
      "openai-agents": "throws: no final response",
    },
    judge: ofStreams(({ exchange }) => {
      const types = exchange.events.filter(({ json }) => isObject(json)).map(({ json }) => typeOf(json));
      const found = types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type)).length;
      if (found !== 1) return `there are ${found} ends`;
      return typeOf(endOf(exchange)) === types.at(-1) ? undefined : `${quoted(types.at(-1) ?? "")} comes after the end`;
    }),
  }),
  check({
    id: "stream.output",
    title: "The end has the items that were done",
    says: "`response.output` of the last event are the items of `response.output_item.done`.",
    breaks: {
      "openai-sdk": "`finalResponse()` lacks the calls",
      "openai-agents": "asks again and again, and runs no call",
    },
    judge: ofStreams(({ exchange }) => {
      const end = endOf(exchange);
      const [given, done] = [listAt(end, "response", "output"), itemsDone(exchange)];
      if (end === undefined || given.length >= done.length) return undefined;
      return `${done.length} items are done, and the end has ${given.length}`;
    }),
  }),
  check({
    id: "stream.usage",
    title: "The end counts the tokens",
    says: "`response.usage.{ input_tokens, output_tokens, total_tokens }` are whole numbers.",
    breaks: { codex: "fails to read response.completed if a count is missing", langchain: "counts nothing" },
    judge: ofStreams(({ exchange }) => {
      const end = endOf(exchange);
      if (end === undefined || ints(at(end, "response", "usage"))) return undefined;
      return `\`usage\` is ${quoted(at(end, "response", "usage"))}`;
    }),
  }),
];

/** The first event of an item that was not added, or is already done. */
function orderProblem(events: readonly StreamEvent[]): string | undefined {
  const items = new Map<unknown, "added" | "done">();
  for (const { json } of events) {
    const index = at(json, "output_index");
    const type = typeOf(json);
    if (index === undefined) continue;
    if (type === "response.output_item.added") items.set(index, "added");
    else if (!items.has(index)) return `${type} comes before its item`;
    else if (items.get(index) === "done") return `${type} comes after its item is done`;
    if (type === "response.output_item.done") items.set(index, "done");
  }
  return undefined;
}

/** An item whose id changes within the stream. */
function idProblem({ exchange }: Reply): string | undefined {
  const ids = new Map<unknown, unknown>();
  for (const { json } of exchange.events) {
    const index = at(json, "output_index");
    const id = at(json, "item", "id") ?? at(json, "item_id");
    if (index === undefined || id === undefined) continue;
    if (!ids.has(index)) ids.set(index, id);
    else if (ids.get(index) !== id) return `${quoted(ids.get(index))} is ${quoted(id)} in ${typeOf(json)}`;
  }
  for (const [i, item] of listAt(endOf(exchange), "response", "output").entries()) {
    const [known, id] = [ids.get(i), at(item, "id")];
    if (known !== undefined && id !== known) return `${quoted(known)} is ${quoted(id)} in the end`;
  }
  return undefined;
}

/** Arguments that differ between the deltas, the `done` event and the item. */
function argumentProblem(events: readonly StreamEvent[]): string | undefined {
  const joined = new Map<unknown, string>();
  const said = new Set<unknown>();
  for (const { json } of events) {
    const index = at(json, "output_index");
    const type = typeOf(json);
    if (type === "response.function_call_arguments.delta")
      joined.set(index, (joined.get(index) ?? "") + (textAt(json, "delta") ?? ""));
    if (type === "response.function_call_arguments.done") {
      said.add(index);
      if ((joined.get(index) ?? "") !== textAt(json, "arguments"))
        return `the deltas join to ${quoted(joined.get(index) ?? "")}, and .done has ${quoted(at(json, "arguments"))}`;
    }
    if (type !== "response.output_item.done" || typeOf(at(json, "item")) !== "function_call") continue;
    if (!said.has(index)) return "there is no response.function_call_arguments.done";
    if ((joined.get(index) ?? "") !== textAt(json, "item", "arguments"))
      return `the deltas join to ${quoted(joined.get(index) ?? "")}, and the item has ${quoted(at(json, "item", "arguments"))}`;
  }
  return undefined;
}
