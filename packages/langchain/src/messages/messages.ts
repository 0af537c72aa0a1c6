import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { ChatMessage, TextMessage } from "@toolingua/core";
import {
  asUntrusted,
  describeValue,
  isObject,
  keptJson,
  storedArguments,
  untrustedContents,
} from "@toolingua/core/adapters";
import { MessageError } from "../errors.js";
import { EVERY_INPUT, isMedia, Media } from "./media.js";
import { textFileIn } from "./text-file.js";

type Block = Record<string, unknown> & { type?: unknown };
type Role = "system" | "user" | "assistant" | "tool";
type Call = { id: string; name: string; arguments: Record<string, unknown> };

/**
 * Converts LangChain messages to the core's: content lists become text, tool calls and results are paired, and media
 * blocks become marks in the text, stored in `media`.
 *
 * Errors: `MessageError` if a system or human message contains a block that is not text and the model does not accept.
 *
 * @example toChatMessages([new HumanMessage("Hi")]); // [{ role: "user", content: "Hi" }]
 */
export function toChatMessages(messages: readonly BaseMessage[], media: Media = new Media(undefined)): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message, position): ChatMessage => {
    const where = `Message ${position} (${message.getType()})`;
    switch (roleOf(message, where)) {
      case "system":
        return { role: "system", content: promptText(message, where) };
      case "user":
        return userMessage(message, promptText(message, where, media), media);
      case "assistant": {
        const said = assistantMessage(message, position);
        for (const call of said.toolCalls ?? []) names.set(call.id, call.name);
        return said;
      }
      default:
        return toolMessage(message, names, media);
    }
  });
}

/**
 * The texts of users and tools in a conversation that a model sees as LangChain has it, for the rule of copied calls. No block
 * is refused.
 */
export function untrustedTextsIn(messages: readonly BaseMessage[]): string[] {
  const media = new Media(EVERY_INPUT);
  const shown = messages.flatMap((message): ChatMessage[] => {
    const role = knownRole(message);
    if (role === "tool") return [toolMessage(message, new Map(), media)];
    return role === "user" ? [userMessage(message, blocksText(message, media), media)] : [];
  });
  return untrustedContents(shown);
}

/** Text messages as LangChain's: strings, or blocks if a user's text contains marks of media. */
export function fromTextMessages(messages: readonly TextMessage[], media: Media = new Media(undefined)): BaseMessage[] {
  return messages.map(({ role, content }) => {
    if (role === "system") return new SystemMessage(content);
    return role === "user" ? new HumanMessage({ content: media.restore(content) }) : new AIMessage(content);
  });
}

/** The text and the reasoning of a model's answer. Other blocks, such as calls, are skipped. */
export function readAnswer(message: BaseMessage): { text: string; reasoning: string } {
  const known = message.additional_kwargs?.reasoning_content;
  const answer = { text: "", reasoning: typeof known === "string" ? known : "" };
  const content = givenContent(message);
  if (typeof content === "string") return { ...answer, text: content };
  let reasoning = "";
  for (const block of content) {
    if (block.type === "reasoning") reasoning += stringOf(block.reasoning);
    else if (block.type === "thinking") reasoning += stringOf(block.thinking);
    else answer.text += textOf(block) ?? "";
  }
  return { ...answer, reasoning: answer.reasoning || reasoning };
}

const roles = new Map<string, Role>([
  ["system", "system"],
  ["developer", "system"],
  ["human", "user"],
  ["user", "user"],
  ["ai", "assistant"],
  ["assistant", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
]);

/** Undefined for a message that is for LangChain itself, such as one that removes another. */
function knownRole(message: BaseMessage): Role | undefined {
  const type = message.getType();
  return roles.get(type) ?? (type === "generic" ? (roles.get(genericRole(message)) ?? "user") : undefined);
}

function roleOf(message: BaseMessage, where: string): Role {
  const role = knownRole(message);
  if (role) return role;
  throw new MessageError("unsupported-message", `${where} cannot be sent to a model. Leave it out of the input.`);
}

/**
 * Stored histories contain null if a message had no content. Errors: `MessageError` (`unsupported-message`) for a content that
 * is neither text nor a list, unless it is a tool's: the caller cannot change that.
 */
function givenContent(message: BaseMessage): string | Block[] {
  const content: unknown = message.content ?? "";
  if (typeof content === "string") return content;
  if (Array.isArray(content))
    return content.filter((block: unknown) => block !== null && block !== undefined) as Block[];
  if (message.getType() === "tool") return jsonOf(content);
  const what = `The content of a message (${message.getType()}) is a string or a list of blocks`;
  throw new MessageError("unsupported-message", `${what}, not ${describeValue(content)}.`);
}

const genericRole = (message: BaseMessage) => ("role" in message ? stringOf(message.role) : "");

/** The author's name as a prefix, if there is one: a text-only model has no other field for it. */
function speaker(message: BaseMessage): string {
  const role = genericRole(message);
  const name = message.name ?? (roles.has(role) ? "" : role);
  return name ? `${name}: ` : "";
}

/** `text`: what it contains, with marks of `media`. */
const userMessage = (message: BaseMessage, text: string, media: Media): ChatMessage =>
  asUntrusted({ role: "user", content: speaker(message) + text }, media.takeTexts());

function promptText(message: BaseMessage, where: string, media?: Media): string {
  const content = givenContent(message);
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      const text = textOf(block) ?? textFileIn(block);
      if (text !== undefined) return text;
      if (media?.mayBeTaken(block)) return media.mark(block);
      throw new MessageError(
        "unsupported-content",
        `${where} contains a block of type "${String(block.type)}", which the wrapped model does not accept there. ` +
          "Describe it in words, or use a model that accepts it for this step.",
      );
    })
    .join("\n");
}

function assistantMessage(message: BaseMessage, position: number): Extract<ChatMessage, { role: "assistant" }> {
  const { text, reasoning } = readAnswer(message);
  const { calls, unreadable } = callsOf(message, position);
  // If the turn was only a broken call, mention it: an empty turn would confuse the model more.
  const said = text === "" && calls.length === 0 ? unreadable : text;
  const shown = givenContent(message);
  const unseen = typeof shown === "string" ? [] : shown.filter(isMedia).map(notShown);
  const content = [said, ...unseen].filter((part) => part !== "").join("\n");
  return {
    role: "assistant",
    content,
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(reasoning && { reasoning }),
  };
}

/** The message's calls, each once: LangChain lists them in `tool_calls` and often as content blocks too. */
function callsOf(message: BaseMessage, position: number): { calls: Call[]; unreadable: string } {
  const ai = message as Partial<AIMessage>;
  const calls: Call[] = (ai.tool_calls ?? []).filter(Boolean).map((call, i) => ({
    id: call.id ?? `call_${position}_${i}`,
    name: call.name,
    arguments: call.args,
  }));
  const content = givenContent(message);
  for (const { type, id, name, args, input } of typeof content === "string" ? [] : content) {
    const isCall = (type === "tool_call" || type === "tool_use") && typeof name === "string" && typeof id === "string";
    if (isCall && !calls.some((call) => call.id === id))
      calls.push({ id, name, arguments: storedArguments(args ?? input) });
  }
  const broken: string[] = [];
  for (const [i, call] of (ai.invalid_tool_calls ?? []).filter(Boolean).entries()) {
    const args = typeof call.args === "string" ? keptJson(call.args) : undefined;
    const name = call.name ?? "";
    if (isObject(args) && name) calls.push({ id: call.id ?? `invalid_${position}_${i}`, name, arguments: args });
    else broken.push(`[A call${name && ` of ${name}`} could not be read${call.error ? `: ${call.error}` : ""}]`);
  }
  const legacy = ai.additional_kwargs?.function_call;
  if (legacy && calls.length === 0) {
    calls.push({ id: functionId(legacy.name), name: legacy.name, arguments: storedArguments(legacy.arguments) });
  }
  return { calls, unreadable: broken.join("\n") };
}

const functionId = (name: string | undefined) => `function_${name ?? "unnamed"}`;

function toolMessage(message: BaseMessage, names: ReadonlyMap<string, string>, media: Media): ChatMessage {
  const { tool_call_id: id, status } = message as BaseMessage & { tool_call_id?: string; status?: string };
  const toolCallId = id ?? functionId(message.name);
  const isError = status === "error";
  const result: ChatMessage = {
    role: "tool",
    toolCallId,
    name: names.get(toolCallId) ?? message.name ?? "tool",
    content: blocksText(message, media),
    ...(isError && { isError }),
  };
  return asUntrusted(result, media.takeTexts());
}

/** The text of a message of which no block is refused. */
function blocksText(message: BaseMessage, media: Media): string {
  const content = givenContent(message);
  return typeof content === "string" ? content : content.map((block) => resultText(block, media)).join("\n");
}

/**
 * The text of a result block. The caller cannot change a tool's output, so unsupported blocks are named, not refused.
 */
function resultText(block: Block, media: Media): string {
  const text = textOf(block) ?? textFileIn(block);
  if (text !== undefined) return text;
  if (media.isTaken(block)) return media.mark(block);
  return isMedia(block) ? notShown(block) : jsonOf(block);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "[not shown: this is not JSON]";
  }
}

const notShown = (block: Block) => `[${String(block.type)}: not shown, this model reads text only]`;

function textOf(block: Block): string | undefined {
  if (typeof block === "string") return block;
  if (typeof block.text === "string") return block.text;
  const resource = block.resource as Block | undefined;
  return block.type === "resource" && typeof resource?.text === "string" ? resource.text : undefined;
}

const stringOf = (value: unknown) => (typeof value === "string" ? value : "");
