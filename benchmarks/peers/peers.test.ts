import { expect, test } from "vitest";
import { peers } from "./index.mjs";

const tools = [
  {
    name: "search",
    description: "Searches the web",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
];
const written: Record<string, string> = {
  "ai-sdk-tool hermes": '<tool_call>\n{"name": "search", "arguments": {"query": "cats"}}\n</tool_call>',
  "ai-sdk-tool morph-xml": "<search><query>cats</query></search>",
  "ai-sdk-tool yaml-xml": "<search>\nquery: cats\n</search>",
  "ai-sdk-tool qwen3-coder":
    "<tool_call>\n<function=search>\n<parameter=query>\ncats\n</parameter>\n</function>\n</tool_call>",
  "LangChain structured chat": 'Action:\n```json\n{"action": "search", "action_input": {"query": "cats"}}\n```',
  "LlamaIndex ReAct": 'Thought: I need a tool.\nAction: search\nInput: {"query": "cats"}',
  "LangChain XML": "<tool>search</tool><tool_input>cats",
};

test.each(peers)("$name is asked and read as its own users do it", async ({ name, prompt, parse }) => {
  const { messages } = await prompt([{ role: "user", content: "Find cats." }], tools);
  const said = messages.map(({ content }: { content: string }) => content).join("\n");
  expect(said).toContain("Find cats.");
  expect(said).toContain("Searches the web");
  expect(await parse(written[name], tools)).toEqual({
    calls: [{ name: "search", arguments: { query: "cats" } }],
    failed: false,
  });
  expect((await parse("Cats are animals.", tools)).calls).toEqual([]);
});
