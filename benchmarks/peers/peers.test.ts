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

test.each(peers)("$name is prompted and read as its own users do it", async ({ name, prompt, parse }) => {
  const { messages } = await prompt([{ role: "user", content: "Find cats." }], tools);
  const said = messages.map(({ content }: { content: string }) => content).join("\n");
  expect(said).toContain("Find cats.");
  expect(said).toContain("Searches the web");
  expect(await parse(written[name], tools)).toMatchObject({
    calls: [{ name: "search", arguments: { query: "cats" } }],
    failed: false,
  });
  expect(await parse("Cats are animals.", tools)).toMatchObject({ calls: [], text: "Cats are animals." });
});

test.each(peers.filter(({ converses }) => converses !== false))(
  "$name is shown earlier messages, calls and results",
  async ({ name, prompt }) => {
    const call = { id: "1", name: "search", arguments: { query: "cats" } };
    const { messages } = await prompt(
      [
        { role: "user", content: "Good morning." },
        { role: "assistant", content: "Good morning to you." },
        { role: "user", content: "Find cats." },
        { role: "assistant", content: "", toolCalls: [call], reply: written[name] },
        { role: "tool", toolCallId: "1", name: "search", content: "seven of them" },
      ],
      tools,
    );
    const said = messages.map(({ content }: { content: string }) => content);
    const places = ["Good morning.", "Good morning to you.", "Find cats.", "seven of them"].map((text) =>
      said.join("\n").indexOf(text),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  },
);
