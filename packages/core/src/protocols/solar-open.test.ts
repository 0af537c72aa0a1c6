import { expect, test } from "vitest";
import { parseReply } from "../full/index.js";
import { getProtocol } from "./index.js";

test("the ids of calls and results have ten characters, also after the tenth", () => {
  const { renderCalls, renderResults } = getProtocol("solar-open");
  const twelve = Array.from({ length: 12 }, (_, i) => i);
  const calls = renderCalls(
    twelve.map(() => ({ name: "now", arguments: {} })),
    { tools: [] },
  );
  const results = renderResults(
    twelve.map((i) => ({ toolCallId: `${i}`, name: "now", content: "x" })),
    { tools: [] },
  );
  const ids = (text: string, marker: string) =>
    [...text.matchAll(new RegExp(`<\\|${marker}:begin\\|>(.*?)<\\|`, "g"))].map(([, id]) => id);
  expect(ids(calls, "tool_call")).toEqual(twelve.map((i) => `call${`${i}`.padStart(6, "0")}`));
  expect(ids(results, "tool_response")).toEqual(ids(calls, "tool_call"));
});

test("a value that begins with its own token once more makes no call", () => {
  const tools = [{ name: "set_lamp", parameters: { type: "object", properties: { room: { type: "string" } } } }];
  const reply =
    "<|tool_call:start|>set_lamp\n<|tool_arg:start|>room<|tool_arg:value|><|tool_arg:value|>hall<|tool_arg:end|>\n<|tool_call:end|>";
  expect(parseReply(reply, { tools, protocol: "solar-open2" })).toMatchObject({
    toolCalls: [],
    invalidToolCalls: [{ name: "set_lamp" }],
  });
});
