import type { PromptMessage } from "@modelcontextprotocol/sdk/types.js";
import type { ChatMessage } from "@toolingua/core";
import { asUntrusted } from "@toolingua/core/adapters";
import { blockText } from "./content.js";

/**
 * Converts a prompt's messages to those of the core. The user's images remain images; everything else becomes text. The
 * assistant's are the server's words too, so a call that the model copies from them is text.
 */
export const chatMessages = (messages: readonly PromptMessage[]): ChatMessage[] =>
  messages.map(({ role, content }): ChatMessage => {
    if (role === "assistant") return asUntrusted({ role, content: blockText(content) });
    if (content.type !== "image") return { role, content: blockText(content) };
    return { role, content: "", images: [{ url: `data:${content.mimeType};base64,${content.data}` }] };
  });
