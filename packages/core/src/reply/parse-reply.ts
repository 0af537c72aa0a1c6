import { checkArgument } from "../check-argument.js";
import { isObject } from "../common/plain-object.js";
import type { FinishReason, ParsedReply, ReplyEvent, ToolCall } from "../types.js";
import { parserOf } from "./create-reply-parser.js";
import { Parser } from "./parser.js";
import type { ReplyOptions, ReplyParserOptions, ReplySettings } from "./reply-parser-options.js";

/**
 * Reads a whole reply: the same as pushing it into {@link createReplyParser} and ending it.
 *
 * @example
 * parseReply('<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>', { tools, protocol: hermes
 * }).toolCalls[0]?.name; // "add"
 */
export function parseReply(
  text: string,
  options: ReplyParserOptions & { finish?: FinishReason | undefined } = {},
): ParsedReply {
  checkArgument("text", "string", text);
  checkArgument("options", "object", options);
  return readWhole(text, options, options);
}

/** The same with settings of its own. */
export function readWhole(
  text: string,
  options: ReplyOptions & { finish?: FinishReason | undefined },
  { registry, untrusted }: ReplySettings,
): ParsedReply {
  const parser = parserOf(options, { registry, untrusted, deltas: false });
  const reply = emptyReply();
  if (parser instanceof Parser) return collect(reply, parser.readAll(text, options));
  collect(reply, parser.push(text));
  return collect(reply, parser.end(options));
}

/**
 * The reply that a list of events describes, as `parseReply` gives it.
 *
 * Errors: `OptionsError` (`bad-option`) for what is no event.
 *
 * @example
 * const parser = createReplyParser({ tools });
 * collectReply([...parser.push("Hello"), ...parser.end()]).text; // "Hello"
 */
export function collectReply<Call = ToolCall>(events: Iterable<ReplyEvent<Call>>): ParsedReply<Call> {
  if (typeof events?.[Symbol.iterator] !== "function")
    checkArgument("events", "list", events, "a list of events, or another iterable");
  const reply = emptyReply<Call>();
  let index = 0;
  for (const event of events) {
    if (!isObject(event)) checkArgument(`events[${index}]`, "object", event, "an event of a reply parser");
    addEvent(reply, event);
    index++;
  }
  return reply;
}

function collect<Call>(reply: ParsedReply<Call>, events: Iterable<ReplyEvent<Call>>): ParsedReply<Call> {
  for (const event of events) addEvent(reply, event);
  return reply;
}

const emptyReply = <Call = ToolCall>(): ParsedReply<Call> => ({
  text: "",
  reasoning: "",
  toolCalls: [],
  invalidToolCalls: [],
});

export function addEvent<Call>(reply: ParsedReply<Call>, event: ReplyEvent<Call>): void {
  if (event.type === "text") {
    reply.text += event.text;
    if ("value" in event) reply.value = event.value;
  } else if (event.type === "reasoning") reply.reasoning += event.text;
  else if (event.type === "call-end") reply.toolCalls.push(event.call);
  else if (event.type === "call-invalid") reply.invalidToolCalls.push(event.call);
}
