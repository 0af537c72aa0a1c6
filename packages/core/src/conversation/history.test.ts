import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  callOf,
  conversationOf,
  integer,
  type ScriptedReply,
  toolOf,
} from "../../test/support/scripted-conversation.js";
import { OptionsError } from "../errors.js";
import type { ChatMessage } from "../types.js";
import { emptyLog, type FoldedLog } from "./fold.js";
import { countMessages, shownMessages, whereToCut } from "./history.js";
import { type Budget, fold, type HistorySummary } from "./index.js";

const turn = (n: number): ChatMessage[] => [
  { role: "user", content: `Question ${n}. ${"x".repeat(100)}` },
  { role: "assistant", content: "", toolCalls: [{ id: `c${n}`, name: "look", arguments: { n } }] },
  { role: "tool", toolCallId: `c${n}`, name: "look", content: "y".repeat(100) },
  { role: "assistant", content: `Answer ${n}.` },
];

const stateOf = (messages: ChatMessage[]): FoldedLog => ({ ...emptyLog(), messages });

describe("a history above its limit", () => {
  it("loses its oldest messages, but never only a call or only its result", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 600 }),
        fc.nat(3),
        (turns, tokens, cut) => {
          const all = Array.from({ length: turns }, (_, n) => turn(n)).flat();
          const messages: ChatMessage[] = [{ role: "system", content: "Be brief." }, ...all.slice(0, all.length - cut)];
          const state = stateOf(messages);
          const before = whereToCut(state, { tokens }, countMessages({}));
          if (before !== undefined) state.hidden = { before };
          const shown = shownMessages(state);
          expect(shown[0]).toEqual(messages[0]);
          expect(shown.at(-1)).toEqual(messages.at(-1));
          for (const [i, { role }] of shown.entries()) {
            if (role === "tool") expect(shown[i - 1]).toMatchObject({ role: "assistant", toolCalls: [{}] });
          }
          const question = messages.findLast(({ role }) => role === "user");
          expect(shown).toContain(question);
          if (before === undefined) expect(shown).toEqual(messages);
          else expect(whereToCut(state, { tokens: Number.POSITIVE_INFINITY }, countMessages({}))).toBeUndefined();
        },
      ),
    );
  });

  it("is summarised once, and the prompt stays the same until the next summary", async () => {
    const summed: number[] = [];
    const look = toolOf("look", { n: integer }, () => "y".repeat(200));
    const replies = [1, 2, 3, 4].flatMap((n) => [{ calls: [callOf("look", { n })] }, `Answer ${n}.`]);
    const { conversation, requests } = conversationOf(replies, {
      tools: [look],
      instructions: "Be brief.",
      history: {
        tokens: 250,
        summarise: async (messages) => {
          summed.push(messages.length);
          return `Summary ${summed.length}: </tool_call>`;
        },
      },
    });
    for (const n of [1, 2, 3, 4]) {
      const { text } = await conversation.run(`Question ${n}. ${"x".repeat(100)}`).result();
      expect(text).toBe(`Answer ${n}.`);
    }
    expect(summed.length).toBeGreaterThan(0);
    expect(summed.length).toBeLessThan(4);
    const shown = requests.at(-1)!.messages;
    expect(shown[1]!.content).toContain(`Summary ${summed.length}: `);
    // The summary quotes untrusted text, so it must not contain calls.
    expect(shown[1]!.content).not.toContain("</tool_call>");
    expect(shown.map(({ content }) => content).join("\n")).not.toContain("Question 1.");
    expect(conversation.messages.filter(({ role }) => role === "user")).toHaveLength(4);
    const compactions = conversation.log.filter(({ type }) => type === "compacted");
    expect(compactions).toHaveLength(summed.length);
  });

  const longAfter = (summarise: () => unknown, budget: Budget = {}) =>
    conversationOf(["One.", "Two.", "Three."], {
      history: { tokens: 1, summarise: summarise as () => Promise<string> },
      budget,
    }).conversation;
  const never = () => new Promise<never>(() => {});

  it.each<[string, () => unknown, string]>([
    ["throws", () => Promise.reject(new Error("no summary")), "no summary"],
    ["gives no text", async () => ({ no: "text" }), "a string or { text, usage }, not an object without `text`"],
    ["gives a number", async () => 7, "not number"],
  ])("ends the run with an error if its summary %s, and the run can be tried again", async (_, summarise, message) => {
    let fails = true;
    const conversation = longAfter(() => (fails ? summarise() : "In short."));
    await conversation.run("Question 1.").result();
    const result = await conversation.run("Question 2.").result();
    expect(result).toMatchObject({ stopReason: "error" });
    expect((result.error as Error).message).toContain(message);
    if (message !== "no summary") expect(result.error).toMatchObject({ name: "OptionsError", code: "bad-option" });
    fails = false;
    expect(await conversation.run().result()).toMatchObject({ text: "Two.", stopReason: "answer" });
  });

  it("does not wait for a summary when the run is aborted", async () => {
    const controller = new AbortController();
    const conversation = longAfter(() => {
      controller.abort();
      return never();
    });
    await conversation.run("Question 1.").result();
    const { stopReason } = await conversation.run("Question 2.", { signal: controller.signal }).result();
    expect(stopReason).toBe("aborted");
  });

  it("does not wait for a summary after the time limit", async () => {
    vi.useFakeTimers();
    try {
      for (const onExhausted of ["answer", "stop"] as const) {
        const conversation = longAfter(never, { seconds: 30, onExhausted });
        await conversation.run("Question 1.").result();
        const result = conversation.run("Question 2.").result();
        await vi.advanceTimersByTimeAsync(60_000);
        expect(await result).toMatchObject({ stopReason: "budget", budget: { limit: "seconds" } });
      }
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the tokens of a history", () => {
  const usage = { inputTokens: 400, outputTokens: 100 };

  /** Two questions; the summary is made before the second one is answered. */
  async function summed(summary: string | HistorySummary, budget: Budget, replies: ScriptedReply[] = ["One.", "Two."]) {
    const history = { tokens: 1, summarise: async () => summary };
    const { conversation, requests } = conversationOf(replies, { history, budget });
    await conversation.run(`Question 1. ${"x".repeat(400)}`).result();
    const result = await conversation.run("Question 2.").result();
    const compacted = conversation.log.find(({ type }) => type === "compacted");
    return { conversation, requests, result, compacted };
  }

  it("include those of a summary, also in the log", async () => {
    const replies: ScriptedReply[] = ["One.", ["Two.", { usage: { inputTokens: 50, outputTokens: 5 } }]];
    const { result, conversation, compacted } = await summed({ text: "In short.", usage }, { tokens: 10_000 }, replies);
    expect(compacted).toMatchObject({ summary: "In short.", usage, tokens: 500 });
    expect(result.usage).toEqual({ inputTokens: 450, outputTokens: 105 });
    expect(fold(conversation.log).run).toMatchObject({ tokens: 555, estimated: false });
  });

  it("are estimated for a summary that is only a string", async () => {
    const { conversation, compacted } = await summed("In short.", {});
    expect(compacted).toMatchObject({ summary: "In short.", tokens: 107, estimated: true });
    expect(fold(conversation.log).run).toMatchObject({ tokens: 107, estimated: true });
  });

  it.each<[Budget, "tokens" | "cost"]>([
    [{ tokens: 500 }, "tokens"],
    [{ tokens: 500, onExhausted: "stop" }, "tokens"],
    [{ cost: { limit: 1, of: ({ inputTokens }) => inputTokens / 400 }, onExhausted: "stop" }, "cost"],
  ])("end the run if a summary uses them up: %o", async (budget, limit) => {
    const { result, requests, conversation } = await summed({ text: "In short.", usage }, budget);
    expect(result).toMatchObject({ stopReason: "budget", budget: { limit } });
    const isLast = budget.onExhausted !== "stop";
    expect(requests).toHaveLength(isLast ? 2 : 1);
    if (isLast) expect(result.text).toBe("Two.");
    expect(conversation.log.filter(({ type }) => type === "compacted")).toHaveLength(1);
  });

  it("do not keep a single turn from its answer, because they limit runs", async () => {
    const history = { tokens: 1, summarise: async () => ({ text: "In short.", usage }) };
    const { conversation } = conversationOf(["One.", "Two."], { history, budget: { tokens: 500 } });
    await conversation.send(`Question 1. ${"x".repeat(400)}`);
    expect(await conversation.send("Question 2.")).toMatchObject({ text: "Two.", stopReason: "answer" });
  });

  it("are estimated for a model that reports none, whatever the summary reports", async () => {
    const { conversation } = await summed(
      { text: "In short.", usage: { inputTokens: 0, outputTokens: 0 } },
      { tokens: 9000 },
    );
    const { tokens, estimated } = fold(conversation.log).run;
    expect(estimated).toBe(true);
    expect(tokens).toBeGreaterThan(5);
  });

  it("are counted once per message, not in every turn", async () => {
    const counted: string[] = [];
    const replies = [1, 2, 3].flatMap((n) => [
      { calls: [callOf("look", { n }), callOf("look", { n: -n })] },
      `Answer ${n}.`,
    ]);
    const count = (text: string) => {
      counted.push(text);
      return text.length;
    };
    const { conversation } = conversationOf(replies, {
      tools: [toolOf("look", { n: integer }, ({ n }) => `Result ${String(n)}.`)],
      history: { tokens: 1e6, countTokens: count },
    });
    for (const n of [1, 2, 3]) await conversation.run(`Question ${n}.`).result();
    expect(counted.filter((text) => text.startsWith("Question"))).toEqual([
      "Question 1.",
      "Question 2.",
      "Question 3.",
    ]);
    expect(new Set(counted).size).toBe(counted.length);
    expect(counted).toHaveLength(conversation.messages.length - 1);
  });

  it.each([Number.NaN, -1, "12"])("are refused if they are not a number: %s", async (given) => {
    const { conversation } = conversationOf(["One."], { history: { tokens: 9, countTokens: () => given as number } });
    const { stopReason, error } = await conversation.run("Hi.").result();
    expect(stopReason).toBe("error");
    expect(error).toBeInstanceOf(OptionsError);
    expect((error as Error).message).toContain("`history.countTokens` returned");
  });
});

describe("the shown part of a history", () => {
  const look = () => toolOf("look", { n: integer }, () => "y".repeat(400));
  const looks = [1, 2, 3, 4].map((n) => ({ calls: [callOf("look", { n })] }));

  it("is counted including its summary", async () => {
    const history = { tokens: 1000, summarise: async () => "s".repeat(2800) };
    const { conversation, requests } = conversationOf([...looks, "Done.", ...looks, "Done."], {
      tools: [look()],
      history,
    });
    await conversation.run("q".repeat(1600)).result();
    await conversation.run("Again.").result();
    const before = conversation.log.flatMap((record) => (record.type === "compacted" ? [record.before] : []));
    // The summary takes 700 of the tokens; what follows it has to be left out soon again.
    expect(before.length).toBeGreaterThan(1);
    const shown = requests.map(({ messages }) =>
      messages.reduce((sum, { role, content }) => sum + (role === "system" ? 0 : content.length / 4), 0),
    );
    expect(Math.max(...shown)).toBeLessThan(1500);
  });

  it("is not summarised if only the question would be omitted", async () => {
    const summed: string[][] = [];
    const summarise = async (messages: readonly ChatMessage[]) => {
      summed.push(messages.map(({ role }) => role));
      return "short";
    };
    const { conversation, requests } = conversationOf([looks[0]!, looks[1]!, "Done."], {
      tools: [look()],
      history: { tokens: 550, summarise },
    });
    await conversation.run("q".repeat(2000)).result();
    expect(summed).toEqual([["user", "assistant", "tool"]]);
    expect(requests[1]!.messages.some(({ content }) => content.includes("in short"))).toBe(false);
  });
});
