import { ToolinguaError } from "../errors.js";
import type { ProtocolName } from "../protocols/index.js";
import type { ChatMessage, ToolDefinition } from "../types.js";

/** The input of a chat format. */
export interface Conversation {
  messages: readonly ChatMessage[];
  /** The tools on offer. Empty: the prompt has no tool section. */
  tools: readonly ToolDefinition[];
  /** Today's date, for formats that state it. Default: that of the model's own template. */
  date?: Date | undefined;
  /** Whether the prompt begins with the BOS token. */
  bos: boolean;
}

/** How a family of models was trained to see a conversation: the markers around each turn. */
export interface ChatFormat {
  readonly name: string;
  /** The models that were trained on the format, and its specification. */
  readonly about: { readonly models: string; readonly source: string };
  /** The texts that end a turn of the assistant. */
  readonly stop: readonly string[];
  /** How calls are written, if the format has a place for tools; otherwise `undefined`. */
  readonly protocol?: ProtocolName | "auto" | undefined;
  /** `false`: the format has a place for tools, but omits past calls and results. Default `true`. */
  readonly writesCalls?: boolean | undefined;
  /** The format's markers that untrusted text must not contain, in addition to those of well-known chat templates. */
  readonly markers?: readonly string[] | undefined;
  /**
   * Renders the whole prompt, up to the beginning of the assistant's next turn. Throws {@link ChatFormatError} with
   * code `refused` for a conversation of a kind that the model was never trained on.
   */
  render(conversation: Conversation): string;
}

/**
 * A prompt cannot be rendered. Codes: `unknown-format` (there is no format of that name, or none is known for that
 * model); `bad-template` (the chat template is not valid Jinja); `refused` (the format, or the model's own template,
 * does not accept this conversation; the message is the template's own if it gives one).
 *
 * @example
 * try { renderChatPrompt({ model: "unheard-of", messages }); }
 * catch (error) { if (error instanceof ChatFormatError && error.code === "unknown-format") console.error(error.message); }
 */
export class ChatFormatError extends ToolinguaError {
  static override readonly name: string = "ChatFormatError";
}
