import { checkArgument } from "../check-argument.js";
import { RenderError } from "../errors.js";
import type { Protocol } from "../protocol.js";
import { withoutStack } from "../tool-text/error-text.js";
import type { ChatMessage, ImageContent, TextMessage, ToolCall, ToolDefinition, ToolResult } from "../types.js";
import { type Escaper, mapStrings } from "./escape.js";
import type { Transcript, TranscriptRenderer } from "./transcript.js";

/** A conversation as text-only messages, and the prefill of the assistant's turn. */
export interface TextTurns {
  /** The texts of the system messages at the beginning. */
  system: string[];
  /** Alternating user and assistant messages; the first and the last are the user's. */
  turns: TextMessage[];
  /** The text of a final assistant message, for the model to continue. */
  prefill?: string;
}

/** The user's text if the assistant's message is the first, or if there is none. */
export const BEGIN_TEXT = "Begin.";
/** The user's text if the conversation ends with calls without results, or with an empty message. */
const CONTINUE_TEXT = "Continue.";

/**
 * Writes a conversation as messages that every text-only model accepts. Rules:
 * - system messages at the start are collected; later ones are put into the user's turn at their position
 * - a run of tool results is rendered by the protocol, in the user's turn and in the order of the calls
 * - an assistant's calls are rendered by the protocol, after its text; its reasoning is left out
 * - images of neighbours are joined too and come before the text
 * - empty messages are left out, neighbours of one role are joined by an empty line
 * - an assistant at the start is given a user's turn before it, a last one becomes the prefill (or, when it made
 *   calls or the model takes no prefill, is followed by a user's turn)
 *
 * With a `transcript`, the conversation is one user message, rendered by the transcript.
 *
 * All text is escaped, except the application's own: system texts and the prefill.
 */
export function textTurnsOf(
  messages: readonly ChatMessage[],
  context: {
    protocol: Protocol;
    tools: readonly ToolDefinition[];
    escaper: Escaper;
    prefill: boolean;
    transcript?: TranscriptRenderer | undefined;
  },
): TextTurns {
  const { protocol, tools, escaper } = context;
  const firstTurn = messages.findIndex((message) => message.role !== "system");
  const spoken = firstTurn === -1 ? [] : messages.slice(firstTurn);
  const system = messages.slice(0, messages.length - spoken.length).map((message) => message.content);

  const prefilled = context.prefill ? trailingText(spoken) : 0;
  const rest = prefilled === 0 ? spoken : spoken.slice(0, spoken.length - prefilled);
  const turns: TextMessage[] = [];
  if (context.transcript && rest.length > 0) {
    const { rules, content } = Object(
      context.transcript(rest.map(withoutItsStack), { escape: escaper.escape }),
    ) as Transcript;
    checkArgument("transcript().rules", "string", rules);
    checkArgument("transcript().content", "string", content);
    system.push(rules);
    const images = rest.flatMap((message) => (message.role === "user" ? (message.images ?? []) : []));
    addTo(turns, "user", content, images);
  } else addEach(turns, rest, protocol, tools, escaper);
  if (turns.length === 0) turns.push({ role: "user", content: BEGIN_TEXT });
  if (turns.at(-1)?.role === "assistant") turns.push({ role: "user", content: CONTINUE_TEXT });

  const texts = system.filter((text) => text.trim() !== "");
  if (prefilled === 0) return { system: texts, turns };
  const prefill = spoken
    .slice(spoken.length - prefilled)
    .map((message) => message.content)
    .filter((content) => content !== "")
    .join("\n\n");
  return prefill === "" ? { system: texts, turns } : { system: texts, turns, prefill };
}

/** The message as a prompt shows it: a failed result without its stack trace. */
export const withoutItsStack = (message: ChatMessage): ChatMessage =>
  message.role === "tool" && message.isError ? { ...message, content: withoutStack(message.content) } : message;

/** Adds a message: joins neighbours of one role and skips empty messages. */
function addTo(
  turns: TextMessage[],
  role: "user" | "assistant",
  content: string,
  images: readonly ImageContent[] = [],
): void {
  const isEmpty = content.trim() === "";
  if (isEmpty && images.length === 0) return;
  let last = turns.at(-1);
  if (last?.role === role) last.content += isEmpty || last.content === "" ? content : `\n\n${content}`;
  else {
    if (role === "assistant" && !last) turns.push({ role: "user", content: BEGIN_TEXT });
    last = { role, content };
    turns.push(last);
  }
  if (images.length > 0) last.images = [...(last.images ?? []), ...images];
}

/** Adds each message as the protocol renders it. */
function addEach(
  turns: TextMessage[],
  messages: readonly ChatMessage[],
  protocol: Protocol,
  tools: readonly ToolDefinition[],
  escaper: Escaper,
): void {
  let made: readonly ToolCall[] = [];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!;
    if (message.role === "assistant") {
      made = message.toolCalls ?? [];
      const calls = made.map((call) => ({
        ...call,
        name: escaper.escape(call.name),
        arguments: mapStrings(call.arguments, escaper.escape, escaper.escape) as Record<string, unknown>,
      }));
      const written = calls.length > 0 ? renderHistory(calls, protocol, tools, escaper) : "";
      const text = escaper.escape(message.content);
      addTo(turns, "assistant", [text, written].filter((part) => part.trim() !== "").join("\n"));
    } else if (message.role === "tool") {
      const results: ToolResult[] = [];
      for (let next = messages[i]; next?.role === "tool"; next = messages[++i]) {
        results.push({ ...next, name: escaper.escape(next.name), content: escaper.escape(next.content) });
      }
      i--;
      addTo(turns, "user", protocol.renderResults(inOrderOfCalls(results, made), { tools }));
    } else {
      const isUser = message.role === "user";
      addTo(turns, "user", isUser ? escaper.escape(message.content) : message.content, isUser ? message.images : []);
    }
  }
}

/** Results in the order of their calls: parallel calls end in any order, and formats without ids pair by position. */
export function inOrderOfCalls<T extends ToolResult>(results: T[], calls: readonly ToolCall[]): T[] {
  if (results.length < 2) return results;
  // Backwards, because the first of several calls with one id counts.
  const places = new Map(calls.map(({ id }, i) => [id, i] as const).reverse());
  const place = ({ toolCallId }: ToolResult) => places.get(toolCallId) ?? calls.length;
  return results.sort((a, b) => place(a) - place(b));
}

/** The number of assistant messages at the end, without calls. */
function trailingText(messages: readonly ChatMessage[]): number {
  if (messages.at(-1)?.role !== "assistant") return 0;
  const before = messages.findLastIndex((message) => message.role !== "assistant");
  const trailing = messages.slice(before + 1);
  const made = trailing.some((message) => message.role === "assistant" && (message.toolCalls?.length ?? 0) > 0);
  return made ? 0 : trailing.length;
}

/**
 * Renders earlier calls in the protocol. Calls that the protocol cannot write (such as an argument with a space in its
 * name, from another format) are written as JSON, so that the conversation can continue.
 */
function renderHistory(
  calls: readonly ToolCall[],
  protocol: Protocol,
  tools: readonly ToolDefinition[],
  escaper: Escaper,
): string {
  try {
    return protocol.renderCalls(calls, { tools });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return calls
      .map(({ name, arguments: args }) => escaper.escape(JSON.stringify({ name, arguments: args })))
      .join("\n");
  }
}
