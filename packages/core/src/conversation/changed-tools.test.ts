import { describe, expect, it } from "vitest";
import { callOf, conversationOf, integer, text, toolOf } from "../../test/support/scripted-conversation.js";
import type { TextModel } from "../types.js";
import { type ConversationRecord, type ConversationTool, memoryStore, ToolConversation } from "./index.js";

const pay = (more: Partial<ConversationTool> = {}) => toolOf("pay", { to: text }, ({ to }) => `Paid ${to}.`, more);
const payIn = (more: Partial<ConversationTool> = {}) =>
  toolOf("pay", { euros: integer }, ({ euros }) => `Paid ${euros} euros.`, more);

/** A log of a conversation up to the first record of a type, as a store contains it after a crash. */
async function storedUntil(type: ConversationRecord["type"], tool = pay()) {
  const { conversation } = conversationOf([{ calls: [callOf("pay", { to: "Ada" })] }, "Done."], { tools: [tool] });
  const { pending } = await conversation.run("Pay Ada.").result();
  for (const { call } of pending) await conversation.decide(call.id, { type: "approve" });
  if (pending.length > 0) await conversation.run().result();
  const { log } = conversation;
  const end = log.findIndex((record) => record.type === type) + 1;
  return memoryStore(log.slice(0, end));
}

async function resumed(store: ReturnType<typeof memoryStore>, tool: ConversationTool) {
  const { model } = conversationOf(["Done."]);
  return ToolConversation.resume({ store, model, tools: [tool], protocol: "hermes" });
}

const resultIn = ({ messages }: ToolConversation) => messages.find(({ role }) => role === "tool")?.content;

describe("a call whose arguments do not match the changed tool", () => {
  it("does not run again after it started, even under `rerun`", async () => {
    const tool = payIn({ onCrash: "rerun" });
    const conversation = await resumed(await storedUntil("call-started"), tool);
    expect((await conversation.run().result()).text).toBe("Done.");
    expect(tool.runs).toEqual([]);
    expect(resultIn(conversation)).toContain("may have taken effect");
  });

  it("cannot be approved unchanged, but can be edited or given a result", async () => {
    for (const decision of [
      { type: "edit", arguments: { euros: 3 } },
      { type: "respond", content: "Paid 3 euros." },
    ] as const) {
      const tool = payIn();
      const conversation = await resumed(await storedUntil("call-started"), tool);
      const { pending } = await conversation.run().result();
      expect(pending).toMatchObject([{ why: "unknown-outcome" }]);
      const { id } = pending[0]!.call;
      const refused = expect.objectContaining({ code: "invalid-arguments", issues: [expect.anything()] });
      await expect(conversation.decide(id, { type: "approve" })).rejects.toEqual(refused);
      await conversation.decide(id, decision);
      expect((await conversation.run().result()).text).toBe("Done.");
      expect(tool.runs).toEqual(decision.type === "edit" ? [{ euros: 3 }] : []);
      expect(resultIn(conversation)).toBe("Paid 3 euros.");
    }
  });

  it("does not run if the process ended directly after the new tools were stored", async () => {
    for (const state of ["reply", "decision"] as const) {
      const until = await storedUntil(state, pay({ needsApproval: state === "decision" }));
      const before = await resumed(until, payIn());
      await before.run().result();
      const { log } = before;
      const store = memoryStore(log.slice(0, log.findIndex(({ type }) => type === "tools") + 1));
      const tool = payIn();
      const conversation = await resumed(store, tool);
      expect((await conversation.run().result()).text).toBe("Done.");
      expect(tool.runs).toEqual([]);
      expect(resultIn(conversation)).toContain("do not match");
    }
  });
});

it("waits on if a log is only opened, with whatever tools", async () => {
  const store = await storedUntil("approval-needed", pay({ needsApproval: true }));
  const stored = await store.read();
  const { model } = conversationOf(["Done."]);
  for (const tools of [[], [payIn()]]) await ToolConversation.resume({ store, model, tools, protocol: "hermes" });
  expect(await store.read()).toEqual(stored);
  const conversation = await resumed(store, pay({ needsApproval: true }));
  const { pending } = await conversation.run().result();
  await conversation.decide(pending[0]!.call.id, { type: "approve" });
  expect((await conversation.run().result()).text).toBe("Done.");
  expect(resultIn(conversation)).toBe("Paid Ada.");
});

it("can be given its result after approval if the tool no longer runs here", async () => {
  const { execute: _, ...clients } = pay();
  const conversation = await resumed(await storedUntil("decision", pay({ needsApproval: true })), clients);
  const { pending } = await conversation.run().result();
  expect(pending).toMatchObject([{ why: "result" }]);
  const { id } = pending[0]!.call;
  await expect(conversation.decide(id, { type: "approve" })).rejects.toMatchObject({ code: "not-pending" });
  await conversation.decide(id, { type: "respond", content: "Paid." });
  expect((await conversation.run().result()).text).toBe("Done.");
  expect(resultIn(conversation)).toBe("Paid.");
});

it("the next turn shows a description that the application changed", async () => {
  const shown: string[] = [];
  const model: TextModel = async function* ({ messages }) {
    shown.push(messages[0]?.content ?? "");
    yield "Done.";
  };
  const tool = pay();
  const conversation = new ToolConversation({ model, tools: [tool], protocol: "hermes" });
  await conversation.run("Hello.").result();
  Object.assign(tool, { description: "Pays at once" });
  await conversation.run("Hello again.").result();
  expect(shown.map((system) => system.includes("Pays at once"))).toEqual([false, true]);
});
