import { checkMessages } from "../prompt/check-messages.js";
import { createEscaper, type Escaper, mapStrings } from "../prompt/escape.js";
import { escapeDefinition } from "../prompt/escape-definition.js";
import { callOpening, forcedTool, toolChoiceNotice } from "../prompt/force.js";
import { offeredTools, type RenderPromptOptions, renderPrompt, stopSequences } from "../prompt/render-prompt.js";
import type { Protocol } from "../protocol.js";
import { getProtocol, type ProtocolName, protocolForModel, protocols } from "../protocols/index.js";
import type { ChatMessage, ToolDefinition } from "../types.js";
import { type ChatFormat, ChatFormatError, type Conversation } from "./chat-format.js";
import { ChatTemplate, type NamedTemplate, type TokenizerConfig } from "./chat-template.js";
import { plainer, speaksOfTools } from "./conversation.js";
import { type ChatFormatName, chatFormatForModel, chatFormats, getChatFormat } from "./formats.js";

/** How the model was taught to see a conversation: say one of the three; the first that is given counts. */
export interface ChatFormatChoice {
  /** A known format, or one made before: `new ChatTemplate(…)`. */
  format?: ChatFormatName | ChatFormat | undefined;
  /** The model's own Jinja template; read anew at every call, so for many calls make a `ChatTemplate` once. */
  template?: string | readonly NamedTemplate[] | TokenizerConfig | undefined;
  /** The model's id, by which a known format is chosen. */
  model?: string | undefined;
}

/** What {@link renderChatPrompt} takes. */
export interface RenderChatPromptOptions
  extends ChatFormatChoice,
    Pick<RenderPromptOptions, "messages" | "tools" | "toolChoice" | "style" | "parallel" | "guard"> {
  /**
   * The wire format in which tools are explained to the model, in place of what its format does by itself. Default: the
   * format's own; where it has no place for tools, the one that `protocolForModel` gives for `model`, else `xml`.
   */
  protocol?: ProtocolName | Protocol | undefined;
  /** What the assistant's turn is to begin with. */
  prefill?: string | undefined;
  /** What is said to be today. Default: what the model's template does (Llama 3.1 says 26 Jul 2024, others the day). */
  date?: Date | undefined;
  /** Whether the prompt begins with the token of the beginning, as templates do. Default `true`; `false` for servers that add it themselves. */
  bos?: boolean | undefined;
  /** Whether untrusted text is escaped. Default `true`; `false` for messages of `renderPrompt`, which are. */
  escape?: boolean | undefined;
  /** More stop sequences, such as those of `renderPrompt`. */
  stop?: readonly string[] | undefined;
}

/** What a completion endpoint is sent, and what is needed to read its reply. */
export interface ChatPrompt {
  prompt: string;
  stop: string[];
  /** How the model was told to write calls; for `parseReply`. `auto`: as its template says, in which that cannot be told. */
  protocol: ProtocolName | Protocol | "auto";
  /** What the prompt already began of the assistant's turn; for `parseReply`. */
  prefill?: string;
}

/**
 * The whole prompt for a completion endpoint (OpenAI's `/v1/completions`, Ollama's `raw`, llama.cpp's `/completion`,
 * Cloudflare), as the model's own chat template renders it: the tools, the calls and results of the past, the system
 * text, the special tokens, and the beginning of the assistant's turn.
 *
 * - Llama 3, Mistral, Qwen and Gemma are known; any other model is rendered by its own Jinja template.
 * - Where the format has no place for tools (Gemma, Llama 3.0, DeepSeek's templates) or for the calls of the past (LFM2,
 *   Granite 3.3), or `protocol` is given, tools, calls and results are text, as `renderPrompt` makes it.
 * - What the format refuses is tried in a plainer form: several calls of one turn stand one after the other, each with
 *   its result, and neighbours of one role are joined.
 * - Text of users, tools and earlier replies, and the descriptions of tools, cannot speak the protocol nor end a turn: it
 *   is escaped (see `createEscaper`). System texts and the prefill are the application's own.
 *
 * Errors: {@link ChatFormatError} (`unknown-format`, `bad-template`, `refused`); those of `renderPrompt`.
 *
 * @example
 * const { prompt, stop, protocol } = renderChatPrompt({ model: "qwen2.5:7b", messages, tools });
 * const reply = await complete(prompt, { stop });
 * const { toolCalls } = parseReply(reply, { tools, protocol });
 */
export function renderChatPrompt(options: RenderChatPromptOptions): ChatPrompt {
  const format = chooseFormat(options);
  const { messages, tools = [] } = options;
  checkMessages(messages);
  const spoken = speaksOfTools(messages);
  const lacking = (tools.length > 0 || spoken) && format.protocol === undefined;
  const forgetful = spoken && format.writesCalls === false;
  const prompted = options.protocol !== undefined || lacking || forgetful;
  const part = prompted ? promptedPart(format, options) : nativePart(format, options);
  const prefill = [part.prefill, options.prefill].filter((text) => text !== undefined).join("");
  return {
    prompt: renderConversation(format, { ...part, date: options.date, bos: options.bos ?? true }) + prefill,
    stop: [...new Set([...format.stop, ...part.stop, ...(options.stop ?? [])])],
    protocol: part.protocol,
    ...(prefill === "" ? {} : { prefill }),
  };
}

type Part = Pick<Conversation, "messages" | "tools"> &
  Pick<ChatPrompt, "stop" | "protocol"> & { prefill?: string | undefined };

/** Tools, calls and results as text of the messages. */
function promptedPart(format: ChatFormat, options: RenderChatPromptOptions): Part {
  const { messages, tools, toolChoice, style, parallel, model } = options;
  const protocol = options.protocol ?? (model === undefined ? "xml" : protocolForModel(model));
  const guard = options.guard ?? Object.values(protocols);
  const rendered = renderPrompt({
    messages,
    tools,
    toolChoice,
    style,
    parallel,
    protocol,
    guard,
    markers: format.markers,
  });
  return { ...rendered, tools: [], protocol };
}

/** Tools, calls and results as the format itself has them. */
function nativePart(format: ChatFormat, options: RenderChatPromptOptions): Part {
  const { toolChoice = "auto" } = options;
  const own = format.protocol ?? "auto";
  const protocol = own === "auto" && options.model !== undefined ? protocolForModel(options.model) : own;
  const offered = offeredTools(options.tools ?? [], toolChoice);
  const names = (options.tools ?? []).map(({ name }) => name);
  const guard = options.guard ?? Object.values(protocols);
  const escaper =
    (options.escape ?? true) ? createEscaper(guard, { markers: format.markers, tools: names }) : undefined;
  const messages = escaper ? options.messages.map((message) => escapeMessage(message, escaper)) : [...options.messages];
  const tools = escaper ? offered.map((tool) => escapedOnce(tool, escaper)) : offered;
  if (offered.length === 0) return { messages, tools, protocol, stop: [] };

  // Where the template alone knows the wire format, names are written as they are, which hermes does too.
  const speaking = protocol === "auto" ? protocols.hermes : getProtocol(protocol);
  const notice = toolChoiceNotice(toolChoice, speaking, offered);
  const last = messages.findLastIndex(({ role }) => role === "user");
  if (notice && last >= 0) messages[last] = { role: "user", content: `${messages[last]!.content}\n\n${notice}` };
  if (protocol === "auto") return { messages, tools, protocol, stop: [] };
  const several = options.parallel ?? typeof toolChoice !== "object";
  const prefill = notice ? callOpening(speaking, offered, forcedTool(toolChoice, offered)) : undefined;
  return { messages, tools, protocol, prefill, stop: stopSequences(speaking, several) };
}

const escapedTools = new WeakMap<Escaper, WeakMap<ToolDefinition, ToolDefinition>>();

/** A definition is gone through once: in a conversation each prompt has the same (the objects, which must not be changed). */
function escapedOnce(tool: ToolDefinition, escaper: Escaper): ToolDefinition {
  const known = escapedTools.get(escaper) ?? new WeakMap<ToolDefinition, ToolDefinition>();
  escapedTools.set(escaper, known);
  const escaped = known.get(tool) ?? escapeDefinition(tool, escaper);
  known.set(tool, escaped);
  return escaped;
}

/** What a format refuses is tried once more in the plainest form: better than an error for two messages in a row. */
export function renderConversation(format: ChatFormat, conversation: Conversation): string {
  if (conversation.messages.some((message) => message.role === "user" && message.images?.length))
    throw new ChatFormatError(
      "refused",
      "A prompt of text cannot hold images. `chatEndpoint` sends them to a model that sees.",
    );
  try {
    return format.render(conversation);
  } catch (error) {
    try {
      return format.render({ ...conversation, messages: plainer(conversation.messages) });
    } catch {
      throw error;
    }
  }
}

/** Errors: {@link ChatFormatError} (`unknown-format`, `bad-template`). */
export function chooseFormat({ format, template, model }: ChatFormatChoice): ChatFormat {
  if (format !== undefined) return getChatFormat(format);
  if (template !== undefined) return new ChatTemplate(template, { name: model });
  const known = model === undefined ? undefined : chatFormatForModel(model);
  if (known) return getChatFormat(known);
  const names = Object.keys(chatFormats).join(", ");
  throw new ChatFormatError(
    "unknown-format",
    `${model === undefined ? "Say how the model sees a conversation" : `No chat format is known for "${model}"`}: give a format (${names}) or the model's own template.`,
  );
}

/** Everything but what the application itself says. */
function escapeMessage(message: ChatMessage, escaper: Escaper): ChatMessage {
  const content = escaper.escape(message.content);
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return { ...message, content };
    case "tool":
      return { ...message, content, name: escaper.escape(message.name) };
    case "assistant":
      return {
        ...message,
        content,
        ...(message.reasoning === undefined ? {} : { reasoning: escaper.escape(message.reasoning) }),
        ...(message.toolCalls === undefined
          ? {}
          : {
              toolCalls: message.toolCalls.map((call) => ({
                ...call,
                name: escaper.escape(call.name),
                arguments: mapStrings(call.arguments, escaper.escape, escaper.escape) as Record<string, unknown>,
              })),
            }),
      };
  }
}
