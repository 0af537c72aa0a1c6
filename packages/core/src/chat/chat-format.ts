import { ToolinguaError } from "../errors.js";
import type { ProtocolName } from "../protocols/index.js";
import type { ChatMessage, ToolDefinition } from "../types.js";

/** What a chat format writes down. */
export interface Conversation {
  messages: readonly ChatMessage[];
  /** The tools on offer; none: the conversation has no tool section. */
  tools: readonly ToolDefinition[];
  /** What is said to be today, by formats that say it. Default: what the model's own template does. */
  date?: Date | undefined;
  /** Whether the prompt begins with the token that begins every sequence. */
  bos: boolean;
}

/** How a family of models was taught to see a conversation: which signs stand around each turn. */
export interface ChatFormat {
  readonly name: string;
  /** Which models were trained on it, and where it is specified. */
  readonly about: { readonly models: string; readonly source: string };
  /** What ends a turn of the assistant. */
  readonly stop: readonly string[];
  /** How calls are written, in a format that has a place for tools; `undefined` in one that has none. */
  readonly protocol?: ProtocolName | "auto" | undefined;
  /** `false`: it has a place for tools, but leaves out calls and results of the past. Default `true`. */
  readonly writesCalls?: boolean | undefined;
  /** Its signs that untrusted text must not hold, beside those of well-known chat templates. */
  readonly markers?: readonly string[] | undefined;
  /**
   * The whole prompt, up to where the assistant's next turn begins.
   * Throws {@link ChatFormatError} with code `refused` for a conversation the model was never shown.
   */
  render(conversation: Conversation): string;
}

/**
 * A prompt that cannot be written.
 * Codes: `unknown-format` (no format of that name, or none known for that model); `bad-template` (the chat template is
 * not valid Jinja); `refused` (the format, or the model's own template, does not take this conversation; the message is
 * the template's own where it says why).
 *
 * @example
 * try { renderChatPrompt({ model: "unheard-of", messages }); }
 * catch (error) { if (error instanceof ChatFormatError && error.code === "unknown-format") console.error(error.message); }
 */
export class ChatFormatError extends ToolinguaError {}
