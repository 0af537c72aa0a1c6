import type { ChatMessage } from "@toolingua/core";
import { ToolSpec, tool } from "@toolingua/tools";
import { z } from "zod";

/** A few things to keep: what the model can do. */
export class Notes extends ToolSpec {
  readonly #notes: string[] = [];

  @tool({ description: "Writes a note down", schema: z.object({ text: z.string().describe("The note") }) })
  add_note({ text }: { text: string }) {
    this.#notes.push(text);
    return `Noted as number ${this.#notes.length}.`;
  }

  @tool({ description: "Lists all notes" })
  list_notes() {
    return this.#notes.map((note, i) => `${i + 1}. ${note}`).join("\n") || "There are no notes.";
  }

  @tool({ description: "The date and time now" })
  now() {
    return new Date().toString();
  }
}

const worked = (
  id: string,
  question: string,
  name: string,
  args: Record<string, unknown>,
  content: string,
  answer: string,
): ChatMessage[] => [
  { role: "user", content: question },
  { role: "assistant", content: "", toolCalls: [{ id, name, arguments: args }] },
  { role: "tool", toolCallId: id, name, content },
  { role: "assistant", content: answer },
];

/** Worked examples: a small model learns more from these than from descriptions. */
export const examples: ChatMessage[] = [
  ...worked("e1", "Which notes are there?", "list_notes", {}, "There are no notes.", "There are no notes yet."),
  ...worked("e2", "Please note: call Ada.", "add_note", { text: "call Ada" }, "Noted as number 1.", "I have noted it."),
  ...worked(
    "e3",
    "Please note: pay the rent.",
    "add_note",
    { text: "pay the rent" },
    "Noted as number 2.",
    "I have noted it.",
  ),
];
