import { describe, expect, it, vi } from "vitest";
import { conversationOf, integer, toolOf } from "../../test/support/scripted-conversation.js";
import type { TextModel } from "../types.js";
import { type Budget, ToolConversation } from "./index.js";

const look = (run: () => unknown = () => "nothing") => toolOf("look", { n: integer }, run);

/** A model that must not be called. */
const noModel: TextModel = () => {
  throw new Error("The model was asked.");
};

describe("a budget that is reached while a tool or the model runs", () => {
  it("of time ends slow tools and models", async () => {
    vi.useFakeTimers();
    try {
      for (const isTool of [true, false]) {
        const never = () => new Promise<never>(() => {});
        let asked = 0;
        const { conversation } = conversationOf([], {
          tools: [look(never)],
          budget: { seconds: 30 },
          model: async function* () {
            asked += 1;
            if (asked > 1) return yield "Too slow.";
            if (!isTool) await never();
            yield '<tool_call>\n{"name": "look", "arguments": {"n": 1}}\n</tool_call>';
          },
        });
        const result = conversation.run("Go.").result();
        await vi.advanceTimersByTimeAsync(30_001);
        expect(await result).toMatchObject({ text: "Too slow.", stopReason: "budget" });
      }
    } finally {
      vi.useRealTimers();
    }
  });

  const endless: TextModel = async function* () {
    for (let outputTokens = 1; ; outputTokens++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      yield "word ";
      yield { usage: { inputTokens: 5, outputTokens } };
    }
  };
  const silent: TextModel = async function* () {
    yield "Well, ";
    await new Promise(() => {});
  };
  const uncounted: TextModel = async function* () {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      yield { reasoning: "thinking and " };
    }
  };

  it.each<[string, Budget, TextModel]>([
    ["seconds", { seconds: 30 }, endless],
    ["seconds", { seconds: 30 }, silent],
    ["seconds", { seconds: 0.2 }, silent],
    ["tokens", { tokens: 40 }, endless],
    ["tokens", { tokens: 5000 }, endless],
    ["tokens", { tokens: 5000 }, uncounted],
    ["cost", { cost: { limit: 1000, of: ({ outputTokens }) => outputTokens } }, endless],
  ])("of %s truncates the last answer too, and keeps its text: %o", async (limit, budget, model) => {
    vi.useFakeTimers();
    try {
      const { conversation } = conversationOf([], { model, budget, tools: [look()] });
      const result = conversation.run("Go.").result();
      await vi.advanceTimersByTimeAsync(300_000);
      const { text, ...ended } = await result;
      expect(ended).toMatchObject({ stopReason: "budget", budget: { limit }, pending: [] });
      if (model === endless) expect(text).toContain("word word");
      if (model === silent) expect(text).toBe("Well, ");
      expect(conversation.log.filter(({ type }) => type === "reply")).toHaveLength(2);
      // The model is not called again.
      const again = ToolConversation.fromJSON(conversation.toJSON(), { model: noModel, tools: [look()], budget });
      expect(await again.run().result()).toMatchObject({ text, stopReason: "budget" });
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    [40, 256],
    [5000, 2500],
  ])("of %i tokens leaves %i for the last answer", async (tokens, left) => {
    vi.useFakeTimers();
    try {
      const { conversation } = conversationOf([], { model: endless, budget: { tokens }, tools: [look()] });
      const result = conversation.run("Go.").result();
      await vi.advanceTimersByTimeAsync(300_000);
      const { text, stopReason } = await result;
      expect(stopReason).toBe("budget");
      expect(text.match(/word/g)).toHaveLength(left);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of time ends a call that the model closes because it hears the signal", async () => {
    vi.useFakeTimers();
    try {
      const tool = look();
      const { conversation } = conversationOf([], {
        tools: [tool],
        budget: { seconds: 30, onExhausted: "stop" },
        model: async function* ({ signal }) {
          yield '<tool_call>\n{"name": "look", "arguments": {"n": 1}}\n';
          await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
          yield "</tool_call>";
        },
      });
      const result = conversation.run("Go.").result();
      await vi.advanceTimersByTimeAsync(30_001);
      expect(await result).toMatchObject({ stopReason: "budget", budget: { limit: "seconds" } });
      expect(tool.runs).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of time aborts the model's signal while it writes, also in the last answer", async () => {
    vi.useFakeTimers();
    try {
      for (const heeds of [true, false]) {
        const heard: boolean[] = [];
        const { conversation } = conversationOf([], {
          budget: { seconds: 30 },
          model: async function* ({ signal }) {
            yield "Well, ";
            await new Promise<void>((resolve) => {
              signal?.addEventListener("abort", () => {
                heard.push(true);
                if (heeds) resolve();
              });
            });
          },
        });
        const result = conversation.run("Go.").result();
        await vi.advanceTimersByTimeAsync(30_001);
        expect(heard).toEqual([true]);
        await vi.advanceTimersByTimeAsync(15_001);
        expect(heard).toEqual([true, true]);
        expect(await result).toMatchObject({ text: "Well, ", stopReason: "budget", budget: { limit: "seconds" } });
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("of less than two seconds leaves one for the last answer, and none if the run just stops", async () => {
    vi.useFakeTimers();
    try {
      for (const [onExhausted, ms] of [
        ["answer", 1100],
        ["stop", 100],
      ] as const) {
        const { conversation } = conversationOf([], {
          budget: { seconds: 0.1, onExhausted },
          model: async function* () {
            yield "Well, ";
            await new Promise(() => {});
          },
        });
        let isOver = false;
        const result = conversation
          .run("Go.")
          .result()
          .finally(() => {
            isOver = true;
          });
        await vi.advanceTimersByTimeAsync(ms - 20);
        expect(isOver).toBe(false);
        await vi.advanceTimersByTimeAsync(40);
        expect(await result).toMatchObject({ stopReason: "budget", budget: { limit: "seconds" } });
      }
    } finally {
      vi.useRealTimers();
    }
  });
});
