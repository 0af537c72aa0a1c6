import type { ReplyEvent, ToolCall } from "../types.js";

/** The events of a call that a trigger made, without the model. */
export function eventsOfCall(call: ToolCall, index: number): ReplyEvent[] {
  return [
    { type: "call-start", index, id: call.id, name: call.name },
    { type: "call-delta", index, argumentsDelta: JSON.stringify(call.arguments) },
    { type: "call-end", index, call },
  ];
}
