import { checkedMessages } from "../check-messages.js";
import { oncePerPair } from "../common/once-per.js";
import { checkOptions } from "../options/check-options.js";
import { aBoolean, aString, type OptionRules, strings } from "../options/option-rules.js";
import { createEscaper, type Escaper, mapStrings } from "../prompt/escape.js";
import { escapeDefinition } from "../prompt/escape-definition.js";
import { callOpening, forcedTool, toolChoiceNotice } from "../prompt/force.js";
import { stopSequences } from "../prompt/offer.js";
import { offeredTools } from "../prompt/offered-tools.js";
import type { RenderPromptOptions } from "../prompt/prompt-options.js";
import { promptRules } from "../prompt/prompt-rules.js";
import { promptOf } from "../prompt/render-prompt.js";
import type { Protocol } from "../protocol.js";
import { getProtocol, type ProtocolName, protocolForModel, protocols } from "../protocols/index.js";
import { withinLimits } from "../schema/limits.js";
import { preparedTools } from "../schema/prepared-tools.js";
import type { ChatMessage, ToolDefinition } from "../types.js";
import { type ChatFormat, ChatFormatError, type Conversation } from "./chat-format.js";
import { aDate, choiceRules } from "./chat-rules.js";
import { ChatTemplate, type NamedTemplate, type TokenizerConfig } from "./chat-template.js";
import { plainer, speaksOfTools } from "./conversation.js";
import { type ChatFormatName, chatFormatForModel, chatFormats, getChatFormat } from "./formats.js";
import { openedReasoning } from "./opened-reasoning.js";

/** How the model was trained to see a conversation. Give one of the three; the first one given counts. */
export interface ChatFormatChoice {
  /** A known format, or one that was created before: `new ChatTemplate(…)`. */
  format?: ChatFormatName | ChatFormat | undefined;
  /** The model's own Jinja template. It is parsed at every call, so create a `ChatTemplate` once for many calls. */
  template?: string | readonly NamedTemplate[] | TokenizerConfig | undefined;
  /** The model's id, from which a known format is chosen. */
  model?: string | undefined;
}

/** Options of {@link renderChatPrompt}. */
export interface RenderChatPromptOptions
  extends ChatFormatChoice,
    Pick<RenderPromptOptions, "messages" | "tools" | "toolChoice" | "style" | "parallel" | "guard"> {
  /**
   * The wire format in which the prompt explains tools to the model, instead of the chat format's own way. Default: the
   * format's own; if it has no place for tools, the one that `protocolForModel` returns for `model`, otherwise `xml`.
   */
  protocol?: ProtocolName | Protocol | undefined;
  /** The text with which the assistant's turn must begin. */
  prefill?: string | undefined;
  /** Today's date. Default: that of the model's template (26 Jul 2024 for Llama 3.1, the current day for others). */
  date?: Date | undefined;
  /**
   * Whether the prompt begins with the BOS token, as templates write it. Default `true`; `false` for servers that add
   * it themselves.
   */
  bos?: boolean | undefined;
  /** Whether untrusted text is escaped. Default `true`; `false` for messages of `renderPrompt`, which are escaped. */
  escape?: boolean | undefined;
  /** More stop sequences, such as those of `renderPrompt`. */
  stop?: readonly string[] | undefined;
}

const { messages, tools, toolChoice, style, parallel, guard, protocol } = promptRules;
const rules: OptionRules<RenderChatPromptOptions> = {
  ...choiceRules,
  ...{ messages, tools, toolChoice, style, parallel, guard, protocol },
  prefill: aString,
  date: aDate,
  bos: aBoolean,
  escape: aBoolean,
  stop: strings,
};

/** The prompt for a completion endpoint, and the data to read its reply. */
export interface ChatPrompt {
  prompt: string;
  stop: string[];
  /**
   * How the model was instructed to write calls; for `parseReply`. `auto`: as its template does, if that is unknown.
   */
  protocol: ProtocolName | Protocol | "auto";
  /**
   * The part of the assistant's turn that the prompt already contains, such as `<think>` of a template; for `parseReply`.
   */
  prefill?: string;
}

/**
 * Renders the whole prompt for a completion endpoint (OpenAI's `/v1/completions`, Ollama's `raw`, llama.cpp's
 * `/completion`, Cloudflare) as the model's own chat template does: the tools, past calls and results, the system text,
 * the special tokens, and the beginning of the assistant's turn.
 *
 * - Llama 3, Mistral, Qwen and Gemma are built in; any other model is rendered with its own Jinja template.
 * - If the format has no place for tools (Gemma, Llama 3.0, DeepSeek's templates) or for past calls (LFM2, Granite
 *   3.3), or if `protocol` is given, then tools, calls and results are text, as `renderPrompt` writes them.
 * - A conversation that the format refuses is tried in a plainer form: several calls of one turn follow one another,
 *   each with its result, and adjacent messages of one role are joined.
 * - Text of users, tools and earlier replies, and the descriptions of tools, can neither write calls nor end a turn:
 *   they are escaped (see `createEscaper`). System texts and the prefill are the application's own.
 *
 * Errors: {@link ChatFormatError} (`unknown-format`, `bad-template`, `refused`); those of `renderPrompt`.
 *
 * @example
 * const { prompt, stop, protocol } = renderChatPrompt({ model: "qwen2.5:7b", messages, tools });
 * const reply = await complete(prompt, { stop });
 * const { toolCalls } = parseReply(reply, { tools, protocol });
 */
export function renderChatPrompt(given: RenderChatPromptOptions): ChatPrompt {
  checkOptions(rules, given, "the options of renderChatPrompt");
  const format = chooseFormat(given);
  const messages = checkedMessages(given.messages);
  const tools = preparedTools(given.tools ?? []);
  const options = { ...given, messages, tools };
  const spoken = speaksOfTools(messages);
  const lacking = (tools.length > 0 || spoken) && format.protocol === undefined;
  const forgetful = spoken && format.writesCalls === false;
  const prompted = options.protocol !== undefined || lacking || forgetful;
  const part = prompted ? promptedPart(format, options) : nativePart(format, options);
  const start = [part.prefill, options.prefill].filter((text) => text !== undefined).join("");
  const begun = renderConversation(format, { ...part, date: options.date, bos: options.bos ?? true });
  const prefill = openedReasoning(begun) + start;
  return {
    prompt: begun + start,
    stop: [...new Set([...format.stop, ...part.stop, ...(options.stop ?? [])])],
    protocol: part.protocol,
    ...(prefill === "" ? {} : { prefill }),
  };
}

/** The options, with tools that are prepared. */
type PreparedOptions = Omit<RenderChatPromptOptions, "tools"> & { tools: readonly ToolDefinition[] };

type Part = Pick<Conversation, "messages" | "tools"> &
  Pick<ChatPrompt, "stop" | "protocol"> & { prefill?: string | undefined };

/** Tools, calls and results as text in the messages. */
function promptedPart(format: ChatFormat, options: PreparedOptions): Part {
  const { messages, tools, toolChoice, style, parallel, model } = options;
  const protocol = options.protocol ?? (model === undefined ? "xml" : protocolForModel(model));
  const guard = options.guard ?? Object.values(protocols);
  const rendered = promptOf({
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

/** Tools, calls and results in the format's own places. */
function nativePart(format: ChatFormat, options: PreparedOptions): Part {
  const { toolChoice = "auto" } = options;
  const own = format.protocol ?? "auto";
  const protocol = own === "auto" && options.model !== undefined ? protocolForModel(options.model) : own;
  const offered = offeredTools(options.tools, toolChoice);
  const names = options.tools.map(({ name }) => name);
  const guard = options.guard ?? Object.values(protocols);
  const escaper =
    (options.escape ?? true) ? createEscaper(guard, { markers: format.markers, tools: names }) : undefined;
  const messages = escaper ? options.messages.map((message) => escapeMessage(message, escaper)) : [...options.messages];
  const tools = escaper ? withinLimits(offered, (some) => some.map((tool) => escapedOnce(escaper, tool))) : offered;
  if (offered.length === 0) return { messages, tools, protocol, stop: [] };

  // If only the template knows the wire format, names are written as they are, as hermes does.
  const speaking = protocol === "auto" ? protocols.hermes : getProtocol(protocol);
  const notice = toolChoiceNotice(toolChoice, speaking, offered);
  const last = messages.findLastIndex(({ role }) => role === "user");
  if (notice && last >= 0) messages[last] = { role: "user", content: `${messages[last]!.content}\n\n${notice}` };
  if (protocol === "auto") return { messages, tools, protocol, stop: [] };
  const several = options.parallel ?? typeof toolChoice !== "object";
  const prefill = notice ? callOpening(speaking, offered, forcedTool(toolChoice, offered)) : undefined;
  return { messages, tools, protocol, prefill, stop: stopSequences(speaking, several) };
}

/** Escapes a prepared definition once: all prompts with equal tools have the same objects, which cannot be changed. */
const escapedOnce = oncePerPair((escaper: Escaper, tool: ToolDefinition) => escapeDefinition(tool, escaper));

/**
 * Renders a conversation. If the format refuses it, its plainest form is tried, such as two joined messages in a row.
 */
export function renderConversation(format: ChatFormat, conversation: Conversation): string {
  if (conversation.messages.some((message) => message.role === "user" && message.images?.length))
    throw new ChatFormatError(
      "refused",
      "A text prompt cannot hold images. `chatEndpoint` sends them to a model with vision.",
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

/** Chooses a format. Errors: {@link ChatFormatError} (`unknown-format`, `bad-template`). */
export function chooseFormat({ format, template, model }: ChatFormatChoice): ChatFormat {
  if (format !== undefined) return getChatFormat(format);
  if (template !== undefined) return new ChatTemplate(template, { name: model });
  const known = model === undefined ? undefined : chatFormatForModel(model);
  if (known) return getChatFormat(known);
  const names = Object.keys(chatFormats).join(", ");
  throw new ChatFormatError(
    "unknown-format",
    `${model === undefined ? "The chat format is missing" : `No chat format is known for "${model}"`}: give a format (${names}) or the model's own template.`,
  );
}

/** Escapes everything except the application's own text. */
function escapeMessage(message: ChatMessage, escaper: Escaper): ChatMessage {
  const content = escaper.escape(message.content);
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return { ...message, content };
    case "tool":
      return {
        ...message,
        content,
        name: escaper.escape(message.name),
        toolCallId: escaper.escape(message.toolCallId),
      };
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
                // The ids of a history may be a stranger's, and some templates write them.
                id: escaper.escape(call.id),
                name: escaper.escape(call.name),
                arguments: mapStrings(call.arguments, escaper.escape, escaper.escape) as Record<string, unknown>,
              })),
            }),
      };
  }
}
