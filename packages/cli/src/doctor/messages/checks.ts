import { isObject } from "@toolingua/core/adapters";
import { at, isObjectText, quoted, textAt, typeOf } from "../../json.js";
import { type Check, everyReply, hasCalls, isStream, NO_CALL, NO_STREAM } from "../check.js";
import { alike, type Breaks } from "../clients.js";
import { checksOf, ofStreams, ofWhole, usageProblem } from "../judges.js";
import { lacks, type Reply } from "../reply.js";
import { status } from "../scenarios.js";
import type { StreamEvent } from "../wire/exchange.js";
import { type Block, blocksOf } from "./read.js";

const object = "https://docs.anthropic.com/en/api/messages";
const streaming = "https://docs.anthropic.com/en/docs/build-with-claude/streaming";

const check = checksOf("messages", { whole: object, stream: streaming });

const ofEvents = (wrong: (events: StreamEvent[], reply: Reply) => string | undefined) =>
  ofStreams((reply) => wrong(known(reply), reply));

/** Checks the blocks of each stream. With `kind`, only the blocks of this kind. */
const ofBlocks = (wrong: (block: Block) => string | undefined, kind?: string) =>
  everyReply({
    of: (reply) => isStream(reply) && (kind === undefined || hasCalls(reply)),
    wrong: (reply) =>
      blocksOf(known(reply))
        .slice(0, reply.isCut ? -1 : undefined)
        .filter((block) => kind === undefined || block.kind === kind)
        .flatMap((block) => wrong(block) ?? [])[0],
    unseen: kind === undefined ? NO_STREAM : NO_CALL,
  });

const known = ({ exchange }: Reply): StreamEvent[] => exchange.events.filter(({ json }) => isObject(json));
const ofType = (events: readonly StreamEvent[], type: string) => events.filter(({ json }) => typeOf(json) === type);

/** The problem of the stop reason. A stop sequence or a refusal may end any answer. */
function reasonProblem({ finish, calls }: Reply): string | undefined {
  if (calls.length > 0 && finish !== "tool_use" && finish !== "max_tokens")
    return `it has calls and ends by ${quoted(finish ?? "nothing")}`;
  return calls.length === 0 && finish === "tool_use" ? 'it ends by "tool_use" without a call' : undefined;
}

const reasonSays = '`stop_reason` is "tool_use" if the model called a tool.';
const ends: Breaks = {
  "anthropic-sdk": "a loop that goes by the reason ends, and runs no call",
};

/** The checks of whole answers of Messages. */
export const wholeChecks: Check[] = [
  check({
    id: "whole.shape",
    title: "A whole answer has the fields of a message",
    says: '`type: "message"`, `role: "assistant"`, `id`, `model`, `stop_reason` and the list `content`.',
    breaks: {
      "anthropic-sdk": "code that reads `content` throws",
      "ai-sdk": "refuses the answer",
      langchain: "throws",
    },
    judge: ofWhole((json, { exchange }) => {
      if (!Array.isArray(at(json, "content"))) return lacks("list `content`", exchange);
      const missing = ["id", "model", "stop_reason"].filter((name) => textAt(json, name) === undefined);
      if (textAt(json, "type") !== "message") missing.push("type");
      if (textAt(json, "role") !== "assistant") missing.push("role");
      return missing.length > 0 ? `there is no right ${missing.join(", ")}` : undefined;
    }),
  }),
  check({
    id: "whole.calls",
    title: "Calls have an id, a name and an input that is an object",
    says: '`{ type: "tool_use", id, name, input }`; `input` is an object, and not its text.',
    breaks: {
      "anthropic-sdk": "code that reads the input throws",
      "ai-sdk": "the call is invalid",
      langchain: "the call is invalid",
    },
    judge: ofWhole((json, { isCut }) => {
      const content = at(json, "content");
      const calls = (Array.isArray(content) ? content : []).filter((block) => typeOf(block) === "tool_use");
      const wrong = (isCut ? calls.slice(0, -1) : calls).find(
        (call) => !textAt(call, "id") || !textAt(call, "name") || !isObject(at(call, "input")),
      );
      return wrong === undefined ? undefined : `there is ${quoted(wrong)}`;
    }, hasCalls),
  }),
  check({
    id: "whole.reason",
    title: 'A whole answer ends by "tool_use" exactly if it has calls',
    says: reasonSays,
    breaks: ends,
    judge: ofWhole((_, reply) => reasonProblem(reply)),
  }),
  check({
    id: "whole.usage",
    title: "A whole answer counts its tokens",
    says: "`usage.{ input_tokens, output_tokens }`.",
    breaks: { "ai-sdk": "refuses the answer", langchain: "throws" },
    judge: ofWhole((json) => usageProblem(at(json, "usage"), ["input_tokens", "output_tokens"])),
  }),
];

/** It discards the stream. Seen with 2.1.197. */
const twice: Breaks = { "claude-code": "asks each turn a second time, without a stream" };

const deltasOf = new Map<string, readonly string[]>([
  ["text", ["text_delta", "citations_delta"]],
  ["thinking", ["thinking_delta", "signature_delta"]],
  ["tool_use", ["input_json_delta"]],
]);

/** The checks of streams of Messages. */
export const streamChecks: Check[] = [
  check({
    id: "stream.events",
    title: "Each event has a name, which is its type",
    says: "`event:` is the `type` of the data.",
    breaks: {
      "anthropic-sdk": "ends with nothing: request ended without sending any chunks",
      langchain: "ends with nothing",
    },
    judge: ofEvents((events) => {
      const wrong = events.find(({ event, json }) => event !== typeOf(json));
      return wrong && `${quoted(typeOf(wrong.json))} has the name ${quoted(wrong.event ?? "none")}`;
    }),
    costs: twice,
  }),
  check({
    id: "stream.start",
    title: "A stream begins with message_start, exactly once",
    says: "`message_start` with a message without content.",
    breaks: {
      "anthropic-sdk": "throws: Unexpected event order",
    },
    judge: ofEvents((events) => {
      const count = ofType(events, "message_start").length;
      if (count !== 1) return `there are ${count}`;
      const first = events.find(({ json }) => typeOf(json) !== "ping");
      return typeOf(first?.json) === "message_start" ? undefined : `it begins with ${typeOf(first?.json)}`;
    }),
  }),
  check({
    id: "stream.start-usage",
    title: "message_start counts the tokens of the prompt",
    says: "`message.usage.{ input_tokens, output_tokens }`.",
    breaks: {
      "anthropic-sdk": "throws a TypeError at message_delta",
      "ai-sdk": "the call is lost",
      langchain: "throws",
    },
    judge: ofEvents((events) => {
      const [start] = ofType(events, "message_start");
      return start && usageProblem(at(start.json, "message", "usage"), ["input_tokens", "output_tokens"]);
    }),
  }),
  check({
    id: "stream.blocks",
    title: "Blocks are begun, one after the other",
    says: "`content_block_start`, its deltas, `content_block_stop`; indexes from 0, in order.",
    breaks: {
      "anthropic-sdk": "throws at a delta whose block was not begun",
      "ai-sdk": "the text or the call is lost",
    },
    judge: ofEvents(blockProblem),
    costs: twice,
  }),
  check({
    id: "stream.block-stop",
    title: "Each block is stopped",
    says: "`content_block_stop` ends a block before the next one begins.",
    breaks: { "claude-code": "the call could not be parsed: it gives up", "ai-sdk": "the call is lost" },
    judge: ofBlocks(({ isStopped, index }) => (isStopped ? undefined : `block ${quoted(index)} is not stopped`)),
  }),
  check({
    id: "stream.kinds",
    title: "A block has deltas of its own kind",
    says: "`text_delta` in text, `thinking_delta` in thinking, `input_json_delta` in tool_use.",
    breaks: {
      "ai-sdk": "fails: reasoning part not found",
    },
    judge: ofBlocks(({ kind, deltas }) => {
      const own = deltasOf.get(kind);
      const wrong = own && deltas.find((delta) => !own.includes(typeOf(delta)));
      return wrong === undefined ? undefined : `a block of ${quoted(kind)} has a ${quoted(typeOf(wrong))}`;
    }),
    costs: twice,
  }),
  check({
    id: "stream.calls",
    title: "A call begins with its id and its name",
    says: '`content_block: { type: "tool_use", id, name, input: {} }`.',
    breaks: {
      "claude-code": "cannot run the call",
      "anthropic-sdk": "cannot answer the call",
      "ai-sdk": "refuses the event",
      langchain: "cannot answer the call",
    },
    judge: ofBlocks(({ start }) => {
      const missing = ["id", "name"].filter((name) => !textAt(start, name));
      return missing.length > 0 ? `a call has no ${missing.join(" and no ")}` : undefined;
    }, "tool_use"),
  }),
  check({
    id: "stream.input",
    title: "The deltas of a call's input join to the JSON of an object",
    says: "`input_json_delta.partial_json` of all deltas together are the input.",
    breaks: {
      "claude-code": "the call could not be parsed: it gives up",
      "anthropic-sdk": "the input is {} without an error",
      "ai-sdk": "the call is invalid",
      langchain: "the call is invalid",
    },
    judge: ofBlocks(
      ({ json }) => (json === "" || isObjectText(json) ? undefined : `they join to ${quoted(json)}`),
      "tool_use",
    ),
  }),
  check({
    id: "stream.input-sent",
    title: "The input of a call is sent",
    says: "The input comes in `input_json_delta`; `{}` where there are no arguments.",
    breaks: {
      "claude-code": "the tool is called with {} again and again",
      ...alike(["anthropic-sdk", "ai-sdk", "langchain"], "the input is {} without an error"),
    },
    judge: ofBlocks(({ json, start }) => {
      const given = at(start, "input");
      // A literal `{}` may be the model's own.
      const isLost = json === "" && !(isObject(given) && Object.keys(given).length > 0);
      const name = textAt(start, "name");
      return isLost && name !== status.name ? `${quoted(name ?? "a call")} has no input at all` : undefined;
    }, "tool_use"),
  }),
  check({
    id: "stream.reason",
    title: 'A stream ends by "tool_use" exactly if it has calls',
    says: reasonSays,
    breaks: ends,
    judge: ofEvents((_, reply) => (reply.finish === undefined ? undefined : reasonProblem(reply))),
  }),
  check({
    id: "stream.delta",
    title: "message_delta comes exactly once, with the reason and the count of tokens",
    says: "`message_delta: { delta: { stop_reason }, usage: { output_tokens } }`.",
    breaks: {
      "anthropic-sdk": "throws a TypeError: output_tokens of undefined",
      "ai-sdk": 'finishes with "other"',
      langchain: "throws, or has no reason",
    },
    judge: ofEvents((events) => {
      const deltas = ofType(events, "message_delta");
      if (deltas.length !== 1) return `there are ${deltas.length}`;
      if (textAt(deltas[0]?.json, "delta", "stop_reason") === undefined) return "it has no stop_reason";
      return usageProblem(at(deltas[0]?.json, "usage"), ["output_tokens"]);
    }),
  }),
  check({
    id: "stream.stop",
    title: "A stream ends with message_stop, exactly once",
    says: "`message_stop` is the last event.",
    breaks: {
      "anthropic-sdk": "throws: stream ended without producing a Message",
      "ai-sdk": 'finishes with "other"',
    },
    judge: ofEvents((events) => {
      const count = ofType(events, "message_stop").length;
      if (count !== 1) return `there are ${count}`;
      return typeOf(events.at(-1)?.json) === "message_stop"
        ? undefined
        : `${typeOf(events.at(-1)?.json)} comes after it`;
    }),
  }),
];

/** The first delta or end of a block that was not begun, or index out of order. */
function blockProblem(events: readonly StreamEvent[]): string | undefined {
  let begun = 0;
  const stopped = new Set<unknown>();
  for (const { json } of events) {
    const [type, index] = [typeOf(json), at(json, "index")];
    if (type === "content_block_start") {
      if (index !== begun) return `block ${quoted(index)} begins where ${begun} is due`;
      begun += 1;
    } else if (type === "content_block_delta" || type === "content_block_stop") {
      if (index !== begun - 1 || stopped.has(index))
        return `there is a ${type} of block ${quoted(index)}, which is not open`;
    }
    if (type === "content_block_stop") stopped.add(index);
  }
  return undefined;
}
