import type { ChatMessage, TextMessage, ToolCall } from "@toolingua/core";
import { asUntrusted, fileLabel, isObject, storedArguments, withEscapedTexts } from "@toolingua/core/adapters";
import { MessageError } from "../errors.js";
import type { Message, ProviderOptions, TextPart } from "../sdk.js";
import type { AssistantPart, Attachment, Marks } from "./attachments.js";
import { messageFile, textOfFilePart } from "./files.js";
import { merged } from "./metadata.js";
import { type ResultContext, resultMessage } from "./results.js";

type UserPart = Extract<Message, { role: "user" }>["content"][number];
type CallPart = Extract<AssistantPart, { type: "tool-call" }>;

/** What was reported about a wrong call. */
interface Reported {
  feedback: string;
  /** The part of its arguments that could be read. */
  arguments?: Record<string, unknown>;
}

/** A prompt as core takes it. */
export interface Conversation {
  messages: ChatMessage[];
  /** The messages that are Toolingua's feedback on calls, which quotes them. */
  feedback: ReadonlySet<ChatMessage> | undefined;
}

/**
 * Converts the SDK's prompt to the core's messages. Parts become text, calls and results are paired; files, and calls
 * that the provider ran, become marks in the text, stored in `marks`, which {@link toPrompt} replaces again.
 *
 * Errors: `MessageError` (`unsupported-message`).
 *
 * @example toChatMessages([{ role: "user", content: [{ type: "text", text: "Hi" }] }], new PartMarks(), "placeholder");
 */
export function toChatMessages(
  prompt: readonly Message[],
  marks: Marks,
  resultMedia: ResultContext["resultMedia"],
): Conversation {
  const context: ResultContext = {
    marks,
    resultMedia,
    fileTexts: [],
    feedback: undefined,
    feedbackMessages: undefined,
  };
  const messages: ChatMessage[] = [];
  for (const message of prompt) {
    switch (message.role) {
      case "system":
        messages.push({ role: "system", content: message.content + messageMark(marks, message) });
        break;
      case "user":
        messages.push(userMessage(message, context));
        break;
      case "assistant":
        messages.push(assistantMessage(message.content, messageMark(marks, message), context));
        break;
      case "tool":
        addResults(message, context, messages);
        break;
      default:
        throw new MessageError(
          "unsupported-message",
          `A message has the role ${JSON.stringify(Object(message).role)}; it must be "system", "user", "assistant" or "tool".`,
        );
    }
  }
  return { messages, feedback: context.feedbackMessages };
}

function addResults(
  message: Extract<Message, { role: "tool" }>,
  context: ResultContext,
  messages: ChatMessage[],
): void {
  const { marks } = context;
  const options = messageMark(marks, message);
  for (const [i, part] of message.content.entries()) {
    if (part.type !== "tool-result") {
      throw new MessageError(
        "unsupported-message",
        "The prompt has an approval of a tool that the provider runs itself. It can only be sent to the model that " +
          "asked for it, without withToolCalling.",
      );
    }
    const shown = resultMessage(part, context);
    const isLast = i === message.content.length - 1;
    const content = shown.content + messageMark(marks, part) + (isLast ? options : "");
    const result = asUntrusted({ ...shown, content }, context.fileTexts.splice(0));
    messages.push(result);
    if (part.output.type === "error-text" && context.feedback?.has(part.toolCallId)) {
      context.feedbackMessages ??= new Set();
      context.feedbackMessages.add(result);
    }
  }
}

type WithOptions = { providerOptions?: ProviderOptions };

/** The provider options of a message, or of a result, which is a message of its own. */
const messageMark = (marks: Marks, given: WithOptions) => optionsMark(marks, "message-options", given);

/** The provider options of a user's message or part, such as a cache breakpoint, apply up to its end. */
const partMark = (marks: Marks, given: WithOptions) => optionsMark(marks, "part-options", given);

function optionsMark(marks: Marks, kind: "part-options" | "message-options", given: WithOptions): string {
  if (!given.providerOptions) return "";
  // This package's metadata of a call, which the SDK copies to its result, are none of the provider's options.
  const { toolingua: _, ...providerOptions } = given.providerOptions;
  return Object.keys(providerOptions).length > 0 ? marks.mark({ kind, providerOptions }) : "";
}

function userMessage(message: Extract<Message, { role: "user" }>, context: ResultContext): ChatMessage {
  const content = userText(message.content, context) + partMark(context.marks, message);
  return asUntrusted({ role: "user", content }, context.fileTexts.splice(0));
}

function userText(content: readonly UserPart[], { marks, fileTexts }: ResultContext): string {
  let text = "";
  let isAfterText = false;
  for (const part of content) {
    const said = part.type === "text" ? part.text : textOfFilePart(part);
    if (said === undefined) {
      text += marks.mark({ kind: "part", part: part.type === "file" ? withEscapedTexts(part, fileTexts) : part });
      continue;
    }
    // Also after a file, because some providers leave files out and join the texts around them.
    text += (isAfterText ? "\n" : "") + said + partMark(marks, part);
    isAfterText = true;
  }
  return text;
}

/** Ignores provider options of single parts: they are the provider's metadata of an earlier reply. */
function assistantMessage(content: readonly AssistantPart[], options: string, context: ResultContext): ChatMessage {
  const { marks, resultMedia, fileTexts } = context;
  let text = "";
  let isAfterText = false;
  const say = (said: string) => {
    if (said === "") return;
    text += (isAfterText ? "\n" : "") + said;
    isAfterText = true;
  };
  const reasoning: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const part of content) {
    const type: string = part.type;
    // A file of the reasoning, in version 4.
    if (type === "reasoning-file") continue;
    if (part.type === "text") say(part.text);
    else if (part.type === "reasoning") reasoning.push(part.text);
    else if (part.type === "tool-call" && !part.providerExecuted) {
      const invalid = invalidIn(part);
      toolCalls.push({
        id: part.toolCallId,
        name: part.toolName,
        arguments: invalid?.arguments ?? storedArguments(part.input),
      });
      if (!invalid) continue;
      context.feedback ??= new Map();
      context.feedback.set(part.toolCallId, invalid.feedback);
    } else if (part.type === "file" && resultMedia !== "model") say(`[${fileLabel(messageFile(part))}, not shown]`);
    else {
      // The results of the provider's tools, such as pages of a search, are in the prompt as they are.
      if (part.type === "tool-result") fileTexts.push(resultMessage(part, context).content);
      text += marks.mark({ kind: "part", part });
      isAfterText = false;
    }
  }
  const isEmpty = text === "" && toolCalls.length === 0;
  return {
    role: "assistant",
    content: isEmpty ? "" : text + options,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning.length > 0 && { reasoning: reasoning.join("\n") }),
  };
}

/**
 * What this package reported about a wrong call, unless the call was repaired since: the SDK keeps the metadata of a
 * repaired call, which ran.
 */
export function invalidIn({ providerOptions, toolName, input }: CallPart): Reported | undefined {
  const {
    code,
    feedback,
    arguments: args,
    toolName: name,
  }: Record<string, unknown> = Object(providerOptions?.toolingua?.invalid);
  if (typeof feedback !== "string") return undefined;
  // The SDK writes `{}` for an input that is no JSON. Only the input of an unknown tool was complete.
  const isRepaired = code === "unknown-tool" ? toolName !== name : isObject(input) && Object.keys(input).length > 0;
  return isRepaired ? undefined : { feedback, ...(isObject(args) && { arguments: args }) };
}

/** Text messages as the SDK's prompt, with the marked parts in their places. */
export function toPrompt(messages: readonly TextMessage[], marks: Marks, prefill: string | undefined): Message[] {
  const prompt = messages.map((message) => (marks.isEmpty ? textMessage(message) : withParts(message, marks)));
  if (prefill !== undefined) prompt.push({ role: "assistant", content: [{ type: "text", text: prefill }] });
  return prompt;
}

/** A message in which nothing is marked. */
function textMessage({ role, content }: TextMessage): Message {
  return role === "system"
    ? { role, content }
    : { role, content: content === "" ? [] : [{ type: "text", text: content }] };
}

function withParts(message: TextMessage, marks: Marks): Message {
  const pieces = marks.split(message.content);
  const options = messageOptions(pieces);
  if (message.role === "system") {
    const content = pieces.filter((piece) => typeof piece === "string").join("");
    return { role: "system", content, ...options };
  }
  if (message.role === "user") {
    return {
      role: "user",
      content: messageContent(pieces, (part) => (part.type === "file" ? part : undefined)),
      ...options,
    };
  }
  // The core's line break before the calls of this message.
  const joined = pieces.map((piece, i) =>
    typeof piece === "string" && isPart(pieces[i - 1]) ? piece.replace(/^\n/, "") : piece,
  );
  return { role: "assistant", content: messageContent(joined, (part) => part), ...options };
}

const isPart = (piece: string | Attachment | undefined) => typeof piece === "object" && piece.kind === "part";

function messageOptions(pieces: readonly (string | Attachment)[]): { providerOptions?: ProviderOptions } {
  const given = pieces.flatMap((piece) =>
    typeof piece !== "string" && piece.kind === "message-options" ? [piece.providerOptions] : [],
  );
  return given.length > 0 ? { providerOptions: merged(given) } : {};
}

function messageContent<P extends AssistantPart>(
  pieces: readonly (string | Attachment)[],
  allowed: (part: AssistantPart) => P | undefined,
): (P | TextPart)[] {
  const content: (P | TextPart)[] = [];
  let ended = true;
  const addText = (text: string) => {
    const last = content.at(-1);
    // Options of a part apply up to its end, so the following text is a separate part.
    if (!ended && last && isText(last)) last.text += text;
    else content.push({ type: "text", text });
    ended = false;
  };
  for (const piece of pieces) {
    if (typeof piece === "string") addText(piece);
    else if (piece.kind === "part") {
      const part = allowed(piece.part);
      if (part) content.push(part);
      ended = true;
    } else if (piece.kind === "part-options") {
      const last = content.at(-1);
      if (last)
        content[content.length - 1] = {
          ...last,
          providerOptions: merged([piece.providerOptions, last.providerOptions ?? {}]),
        };
      ended = true;
    }
  }
  const shown = content.filter((part) => !isText(part) || part.text.trim() !== "");
  return shown.length > 0 ? shown : content;
}

const isText = (part: AssistantPart): part is TextPart => part.type === "text";
