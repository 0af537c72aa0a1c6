import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import type * as XGrammar from "@mlc-ai/web-xgrammar";
import { generateWithTools, type Tool } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { expect, it } from "vitest";
import { scriptedEngine } from "./scripted-engine.js";
import { webLlmModel } from "./web-llm-model.js";

const add: Tool = {
  name: "add",
  description: "Adds two numbers",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: async ({ a, b }) => String(Number(a) + Number(b)),
};
const call = '<tool_call>\n{"name": "add", "arguments": {"a": 17, "b": 25}}\n</tool_call>';
const how = { tools: [add], protocol: "hermes", prefill: false, backend: "vllm" } as const;

it("a conversation runs its tools, with the usage that the engine reports", async () => {
  const { engine, requests } = scriptedEngine([call, "It is 42."]);
  const conversation = new ToolConversation({ model: webLlmModel(engine), ...how, constraint: "auto" });
  const { text, usage } = await conversation.run("What is 17 + 25?").result();
  expect(text).toBe("It is 42.");
  expect(usage).toMatchObject({ inputTokens: 20, outputTokens: expect.any(Number) });
  expect(requests.map(({ stream }) => stream)).toEqual([true, true]);
  expect(requests[1]?.messages.at(-1)?.content).toContain("42");
});

it("a constraint is read by WebLLM's own engine, and accepts the call", async () => {
  const { engine, requests } = scriptedEngine([call, call]);
  const messages = [{ role: "user" as const, content: "17 + 25?" }];
  for (const toolChoice of ["required", "auto"] as const) {
    const turn = generateWithTools({
      ...how,
      model: webLlmModel(engine),
      messages,
      toolChoice,
      constraint: "required",
    });
    expect((await turn.result()).toolCalls).toMatchObject([{ arguments: { a: 17, b: 25 } }]);
  }
  for (const [i, speaks] of [false, true].entries()) {
    const accepts = await matcher(requests[i]?.response_format?.grammar ?? "");
    expect([accepts(call), accepts(call.replace("25", '"x"')), accepts("It is 42.")]).toEqual([true, false, speaks]);
  }
});

it("another backend is refused, and a reader who stops interrupts the engine", async () => {
  const { engine, interrupted } = scriptedEngine([call, "A long answer."]);
  const model = webLlmModel(engine);
  const messages = [{ role: "user" as const, content: "?" }];
  const other = generateWithTools({ model, messages, tools: [add], toolChoice: "required", constraint: "auto" });
  await expect(other.result()).rejects.toThrow('set `backend: "vllm"`');
  for await (const _ of generateWithTools({ model, messages })) break;
  expect(interrupted()).toBe(true);
});

/** The grammar engine that WebLLM holds replies with. It is a script that says it is an ES module, so it is loaded by hand. */
async function matcher(grammar: string): Promise<(text: string) => boolean> {
  const file = createRequire(import.meta.url).resolve("@mlc-ai/web-xgrammar");
  const loaded = new Module(file);
  const compile: unknown = Reflect.get(loaded, "_compile");
  if (typeof compile === "function") compile.call(loaded, readFileSync(file, "utf8"), file);
  const { GrammarCompiler, GrammarMatcher, TokenizerInfo }: typeof XGrammar = loaded.exports;
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
  const tokens = await TokenizerInfo.createTokenizerInfo([...bytes, "</s>"], "byte_fallback", false, undefined, 256);
  const compiler = await GrammarCompiler.createGrammarCompiler(tokens, false);
  const state = await GrammarMatcher.createGrammarMatcher(await compiler.compileGrammar(grammar));
  return (text) => {
    state.reset();
    return Buffer.from(text).every((byte) => state.acceptToken(byte)) && state.acceptToken(256);
  };
}
