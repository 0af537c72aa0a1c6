import type { ChatMessage, ToolChoice, ToolDefinition, TranscriptRenderer } from "@toolingua/core";
import { asUntrusted, converted } from "@toolingua/core/adapters";
import { conversationIn, toMessages } from "../convert/messages.js";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument, PmlTurn } from "../tree.js";
import { type PmlTranscriptOptions, transcriptOf } from "./pml-transcript.js";

/** The options of `renderPrompt` and `generateWithTools` for a document. */
export interface PmlPrompt {
  messages: ChatMessage[];
  tools?: ToolDefinition[];
  toolChoice?: ToolChoice;
  transcript: TranscriptRenderer;
}

/**
 * Uses a document as the prompt: the model receives the document itself, with its memory and attachments, as
 * `pmlTranscript` writes history. Its first system messages and its tools are in their usual places in the prompt.
 *
 * Errors: `PmlTreeError` `bad-tree`, `OptionsError`.
 *
 * @example const turn = generateWithTools({ model, protocol: "laic", ...pmlPrompt(document) });
 */
export function pmlPrompt(document: PmlDocument, options: PmlTranscriptOptions = {}): PmlPrompt {
  checkTree(document);
  const { memory, tools: list, ...talk } = document;
  const { value } = converted((losses) => conversationIn({ ...talk, ...(list && { tools: list }) }, losses));
  const { origins } = value;
  const { messages, tools, toolChoice } = value.conversation;
  const write = transcriptOf(options);
  const first = messages.findIndex(({ role }) => role !== "system");
  const spoken = first < 0 ? 0 : messages.length - first;
  // Without a message to answer, the transcript may not be called, so the memory becomes a message.
  const isAnswer = messages.some(isHeard);
  const remembered = { ...talk, ...(memory && { memory }) };
  const shown = isAnswer ? remembered : talk;
  return {
    messages: isAnswer ? rememberedBy(messages, memory) : toMessages(remembered).value,
    ...(tools && { tools: [...tools] }),
    ...(toolChoice !== undefined && { toolChoice }),
    // The part missing at the end of `rest` is the beginning of the answer.
    transcript: (rest, context) => {
      const begun = new Set(origins.slice(origins.length - spoken + rest.length));
      return write(spokenPart(shown, begun), context);
    },
  };
}

/**
 * The messages, of which one has the texts of the memory, which only the transcript shows: a call that is copied from them is
 * text.
 */
function rememberedBy(messages: readonly ChatMessage[], memory: PmlDocument["memory"] = []): ChatMessage[] {
  if (memory.length === 0) return [...messages];
  const texts = memory.flatMap(({ id = "", alt = "", text }) => [id, alt, text]);
  // A system message without text is left out of the prompt.
  return [asUntrusted({ role: "system", content: "" }, texts), ...messages];
}

/** Whether a message is more than the beginning of the answer. */
const isHeard = (message: ChatMessage): boolean =>
  message.role === "user" || message.role === "tool" || (message.role === "assistant" && !!message.toolCalls?.length);

/**
 * The document without its first system messages, and without the beginning of the answer: the last texts of these
 * messages.
 */
function spokenPart(document: PmlDocument, begun: ReadonlySet<string>): PmlDocument {
  const { conversation } = document;
  if (!conversation) return document;
  let isStart = true;
  const turns = conversation.turns.flatMap((turn, i): PmlTurn[] => {
    const messages = turn.messages.flatMap((message, j): PmlTurn["messages"] => {
      isStart &&= message.type === "system";
      if (isStart) return [];
      if (message.type === "tool_output" || !begun.has(`/conversation/turns/${i}/messages/${j}`)) return [message];
      // Outputs inside a message separate the texts before them from the last texts.
      const parts = message.parts.slice(0, message.parts.findLastIndex(({ type }) => type === "tool_output") + 1);
      return parts.length > 0 ? [{ ...message, parts }] : [];
    });
    return messages.length > 0 ? [{ ...turn, messages }] : [];
  });
  return { ...document, conversation: { ...conversation, turns } };
}
