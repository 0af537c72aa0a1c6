import type { ChatMessage, ToolChoice, ToolDefinition, TranscriptRenderer } from "@toolingua/core";
import { converted } from "@toolingua/core/providers";
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
  // Where there is nothing to answer, no transcript may be asked for: the memory is a message.
  const isAnswer = messages.some(isHeard);
  const remembered = { ...talk, ...(memory && { memory }) };
  const shown = isAnswer ? remembered : talk;
  return {
    messages: isAnswer ? messages : toMessages(remembered).value,
    ...(tools && { tools: [...tools] }),
    ...(toolChoice !== undefined && { toolChoice }),
    // What the rest lacks at its end is what the answer begins with.
    transcript: (rest, context) => {
      const begun = new Set(origins.slice(origins.length - spoken + rest.length));
      return write(spokenPart(shown, begun), context);
    },
  };
}

/** Whether a message is more than the beginning of the answer. */
const isHeard = (message: ChatMessage): boolean =>
  message.role === "user" || message.role === "tool" || (message.role === "assistant" && !!message.toolCalls?.length);

/** The document without the system messages at its beginning, and without what the answer begins with: the last words of these messages. */
function spokenPart(document: PmlDocument, begun: ReadonlySet<string>): PmlDocument {
  const { conversation } = document;
  if (!conversation) return document;
  let isStart = true;
  const turns = conversation.turns.flatMap((turn, i): PmlTurn[] => {
    const messages = turn.messages.flatMap((message, j): PmlTurn["messages"] => {
      isStart &&= message.type === "system";
      if (isStart) return [];
      if (message.type === "tool_output" || !begun.has(`/conversation/turns/${i}/messages/${j}`)) return [message];
      // Outputs inside a message part what was said before them from the last words.
      const parts = message.parts.slice(0, message.parts.findLastIndex(({ type }) => type === "tool_output") + 1);
      return parts.length > 0 ? [{ ...message, parts }] : [];
    });
    return messages.length > 0 ? [{ ...turn, messages }] : [];
  });
  return { ...document, conversation: { ...conversation, turns } };
}
