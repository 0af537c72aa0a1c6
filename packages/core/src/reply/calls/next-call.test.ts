import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import { protocols } from "../../index.js";

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

  test.each([
    ["a string alone, which may go on", `${ship('"Oslo"')}\n${ship('"Rome"}}')}\n</tool_call>`],
    ["a string and a bracket", `${ship('"Oslo"}')}\n${ship('"Rome"}}')}\n</tool_call>`],
    ["a string with quotes of its own", `${ship('"the "big" one"}')}${ship('"Rome"}}')}</tool_call>" in quotes"}}`],
  ])("is not complete after %s", (_, reply) =>
    expect(readings(reply, "hermes")?.filter((found) => typeof found !== "string")).toEqual([]),
  );

  const cut = (args: string, rest = '{"name": "now"}}\n</tool_call>') =>
    `<tool_call>\n{"name": "f", "arguments": {${args}\n<tool_call>\n${rest}`;

  test.each([
    ["an opening bracket", cut("")],
    ["a comma", cut('"a": 1,')],
    ["a word without quotes", cut('"a": many')],
    ["a number that was cut off", cut('"a": 1.')],
    ["a number where words follow", cut('"a": 1', "and more words")],
    ["a number where no call follows", cut('"a": 1', '"b": 2}}\n</tool_call>')],
  ])("is not complete after %s", (_, reply) =>
    expect(readings(reply, "hermes")?.filter((found) => typeof found !== "string")).toEqual([]),
  );

  test("is text inside a string", () =>
    expect(readings(`${ship('"<tool_call>"}}')}\n</tool_call>`, "hermes")).toEqual([
      ["ship.order", { depot: "<tool_call>" }],
    ]));
});

describe("a comma between calls", () => {
  test.each([
    ["olmo3", "<function_calls>f(a=1), f(a=2)</function_calls>"],
    ["olmo3", "<function_calls>\nf(a=1),\nf(a=2)\n</function_calls>"],
    ["mistral", '[TOOL_CALLS]f[ARGS]{"a": 1}, f[ARGS]{"a": 2}'],
  ] as const)("leaves both in %s: %s", (protocol, reply) => {
    for (const by of [protocol, "auto"] as const) expect(readings(reply, by)).toEqual([f(1), f(2)]);
  });

  test.each([
    ["olmo3", "<function_calls>f(a=1), then g</function_calls>"],
    ["mistral", '[TOOL_CALLS]f[ARGS]{"a": 1}, and then f for 2.'],
  ] as const)("before words is text after the call in %s: %s", (protocol, reply) =>
    expect(readings(reply, protocol)).toEqual([f(1)]),
  );
});

test.each(["mistral", "gemma4", "granite-20b", "functionary", "functiongemma", "internlm2"] as const)(
  "a mention directly after a call is text in %s",
  (protocol) => {
    const call = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools: [] });
    const read = (after: string) => pieces(call + after, protocol).filter(([kind]) => kind !== "dropped");
    for (const text of ["@alice thanks!", "@scope/name\n====\n[![npm](a)](b)", "@scope/name (a) is it"])
      expect(read(`\n\n${text}`)).toEqual([
        ["call", "get_weather"],
        ["text", text],
      ]);
    expect(read('\n@get_weather {"city": "Rome"}')).toEqual([
      ["call", "get_weather"],
      ["call", "get_weather"],
    ]);
  },
);

test.each(["granite-20b", "at-command", "mistral", "hermes", "xml"] as const)(
  "a heading, a list or a comment after a call is text in %s",
  (protocol) => {
    const call = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools: [] });
    for (const text of [
      "# Notes\n\n```\nnpm test\n```",
      '# @a/b ("a.js")\nIt is warm.',
      "- a\n- b",
      '// It "is" (so)\nWarm.',
    ])
      expect(pieces(`${call}\n\n${text}`, protocol).filter(([kind]) => kind !== "dropped")).toEqual([
        ["call", "get_weather"],
        ["text", text],
      ]);
  },
);

describe("an object after a list of Python calls", () => {
  const list = '[get_weather(city="Rome")]';

  test("is another call if it begins as one", () =>
    expect(pieces(`${list}\n\n{"name": "now", "arguments": {}}`, "pythonic")).toEqual([
      ["call", "get_weather"],
      ["call", "now"],
    ]));

  test("leaves both as text if words follow", () => {
    const reply = `${list}\n\n{"name": "now", "arguments": {}} and so on`;
    expect(pieces(reply, "pythonic")).toEqual([["text", reply]]);
  });

  test("may be a part of the arguments with another key", () =>
    expect(pieces(`${list}\n{"days": 2}`, "pythonic")).toContainEqual(["invalid", "malformed"]));
});
