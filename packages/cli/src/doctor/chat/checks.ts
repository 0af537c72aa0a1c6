import { isObject } from "@toolingua/core/adapters";
import { at, isObjectText, listAt, quoted, textAt } from "../../json.js";
import { type Check, everyReply, hasCalls, isStream, NO_CALL, NO_STREAM } from "../check.js";
import { usageProblem } from "../checks/usage.js";
import { all, NOT_JSON } from "../clients.js";
import { checksOf, ofStreams, ofWhole } from "../judges.js";
import { lacks, type Reply } from "../reply.js";
import { chunksOf, finishesOf, type StreamedCall, streamedCalls } from "./read.js";

const object = "https://platform.openai.com/docs/api-reference/chat/object";
const chunk = "https://platform.openai.com/docs/api-reference/chat-streaming";

const check = checksOf("chat", { whole: object, stream: chunk });

/** Checks each complete call of each stream: the token limit may have truncated the last one. */
const ofCalls = (wrong: (call: StreamedCall, calls: readonly StreamedCall[]) => string | undefined) =>
  everyReply({
    of: (reply) => isStream(reply) && hasCalls(reply),
    wrong({ exchange, isCut }) {
      const calls = streamedCalls(exchange);
      const whole = isCut ? calls.slice(0, -1) : calls;
      return whole.map((call) => wrong(call, calls)).find((problem) => problem !== undefined);
    },
    unseen: NO_CALL,
  });

/** OpenAI's own server ends with "stop" after a call of a tool named by `tool_choice`. */
const isNamed = ({ scenario }: Reply) => typeof scenario.choice === "object";

function finishProblem(reply: Reply): string | undefined {
  const { finish, calls } = reply;
  if (calls.length === 0) return finish === "tool_calls" ? 'it ends by "tool_calls" without a call' : undefined;
  if (finish === "tool_calls" || finish === "length" || (isNamed(reply) && finish === "stop")) return undefined;
  return `it has calls and ends by ${quoted(finish ?? "nothing")}`;
}

const lost = "the call is lost";

/** The checks of whole answers of Chat Completions. */
export const wholeChecks: Check[] = [
  check(
    "whole.shape",
    "A whole answer has the fields of a completion",
    "`id`, `object`, `choices[0].message` with `role` and a `content` that is text or null.",
    { "openai-sdk": "code that reads the fields throws", "ai-sdk": "refuses the answer", langchain: "throws" },
    ofWhole((json, { exchange }) => {
      const message = at(json, "choices", 0, "message");
      const content = at(message, "content");
      if (!isObject(message)) return lacks("message", exchange);
      if (textAt(message, "role") !== "assistant") return `the role is ${quoted(at(message, "role"))}`;
      if (content !== undefined && content !== null && typeof content !== "string")
        return `the content is ${quoted(content)}`;
      const missing = ["id", "object"].filter((name) => textAt(json, name) === undefined);
      return missing.length > 0 ? `there is no ${missing.join(" and no ")}` : undefined;
    }),
  ),
  check(
    "whole.calls",
    "Calls have an id, a type and a name, and arguments that are the text of an object",
    '`tool_calls[].{ id, type: "function", function: { name, arguments } }`; `arguments` is JSON as a text.',
    {
      "openai-sdk": NOT_JSON,
      "ai-sdk": "refuses the answer",
      langchain: "the call is invalid",
      crewai: NOT_JSON,
      "openai-agents": NOT_JSON,
    },
    ofWhole((json, { isCut }) => {
      const calls = listAt(json, "choices", 0, "message", "tool_calls");
      for (const call of isCut ? calls.slice(0, -1) : calls) {
        if (!textAt(call, "id") || textAt(call, "type") !== "function" || !textAt(call, "function", "name"))
          return `there is ${quoted(call)}`;
        const args = at(call, "function", "arguments");
        if (typeof args !== "string" || !isObjectText(args)) return `the arguments are ${quoted(args)}`;
      }
      return undefined;
    }, hasCalls),
  ),
  check(
    "whole.finish",
    'A whole answer ends by "tool_calls" exactly if it has calls',
    '`finish_reason` is "tool_calls" if the model called a tool ("stop" too, if `tool_choice` names it).',
    { "openai-sdk": "a loop that goes by the reason ends, and runs no call" },
    ofWhole((_, reply) => finishProblem(reply)),
  ),
  check(
    "whole.usage",
    "A whole answer counts its tokens",
    "`usage.{ prompt_tokens, completion_tokens, total_tokens }`.",
    { langchain: "counts nothing, so budgets never end", crewai: "counts nothing", "ai-sdk": "counts nothing" },
    ofWhole((json) => usageProblem(at(json, "usage"), counts)),
    "warning",
  ),
];

const counts = ["prompt_tokens", "completion_tokens", "total_tokens"];

/** The checks of streams of Chat Completions. */
export const streamChecks: Check[] = [
  check(
    "stream.role",
    "A stream begins with the role",
    'The first delta of a choice has `role: "assistant"`.',
    {},
    ofStreams(({ exchange }) => {
      const deltas = chunksOf(exchange).flatMap((json) => listAt(json, "choices").map((choice) => at(choice, "delta")));
      const first = deltas.findIndex((delta) => textAt(delta, "role") === "assistant");
      if (first === 0) return undefined;
      return first < 0 ? "no delta has the role" : "the role comes late";
    }),
    "warning",
  ),
  check(
    "stream.chunks",
    "All chunks of a stream have one id",
    "Each chunk has the same `id`.",
    {},
    ofStreams(({ exchange }) => {
      const ids = new Set(chunksOf(exchange).map((json) => textAt(json, "id")));
      if (ids.has(undefined)) return "a chunk has no id";
      return ids.size > 1 ? `there are ${ids.size} ids` : undefined;
    }),
    "warning",
  ),
  check(
    "stream.finish-once",
    "A stream ends with exactly one finish reason",
    "The last chunk of a choice has its `finish_reason`; the others have null.",
    { "openai-sdk": "`.stream()` throws: missing finish_reason for choice 0", "ai-sdk": "ends with an error" },
    ofStreams(({ exchange }) => {
      const finishes = finishesOf(exchange);
      return finishes.length === 1 ? undefined : `there are ${finishes.length} finish reasons`;
    }),
  ),
  check(
    "stream.finish",
    'A stream ends by "tool_calls" exactly if it has calls',
    '`finish_reason` is "tool_calls" if the model called a tool ("stop" too, if `tool_choice` names it).',
    { "openai-sdk": "a loop that goes by the reason ends, and runs no call" },
    ofStreams((reply) => (finishesOf(reply.exchange).length === 0 ? undefined : finishProblem(reply))),
  ),
  check(
    "stream.index",
    "Each delta of a call has the call's index",
    "`tool_calls[].index` is a number, from 0.",
    { "openai-sdk": lost, langchain: lost },
    ofCalls(({ indexes, name }, calls) => {
      if (indexes.some((index) => typeof index !== "number"))
        return `a delta of ${quoted(name ?? "a call")} has no index`;
      const least = Math.min(...calls.flatMap((call) => call.indexes.filter((index) => typeof index === "number")));
      return least === 0 ? undefined : `the first index is ${least}`;
    }),
  ),
  check(
    "stream.index-of-each",
    "Each call has an index of its own",
    "Deltas of the same `index` are of the same call.",
    Object.fromEntries(
      (["openai-sdk", "ai-sdk", "langchain", "crewai", "openai-agents"] as const).map((name) => [
        name,
        "the calls become one, whose arguments are not JSON",
      ]),
    ),
    ofCalls((call, calls) => {
      const other = calls.find(
        (one) => one !== call && one.indexes.some((index) => typeof index === "number" && call.indexes.includes(index)),
      );
      return (
        other && `${quoted(call.id ?? "")} and ${quoted(other.id ?? "")} have the index ${quoted(other.indexes[0])}`
      );
    }),
  ),
  check(
    "stream.call-id",
    "The first delta of a call has its id",
    "The first delta of a call has `id`, which the result is to name.",
    { langchain: lost },
    ofCalls(({ id }) => (id === undefined ? "a call has no id" : undefined)),
  ),
  check(
    "stream.call-name",
    "The first delta of a call has its name",
    "The first delta of a call has `function.name`.",
    all("chat", lost),
    ofCalls(({ name }) => (name === undefined ? "a call has no name" : undefined)),
  ),
  check(
    "stream.call-type",
    "The first delta of a call has its type",
    'The first delta of a call has `type: "function"`.',
    { "openai-sdk": "`.stream()` throws: tool call snapshot missing `type`" },
    ofCalls(({ types }) => (types.includes("function") ? undefined : "a call has no type")),
  ),
  check(
    "stream.name-once",
    "A call's id and name come once",
    "Only the first delta of a call has `id` and `function.name`.",
    { "openai-agents": "joins the names, and there is no such tool" },
    ofCalls(({ names, ids }) => {
      if (names.length > 1) return `the name comes ${names.length} times`;
      return ids.length > 1 ? `the id comes ${ids.length} times` : undefined;
    }),
  ),
  check(
    "stream.arguments",
    "The deltas of a call's arguments join to the JSON of an object",
    "`function.arguments` of all deltas together are the arguments, as JSON.",
    { "openai-sdk": NOT_JSON, "ai-sdk": "the call is invalid", "openai-agents": NOT_JSON },
    ofCalls(({ arguments: args }) => (args === "" || isObjectText(args) ? undefined : `they join to ${quoted(args)}`)),
  ),
  check(
    "stream.no-arguments",
    "A call without arguments says {}",
    "`function.arguments` is JSON, also of a tool without parameters.",
    { "openai-sdk": "JSON.parse of an empty text throws", "openai-agents": NOT_JSON, crewai: NOT_JSON },
    ofCalls(({ arguments: args }) => (args === "" ? "a call has no arguments at all" : undefined)),
  ),
  check(
    "stream.no-empty-list",
    "There are no empty lists of calls",
    "A delta without a call has no `tool_calls`.",
    {},
    ofStreams(({ exchange }) => {
      const lists = chunksOf(exchange).flatMap((json) =>
        listAt(json, "choices").map((choice) => at(choice, "delta", "tool_calls")),
      );
      return lists.some((list) => Array.isArray(list) && list.length === 0)
        ? "a delta has `tool_calls: []`"
        : undefined;
    }),
    "warning",
  ),
  check(
    "stream.done",
    "A stream ends with [DONE], exactly once",
    "The stream is terminated by a `data: [DONE]` message.",
    {},
    ofStreams(({ exchange: { events } }) => {
      const count = events.filter(({ data }) => data === "[DONE]").length;
      if (count !== 1) return `[DONE] comes ${count} times`;
      return events.at(-1)?.data === "[DONE]" ? undefined : "something comes after [DONE]";
    }),
    "warning",
  ),
  check(
    "stream.usage",
    "With stream_options.include_usage a stream counts its tokens, in a chunk without choices",
    "One more chunk before [DONE] has `usage`, and its `choices` are empty.",
    {
      langchain: "counts nothing",
      "ai-sdk": "counts nothing",
      crewai: "counts nothing",
      "openai-agents": "counts nothing",
    },
    everyReply({
      of: ({ scenario }) => scenario.stream && scenario.turn === "count",
      wrong({ exchange }) {
        const last = chunksOf(exchange).findLast((json) => isObject(at(json, "usage")));
        if (last === undefined) return "no chunk has `usage`";
        return (
          usageProblem(at(last, "usage"), counts) ??
          (listAt(last, "choices").length > 0 ? "its chunk has choices" : undefined)
        );
      },
      unseen: NO_STREAM,
    }),
    "warning",
  ),
  check(
    "stream.no-usage",
    "Without stream_options there is no chunk without choices",
    "Only `stream_options.include_usage` asks for a chunk whose `choices` are empty.",
    { "openai-sdk": "code that reads `choices[0].delta` of each chunk throws" },
    everyReply({
      of: ({ scenario }) => scenario.stream && scenario.turn !== "count",
      wrong: ({ exchange }) =>
        chunksOf(exchange).some((json) => listAt(json, "choices").length === 0) ? "there is one" : undefined,
      unseen: NO_STREAM,
    }),
    "warning",
  ),
];
