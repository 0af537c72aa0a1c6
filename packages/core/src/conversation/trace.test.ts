import { expect, it, vi } from "vitest";
import { callOf, conversationOf, weather } from "../../test/support/scripted-conversation.js";
import { type ConversationTraceListener, memoryStore } from "./index.js";

it("a trace has the requests, the replies and each record once it is stored", async () => {
  const trace: Parameters<ConversationTraceListener>[0][] = [];
  const { conversation } = conversationOf([{ calls: [callOf("weather", { city: "Oslo" })] }, "Fine."], {
    tools: [weather()],
    onTrace: (event) => trace.push(event),
  });
  await conversation.run("Weather?").result();
  const types = trace.map((event) => (event.type === "record" ? event.record.type : event.type));
  expect(types.filter((type) => type !== "event")).toEqual([
    ...["user", "request", "reply", "end", "reply", "call-started", "call-settled"],
    ...["request", "reply", "end", "reply", "end"],
  ]);
  const raw = trace.flatMap((event) => (event.type === "reply" && "raw" in event ? [event.raw] : []));
  expect(raw[1]).toBe("Fine.");
});

it.each(["user", "reply", "approval-needed", "call-started", "call-settled", "end"])(
  "a listener that throws at a record %s does not affect the run, and its error is printed",
  async (type) => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const store = memoryStore();
    const tool = weather({ needsApproval: true });
    const { conversation } = conversationOf(
      [{ calls: [callOf("weather", { city: "Oslo" }), callOf("weather", { city: "Rome" })] }, "Fine."],
      {
        tools: [tool],
        store,
        onTrace: (event) => {
          if (event.type === "record" && event.record.type === type) throw new Error("No trace today.");
        },
      },
    );
    const { pending } = await conversation.run("Weather?").result();
    for (const { call } of pending) await conversation.decide(call.id, { type: "approve" });
    expect(await conversation.run().result()).toMatchObject({ text: "Fine.", stopReason: "answer" });
    expect(tool.runs).toHaveLength(2);
    expect(await store.read()).toEqual(conversation.log);
    expect(String(printed.mock.calls[0])).toContain("No trace today.");
    printed.mockRestore();
  },
);
