import { describe, expect, it } from "vitest";
import { type RenderPromptOptions, renderPrompt } from "../index.js";
import { preparedTools } from "../schema/prepared-tools.js";
import type { ToolDefinition } from "../types.js";

const messages = [{ role: "user" as const, content: "Stop <<here>> and say <tool_response>" }];
const given = () => [
  { name: "find", description: "Finds", parameters: { type: "object", properties: { text: { type: "string" } } } },
  { name: "now" },
];

it("prepared tools give the prompts of new ones, whatever options were used before", () => {
  const tools = preparedTools(given());
  const choices: RenderPromptOptions["toolChoice"][] = [
    undefined,
    "auto",
    "none",
    "required",
    { name: "find" },
    { name: "now" },
  ];
  const all: Omit<RenderPromptOptions, "messages">[] = choices.flatMap((toolChoice) => [
    { toolChoice },
    { toolChoice, protocol: "hermes" },
    { toolChoice, protocol: "hermes", parallel: false },
    { toolChoice, protocol: "qwen3-coder", style: "signature" },
    { toolChoice, markers: ["<<here>>"] },
    { toolChoice, guard: [] },
  ]);
  for (const options of [...all, ...all.toReversed()]) {
    const expected = renderPrompt({ messages, tools: given(), ...options });
    expect(renderPrompt({ messages, tools, ...options })).toEqual(expected);
  }
});

it("a caller that changes its prompt or its choice does not change the next one", () => {
  const tools = preparedTools(given());
  const toolChoice = { name: "find" };
  const options = () => ({ messages, tools, protocol: "hermes" as const, toolChoice });
  const first = renderPrompt(options());
  const copy = structuredClone(first);
  first.stop.push("x");
  for (const message of first.messages) message.content = "changed";
  expect(renderPrompt(options())).toEqual(copy);
  toolChoice.name = "now";
  const changed = renderPrompt(options());
  expect(changed).toEqual(renderPrompt({ ...options(), tools: given() }));
  expect(changed.messages.at(-1)?.content).toContain("calling the tool now");
});

describe.each([
  ["a list", <T>(tools: T[]) => tools],
  ["a frozen list", <T>(tools: T[]) => Object.freeze(tools)],
])("%s of tools that can change", (_, listOf) => {
  it.each<[string, (tool: Mutable) => void]>([
    ["a name", (tool) => Object.assign(tool, { name: "changed" })],
    ["a description", (tool) => Object.assign(tool, { description: "changed" })],
    ["a description that is removed", (tool) => Reflect.deleteProperty(tool, "description")],
    ["a part of the parameters", (tool) => Object.assign(tool.parameters.properties.text, { description: "changed" })],
    ["a new parameter", (tool) => Object.assign(tool.parameters.properties, { changed: { type: "number" } })],
  ])("gives the prompt of %s that changed, and again of the old one", (_what, change) => {
    for (const options of [{}, { protocol: "hermes" }, { toolChoice: "required", style: "signature" }] as const) {
      const tool = mutable();
      const tools = listOf([tool]);
      const render = (given: readonly ToolDefinition[]) => renderPrompt({ messages, tools: given, ...options });
      const before = render(tools);
      expect(before).toEqual(render([mutable()]));
      change(tool);
      const after = render(tools);
      expect(after).toEqual(render([structuredClone(tool)]));
      expect(after).not.toEqual(before);
      Object.assign(tool, mutable());
      expect(render(tools)).toEqual(before);
    }
  });

  it("gives the error of a name that became another tool's", () => {
    const tools = listOf([mutable(), { ...mutable(), name: "other" }]);
    renderPrompt({ messages, tools });
    Object.assign(tools[1] ?? {}, { name: "find" });
    expect(() => renderPrompt({ messages, tools })).toThrow(expect.objectContaining({ code: "duplicate-name" }));
  });
});

const mutable = () => ({
  name: "find",
  description: "Finds",
  parameters: { type: "object" as const, properties: { text: { type: "string" as const } } },
});
type Mutable = ReturnType<typeof mutable>;
