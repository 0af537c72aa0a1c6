import { describe, expect, it } from "vitest";
import {
  callOf,
  conversationOf,
  integer,
  type ScriptedReply,
  toolOf,
} from "../../test/support/scripted-conversation.js";
import { type Decision, fold, type ToolConversation } from "./index.js";

const step = (n: number): ScriptedReply => ({ calls: [callOf("look", { n })] });

describe("a budget of calls", () => {
  const clients = () => ({ name: "look", parameters: { type: "object", properties: { n: integer } } }) as const;
  const asked = () => toolOf("look", { n: integer }, () => "nothing", { needsApproval: true });
  const started = (conversation: ToolConversation) => fold(conversation.log).run.started.get("look") ?? 0;

  it("counts the client's calls once, over several turns", async () => {
    const { conversation, requests } = conversationOf([step(1), step(2), step(3), "Not found."], {
      tools: [clients()],
      budget: { calls: 2 },
    });
    for (let n = 1; n <= 2; n++) {
      const { stopReason, pending } = await conversation.run(n === 1 ? "Find it." : undefined).result();
      expect(stopReason).toBe("needs-results");
      await conversation.submitToolResults(
        pending.map(({ call }) => ({ toolCallId: call.id, name: call.name, content: "nothing" })),
      );
      expect(started(conversation)).toBe(n);
    }
    const result = await conversation.run().result();
    expect(result).toMatchObject({
      text: "Not found.",
      stopReason: "budget",
      budget: { limit: "calls" },
      pending: [],
    });
    expect(requests).toHaveLength(4);
  });

  it("refuses the client's calls beyond it", async () => {
    const replies = [{ calls: [1, 2].map((n) => callOf("look", { n })) }, "Found."];
    const { conversation } = conversationOf(replies, { tools: [clients()], budget: { calls: 1 } });
    const { pending } = await conversation.run("Find it.").result();
    expect(pending).toMatchObject([{ call: { arguments: { n: 1 } } }]);
    const [{ call }] = pending as [(typeof pending)[0]];
    const turn = await conversation.submitToolResults([{ toolCallId: call.id, name: call.name, content: "here" }]);
    expect(turn.text).toBe("Found.");
    expect(conversation.messages.filter(({ role }) => role === "tool")).toMatchObject([
      { content: "here" },
      { content: expect.stringContaining("The limit of 1 call per question has been reached"), isError: true },
    ]);
  });

  it.each<[Decision, number, number]>([
    [{ type: "approve" }, 1, 1],
    [{ type: "edit", arguments: { n: 7 } }, 1, 1],
    [{ type: "respond", content: "here" }, 0, 1],
    [{ type: "reject" }, 0, 0],
  ])("counts a call once after its decision, unless it is rejected: %o", async (decision, runs, counted) => {
    const tool = asked();
    const budget = { calls: 1 };
    const { conversation } = conversationOf([step(1), "Found."], { tools: [tool], budget });
    // It waits through as many runs as it takes.
    for (const said of ["Find it.", undefined]) {
      const { pending, stopReason } = await conversation.run(said).result();
      expect([stopReason, pending.length, started(conversation)]).toEqual(["needs-approval", 1, 0]);
    }
    await conversation.decide([...fold(conversation.log).calls.keys()][0]!, decision);
    expect(await conversation.run().result()).toMatchObject({ text: "Found.", stopReason: "answer" });
    expect([tool.runs.length, started(conversation)]).toEqual([runs, counted]);
  });
});
