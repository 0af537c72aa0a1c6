import { describe, expect, test } from "vitest";
import { pieces } from "../../test/support/pieces.js";
import { readings } from "../../test/support/readings.js";
import { parseReply } from "../full/index.js";
import type { ProtocolName } from "./index.js";

const json = '{"depot": "north", "boxes": 4}';
const wanted = [["ship.order", { depot: "north", boxes: 4 }]];
const fenced = "```\n";

describe("calls are read with other spellings of their markers", () => {
  test.each<[string, ProtocolName, string]>([
    [
      "a fence without a language",
      "deepseek-v3",
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ship.order\n${fenced}${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      "bars and underscores in ASCII",
      "deepseek-v3",
      `<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>ship.order\n\`\`\`json\n${json}\n\`\`\`\n<|tool_call_end|><|tool_calls_end|>`,
    ],
    [
      "a space for the separator",
      "deepseek-v3",
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function ship.order\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      "the kind of tool before the name",
      "deepseek-v31",
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ship.order<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    ["LM Studio's markers", "hermes", `[TOOL_REQUEST]{"name": "ship.order", "arguments": ${json}}[END_TOOL_REQUEST]`],
    ["another tag", "xml", `<tool_use>\n<name>ship.order</name>\n<arguments>${json}</arguments>\n</tool_use>`],
    [
      "another tag around elements",
      "xml",
      "<function_call>\n<name>ship.order</name>\n<arguments>\n<depot>north</depot>\n<boxes>4</boxes>\n</arguments>\n</function_call>",
    ],
    [
      "unnamed tokens",
      "internlm2",
      `[UNUSED_TOKEN_144][UNUSED_TOKEN_141]\n{"name": "ship.order", "parameters": ${json}}[UNUSED_TOKEN_143]`,
    ],
    ["a namespace before a name in Python", "pythonic", 'functions.ship.order(depot="north", boxes=4)'],
    ["a comment in a list", "json-list", `[\n  // the order\n  {"name": "ship.order", "arguments": ${json}},\n]`],
    [
      "bars in ASCII",
      "deepseek-v31",
      `<|tool▁calls▁begin|><|tool▁call▁begin|>ship.order<|tool▁sep|>${json}<|tool▁call▁end|><|tool▁calls▁end|>`,
    ],
    [
      "a name alone",
      "kimi-k2",
      `<|tool_calls_section_begin|><|tool_call_begin|>ship.order<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    [
      "the section's tokens in the singular",
      "kimi-k2",
      `<|tool_call_section_begin|><|tool_call_begin|>functions.ship.order:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_call_section_end|>`,
    ],
    [
      "without the number",
      "kimi-k2",
      `<|tool_call_begin|>functions.ship.order<|tool_call_argument_begin|>${json}<|tool_call_end|>`,
    ],
    [
      "without the token before the arguments",
      "kimi-k2",
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.ship.order:0${json}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    [
      "without number and token before the arguments",
      "kimi-k2",
      `<|tool_call_begin|>ship.order\n${json}<|tool_call_end|>`,
    ],
    ["without the word before the name", "gemma4", '<|tool_call>ship.order{depot:<|"|>north<|"|>,boxes:4}<tool_call|>'],
    [
      "Python without the word before the name",
      "gemma4",
      '<|tool_call>ship.order(depot=<|"|>north<|"|>, boxes=4)<tool_call|>',
    ],
    [
      "without the word before the name",
      "functiongemma",
      "<start_function_call>ship.order{depot:<escape>north<escape>,boxes:4}<end_function_call>",
    ],
    ["the common keys", "apertus", `<|tools_prefix|>[{"name": "ship.order", "arguments": ${json}}]<|tools_suffix|>`],
    [
      "the common keys of one call",
      "apertus",
      `<|tools_prefix|>{"name": "ship.order", "parameters": ${json}}<|tools_suffix|>`,
    ],
    [
      "without the token for the kind of tool",
      "internlm2",
      `<|action_start|>\n{"name": "ship.order", "parameters": ${json}}<|action_end|>`,
    ],
    [
      "a message of the call's role",
      "gigachat3",
      `function call<|role_sep|>\n{"name": "ship.order", "arguments": ${json}}<|message_sep|>\n\n`,
    ],
    [
      "after the end of another message",
      "gigachat3",
      `I order.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "ship.order", "arguments": ${json}}`,
    ],
    [
      "JSON between its tokens",
      "solar-open2",
      `<|tool_call:start|>{"name": "ship.order", "arguments": ${json}}<|tool_call:end|>`,
    ],
    [
      "JSON between its tags",
      "iquest-coder",
      `<iquestcoder_tool_call>\n{"name": "ship.order", "arguments": ${json}}\n</iquestcoder_tool_call>`,
    ],
    [
      "JSON between its tags",
      "hunyuan-v4",
      `<tool_calls:6124c78e><tool_call:6124c78e>{"name": "ship.order", "arguments": ${json}}</tool_call:6124c78e></tool_calls:6124c78e>`,
    ],
    [
      "the separator of Hunyuan 3",
      "hunyuan-v4",
      "<tool_calls:6124c78e>\n<tool_call:6124c78e>ship.order<tool_sep:6124c78e>\n<arg_key:6124c78e>depot</arg_key:6124c78e>\n<arg_value:6124c78e>north</arg_value:6124c78e>\n<arg_key:6124c78e>boxes</arg_key:6124c78e>\n<arg_value:6124c78e>4</arg_value:6124c78e>\n</tool_call:6124c78e>\n</tool_calls:6124c78e>",
    ],
    ["JSON after its marker", "yandex", `[TOOL_CALL_START]{"name": "ship.order", "arguments": ${json}}`],
    [
      "a JSON call between its tokens",
      "kimi-k3",
      `<|open|>tools<|sep|><|open|>call<|sep|>{"name": "ship.order", "arguments": ${json}}<|close|>call<|sep|><|close|>tools<|sep|>`,
    ],
    [
      "no tokens between the block and the call",
      "kimi-k3",
      '<|open|>toolscall tool="ship.order" index="1"<|sep|><|open|>argument key="depot" type="string"<|sep|>north<|close|>argument<|sep|><|open|>argument key="boxes" type="number"<|sep|>4<|close|>argument<|sep|><|close|>call<|sep|><|close|>toolsmessage<|sep|>',
    ],
    ...["<|plamo:constrain|>json", "json<|plamo:msg|>", "json"].map((type): [string, ProtocolName, string] => [
      `the type as ${type}`,
      "plamo3",
      `<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>ship.order<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>${type}${json}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>`,
    ]),
    ["arguments inside the tag", "llama3-json", `<function=ship.order${json}></function>`],
    ["arguments inside an unclosed tag", "llama3-json", `<function=ship.order${json}</function>`],
    [
      "a whole turn",
      "llama3-json",
      `<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "ship.order", "parameters": ${json}}<|eot_id|>`,
    ],
  ])("%s: %s", (_, protocol, reply) => {
    for (const by of [protocol, "auto", "hermes"] as const) expect(readings(reply, by)).toEqual(wanted);
  });
});

test.each<[string, ProtocolName, string]>([
  ["the code of another kind of tool", "internlm2", "<|action_start|><|interpreter|>\nprint(1)<|action_end|>"],
  ["words after the role of a call", "gigachat3", "<|function_call|> is a token."],
])("%s is no call: %s", (_, protocol, reply) => {
  expect(readings(reply, protocol)).toEqual(["malformed"]);
});

describe("calls with the keys of other formats in Apertus", () => {
  const list = (...calls: string[]) => `<|tools_prefix|>[${calls.join(", ")}]<|tools_suffix|>`;
  const common = `{"name": "ship.order", "arguments": ${json}}`;

  test("are read beside its own", () => {
    const own = `{"ship.order": ${json}}`;
    expect(readings(list(own, common, own), "apertus")).toEqual([...wanted, ...wanted, ...wanted]);
  });

  test("are none if a tool has that name", () => {
    const tools = ["name", "add"].map((name) => ({ name, parameters: { properties: { to: { type: "string" } } } }));
    for (const call of ['{"name": {"to": "add"}}', '{"name": "add"}'])
      expect(parseReply(list(call), { protocol: "apertus", tools }).toolCalls).toMatchObject([
        { name: "name", arguments: { to: "add" } },
      ]);
  });

  test("do not run if they name no tool or are half of one", () => {
    expect(readings(list(`{"name": "send", "arguments": ${json}}`), "apertus")).toEqual(["unknown-tool"]);
    expect(readings(list(`{"name": {"depot": "north"}}`), "apertus")).toEqual(["malformed"]);
    expect(readings(list(common, '{"boxes": 5}'), "apertus")?.[0]).toBe("malformed");
    for (const [call, code] of [
      [`{"ship.order": ${json}, "name": "ship.order"}`, "malformed"],
      [`{"arguments": ${json}, "name": "ship.order"}`, "unknown-tool"],
    ] as const)
      expect(readings(list(call), "apertus")).toEqual([code]);
  });
});

test("a tool's name on two lines is read, and two names are not", () => {
  const call = (names: string) =>
    `<tool_call>${names}\n<arg_key>depot</arg_key>\n<arg_value>north</arg_value>\n</tool_call>`;
  expect(readings(call("ship.order\nship.order"), "glm45")).toEqual([["ship.order", { depot: "north" }]]);
  for (const names of ["ship.order\nbook", "ship.order\nship", "ship.order\nship.order\nship.order"])
    expect(readings(call(names), "glm45")).toEqual(["malformed"]);
});

test("words that are also a role are text", () => {
  for (const reply of ["function call\nis what it is named.", 'function call {"name": "ship.order"}'])
    expect(pieces(reply, "gigachat3")).toEqual([["text", reply]]);
});

test("tokens around a section and between messages leave no text", () => {
  const args = '{"city": "Oslo"}';
  const section = `<|tool_call_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_call_section_end|>`;
  expect(pieces(section, "kimi-k2")).toEqual([["call", "get_weather"]]);
  const message = `function call<|role_sep|>\n{"name": "get_weather", "arguments": ${args}}<|message_sep|>\n\n`;
  expect(pieces(message, "gigachat3")).toEqual([
    ["call", "get_weather"],
    ["dropped", "<|message_sep|>"],
  ]);
});

test("without the number, a call of Kimi's has a tool's name", () => {
  const call = (id: string) => `<|tool_call_begin|>functions.${id}<|tool_call_argument_begin|>${json}<|tool_call_end|>`;
  expect(readings(call("ship.order "), "kimi-k2")).toEqual(wanted);
  for (const id of ["ship.order:0 never", "ship.order:book.0", "ship.order:see the docs"])
    expect(readings(call(id), "kimi-k2")).toEqual(["malformed"]);
  for (const id of ["ship.order:0 has arguments like ", "ship.order:book"])
    expect(readings(call(id).replace("<|tool_call_argument_begin|>", ""), "kimi-k2")).toEqual(["malformed"]);
  for (const id of ["ship.order.0", "send"]) expect(readings(call(id), "kimi-k2")).toEqual(["malformed"]);
});

test("the number of a call of Kimi's ends before the next call", () => {
  const call = (after: string, depot: string) =>
    `<|tool_call_begin|>functions.ship.order:0${after}{"depot": "${depot}"}<|tool_call_end|>`;
  const reply = call("", "north") + call("<|tool_call_argument_begin|>", "south");
  expect(readings(reply, "kimi-k2")).toEqual([
    ["ship.order", { depot: "north" }],
    ["ship.order", { depot: "south" }],
  ]);
  expect(readings(call("?\n", "north").replaceAll("{", "<{"), "kimi-k2")).toEqual(["malformed"]);
});

describe("a call of Kimi's without any token", () => {
  const call = `functions.ship.order:0${json}`;

  test.each([call, `I order now.\n${call}`, `${call}<|im_end|>`, `functions.ship.order:12 ${json}`])(
    "is read where a line begins: %s",
    (reply) => expect(readings(reply, "kimi-k2")).toEqual(wanted),
  );

  test("is read several times", () =>
    expect(readings(`${call}functions.ship.order:1${json}\nfunctions.ship.order:2${json}`, "kimi-k2")).toEqual([
      ...wanted,
      ...wanted,
      ...wanted,
    ]));

  test.each([
    `I wrote ${call}`,
    `${call} is how I called.`,
    `functions.send:0${json}`,
    `other.functions.ship.order:0${json}`,
    "functions.ship.order:0 takes two arguments.",
    `> ${call}`,
  ])("is text elsewhere, with more text or of an unknown tool: %s", (reply) =>
    expect(readings(reply, "kimi-k2")).toEqual([]),
  );

  test("is read with the token before the arguments", () => {
    const withToken = `functions.ship.order:0<|tool_call_argument_begin|>${json}`;
    for (const end of ["<|tool_call_end|>", "<|tool_call_end|><|tool_calls_section_end|>"])
      expect(readings(withToken + end, "kimi-k2")).toEqual(wanted);
    expect(readings(`${withToken}<|tool_call_end|>${withToken}<|tool_call_end|>`, "kimi-k2")).toEqual([
      ...wanted,
      ...wanted,
    ]);
  });

  test("is text in another format, and invalid where it is cut off", () => {
    expect(readings(call, "hermes")).toEqual([]);
    expect(readings(call.slice(0, -4), "kimi-k2")).toEqual(["truncated"]);
  });
});

test("a tool's name is found where another format's marker begins", () => {
  const tools = [{ name: "functools_run", parameters: { type: "object", properties: { a: { type: "integer" } } } }];
  const parsed = parseReply("I run it.\nfunctools_run(a=1)", { protocol: "pythonic", tools });
  expect(parsed.toolCalls.map((call) => call.arguments)).toEqual([{ a: 1 }]);
});

test("one object after Phi's word is read where the reply begins", () => {
  const object = `functools{"name": "ship.order", "arguments": ${json}}`;
  expect(readings(object, "phi4-mini")).toEqual(wanted);
  expect(readings(`I call ${object}`, "phi4-mini")).toEqual([]);
  expect(readings(object, "hermes")).toEqual([]);
});

test.each(["<tool_ca", "<"])("the marker that closes a call of Gemma's may be cut off: %s", (end) =>
  expect(pieces(`<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>}${end}`, "gemma4")).toEqual([
    ["call", "get_weather"],
  ]),
);

describe.each([
  ["mistral-list", "[TOOL_CALLS]", ""],
  ["mistral", "[TOOL_CALLS]", ""],
  ["granite", "<|tool_call|>", ""],
  ["jamba", "<tool_calls>", "</tool_calls>"],
  ["hunyuan-a13b", "<tool_calls>", "</tool_calls>"],
  ["apriel", "<tool_calls>", "</tool_calls>"],
] as const)("a list without its brackets in %s", (protocol, open, close) => {
  const one = `{"name": "ship.order", "arguments": ${json}}`;

  test("is all its calls", () => {
    for (const separator of [", ", ",\n", ",", "\n", ""])
      expect(readings(`${open} ${one}${separator}${one}${close}`, protocol)).toEqual([...wanted, ...wanted]);
  });

  test.each([", and then I wait.", ', or {"a": 1}.', " Then I wait.", ",", " [1] is the source."])(
    "leaves the text after it: %j",
    (rest) => {
      const reply = `${open} {"name": "get_weather", "arguments": {"city": "Oslo"}}${close}${rest}`;
      expect(pieces(reply, protocol)).toEqual([
        ["call", "get_weather"],
        ["text", rest.trimStart()],
      ]);
    },
  );

  test("may end within its last call", () =>
    expect(readings(`${open} ${one}, ${one.slice(0, -5)}`, protocol)).toEqual([...wanted, "truncated"]));
});
