import { expect, it } from "vitest";
import { type RenderPromptOptions, renderPrompt } from "../index.js";
import { preparedTools } from "../schema/prepared-tools.js";

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
