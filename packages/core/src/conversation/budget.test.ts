import { describe, expect, it } from "vitest";
import {
  add,
  callOf,
  conversationOf,
  integer,
  type ScriptedReply,
  toolOf,
  weather,
} from "../../test/support/scripted-conversation.js";
import type { TextModel, TextModelChunk, Usage } from "../types.js";
import { type Budget, type ConversationEvent, ToolConversation } from "./index.js";

const step = (n: number): ScriptedReply => ({ calls: [callOf("look", { n })] });
const look = (run: () => unknown = () => "nothing") => toolOf("look", { n: integer }, run);
const usage = { inputTokens: 100, outputTokens: 10 };

const large = { inputTokens: 590, outputTokens: 20 };
const tokensCall = '<tool_call>\n{"name": "look", "arguments": {"n": 1}}\n</tool_call>';

/** A model that must not be called. */
const noModel: TextModel = () => {
  throw new Error("The model was asked.");
};

/** A run whose model never stops looking, but answers when it is instructed to. */
async function runWith(budget: Budget, replies: ScriptedReply[] = [1, 2, 3, 4, 5, 6].map(step)) {
  const tool = look();
  const { conversation, requests } = conversationOf(replies, { tools: [tool], budget });
  const events: ConversationEvent[] = [];
  const run = conversation.run("Find it.");
  for await (const event of run) events.push(event);
  const result = await run.result();
  return { result, requests, tool, events, conversation, told: requests.at(-1)!.messages.at(-1)!.content };
}

describe("a budget", () => {
  it("of steps is followed by one answer without calls", async () => {
    const { result, requests, tool, told, events } = await runWith({ steps: 2 }, [step(1), step(2), "Not found."]);
    expect(result).toMatchObject({ text: "Not found.", stopReason: "budget", pending: [] });
    expect(tool.runs).toHaveLength(2);
    expect(told).toContain("No tool can be called any more.");
    // The prefix stays, tools and all.
    const [system, ...others] = requests[1]!.messages;
    expect(requests[2]!.messages[0]).toEqual(system);
    expect(requests[2]!.messages.slice(0, others.length)).toEqual(requests[1]!.messages.slice(0, others.length));
    expect(events.filter(({ type }) => type === "tool-end")).toHaveLength(2);
  });

  it("removes a call from the last answer", async () => {
    const { result, tool, events } = await runWith({ steps: 1 }, [
      step(1),
      { text: "I would look.", calls: [callOf("look", { n: 2 })] },
    ]);
    expect(result).toMatchObject({ text: "I would look.", stopReason: "budget" });
    expect(tool.runs).toHaveLength(1);
    expect(events.filter(({ type }) => type === "call-end")).toHaveLength(1);
    expect(result.messages.at(-1)).toEqual({ role: "assistant", content: "I would look." });
  });

  it("ends the run if `onExhausted` is `stop`", async () => {
    const { result, requests } = await runWith({ steps: 2, onExhausted: "stop" });
    expect(result.stopReason).toBe("budget");
    expect(requests).toHaveLength(2);
    expect(result.messages.at(-1)?.role).toBe("tool");
  });

  it("of steps is 20 by default, and can be unlimited", async () => {
    const replies = Array.from({ length: 30 }, (_, n) => step(n));
    expect((await runWith({}, replies)).requests).toHaveLength(21);
    expect((await runWith({ steps: Number.POSITIVE_INFINITY }, replies)).result).toMatchObject({
      stopReason: "answer",
    });
  });

  it("of calls answers further calls with an error, and stops reading", async () => {
    const three = { calls: [1, 2, 3].map((n) => callOf("look", { n })) };
    const { result, tool } = await runWith({ calls: 2 }, [three, step(4), "Not found."]);
    expect(tool.runs).toEqual([{ n: 1 }, { n: 2 }]);
    expect(result).toMatchObject({ text: "Not found.", stopReason: "budget" });
    const refused = result.messages.filter((message) => message.role === "tool" && message.isError);
    expect(refused).toHaveLength(2);
    expect(refused[0]!.content).toContain("The limit of 2 calls per question has been reached");
    const asked = await runWith({ calls: 2 }, [step(1), step(2), "Found."]);
    expect(asked.result).toMatchObject({ text: "Found.", stopReason: "answer" });
  });

  it.each<[Budget, "approve" | "edit"]>([
    [{ calls: 1 }, "approve"],
    [{ calls: 1 }, "edit"],
    [{ callsPerTool: { look: 1 } }, "approve"],
  ])("of calls counts a call that a crash interrupted once: %o, %s", async (budget, type) => {
    const hanging = conversationOf([step(1)], { budget, tools: [look(() => new Promise(() => {}))] });
    for await (const event of hanging.conversation.run("Find it.")) if (event.type === "tool-start") break;
    // The process ended while the tool ran.
    const records = hanging.conversation.log.slice(0, 4);
    expect(records.at(-1)?.type).toBe("call-started");
    const tool = look();
    const { model } = conversationOf([step(2), "Not found."]);
    const resumed = ToolConversation.fromJSON(
      { version: 1, log: records },
      { model, protocol: "hermes", budget, tools: [tool] },
    );
    const [pending] = (await resumed.run().result()).pending;
    expect(pending?.why).toBe("unknown-outcome");
    await resumed.decide(pending!.call.id, type === "edit" ? { type, arguments: { n: 3 } } : { type });
    const result = await resumed.run().result();
    expect(tool.runs).toEqual([{ n: type === "edit" ? 3 : 1 }]);
    // The next one is refused: it has been counted.
    expect(result).toMatchObject({ stopReason: "budget", budget: { limit: Object.keys(budget)[0] } });
  });

  it("of one tool does not limit the others", async () => {
    const tools = [look(), weather()];
    const { conversation } = conversationOf(
      [{ calls: [callOf("look", { n: 1 }), callOf("look", { n: 2 }), callOf("weather", { city: "Oslo" })] }, "Fine."],
      { tools, budget: { callsPerTool: { look: 1 } } },
    );
    expect(await conversation.run("Go.").result()).toMatchObject({ text: "Fine.", stopReason: "answer" });
    expect(tools.map(({ runs }) => runs.length)).toEqual([1, 1]);
  });

  it("of tokens is counted while the model writes, and a truncated call does not run", async () => {
    const long: ScriptedReply = [
      ..."Let me think about that for a long while. ".repeat(40).split(/(?<= )/),
      '<tool_call>\n{"name": "look", "arguments": {"n": 1}}\n</tool_call>',
    ];
    const { result, tool, requests } = await runWith({ tokens: 300 }, [long, "Not found."]);
    expect(tool.runs).toEqual([]);
    expect(result).toMatchObject({ text: "Not found.", stopReason: "budget" });
    expect(requests).toHaveLength(2);
  });

  it("of tokens uses the model's own count", async () => {
    const counted = (reply: string): ScriptedReply => [reply, { usage }];
    const call = '<tool_call>\n{"name": "look", "arguments": {"n": 1}}\n</tool_call>';
    const { result, requests } = await runWith({ tokens: 200 }, [counted(call), counted(call), counted("Not found.")]);
    expect(requests).toHaveLength(3);
    expect(result).toMatchObject({ text: "Not found.", stopReason: "budget", usage: { inputTokens: 300 } });
  });

  it.each<[string, ScriptedReply, boolean, boolean | undefined]>([
    ["the model counts them", [tokensCall, { usage: large }], false, undefined],
    ["the model guesses them", [tokensCall, { usage: { ...large, estimated: true } }], true, true],
    ["the model says nothing of them", [tokensCall], true, undefined],
  ])("of tokens reports whether the count is an estimate: %s", async (_, reply, isEstimate, inUsage) => {
    const [said, ...rest] = reply as TextModelChunk[];
    const replies = [1, 2, 3, 4, 5, 6].map((n) => [String(said).replace("1", String(n)), ...rest]);
    for (const onExhausted of ["answer", "stop"] as const) {
      const budget = { tokens: 600, onExhausted };
      const { result, conversation } = await runWith(budget, replies);
      const spent = { limit: "tokens", ...(isEstimate ? { estimated: true } : {}) };
      expect(result).toMatchObject({ stopReason: "budget", budget: spent });
      expect(result.budget).toEqual(spent);
      expect(result.usage?.estimated).toBe(inUsage);
      // It is in the log, so that it is still known when the conversation is resumed.
      const again = ToolConversation.fromJSON(conversation.toJSON(), { model: noModel, tools: [look()], budget });
      expect((await again.run().result()).budget).toEqual(spent);
    }
  });

  it("of tokens reports an estimate if a reply was truncated before the model reported its usage", async () => {
    const long: ScriptedReply = [..."Let me think about that. ".repeat(40).split(/(?<= )/), { usage }];
    const { result } = await runWith({ tokens: 300 }, [[tokensCall, { usage }], long, ["Not found.", { usage }]]);
    expect(result.budget).toEqual({ limit: "tokens", estimated: true });
    expect(result.usage).toEqual({ inputTokens: 200, outputTokens: 20, estimated: true });
  });

  it("of cost receives `estimated` with the tokens, and reports it", async () => {
    const seen: unknown[] = [];
    const cost = {
      limit: 1,
      of: (given: Usage) => {
        if (given.inputTokens > 0) seen.push(given.estimated);
        return given.inputTokens / 100;
      },
    };
    const { result } = await runWith({ cost }, [[tokensCall, { usage: { ...usage, estimated: true } }], "Not found."]);
    expect(result.budget).toEqual({ limit: "cost", estimated: true });
    expect(new Set(seen)).toEqual(new Set([true]));
  });

  it("reports which limit was reached", async () => {
    expect((await runWith({ steps: 2 })).result.budget).toEqual({ limit: "steps" });
    expect((await runWith({ calls: 1 })).result.budget).toEqual({ limit: "calls" });
    expect((await runWith({}, ["Found."])).result.budget).toBeUndefined();
  });

  it("of cost is computed by the given function", async () => {
    const call = '<tool_call>\n{"name": "look", "arguments": {"n": 1}}\n</tool_call>';
    const cost = {
      limit: 1,
      of: ({ inputTokens, outputTokens }: typeof usage) => (inputTokens + 5 * outputTokens) / 250,
    };
    const replies: ScriptedReply[] = [
      [call, { usage }],
      [call, { usage }],
      ["Not found.", { usage }],
    ];
    const { result, requests } = await runWith({ cost }, replies);
    expect(requests).toHaveLength(3);
    expect(result.stopReason).toBe("budget");
  });

  it("passes the application's signal on to the model", async () => {
    const controller = new AbortController();
    let heard = false;
    const { conversation } = conversationOf([], {
      budget: { seconds: 30 },
      model: async function* ({ signal }) {
        yield "Well, ";
        signal?.addEventListener("abort", () => {
          heard = true;
        });
        controller.abort();
        await new Promise(() => {});
      },
    });
    const result = await conversation.run("Go.", { signal: controller.signal }).result();
    expect(result).toMatchObject({ text: "Well,", stopReason: "aborted" });
    expect(heard).toBe(true);
  });

  describe("counts turns that fail", () => {
    const failing =
      (...chunks: TextModelChunk[]) =>
      (): TextModel & { asked: number } => {
        const model = async function* () {
          model.asked += 1;
          yield* chunks;
          throw new Error("The connection is lost.");
        };
        model.asked = 0;
        return model;
      };
    const counted = failing("abc", { usage: { inputTokens: 1000, outputTokens: 1000 } });

    /** The ends of six runs, of which the first gets the message. */
    async function sixRuns(model: TextModel, budget: Budget) {
      const { conversation } = conversationOf([], { model, budget, toolChoice: "auto" });
      const ends = [await conversation.run("Go.").result()];
      for (let n = 1; n < 6; n++) ends.push(await conversation.run().result());
      return { conversation, ends, reasons: ends.map(({ stopReason }) => stopReason) };
    }

    it.each<[Budget, string[], number]>([
      // The second one is ended before it fails.
      [{ tokens: 2500, onExhausted: "stop" }, ["error", "budget", "budget", "budget", "budget", "budget"], 2],
      // The last answer fails, too; there is no other.
      [{ tokens: 2500 }, ["error", "error", "budget", "budget", "budget", "budget"], 3],
      [{ steps: 2, tokens: 1e6 }, ["error", "error", "error", "budget", "budget", "budget"], 3],
      [{ steps: 2, onExhausted: "stop" }, ["error", "error", "budget", "budget", "budget", "budget"], 2],
    ])("%o", async (budget, expected, asked) => {
      const model = counted();
      const { conversation, ends, reasons } = await sixRuns(model, budget);
      expect(reasons).toEqual(expected);
      expect(model.asked).toBe(asked);
      if (budget.tokens === 1e6) expect(ends[1]!.usage).toEqual({ inputTokens: 2000, outputTokens: 2000 });
      // The log contains it.
      const again = ToolConversation.fromJSON(conversation.toJSON(), { model: noModel, budget });
      expect((await again.run().result()).stopReason).toBe("budget");
    });

    it("except if the model did not begin to answer", async () => {
      const model = failing()();
      const { reasons } = await sixRuns(model, { steps: 2, tokens: 2500 });
      expect(reasons).toEqual(Array(6).fill("error"));
      expect(model.asked).toBe(6);
    });

    it("including aborted turns", async () => {
      const controller = new AbortController();
      const { conversation } = conversationOf([], {
        budget: { steps: 1, tokens: 5000, onExhausted: "stop" },
        model: async function* () {
          yield "abc ";
          yield { usage: { inputTokens: 3000, outputTokens: 10 } };
          controller.abort();
          await new Promise(() => {});
        },
      });
      const aborted = await conversation.run("Go.", { signal: controller.signal }).result();
      expect(aborted).toMatchObject({ stopReason: "aborted", usage: { inputTokens: 3000, outputTokens: 10 } });
      expect(await conversation.run().result()).toMatchObject({ stopReason: "budget", budget: { limit: "steps" } });
    });
  });

  it("starts again with each user message", async () => {
    const { conversation } = await runWith({ steps: 1 }, [step(1), "Not found.", "You are welcome."]);
    expect(await conversation.run("Thanks.").result()).toMatchObject({
      text: "You are welcome.",
      stopReason: "answer",
    });
  });
});

describe("a repeated call", () => {
  const same = { calls: [callOf("add", { a: 1, b: 2 })] };

  it("ends the run the third time in a row, across turns", async () => {
    const tool = add();
    const { conversation, requests } = conversationOf([same, same, same, "Three."], { tools: [tool] });
    const result = await conversation.run("1 + 2?").result();
    expect(result).toMatchObject({ stopReason: "repeated-call", pending: [] });
    expect(tool.runs).toHaveLength(2);
    expect(requests).toHaveLength(3);
    expect((await conversation.run("And now?").result()).text).toBe("Three.");
  });

  it("is made as often as the same option allows within one reply, which ends there", async () => {
    for (const maxIdenticalCalls of [1, 2]) {
      const tool = add();
      const reply = { calls: Array(4).fill(callOf("add", { a: 1, b: 2 })) };
      const { conversation } = conversationOf([reply, "Three."], { tools: [tool], maxIdenticalCalls });
      expect((await conversation.run("1 + 2?").result()).text).toBe("Three.");
      expect(tool.runs).toHaveLength(maxIdenticalCalls);
    }
  });

  it("is allowed after another call, and as often as the option allows", async () => {
    const other = { calls: [callOf("add", { a: 3, b: 4 })] };
    const between = conversationOf([same, same, other, same, same, "Three."], { tools: [add()] });
    expect((await between.conversation.run("1 + 2?").result()).stopReason).toBe("answer");
    for (const maxIdenticalCalls of [1, 4]) {
      const { conversation, requests } = conversationOf(Array(9).fill(same), { tools: [add()], maxIdenticalCalls });
      expect((await conversation.run("1 + 2?").result()).stopReason).toBe("repeated-call");
      expect(requests).toHaveLength(maxIdenticalCalls + 1);
    }
  });
});
