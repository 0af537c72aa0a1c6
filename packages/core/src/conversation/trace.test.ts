import { expect, it } from "vitest";
import { callOf, conversationOf, weather } from "../../test/support/scripted-conversation.js";
import type { ConversationTraceListener } from "./index.js";

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
