import type { InvalidToolCall, TextMessage, ToolDefinition } from "../types.js";
import type { AttemptEvents } from "./attempt-events.js";
import type { RawReply } from "./reply-reader.js";

// What the model is told after a reply that failed.

/** The messages of the last request with its reply and the feedback. */
export function retryMessages(
  messages: readonly TextMessage[],
  reply: RawReply,
  invalid: readonly InvalidToolCall[],
  notice: string | undefined,
): TextMessage[] {
  const feedback: string[] = [];
  if (invalid.length > 0) {
    feedback.push("No tool was run, because of this:", ...invalid.map((call) => call.error.feedback));
    feedback.push("Write your reply again, corrected.");
  }
  if (notice) feedback.push(notice);
  const content = feedback.join("\n\n");
  const written = reply.prefill + reply.text;
  if (written.trim() !== "") {
    return [...messages, { role: "assistant", content: written }, { role: "user", content }];
  }
  // An empty message is refused by many models: the feedback joins the user's turn.
  return withNote(messages, content);
}

/** The messages with a note at the end of the user's turn. */
export function withNote(messages: readonly TextMessage[], note: string): TextMessage[] {
  const last = messages.at(-1);
  return [...messages.slice(0, -1), { ...last, role: "user", content: last ? `${last.content}\n\n${note}` : note }];
}

/** The tool of the only call, if that failed for another reason than an unknown tool. */
export function failedTool({ invalid, buffered }: AttemptEvents, tools: readonly ToolDefinition[]): string | undefined {
  const [only, ...others] = invalid;
  if (!only || others.length > 0 || buffered.some(({ type }) => type === "call-end")) return undefined;
  return only.error.code === "unknown-tool" ? undefined : tools.find(({ name }) => name === only.name)?.name;
}
