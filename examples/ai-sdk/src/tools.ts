import { tool } from "ai";
import { z } from "zod";

/** What was written down. */
export const notes: { title: string; text: string }[] = [];

/** One tool that runs by itself, and one that waits for a click. */
export const tools = {
  clock: tool({
    description: "The time in a time zone",
    inputSchema: z.object({ timeZone: z.string().describe("such as Europe/Oslo") }),
    execute: ({ timeZone }) => new Date().toLocaleTimeString("en", { timeZone }),
  }),
  note: tool({
    description: "Writes a note down",
    inputSchema: z.object({ title: z.string(), text: z.string() }),
    needsApproval: true,
    execute: (note) => {
      notes.push(note);
      return `Written down as note ${notes.length}.`;
    },
  }),
};
