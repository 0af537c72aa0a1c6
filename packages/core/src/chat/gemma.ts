import type { ChatFormat } from "./chat-format.js";
import { requireTurns, splitSystem } from "./conversation.js";

/** A format with two roles, user and model. The system text begins the first user turn. */
export const gemma: ChatFormat = {
  name: "gemma",
  about: {
    models: "Gemma, Gemma 2, Gemma 3",
    source: "the chat templates of google/gemma-2-2b-it and google/gemma-3-4b-it",
  },
  stop: ["<end_of_turn>"],
  render({ messages, bos }) {
    const [system, turns] = splitSystem(messages);
    requireTurns(gemma, turns);
    const written = turns.map(({ role, content }, index) => {
      const before = index === 0 && system !== undefined ? `${system}\n\n` : "";
      return `<start_of_turn>${role === "assistant" ? "model" : role}\n${before}${content.trim()}<end_of_turn>\n`;
    });
    return [bos ? "<bos>" : "", ...written, "<start_of_turn>model\n"].join("");
  },
};
