import { ToolSpec, tool } from "@toolingua/tools";
import { z } from "zod";

// What an agent has to cope with, whatever it is built with: one table for all frameworks.

/** The tools, written once, and what they were called with. */
export class Desk extends ToolSpec {
  readonly runs: unknown[] = [];

  @tool({ description: "Adds two numbers", schema: z.object({ a: z.number(), b: z.number() }) })
  add({ a, b }: { a: number; b: number }) {
    this.runs.push({ a, b });
    return a + b;
  }

  @tool({ description: "The weather in a city", schema: z.object({ city: z.string() }) })
  weather({ city }: { city: string }) {
    this.runs.push({ city });
    return `In ${city} it is "fine".`;
  }

  @tool({ description: "Opens the door" })
  open() {
    this.runs.push("open");
    throw new Error("the key is broken");
  }

  @tool({ description: "The whole report" })
  report() {
    this.runs.push("report");
    return REPORT;
  }
}

export const REPORT = Array.from({ length: 2000 }, (_, i) => `Line ${i}: "it's fine", he said.`).join("\n");

/** The form of an answer that is data. */
export const answerSchema = z.object({ sum: z.number(), note: z.string().optional() }).meta({ title: "answer" });

/** A call that the model writes. `answer`: of whatever tool the framework takes such an answer by. */
export type ScriptedCall =
  | { name: string; arguments: Record<string, unknown> }
  | { answer: z.infer<typeof answerSchema> };

/** What the model writes in one turn: words, or calls, with words before them. */
export type ScriptedReply = string | { text?: string; calls: ScriptedCall[] };

export interface Scenario {
  name: string;
  replies: ScriptedReply[];
  /** The first turn must call this tool. */
  mustCall?: string;
  /** The answer is to have the form of `answerSchema`. */
  structured?: boolean;
  expected: {
    runs: unknown[];
    answer: unknown;
    /** How often the model is asked. */
    requests: number;
    /** Texts besides the question, each somewhere in the model's last request. */
    told?: string[];
  };
}

const add = (a: unknown, b: unknown): ScriptedCall => ({ name: "add", arguments: { a, b } });
const weather = (city: string): ScriptedCall => ({ name: "weather", arguments: { city } });

export const scenarios: Scenario[] = [
  {
    name: "one call",
    replies: [{ text: "Let me see.", calls: [add(2, 3)] }, "It is 5."],
    expected: { runs: [{ a: 2, b: 3 }], answer: "It is 5.", requests: 2, told: ["5"] },
  },
  {
    name: "two turns",
    replies: [{ calls: [add(2, 3)] }, { calls: [add(5, 4)] }, "It is 9."],
    expected: {
      runs: [
        { a: 2, b: 3 },
        { a: 5, b: 4 },
      ],
      answer: "It is 9.",
      requests: 3,
      told: ["9"],
    },
  },
  {
    name: "parallel calls",
    replies: [{ calls: [weather("Oslo"), weather("Rome")] }, "Fine in both."],
    expected: {
      runs: [{ city: "Oslo" }, { city: "Rome" }],
      answer: "Fine in both.",
      requests: 2,
      told: ['In Oslo it is "fine".', 'In Rome it is "fine".'],
    },
  },
  {
    name: "an unknown tool",
    replies: [{ calls: [{ name: "subtract", arguments: { a: 5, b: 3 } }] }, { calls: [add(5, -3)] }, "It is 2."],
    expected: { runs: [{ a: 5, b: -3 }], answer: "It is 2.", requests: 3 },
  },
  {
    name: "bad arguments, then right ones",
    replies: [{ calls: [add("two", 3)] }, { calls: [add(2, 3)] }, "It is 5."],
    expected: { runs: [{ a: 2, b: 3 }], answer: "It is 5.", requests: 3 },
  },
  {
    name: "a tool that throws",
    replies: [{ calls: [{ name: "open", arguments: {} }] }, "The door stays shut."],
    expected: { runs: ["open"], answer: "The door stays shut.", requests: 2, told: ["the key is broken"] },
  },
  {
    name: "a long output",
    replies: [{ calls: [{ name: "report", arguments: {} }] }, "All fine."],
    expected: { runs: ["report"], answer: "All fine.", requests: 2, told: [REPORT] },
  },
  {
    name: "no tool needed",
    replies: ["Good morning."],
    expected: { runs: [], answer: "Good morning.", requests: 1 },
  },
  {
    name: "a forced choice",
    mustCall: "add",
    replies: ["That is easy: 5.", { calls: [add(2, 3)] }, "It is 5."],
    expected: { runs: [{ a: 2, b: 3 }], answer: "It is 5.", requests: 3, told: ["5"] },
  },
  {
    name: "a structured answer",
    structured: true,
    replies: [{ calls: [add(2, 3)] }, { calls: [{ answer: { sum: 5 } }] }],
    expected: { runs: [{ a: 2, b: 3 }], answer: { sum: 5 }, requests: 2 },
  },
];
