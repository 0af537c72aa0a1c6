import { expect, it } from "vitest";
import { conversationOf } from "../../test/support/scripted-conversation.js";
import { firstRecord } from "./index.js";

const parameters = { type: "object", properties: { city: { type: "string" } } };

it.each([
  { name: "weather", parameters },
  { name: "weather", inputSchema: parameters },
  { name: "weather", input_schema: parameters },
  { name: "weather" },
])("knows the tool %j as its conversation does", (tool) => {
  const [begun] = conversationOf([], { tools: [tool] }).conversation.log;
  expect(firstRecord({ tools: [tool] })).toMatchObject({ type: "begin", tools: (begun as { tools: object }).tools });
});

it.each<[object, string]>([
  [{ tools: {} }, "list of tools"],
  [{ tools: [5] }, "Tool #1 is 5"],
  [{ tools: [{ name: "" }] }, "Tool #1 has no name"],
  [{ messages: "Hi." }, "`messages` is a list of messages"],
  [{ instructions: 5 }, "`instructions` is a string"],
  [{ conversationId: 5 }, "`conversationId` is a string"],
])("refuses %j by name", (options, words) => {
  expect(() => firstRecord(options)).toThrow(words);
});
