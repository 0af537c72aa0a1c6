import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";
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

describe("a value of Solar Open 2 without its closing token", () => {
  const begun = "<|tool_call:start|>set_lamp\n<|tool_arg:start|>room<|tool_arg:value|>hall";
  const rooms = (rest: string) => readings(begun + rest, "solar-open2");

  test("ends with the call that ends the reply", () => {
    for (const space of ["", "\n"])
      expect(rooms(`${space}<|tool_call:end|>\n`)).toEqual([["set_lamp", { room: "hall" }]]);
  });

  test("may contain the token of a call's end", () => {
    const room = " <|tool_call:end|> <b>x</b>";
    expect(rooms(`${room}<|tool_arg:end|>\n<|tool_call:end|>`)).toEqual([["set_lamp", { room: `hall${room}` }]]);
  });

  test("makes no call where more follows, which may be a part of it", () => {
    const next = "<|tool_call:start|>ping\n<|tool_call:end|>";
    for (const rest of [next, "I look."]) expect(rooms(`<|tool_call:end|>\n${rest}`)).toEqual([expect.any(String)]);
  });
});
