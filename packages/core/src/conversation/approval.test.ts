import { describe, expect, it, vi } from "vitest";
import {
  callOf,
  conversationOf,
  type ScriptedReply,
  text,
  toolOf,
  weather,
} from "../../test/support/scripted-conversation.js";
import { type ConversationEvent, DecisionError, memoryStore, ToolConversation } from "./index.js";

const script: ScriptedReply[] = [
  { calls: [callOf("send_mail", { to: "Ada" }), callOf("weather", { city: "Oslo" })] },
  "Sent.",
];
const mail = (more = {}) =>
  toolOf("send_mail", { to: text }, ({ to }) => `Sent to ${to}.`, { needsApproval: true, ...more });

async function waiting(tool = mail()) {
  const free = weather();
  const made = conversationOf(script, { tools: [tool, free] });
  const events: ConversationEvent[] = [];
  const run = made.conversation.run("Write to Ada.");
  for await (const event of run) events.push(event);
  const result = await run.result();
  return { ...made, tool, free, events, result, pending: result.pending[0]! };
}

const resultOf = (conversation: ToolConversation) => {
  const message = conversation.messages.find(({ role }) => role === "tool");
  return { content: message?.content, isError: message?.role === "tool" ? message.isError : undefined };
};

describe("a call that needs approval", () => {
  it("cannot have the id of another call in a stored log", async () => {
    const { conversation } = await waiting();
    const log = structuredClone([...conversation.log]) as typeof conversation.log;
    for (const record of log) if (record.type === "reply") for (const call of record.calls) call.id = "same";
    const resumed = ToolConversation.resume({ store: memoryStore(log), tools: [mail()], model: async function* () {} });
    await expect(resumed).rejects.toThrow(expect.objectContaining({ code: "bad-log" }));
  });

  it("waits while the others run", async () => {
    const { result, tool, free, events, pending } = await waiting();
    expect(result.stopReason).toBe("needs-approval");
    expect(result.pending).toMatchObject([{ why: "approval", call: { name: "send_mail" } }]);
    expect(events.filter(({ type }) => type === "approval-needed")).toEqual([
      { type: "approval-needed", call: pending.call },
    ]);
    expect(tool.runs).toEqual([]);
    expect(free.runs).toHaveLength(1);
  });

  it("runs once it is approved", async () => {
    const { conversation, pending, tool, free } = await waiting();
    await conversation.decide(pending.call.id, { type: "approve" });
    expect(await conversation.run().result()).toMatchObject({ text: "Sent.", stopReason: "answer" });
    expect(tool.runs).toEqual([{ to: "Ada" }]);
    expect(free.runs).toHaveLength(1);
  });

  it("never runs once it is rejected, and the model sees why", async () => {
    const { conversation, pending, tool } = await waiting();
    await conversation.decide(pending.call.id, { type: "reject", message: "Not to Ada." });
    expect((await conversation.run().result()).stopReason).toBe("answer");
    expect(tool.runs).toEqual([]);
    expect(resultOf(conversation)).toEqual({ content: "Not to Ada.", isError: true });
  });

  it("runs with edited arguments, which the history then shows too", async () => {
    const { conversation, pending, tool, last } = await waiting();
    await conversation.decide(pending.call.id, { type: "edit", arguments: { to: "Grace" } });
    await conversation.run().result();
    expect(tool.runs).toEqual([{ to: "Grace" }]);
    expect(last()).toContain('"to": "Grace"');
    expect(last()).not.toContain('"to": "Ada"');
  });

  it("accepts a person's result instead", async () => {
    const { conversation, pending, tool } = await waiting();
    await conversation.decide(pending.call.id, { type: "respond", content: "I have told her." });
    await conversation.run().result();
    expect(tool.runs).toEqual([]);
    expect(resultOf(conversation)).toEqual({ content: "I have told her.", isError: undefined });
  });

  it("does not run if the run is aborted during the approval check", async () => {
    const never = (controller: AbortController) => () => {
      controller.abort();
      return new Promise<boolean>(() => {});
    };
    for (const where of ["tool", "options"]) {
      const controller = new AbortController();
      const needsApproval = never(controller);
      const tool = mail({ needsApproval: where === "tool" && needsApproval });
      const { conversation } = conversationOf(script, {
        tools: [tool, weather()],
        ...(where === "options" ? { needsApproval } : {}),
      });
      const result = await conversation.run("Write to Ada.", { signal: controller.signal }).result();
      expect(result).toMatchObject({ stopReason: "aborted", pending: [] });
      expect(tool.runs).toEqual([]);
    }
  });

  it("does not run if the time limit ends during the approval check", async () => {
    vi.useFakeTimers();
    try {
      const tool = mail({ needsApproval: () => new Promise<boolean>(() => {}) });
      const { conversation } = conversationOf(script, { tools: [tool, weather()], budget: { seconds: 30 } });
      const result = conversation.run("Write to Ada.").result();
      await vi.advanceTimersByTimeAsync(30_001);
      expect(await result).toMatchObject({ stopReason: "budget", budget: { limit: "seconds" }, pending: [] });
      expect(tool.runs).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("still waits when the run goes on without a decision", async () => {
    const { conversation, tool } = await waiting();
    const again = await conversation.run().result();
    expect(again.stopReason).toBe("needs-approval");
    expect(tool.runs).toEqual([]);
    await expect(conversation.run("Well?").result()).rejects.toMatchObject({ code: "open-calls" });
  });

  it("is decided by a function, for one tool or for all, and its errors are handled", async () => {
    const byTool = (args: Record<string, unknown>) => args.to === "Ada";
    const broken = () => {
      throw new Error("no rules");
    };
    const asked = async (options: object, needsApproval: unknown) => {
      const tool = mail({ needsApproval });
      const { conversation } = conversationOf(script, { tools: [tool, weather()], ...options });
      return (await conversation.run("Go.").result()).pending.map(({ call }) => call.name);
    };
    expect(await asked({}, byTool)).toEqual(["send_mail"]);
    expect(await asked({}, () => false)).toEqual([]);
    expect(await asked({}, broken)).toEqual(["send_mail"]);
    expect(await asked({ needsApproval: async () => true }, false)).toEqual(["send_mail", "weather"]);
    expect(await asked({ needsApproval: broken }, false)).toEqual(["send_mail", "weather"]);
  });
});

describe("a decision", () => {
  it("is refused if no call waits for it", async () => {
    const { conversation, pending } = await waiting();
    const { id } = pending.call;
    const refused = (callId: string, code: string) =>
      expect(conversation.decide(callId, { type: "approve" })).rejects.toMatchObject({ code, callId });
    await refused("call_x", "unknown-call");
    const ran = conversation.log.find((record) => record.type === "call-settled");
    await refused(ran?.type === "call-settled" ? ran.callId : "", "not-pending");
    await conversation.decide(id, { type: "approve" });
    await refused(id, "not-pending");
    await conversation.run().result();
    await refused(id, "not-pending");
    await expect(conversation.decide(id, { type: "approve" })).rejects.toBeInstanceOf(DecisionError);
  });

  it("applies only to the arguments that were shown", async () => {
    const { conversation, pending } = await waiting();
    const { id } = pending.call;
    const stale = conversation.decide(id, { type: "approve" }, { argumentsHash: "another" });
    await expect(stale).rejects.toMatchObject({ code: "stale" });
    await conversation.decide(id, { type: "approve" }, { argumentsHash: pending.argumentsHash });
  });

  it("is refused if its arguments do not match the tool", async () => {
    const { conversation, pending } = await waiting();
    const edit = conversation.decide(pending.call.id, { type: "edit", arguments: { to: 3 } });
    await expect(edit).rejects.toMatchObject({ code: "invalid-arguments", issues: [{ path: "/to" }] });
    expect((await conversation.run().result()).pending).toHaveLength(1);
  });

  it("is refused with a message about all arguments, if no single one is wrong", async () => {
    const parameters = { type: "object", minProperties: 1 };
    const tools = [toolOf("mail", { to: text }, () => "Sent.", { parameters, needsApproval: true })];
    const { conversation } = conversationOf([{ calls: [callOf("mail", { to: "Ada" })] }], { tools });
    const { pending } = await conversation.run("Write.").result();
    const edit = conversation.decide(pending[0]!.call.id, { type: "edit", arguments: {} });
    await expect(edit).rejects.toThrow(/^The edited arguments do not match mail: the arguments: [^ ]/);
  });

  it("is accepted once if two are made at the same time", async () => {
    const { conversation, pending } = await waiting();
    const { id } = pending.call;
    const both = await Promise.allSettled([
      conversation.decide(id, { type: "approve" }),
      conversation.decide(id, { type: "reject" }),
    ]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect((await conversation.run().result()).stopReason).toBe("answer");
  });

  it("of one of two processes is stored; the other one gets an error", async () => {
    const store = memoryStore();
    const { model, conversation } = conversationOf(script, { tools: [mail(), weather()], store });
    const { pending } = await conversation.run("Go.").result();
    const { id } = pending[0]!.call;
    const other = await ToolConversation.resume({ model, store, tools: [mail(), weather()], protocol: "hermes" });
    await other.decide(id, { type: "reject" });
    await expect(conversation.decide(id, { type: "approve" })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("a call that was running when the process ended", () => {
  /** A log that ends in the middle of the call. */
  async function crashed(onCrash: "ask" | "rerun" | "fail" | undefined) {
    const tool = toolOf("pay", { to: text }, () => "Paid.", onCrash ? { onCrash } : {});
    const { conversation } = conversationOf([{ calls: [callOf("pay", { to: "Ada" })] }], { tools: [tool] });
    await conversation.run("Pay Ada.").result();
    const { log } = conversation;
    const end = log.findIndex(({ type }) => type === "call-started") + 1;
    const keys: unknown[] = [];
    const again = toolOf(
      "pay",
      { to: text },
      (_, { idempotencyKey }) => keys.push(idempotencyKey),
      onCrash ? { onCrash } : {},
    );
    const { model } = conversationOf(["Done."]);
    const store = memoryStore(log.slice(0, end));
    const resumed = await ToolConversation.resume({ store, model, tools: [again], protocol: "hermes" });
    const started = log[end - 1];
    const key = started?.type === "call-started" ? started.idempotencyKey : "";
    return { resumed, again, keys, key };
  }

  it("runs again with the same key if its tool says `rerun`", async () => {
    const { resumed, keys, key } = await crashed("rerun");
    expect((await resumed.run().result()).text).toBe("Done.");
    expect(keys).toEqual([key]);
  });

  it("fails if its tool says `fail`", async () => {
    const { resumed, again } = await crashed("fail");
    expect((await resumed.run().result()).text).toBe("Done.");
    expect(again.runs).toEqual([]);
    expect(resultOf(resumed)).toMatchObject({
      isError: true,
      content: expect.stringContaining("may have taken effect"),
    });
  });

  it.each(["ask", undefined] as const)("waits for a person otherwise: %s", async (onCrash) => {
    for (const type of ["approve", "reject"] as const) {
      const { resumed, again, keys, key } = await crashed(onCrash);
      const { pending, stopReason } = await resumed.run().result();
      expect(stopReason).toBe("needs-approval");
      expect(pending).toMatchObject([{ why: "unknown-outcome", call: { name: "pay" } }]);
      expect(again.runs).toEqual([]);
      await resumed.decide(pending[0]!.call.id, { type });
      expect((await resumed.run().result()).text).toBe("Done.");
      expect(keys).toEqual(type === "approve" ? [key] : []);
    }
  });
});
