import { describe, expect, it } from "vitest";
import {
  add,
  callOf,
  conversationOf,
  scriptedModel,
  text,
  toolOf,
  weather,
} from "../../test/support/scripted-conversation.js";
import { getProtocol } from "../protocols/index.js";
import { type ConversationRecord, diffLogs, firstRecord, fold, memoryStore, replay } from "./index.js";

async function recorded() {
  const tool = weather();
  const { conversation } = conversationOf(
    [
      { calls: [callOf("weather", { city: "Oslo" })] },
      "Fine.",
      { calls: [callOf("weather", { city: "Rome" })] },
      "Fine too.",
    ],
    { tools: [tool], instructions: "Be brief." },
  );
  await conversation.run("Oslo?").result();
  await conversation.run("And Rome?").result();
  return { log: conversation.log, tool };
}

describe("a replay", () => {
  it("shows what another protocol would have done with the results of the log", async () => {
    const { log, tool } = await recorded();
    const { renderCalls } = getProtocol("mistral");
    const calls = (city: string) => renderCalls([callOf("weather", { city })], { tools: [] });
    const { model } = scriptedModel(calls("Oslo"), "Fine.", calls("Rome"), "Fine too.");
    const again = await replay(log, { model, tools: [tool], protocol: "mistral" });
    expect(again).toMatchObject({ text: "Fine too.", stopReason: "answer" });
    expect(tool.runs).toHaveLength(2);
    expect(diffLogs(log, again.log)).toEqual([]);
  });

  it("shows where it differs", async () => {
    const { log, tool } = await recorded();
    const { model } = scriptedModel({ calls: [callOf("weather", { city: "Oslo" })] }, "Bad.", "No.");
    const again = await replay(log, { model, tools: [tool], protocol: "hermes" });
    const [first] = diffLogs(log, again.log);
    expect(first).toMatchObject({ left: { type: "reply", text: "Fine." }, right: { type: "reply", text: "Bad." } });
  });

  it.each(["full", "hidden", "message"] as const)(
    "repeats errors of tools as they were recorded: %s",
    async (errorDetail) => {
      const broken = toolOf("broken", {}, () => {
        throw new TypeError("no disk");
      });
      const replies = () => [{ calls: [callOf("broken", {})] }, "It fails."];
      const { conversation } = conversationOf(replies(), { tools: [broken], errorDetail });
      await conversation.run("Go.").result();
      const again = await replay(conversation.log, {
        model: scriptedModel(...replies()).model,
        tools: [broken],
        protocol: "hermes",
        errorDetail,
      });
      expect(diffLogs(conversation.log, again.log)).toEqual([]);
    },
  );

  it("runs calls without a result in the log, unless its tools cannot run", async () => {
    const { log } = await recorded();
    const other = [{ calls: [callOf("add", { a: 1, b: 2 })] }, "Three.", "Yes."];
    const adding = add();
    await replay(log, { model: scriptedModel(...other).model, tools: [weather(), adding], protocol: "hermes" });
    expect(adding.runs).toHaveLength(1);
    const { name, parameters } = adding;
    const model = scriptedModel(...other).model;
    const stopped = await replay(log, { model, tools: [{ name, parameters: parameters! }], protocol: "hermes" });
    expect(stopped).toMatchObject({ stopReason: "needs-results", pending: [{ call: { name: "add" } }] });
  });

  it("gives a call the result that followed a decision", async () => {
    const { conversation } = conversationOf([{ calls: [callOf("weather", { city: "Oslo" })] }, "Well."], {
      tools: [weather({ needsApproval: true })],
    });
    const { pending } = await conversation.run("Oslo?").result();
    await conversation.decide(pending[0]!.call.id, { type: "respond", content: "It snows." });
    await conversation.run().result();
    const { model, last } = scriptedModel({ calls: [callOf("weather", { city: "Oslo" })] }, "Well.");
    const tool = weather({ needsApproval: true });
    expect(await replay(conversation.log, { model, tools: [tool], protocol: "hermes" })).toMatchObject({
      text: "Well.",
    });
    expect(last()).toContain("It snows.");
    expect(tool.runs).toEqual([]);
  });
});

describe("a call without a result in the log", () => {
  const removing = (more = {}) => toolOf("rm", { path: text }, () => "Gone.", more);
  const rm = (...paths: string[]) => ({ calls: paths.map((path) => callOf("rm", { path })) });

  /** A log in which `rm a` was approved. */
  async function approved() {
    const { conversation } = conversationOf([rm("a"), "Done."], { tools: [removing({ needsApproval: true })] });
    const { pending } = await conversation.run("Clean up.").result();
    await conversation.decide(pending[0]!.call.id, { type: "approve" });
    await conversation.run().result();
    return conversation.log;
  }

  it.each([
    ["by tool", { needsApproval: true }, {}],
    ["by a function", { needsApproval: ({ path }: { path?: unknown }) => path !== "" }, {}],
    ["by a function that throws", { needsApproval: () => Promise.reject(new Error("no rules")) }, {}],
    ["for all", {}, { needsApproval: () => true }],
  ])("waits for approval if it needs it: %s", async (_, more, options) => {
    const log = await approved();
    for (const paths of [["b"], ["a", "b"], ["a", "a"]]) {
      const tool = removing(more);
      const { model } = scriptedModel(rm(...paths), "Done.");
      const again = await replay(log, { model, tools: [tool], protocol: "hermes", ...options });
      expect(tool.runs).toEqual([]);
      expect(again.stopReason).toBe("needs-approval");
      expect(again.pending).toMatchObject([{ why: "approval", call: { arguments: { path: paths.at(-1) } } }]);
    }
  });

  it("ends the replay if its tool cannot run, even if the log has other results of that tool", async () => {
    const log = await approved();
    const { name, parameters } = removing();
    const { model, requests } = scriptedModel(rm("a", "b"), "Done.");
    const again = await replay(log, { model, tools: [{ name, parameters: parameters! }], protocol: "hermes" });
    expect(again).toMatchObject({ stopReason: "needs-results" });
    expect(again.pending).toMatchObject([{ why: "result", call: { arguments: { path: "b" } } }]);
    expect(requests).toHaveLength(1);
    expect(again.log.map(({ type }) => type)).not.toContain("approval-needed");
    expect(again.log.at(-1)).toMatchObject({ type: "end", stopReason: "needs-results" });
    expect(fold(again.log).calls.size).toBe(2);
  });

  it("respects its tool's time limit, and runs alone if the tool is `exclusive`", async () => {
    const log = await approved();
    const { model } = scriptedModel(rm("b", "c"), "Late.");
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return new Promise(() => {});
    };
    const tool = toolOf("rm", { path: text }, work, { timeout: 30, exclusive: true });
    const again = await replay(log, { model, tools: [tool], protocol: "hermes" });
    expect(again.text).toBe("Late.");
    expect(again.log.flatMap((one) => (one.type === "call-settled" ? [one.how] : []))).toEqual(["timeout", "timeout"]);
    expect(most).toBe(1);
  });

  it("is the only call that the approval rule for all tools is asked about", async () => {
    const log = await approved();
    const asked: unknown[] = [];
    const { model } = scriptedModel(rm("a", "b"), "Done.");
    const needsApproval = ({ arguments: { path } }: { arguments: Record<string, unknown> }) => {
      asked.push(path);
      return false;
    };
    const tool = removing();
    const again = await replay(log, { model, tools: [tool], protocol: "hermes", needsApproval, eagerReadOnly: true });
    expect(again.text).toBe("Done.");
    expect(asked).toEqual(["b"]);
    expect(tool.runs).toEqual([{ path: "b" }]);
  });

  it("does not run with a misspelt option", async () => {
    const log = await approved();
    const tool = removing({ needApproval: true });
    const { model } = scriptedModel(rm("b"), "Done.");
    await expect(replay(log, { model, tools: [tool] })).rejects.toMatchObject({ code: "bad-option" });
  });
});

describe("a replay with the options of the conversation", () => {
  const direct = (content: string) => {
    const { conversation } = conversationOf(["It is fine."], { tools: [weather()], triggers: "direct" });
    return conversation
      .run(content, { trusted: true })
      .result()
      .then(() => conversation.log);
  };

  it("repeats the calls of its triggers", async () => {
    for (const content of ["[#weather: Oslo] Nice?", "[#weather: Oslo]", "[#weather: a, b] Nice?"]) {
      const log = await direct(content);
      const tool = weather();
      const options = { model: scriptedModel("It is fine.").model, tools: [tool], protocol: "hermes" } as const;
      const again = await replay(log, { ...options, triggers: "direct" });
      expect(diffLogs(log, again.log)).toEqual([]);
      expect(again.log.some((record) => record.type === "reply" && record.by === "trigger")).toBe(true);
      expect(tool.runs).toEqual([]);
    }
  });

  it("stores nothing, and emits the log's first records once", async () => {
    const store = memoryStore();
    const options = { tools: [weather()], instructions: "Be brief.", protocol: "hermes", store } as const;
    const { conversation } = conversationOf(["Hello."], { ...options, messages: [{ role: "system", content: "Hm." }] });
    await conversation.run("Hi").result();
    const before = await store.read();
    const again = await replay(conversation.log, { ...options, model: scriptedModel("Hello.").model });
    expect(again.messages).toEqual(conversation.messages);
    expect(diffLogs(conversation.log, again.log)).toEqual([]);
    expect(await store.read()).toEqual(before);
  });
});

it("a value that is not a log is refused with the reason", async () => {
  const { conversation, model } = conversationOf([]);
  const error = (message: RegExp) =>
    expect.objectContaining({ name: "ConversationLogError", code: "bad-log", message: expect.stringMatching(message) });
  const bad: [unknown, RegExp][] = [
    [undefined, /a list of records, not undefined/],
    [conversation, /Give its `log`/],
    [conversation.toJSON(), /Give its `log`/],
    [[null], /record 0 is not an object/],
  ];
  for (const [log, message] of bad) {
    await expect(replay(log as never, { model })).rejects.toEqual(error(message));
    expect(() => diffLogs(log as never, [])).toThrow(error(message));
    expect(() => diffLogs([], log as never)).toThrow(error(message));
  }
});

describe("the state", () => {
  it("matches the records after each of them", async () => {
    const { log } = await recorded();
    let before = 0;
    for (let count = 1; count <= log.length; count++) {
      const { messages } = fold(log.slice(0, count));
      expect(messages.length).toBeGreaterThanOrEqual(before);
      before = messages.length;
      expect(fold(JSON.parse(JSON.stringify(log.slice(0, count))) as ConversationRecord[]).messages).toEqual(messages);
    }
    expect(fold(log).next).toBe("user");
  });
});

it.each([[[]], [[firstRecord({ instructions: "Be brief." })]]])(
  "a log without a message is refused: %j",
  async (log) => {
    const { model } = scriptedModel();
    await expect(replay(log, { model })).rejects.toMatchObject({
      code: "bad-log",
      message: "`replay` sends the messages of users again, and this log has none.",
    });
  },
);
