import { FunctionTool } from "@llamaindex/core/tools";
import { agent } from "@llamaindex/workflow";
import { expect, it } from "vitest";
import { z } from "zod";
import { itTraces } from "../../core/test/support/trace-suite.js";
import { withToolCalling } from "../src/index.js";
import { ScriptedLLM } from "./scripted-llm.js";

const ping = FunctionTool.from(() => "pong", { name: "ping", description: "Pings", parameters: z.object({}) });

itTraces((replies, onTrace) => {
  const llm = withToolCalling(new ScriptedLLM({ replies }), { protocol: "hermes", onTrace });
  return agent({ llm, tools: [ping] }).run("Ping?");
});

it("onTrace is a function", () => {
  const llm = new ScriptedLLM({ replies: ["Pong."] });
  expect(() => withToolCalling(llm, { onTrace: true as never })).toThrow("`onTrace` is a function, not true.");
});
