import type { ChatMessage } from "@llamaindex/core/llms";
import { FunctionTool } from "@llamaindex/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { call, ScriptedLLM } from "./scripted-llm.js";

const numbers = z.object({ a: z.number(), b: z.number() });
const add = FunctionTool.from(({ a, b }: z.infer<typeof numbers>) => a + b, {
  name: "add",
  description: "Adds",
  parameters: numbers,
});
const messages: ChatMessage[] = [{ role: "user", content: "2 + 3?" }];
const good = call("add", { a: 2, b: 3 });

/** The chat options of each request that the wrapped LLM gets for one of the caller's. */
async function optionsOf(how: ToolCallingOptions, replies: string[], tool_choice?: string) {
  const inner = new ScriptedLLM({ replies });
  const llm = withToolCalling(inner, { protocol: "hermes", ...how });
  await llm.chat({ messages, tools: [add], ...(tool_choice && { additionalChatOptions: { tool_choice } }) });
  return inner.requests.map(({ additionalChatOptions = {} }) => additionalChatOptions as object);
}

it("without a constraint the wrapped LLM is sent no grammar", async () => {
  expect(await optionsOf({}, [good], "required")).toEqual([{}]);
});

it.each(["auto", "required"] as const)("%s constrains a required call from its start", async (constraint) => {
  const [options] = await optionsOf({ constraint }, [good], "add");
  expect(options).toMatchObject({ constraint: { type: "gbnf", grammar: expect.stringMatching(/^root ::=/m) } });
  expect(options).not.toHaveProperty("constraint.triggers");
});

it("auto constrains an optional call from its beginning", async () => {
  const [options] = await optionsOf({ constraint: "auto" }, ["Five."]);
  expect(options).toMatchObject({ constraint: { triggers: [{ type: "word", value: "<tool_call>" }] } });
});

it("auto omits the constraint if the format has no grammar, and required does not", async () => {
  const yaml = { protocol: "yaml", onInvalidCall: "surface" } as const;
  const reply = "```yaml\n- tool: add\n```";
  expect(await optionsOf({ ...yaml, constraint: "auto" }, [reply])).toEqual([{}]);
  await expect(optionsOf({ ...yaml, constraint: "required" }, [reply], "add")).rejects.toMatchObject({
    code: "unsupported",
  });
});

it("fallback constrains only the retry", async () => {
  const requests = await optionsOf({ constraint: "fallback" }, [call("add", { a: "two" }), good]);
  expect(requests).toMatchObject([{}, { constraint: { type: "gbnf" } }]);
  expect(requests[0]).toEqual({});
});
