import {
  type GenerateOptions,
  generateWithTools,
  type ReplyEvent,
  type TextModel,
  type TextModelChunk,
  type TextModelRequest,
  type ToolDefinition,
} from "../../src/index.js";

/** Tools to call. */
export const add: ToolDefinition = {
  name: "add",
  description: "Add two integers",
  parameters: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"],
  },
};
export const say: ToolDefinition = {
  name: "say",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
const messages = [{ role: "user" as const, content: "2 + 3?" }];
/** A call in the Hermes format. */
export const call = (args: unknown, name = "add") =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

/** A model with scripted replies, one per request, in chunks; it records its requests and whether it was closed. */
export function scripted(...replies: (string | TextModelChunk[])[]) {
  const requests: TextModelRequest[] = [];
  let closed = 0;
  let sent = 0;
  const model: TextModel = async function* (request) {
    const reply = replies[requests.length] ?? "";
    requests.push(request);
    try {
      for (const chunk of typeof reply === "string" ? (reply.match(/[\s\S]{1,7}/g) ?? []) : reply) {
        sent += 1;
        yield chunk;
      }
    } finally {
      closed += 1;
    }
  };
  return { model, requests, closed: () => closed, sent: () => sent };
}

/** A turn with this model, by default in the Hermes format. */
export const turnOf = (model: TextModel, options: Partial<GenerateOptions> = {}) =>
  generateWithTools({ model, messages, tools: [add, say], protocol: "hermes", ...options });

/** All events of the turn. */
export async function eventsOf(turn: AsyncIterable<ReplyEvent>): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}
