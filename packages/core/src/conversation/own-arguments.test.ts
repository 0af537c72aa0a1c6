import { expect, it } from "vitest";
import { callOf, conversationOf, text, toolOf } from "../../test/support/scripted-conversation.js";
import { type ConversationOptions, memoryStore, ToolConversation } from "./index.js";

const mail = { calls: [callOf("mail", { to: "Ada" })] };

function mailing(options: Partial<ConversationOptions> = {}) {
  const tool = toolOf("mail", { to: text }, ({ to }) => `Sent to ${to}.`);
  const { conversation, requests } = conversationOf([mail, "Done."], { tools: [tool], ...options });
  return { conversation, requests, tool };
}

it("a call runs with the model's arguments, even if the objects that show them are changed", async () => {
  const change = ({ call }: { call: { arguments: Record<string, unknown> } }) => {
    call.arguments.to = "Eve";
  };
  const { conversation, requests, tool } = mailing({
    needsApproval: (call) => {
      change({ call });
      return true;
    },
  });
  const run = conversation.run("Write to Ada.");
  for await (const event of run) if ("call" in event && event.call.arguments) change(event as never);
  const { pending } = await run.result();
  expect(pending).toMatchObject([{ call: { arguments: { to: "Ada" } } }]);
  for (const one of pending) change(one);
  await conversation.decide(pending[0]!.call.id, { type: "approve" });
  const on = conversation.run();
  for await (const event of on) if (event.type === "tool-start") change(event);
  expect(tool.runs).toEqual([{ to: "Ada" }]);
  expect(JSON.stringify([requests.at(-1)!.messages, conversation.log])).not.toContain("Eve");
});

it("the arguments of a pending call can be changed to edit it, and the decision keeps the original ones", async () => {
  const { conversation, tool } = mailing({ needsApproval: () => true });
  const { pending } = await conversation.run("Write to Ada.").result();
  const { call } = pending[0]!;
  call.arguments.to = "Bob";
  await conversation.decide(call.id, { type: "edit", arguments: call.arguments });
  call.arguments.to = "Eve";
  await conversation.run().result();
  expect(tool.runs).toEqual([{ to: "Bob" }]);
  expect(JSON.stringify(conversation.log)).not.toContain("Eve");
});

it("the application may change the calls of a turn that was sent", async () => {
  const { conversation, tool } = mailing();
  const { toolCalls } = await conversation.send("Write to Ada.");
  for (const call of toolCalls) call.arguments.to = "Eve";
  await conversation.run().result();
  expect(tool.runs).toEqual([{ to: "Ada" }]);
});

/** Changes all that can be changed in the data: `Ada` to `Eve`. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (part === "Ada") Reflect.set(value, key, "Eve");
    else spoil(part);
  }
}

it.each(["messages of the result", "messages", "log", "JSON", "trace"] as const)(
  "an approved call runs with the approved arguments, despite changes to: %s",
  async (shown) => {
    const store = memoryStore();
    const { conversation, tool } = mailing({
      store,
      needsApproval: () => true,
      onTrace: (event) => shown === "trace" && event.type === "record" && spoil(event.record),
    });
    const result = await conversation.run("Write to Ada.").result();
    const { messages, log } = conversation;
    spoil({ "messages of the result": result.messages, messages, log, JSON: conversation.toJSON(), trace: 0 }[shown]);
    const [{ call, argumentsHash }] = result.pending as [(typeof result.pending)[0]];
    await conversation.decide(call.id, { type: "approve" }, { argumentsHash });
    await conversation.run().result();
    expect(tool.runs).toEqual([{ to: "Ada" }]);
    expect(conversation.log).toEqual(await store.read());
  },
);

it("the given messages and state are never changed", async () => {
  const messages = [
    { role: "user" as const, content: "Write to Ada." },
    { role: "assistant" as const, content: "", toolCalls: [{ id: "c1", ...callOf("mail", { to: "Ada" }) }] },
    { role: "tool" as const, toolCallId: "c1", name: "mail", content: "Ada" },
  ];
  const { conversation, requests, tool } = mailing({ messages, needsApproval: () => true });
  spoil(messages);
  expect(messages[2]!.content).toBe("Eve");
  await conversation.run("Again.").result();
  expect(JSON.stringify([requests, conversation.messages])).not.toContain("Eve");

  const state = JSON.parse(JSON.stringify(conversation)) as ReturnType<typeof conversation.toJSON>;
  const again = ToolConversation.fromJSON(state, { model: async function* () {}, protocol: "hermes", tools: [tool] });
  spoil(state);
  expect(JSON.stringify(state)).toContain("Eve");
  expect(again.log).toEqual(conversation.log);
});
