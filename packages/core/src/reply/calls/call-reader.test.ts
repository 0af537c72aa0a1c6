import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import type { ProtocolName } from "../../protocols/index.js";

const object = (a: number) => JSON.stringify({ name: "f", arguments: { a } });
const [first, second] = [1, 2].map((a) => ["f", { a }]);

describe("between the markers of a call", () => {
  test.each([
    ["several objects are as many calls", `${object(1)}\n${object(2)}`, [first, second]],
    ["a list of objects is as many calls", `[${object(1)}, ${object(2)}]`, [first, second]],
    ["a list without an object is no call", "[]", []],
    ["comments and CDATA sections have no effect", `<!-- one --><![CDATA[${object(1)}]]>`, [first]],
    ["so does a code fence", `\n\`\`\`json\n${object(1)}\n\`\`\`\n`, [first]],
    ["an extra bracket has no effect", `${object(1)}}`, [first]],
  ])("%s", (_, body, wanted) => expect(readings(`<tool_call>${body}</tool_call>`, "hermes")).toEqual(wanted));
});

describe("the closing markers of a call", () => {
  const call = "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n";

  test.each([
    ["in their order", "</function>\n</tool_call>"],
    ["without the first one", "</tool_call>"],
    ["without the last one", "</function>"],
    ["with a misspelled one", "</function>\n</tool_cal>"],
  ])("are read %s", (_, closers) => expect(readings(call + closers, "qwen3-coder")).toEqual([first]));

  test("end it before another one opens", () =>
    expect(readings(`${call}</function>\n${call.replace("1", "2")}</function>\n</tool_call>`, "qwen3-coder")).toEqual([
      first,
      second,
    ]));

  test("reject it if one is missing and an argument follows", () =>
    expect(readings(`${call}</tool_call>\n<parameter=b>\n2\n</parameter>`, "qwen3-coder")).toEqual(["malformed"]));
});

describe("a code fence inside a block ends with it", () => {
  const call = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
  const fenced = (code: string, language = "json") => `\n\`\`\`${language}\n${code}\n\`\`\`\n`;
  test.each<[ProtocolName, string]>([
    ["granite", `<|tool_call|>${fenced(`[${call}]`)}`],
    ["mistral-list", `[TOOL_CALLS]${fenced(`[${call}]`)}`],
    ["jamba", `<tool_calls>${fenced(`[${call}]`)}</tool_calls>`],
    ["nemotron-v2", `<TOOLCALL>${fenced(`[${call}]`)}</TOOLCALL>`],
    [
      "command-r",
      `<|START_ACTION|>${fenced(`[${call.replace("name", "tool_name").replace("arguments", "parameters")}]`)}<|END_ACTION|>`,
    ],
    ["gigachat3", `<|function_call|>${fenced(call)}`],
    ["pangu-v2", `<|tool_call_start|>${fenced(`[${call}]`)}<|tool_call_end|>`],
    ["lfm2", `<|tool_call_start|>${fenced(call)}<|tool_call_end|>`],
    ["minicpm3", `<|tool_call_start|>${fenced('get_weather(city="Oslo")', "Python")}<|tool_call_end|>`],
    ["mistral", `[TOOL_CALLS]get_weather[ARGS]${fenced('{"city": "Oslo"}')}`],
    ["olmo3", `<function_calls>${fenced('get_weather(city="Oslo")', "python")}</function_calls>`],
    ["react", `Action: get_weather\nAction Input:${fenced("Oslo", "text")}`],
  ])("in %s", (protocol, reply) => {
    const said = (text: string) => pieces(text, protocol).filter(([kind]) => kind !== "dropped");
    expect(said(reply)).toEqual([["call", "get_weather"]]);
    if (protocol === "react") return;
    const code = "Here:\n```js\nadd(1)\n```";
    expect(said(`${reply}\n${code}`)).toEqual([
      ["call", "get_weather"],
      ["text", code],
    ]);
  });
});

describe("another closing marker ends a call, and is not shown", () => {
  const call = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
  const qwen = "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n";
  test.each<[string, ProtocolName, string]>([
    ["with the tool's name", "qwen3-coder", `${qwen}</function=get_weather>\n</tool_call>`],
    ["with a backslash", "hermes", `<tool_call>\n${call}\n<\\tool_call>`],
    ["in another case", "nemotron-v2", `<toolcall>[${call}]</toolcall>`],
    ["of the block of a single call", "mistral", '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}[/TOOL_CALLS]'],
    ["of a list without its end", "mistral-list", `[TOOL_CALLS][${call}][/TOOL_CALLS]`],
  ])("%s", (_, protocol, reply) => {
    const found = pieces(`${reply}\nIt <rains>.`, protocol);
    expect(found.filter(([kind]) => kind !== "dropped")).toEqual([
      ["call", "get_weather"],
      ["text", "It <rains>."],
    ]);
  });
});
