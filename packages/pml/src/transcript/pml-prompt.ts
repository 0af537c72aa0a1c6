import type { ChatMessage, ToolChoice, ToolDefinition, TranscriptRenderer } from "@toolingua/core";
import { toConversation } from "../convert/messages.js";
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
  const { memory, ...said } = document;
  const { tools: _, ...shown } = document;
  const { messages, tools, toolChoice } = toConversation(said).value;
  const write = transcriptOf(options);
  const spoken =
    messages.length -
    Math.max(
      0,
      messages.findIndex(({ role }) => role !== "system"),
    );
  return {
    messages,
    ...(tools && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    // The messages missing at the end of `rest` are the beginning of the answer.
    transcript: (rest, context) => write(spokenPart(shown, spoken - rest.length), context),
  };
}

/** The document without the system messages at its beginning, and without its last `begun` messages. */
function spokenPart(document: PmlDocument, begun: number): PmlDocument {
  const { conversation } = document;
  if (!conversation) return document;
  let isStart = true;
  const turns = conversation.turns.map((turn): PmlTurn => {
    const messages = turn.messages.filter((message) => {
      isStart &&= message.type === "system";
      return !isStart;
    });
    return { ...turn, messages };
  });
  const last = turns.at(-1);
  if (last && begun > 0) turns[turns.length - 1] = { ...last, messages: last.messages.slice(0, -begun) };
  return { ...document, conversation: { ...conversation, turns: turns.filter(({ messages }) => messages.length > 0) } };
}
