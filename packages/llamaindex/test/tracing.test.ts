import { FunctionTool } from "@llamaindex/core/tools";
import { agent } from "@llamaindex/workflow";
import type { TraceEvent } from "@toolingua/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { call, ScriptedLLM } from "./scripted-llm.js";

const ping = FunctionTool.from(() => "pong", { name: "ping", description: "Pings", parameters: z.object({}) });

it("onTrace hears the requests, raw replies and repairs of each turn, in an agent", async () => {
  const events: TraceEvent[] = [];
  const replies = [call("ping", "no object" as never), call("ping", {}), "Pong."];
  const llm = withToolCalling(new ScriptedLLM({ replies }), {
    protocol: "hermes",
    onTrace: (event) => events.push(event),
  });
  await agent({ llm, tools: [ping] }).run("Ping?");
  const of = <T extends TraceEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
  expect(of("request").map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
  expect(of("request")[0]?.request.messages[0]?.content).toContain("Pings");
  expect(of("reply").map(({ raw }) => raw)).toEqual(replies);
  expect(of("repair")).toMatchObject([{ calls: [{ name: "ping" }], tool: "ping" }]);
  expect(of("end")).toHaveLength(2);
});

it("onTrace is a function", () => {
  const llm = new ScriptedLLM({ replies: ["Pong."] });
  expect(() => withToolCalling(llm, { onTrace: true as never })).toThrow("`onTrace` is a function, not true.");
});
