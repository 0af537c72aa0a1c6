import { isObject } from "@toolingua/core/adapters";
import { at, isObjectText, listAt, quoted, textAt } from "../../json.js";
import { type Check, everyReply, hasCalls, isStream, NO_CALL, NO_STREAM } from "../check.js";
import { alike, all, NOT_JSON } from "../clients.js";
import { checksOf, missingIn, ofStreams, ofWhole, usageProblem } from "../judges.js";
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
  check({
    id: "whole.shape",
    title: "A whole answer has the fields of a completion",
    says: "`id`, `object`, `choices[0].message` with `role` and a `content` that is text or null.",
    breaks: { "openai-sdk": "code that reads the fields throws", "ai-sdk": "refuses the answer", langchain: "throws" },
    judge: ofWhole((json, { exchange }) => {
      const message = at(json, "choices", 0, "message");
      const content = at(message, "content");
      if (!isObject(message)) return lacks("message", exchange);
      if (textAt(message, "role") !== "assistant") return `the role is ${quoted(at(message, "role"))}`;
      if (content !== undefined && content !== null && typeof content !== "string")
        return `the content is ${quoted(content)}`;
      return missingIn(json, ["id", "object"]);
    }),
  }),
  check({
    id: "whole.calls",
    title: "Calls have an id, a type and a name, and arguments that are the text of an object",
    says: '`tool_calls[].{ id, type: "function", function: { name, arguments } }`; `arguments` is JSON as a text.',
    breaks: {
      "openai-sdk": NOT_JSON,
      "ai-sdk": "refuses the answer",
      langchain: "the call is invalid",
      crewai: NOT_JSON,
      "openai-agents": NOT_JSON,
    },
    judge: ofWhole((json, { isCut }) => {
      const calls = listAt(json, "choices", 0, "message", "tool_calls");
      for (const call of isCut ? calls.slice(0, -1) : calls) {
        if (!textAt(call, "id") || textAt(call, "type") !== "function" || !textAt(call, "function", "name"))
          return `there is ${quoted(call)}`;
        const args = at(call, "function", "arguments");
        if (typeof args !== "string" || !isObjectText(args)) return `the arguments are ${quoted(args)}`;
      }
      return undefined;
    }, hasCalls),
  }),
  check({
    id: "whole.finish",
    title: 'A whole answer ends by "tool_calls" exactly if it has calls',
    says: '`finish_reason` is "tool_calls" if the model called a tool ("stop" too, if `tool_choice` names it).',
    breaks: { "openai-sdk": "a loop that goes by the reason ends, and runs no call" },
    judge: ofWhole((_, reply) => finishProblem(reply)),
  }),
  check({
    id: "whole.usage",
    title: "A whole answer counts its tokens",
    says: "`usage.{ prompt_tokens, completion_tokens, total_tokens }`.",
    breaks: { langchain: "counts nothing, so budgets never end", crewai: "counts nothing", "ai-sdk": "counts nothing" },
    judge: ofWhole((json) => usageProblem(at(json, "usage"), counts)),
    level: "warning",
  }),
];

const counts = ["prompt_tokens", "completion_tokens", "total_tokens"];

/** The checks of streams of Chat Completions. */
export const streamChecks: Check[] = [
  check({
    id: "stream.role",
    title: "A stream begins with the role",
    says: 'The first delta of a choice has `role: "assistant"`.',
    judge: ofStreams(({ exchange }) => {
      const deltas = chunksOf(exchange).flatMap((json) => listAt(json, "choices").map((choice) => at(choice, "delta")));
      const first = deltas.findIndex((delta) => textAt(delta, "role") === "assistant");
      if (first === 0) return undefined;
      return first < 0 ? "no delta has the role" : "the role comes late";
    }),
    level: "warning",
  }),
  check({
    id: "stream.chunks",
    title: "All chunks of a stream have one id",
    says: "Each chunk has the same `id`.",
    judge: ofStreams(({ exchange }) => {
      const ids = new Set(chunksOf(exchange).map((json) => textAt(json, "id")));
      if (ids.has(undefined)) return "a chunk has no id";
      return ids.size > 1 ? `there are ${ids.size} ids` : undefined;
    }),
    level: "warning",
  }),
  check({
    id: "stream.finish-once",
    title: "A stream ends with exactly one finish reason",
    says: "The last chunk of a choice has its `finish_reason`; the others have null.",
    breaks: { "openai-sdk": "`.stream()` throws: missing finish_reason for choice 0", "ai-sdk": "ends with an error" },
    judge: ofStreams(({ exchange }) => {
      const finishes = finishesOf(exchange);
      return finishes.length === 1 ? undefined : `there are ${finishes.length} finish reasons`;
    }),
  }),
  check({
    id: "stream.finish",
    title: 'A stream ends by "tool_calls" exactly if it has calls',
    says: '`finish_reason` is "tool_calls" if the model called a tool ("stop" too, if `tool_choice` names it).',
    breaks: { "openai-sdk": "a loop that goes by the reason ends, and runs no call" },
    judge: ofStreams((reply) => (finishesOf(reply.exchange).length === 0 ? undefined : finishProblem(reply))),
  }),
  check({
    id: "stream.index",
    title: "Each delta of a call has the call's index",
    says: "`tool_calls[].index` is a number, from 0.",
    breaks: { "openai-sdk": lost, langchain: lost },
    judge: ofCalls(({ indexes, name }, calls) => {
      if (indexes.some((index) => typeof index !== "number"))
        return `a delta of ${quoted(name ?? "a call")} has no index`;
      const least = Math.min(...calls.flatMap((call) => call.indexes.filter((index) => typeof index === "number")));
      return least === 0 ? undefined : `the first index is ${least}`;
    }),
  }),
  check({
    id: "stream.index-of-each",
    title: "Each call has an index of its own",
    says: "Deltas of the same `index` are of the same call.",
    breaks: all("chat", "the calls become one, whose arguments are not JSON"),
    judge: ofCalls((call, calls) => {
      const other = calls.find(
        (one) => one !== call && one.indexes.some((index) => typeof index === "number" && call.indexes.includes(index)),
      );
      return (
        other && `${quoted(call.id ?? "")} and ${quoted(other.id ?? "")} have the index ${quoted(other.indexes[0])}`
      );
    }),
  }),
  check({
    id: "stream.call-id",
    title: "The first delta of a call has its id",
    says: "The first delta of a call has `id`, which the result is to name.",
    breaks: { langchain: lost },
    judge: ofCalls(({ id }) => (id === undefined ? "a call has no id" : undefined)),
  }),
  check({
    id: "stream.call-name",
    title: "The first delta of a call has its name",
    says: "The first delta of a call has `function.name`.",
    breaks: all("chat", lost),
    judge: ofCalls(({ name }) => (name === undefined ? "a call has no name" : undefined)),
  }),
  check({
    id: "stream.call-type",
    title: "The first delta of a call has its type",
    says: 'The first delta of a call has `type: "function"`.',
    breaks: { "openai-sdk": "`.stream()` throws: tool call snapshot missing `type`" },
    judge: ofCalls(({ types }) => (types.includes("function") ? undefined : "a call has no type")),
  }),
  check({
    id: "stream.name-once",
    title: "A call's id and name come once",
    says: "Only the first delta of a call has `id` and `function.name`.",
    breaks: { "openai-agents": "joins the names, and there is no such tool" },
    judge: ofCalls(({ names, ids }) => {
      if (names.length > 1) return `the name comes ${names.length} times`;
      return ids.length > 1 ? `the id comes ${ids.length} times` : undefined;
    }),
  }),
  check({
    id: "stream.arguments",
    title: "The deltas of a call's arguments join to the JSON of an object",
    says: "`function.arguments` of all deltas together are the arguments, as JSON.",
    breaks: { "openai-sdk": NOT_JSON, "ai-sdk": "the call is invalid", "openai-agents": NOT_JSON },
    judge: ofCalls(({ arguments: args }) =>
      args === "" || isObjectText(args) ? undefined : `they join to ${quoted(args)}`,
    ),
  }),
  check({
    id: "stream.no-arguments",
    title: "A call without arguments says {}",
    says: "`function.arguments` is JSON, also of a tool without parameters.",
    breaks: { "openai-sdk": "JSON.parse of an empty text throws", "openai-agents": NOT_JSON, crewai: NOT_JSON },
    judge: ofCalls(({ arguments: args }) => (args === "" ? "a call has no arguments at all" : undefined)),
  }),
  check({
    id: "stream.no-empty-list",
    title: "There are no empty lists of calls",
    says: "A delta without a call has no `tool_calls`.",
    judge: ofStreams(({ exchange }) => {
      const lists = chunksOf(exchange).flatMap((json) =>
        listAt(json, "choices").map((choice) => at(choice, "delta", "tool_calls")),
      );
      return lists.some((list) => Array.isArray(list) && list.length === 0)
        ? "a delta has `tool_calls: []`"
        : undefined;
    }),
    level: "warning",
  }),
  check({
    id: "stream.done",
    title: "A stream ends with [DONE], exactly once",
    says: "The stream is terminated by a `data: [DONE]` message.",
    judge: ofStreams(({ exchange: { events } }) => {
      const count = events.filter(({ data }) => data === "[DONE]").length;
      if (count !== 1) return `[DONE] comes ${count} times`;
      return events.at(-1)?.data === "[DONE]" ? undefined : "something comes after [DONE]";
    }),
    level: "warning",
  }),
  check({
    id: "stream.usage",
    title: "With stream_options.include_usage a stream counts its tokens, in a chunk without choices",
    says: "One more chunk before [DONE] has `usage`, and its `choices` are empty.",
    breaks: alike(["langchain", "ai-sdk", "crewai", "openai-agents"], "counts nothing"),
    judge: everyReply({
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
    level: "warning",
  }),
  check({
    id: "stream.no-usage",
    title: "Without stream_options there is no chunk without choices",
    says: "Only `stream_options.include_usage` asks for a chunk whose `choices` are empty.",
    breaks: { "openai-sdk": "code that reads `choices[0].delta` of each chunk throws" },
    judge: everyReply({
      of: ({ scenario }) => scenario.stream && scenario.turn !== "count",
      wrong: ({ exchange }) =>
        chunksOf(exchange).some((json) => listAt(json, "choices").length === 0) ? "there is one" : undefined,
      unseen: NO_STREAM,
    }),
    level: "warning",
  }),
];
