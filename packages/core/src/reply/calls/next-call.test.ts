import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const f = (a: number) => ["f", { a }];
const kimi = (args: string, i: number) => `<|tool_call_begin|>functions.f:${i}<|tool_call_argument_begin|>${args}`;

describe("a call without its last brackets before the marker of the next call", () => {
  test.each([
    [
      "hermes",
      '<tool_call>{"name": "f", "arguments": {"a": 1<tool_call>{"name": "f", "arguments": {"a": 2}}</tool_call>',
    ],
    [
      "hermes",
      '<tool_call>\n{"name": "f", "arguments": {"a": 1}\n<tool_call>\n{"name": "f", "arguments": {"a": 2}}\n</tool_call>',
    ],
    ["mistral", '[TOOL_CALLS]f[ARGS]{"a": 1[TOOL_CALLS]f[ARGS]{"a": 2}'],
    [
      "kimi-k2",
      `<|tool_calls_section_begin|>${kimi('{"a": 1', 0)}${kimi('{"a": 2}<|tool_call_end|>', 1)}<|tool_calls_section_end|>`,
    ],
  ] as const)("is complete after a number in %s: %s", (protocol, reply) =>
    expect(readings(reply, protocol)).toEqual([f(1), f(2)]),
  );

  const ship = (depot: string) => `<tool_call>\n{"name": "ship.order", "arguments": {"depot": ${depot}`;

  test("is complete after a string and a bracket", () =>
    expect(readings(`${ship('"Oslo"}')}\n${ship('"Rome"}}')}\n</tool_call>`, "hermes")).toEqual([
      ["ship.order", { depot: "Oslo" }],
      ["ship.order", { depot: "Rome" }],
    ]));

  test.each([
    ["a string alone, which may go on", `${ship('"Oslo"')}\n${ship('"Rome"}}')}\n</tool_call>`],
    ["a string with quotes of its own", `${ship('"the "big" one"}')}${ship('"Rome"}}')}</tool_call>" in quotes"}}`],
  ])("is not complete after %s", (_, reply) =>
    expect(readings(reply, "hermes")?.filter((found) => typeof found !== "string")).toEqual([]),
  );

  test("is text inside a string", () =>
    expect(readings(`${ship('"<tool_call>"}}')}\n</tool_call>`, "hermes")).toEqual([
      ["ship.order", { depot: "<tool_call>" }],
    ]));
});
