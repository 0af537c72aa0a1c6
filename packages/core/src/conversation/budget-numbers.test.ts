import { describe, expect, it } from "vitest";
import { conversationOf, integer, type ScriptedReply, toolOf } from "../../test/support/scripted-conversation.js";
import { OptionsError } from "../errors.js";
import type { Usage } from "../types.js";
import { ToolConversation } from "./index.js";

const look = () => toolOf("look", { n: integer }, () => "nothing");
const call = (n: number) => `<tool_call>\n{"name": "look", "arguments": {"n": ${n}}}\n</tool_call>`;
const counted: ScriptedReply = [call(1), { usage: { inputTokens: 100, outputTokens: 10 } }];

describe("a cost that is not a number", () => {
  it.each<[string, unknown]>([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-1", -1],
    ["undefined", undefined],
    ['"0.01"', "0.01"],
    ["null", null],
    ["a promise", Promise.resolve(0.01)],
  ])("ends the run with an error: %s", async (found, given) => {
    const { conversation, requests } = conversationOf([counted, counted], {
      tools: [look()],
      budget: { cost: { limit: 1, of: () => given as number } },
    });
    // Also when it goes on: the first turn is in the log.
    for (const said of ["Find it.", undefined]) {
      const { stopReason, error } = await conversation.run(said).result();
      expect(stopReason).toBe("error");
      expect(error).toBeInstanceOf(OptionsError);
      expect(error).toMatchObject({ code: "bad-option" });
      expect((error as Error).message).toContain(`\`budget.cost.of\` returned ${found} for {"inputTokens":100`);
    }
    expect(requests).toHaveLength(1);
  });

  it("ends the run with the error that its function throws", async () => {
    const of = () => {
      throw new Error("No price is known.");
    };
    const { conversation } = conversationOf([counted], { tools: [look()], budget: { cost: { limit: 1, of } } });
    for (const said of ["Find it.", undefined]) {
      const { stopReason, error } = await conversation.run(said).result();
      expect([stopReason, (error as Error).message]).toEqual(["error", "No price is known."]);
    }
  });
});

it.each([
  { inputTokens: Number.NaN, outputTokens: 10 },
  { inputTokens: 100, outputTokens: -10 },
  { inputTokens: Number.POSITIVE_INFINITY, outputTokens: 10 },
  { inputTokens: 100 },
])("a token budget uses an estimate if the model reports an invalid count: %o", async (wrong) => {
  const replies = [1, 2, 3, 4, 5, 6].map((n): ScriptedReply => [call(n), { usage: wrong as Usage }]);
  const budget = { tokens: 1500, onExhausted: "stop" } as const;
  const { conversation } = conversationOf(replies, { tools: [look()], budget });
  const result = await conversation.run("Find it.").result();
  expect(result.budget).toEqual({ limit: "tokens", estimated: true });
  expect(result.usage).toBeUndefined();
  const again = ToolConversation.fromJSON(JSON.parse(JSON.stringify(conversation)), {
    model: async function* () {},
    tools: [look()],
  });
  expect(again.log).toEqual(conversation.log);
});
