import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { argumentsOf, hermes, read, tools } from "../../../test/support/read.js";
import { createReplyParser, getProtocol, type ProtocolName, parseReply, protocols } from "../../index.js";
import { collectReply } from "../parse-reply.js";

/** The protocols that do not write each argument in markup or lines of its own. */
const compact = (Object.keys(protocols) as ProtocolName[]).filter(
  (name) => !/"body":"(?:(?:marked-)?elements|attributes|yaml)"/.test(JSON.stringify(getProtocol(name).syntax)),
);

/** A reply in each of these with such arguments of `get_weather`, and its calls: the same at once and by characters. */
function everywhere(args: Record<string, unknown>) {
  const open = { name: "get_weather", parameters: { type: "object" as const } };
  return compact.map((protocol) => {
    const reply = getProtocol(protocol).renderCalls([{ name: "get_weather", arguments: args }], { tools: [open] });
    const options = { tools, protocol, generateId: () => "1" };
    const { toolCalls, invalidToolCalls, text } = parseReply(reply, options);
    const parser = createReplyParser(options);
    const events = [...[...reply].flatMap((character) => parser.push(character)), ...parser.end()];
    expect(collectReply(events), reply).toMatchObject({ toolCalls, invalidToolCalls, text });
    return { protocol, read: toolCalls.map((call) => call.arguments) };
  });
}

test.each(["function", "tool_call", "action"])("a call may be in an object under %s", (key) => {
  const call = { name: "get_weather", arguments: { city: "Oulu" } };
  expect(argumentsOf(hermes(JSON.stringify({ [key]: call })))).toEqual([call.arguments]);
});

describe("a call between markers under keys that no format has", () => {
  const args = { city: "Oulu" };
  const call = { name: "get_weather", arguments: args };

  test.each([
    { call },
    { command: { name: "get_weather", args } },
    { thought: "It may rain.", tool: call },
    { id: 1, call },
    { method: "get_weather", params: args },
    { jsonrpc: "2.0", method: "get_weather", params: args, id: 1 },
    { arguments: args, command: "get_weather" },
  ])("is read: %j", (object) => {
    const json = JSON.stringify(object);
    expect(argumentsOf(hermes(json))).toEqual([args]);
    expect(read(json)).toMatchObject({ text: json, toolCalls: [], invalidToolCalls: [] });
  });

  test.each([
    { first: call, second: call },
    { call, note: "an example" },
    { call: { ...call, name: "other" } },
    { method: "get_weather", command: "write_file", params: args },
    { method: "GET", params: args },
    { method: "get_weather", url: "u" },
    { do_not_call: call },
    { example: call },
    { error: call },
    { result: call },
    { not: "get_weather", arguments: args },
    { name: null, call },
    { reasoning: { name: "write_file", arguments: { path: "a" } }, call },
    { arguments: { city: "Oslo" }, city: "now" },
    { arguments: args, call },
  ])("is none under a key with another meaning, or beside another value: %j", (object) => {
    const { toolCalls, invalidToolCalls } = read(hermes(JSON.stringify(object)));
    expect([toolCalls.length, invalidToolCalls.length]).toEqual([0, 1]);
  });
});

test("of two calls under one key that no format has, none is chosen", () => {
  const [oulu, bodo] = ["Oulu", "Bodo"].map(
    (city) => `"call": {"name": "get_weather", "arguments": {"city": "${city}"}}`,
  );
  expect(read(hermes(`{${oulu}, ${bodo}}`)).toolCalls).toEqual([]);
});

describe("an object under `tool`", () => {
  const text = { type: "string" };
  const others = [
    { name: "set", parameters: { type: "object", properties: { tool: {}, a: { type: "integer" } } } },
    {
      name: "register",
      parameters: {
        type: "object",
        properties: { tool: { type: "object", properties: { name: text, url: text } }, force: { type: "boolean" } },
        required: ["tool"],
      },
    },
    { name: "get_time", parameters: { type: "object", properties: {} } },
  ];
  const readOf = (reply: string, protocol: "hermes" | "llama3-json" | "mistral-list") =>
    parseReply(reply, { protocol, tools: others });

  test.each([
    { name: "set", tool: { a: 1 } },
    { name: "register", tool: { name: "rg", url: "u" } },
    { name: "register", tool: { name: "get_time" } },
  ])("beside a name is an argument: %j", (call) => {
    const json = JSON.stringify(call);
    for (const [protocol, reply] of [
      ["hermes", `<tool_call>${json}</tool_call>`],
      ["mistral-list", `[TOOL_CALLS][${json}]`],
      ["llama3-json", `<|python_tag|>${json}`],
    ] as const)
      expect(readOf(reply, protocol).toolCalls).toMatchObject([{ name: call.name, arguments: { tool: call.tool } }]);
  });

  test.each([
    'Config:\n\n{"tool": {"name": "get_time"}}',
    'Here is the event:\n\n{"type": "tool", "id": "e1", "tool": {"name": "get_time", "input": {}}, "status": "done"}',
  ])("without a marker is text: %j", (reply) => {
    for (const protocol of ["hermes", "llama3-json"] as const)
      expect(readOf(reply, protocol)).toMatchObject({ text: reply, toolCalls: [] });
  });

  test("with a description is no call", () =>
    expect(
      readOf('<tool_call>{"tool": {"name": "get_time"}, "description": "x"}</tool_call>', "hermes").toolCalls,
    ).toEqual([]));
});

describe("arguments inside another object", () => {
  const city = { city: "Oulu", days: 2 };

  test.each([
    ["a whole call", { name: "get_weather", arguments: city }],
    ["a whole call with an id", { id: "c1", type: "function", name: "get_weather", parameters: city }],
    ["a whole call, its name last", { arguments: city, name: "get_weather" }],
    ["a wrapped call", { function: { name: "get_weather", arguments: city } }],
    ["the schema with values", { type: "object", properties: city, required: ["city"] }],
    ["some beside others", { city: "Oulu", params: { days: 2 } }],
    ["some before others", { kwargs: { city: "Oulu" }, days: 2 }],
    ["beside an empty list", { args: [], kwargs: city }],
    ["JSON in a string", { input: JSON.stringify(city) }],
    ["JSON in a string beside others", { city: "Oulu", args: JSON.stringify({ days: 2 }) }],
    ["a description of each value", { city: { type: "string", value: "Oulu" }, days: { type: "integer", value: 2 } }],
    [
      "the schema with descriptions of values",
      { type: "object", properties: { city: { type: "string", value: "Oulu" }, days: { type: "int", value: 2 } } },
    ],
  ])("%s", (_, args) => {
    expect(everywhere(args)).toEqual(compact.map((protocol) => ({ protocol, read: [city] })));
  });

  test.each([
    ["a call of another tool", { name: "write_file", arguments: city }],
    ["a call of another tool, its name last", { arguments: city, name: "now" }],
    ["the schema itself", { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } }],
    ["two objects with arguments that differ", { arguments: city, parameters: { ...city, days: 3 } }],
    ["other values beside the arguments", { arguments: city, place: "Oulu" }],
    ["parameters that the tool lacks", { name: "get_weather", arguments: { ...city, zone: 1 } }],
    ["the call of another tool around some", { name: "write_file", arguments: { city: "Oulu" } }],
    ["an argument twice, with two values", { city: "Oulu", params: { city: "Bodo" } }],
    ["an argument twice, with two values, the wrapped one first", { params: { city: "Bodo" }, city: "Oulu" }],
  ])("not read: %s", (_, args) => {
    expect(everywhere(args).filter(({ read }) => read.length > 0)).toEqual([]);
  });

  test("keys that the tool declares are its arguments", () => {
    const properties = { name: { type: "string" }, arguments: { type: "object" }, properties: { type: "object" } };
    const args = { name: "run", arguments: { name: "x" } };
    const reply = hermes(JSON.stringify({ name: "run", arguments: args }));
    expect(argumentsOf(reply, { tools: [{ name: "run", parameters: { type: "object", properties } }] })).toEqual([
      args,
    ]);
  });
});

test("arguments in a closed schema stand beside no others", () => {
  const parameters = { properties: { code: { type: "string" } }, additionalProperties: false };
  for (const args of [
    { name: "get_time", arguments: { code: "ls" } },
    { args: ["pwd"], kwargs: { code: "ls" } },
  ])
    expect(
      read(hermes(JSON.stringify({ name: "run", arguments: args })), { tools: [{ name: "run", parameters }] })
        .toolCalls,
    ).toEqual([]);
});

test("arguments are in no part of an argument", () => {
  const place = { type: "object", properties: { city: { type: "string" } }, additionalProperties: false } as const;
  const tools = [{ name: "open", parameters: { properties: { path: { type: "string" }, place } } }];
  const { toolCalls } = read(
    hermes('{"name": "open", "arguments": {"place": {"city": "Ulm", "args": {"path": "p"}}, "path": "q"}}'),
    { tools },
  );
  expect(toolCalls.map((call) => call.arguments)).not.toContainEqual({ place: { city: "Ulm", path: "p" }, path: "q" });
  expect(toolCalls.flatMap((call) => call.repairs ?? []).map(({ code }) => code)).not.toContain("partly-wrapped");
});

describe("an empty wrapper in the arguments", () => {
  const tools = [
    { name: "ping", parameters: { type: "object", properties: {} } },
    { name: "locate", parameters: { properties: { zone: { type: "string" } } } },
    { name: "store", parameters: { properties: { input: { type: "string" } } } },
    { name: "label", parameters: { properties: {}, additionalProperties: { type: "string" } } },
    { name: "any", parameters: { type: "object" } },
    { name: "more", parameters: { properties: { zone: { type: "string" } }, additionalProperties: true } },
  ];

  test.each([
    ["hermes", hermes('{"name": "ping", "arguments": {"arguments": {}}}')],
    ["hermes", hermes('{"name": "locate", "arguments": {"parameters": {}, "args": ""}}')],
    ["xml", "<tool_call>\n<name>ping</name>\n<arguments/>\n</tool_call>"],
    ["tool-tags", "<locate>\n<parameters/>\n</locate>"],
    ["qwen3-coder", "<tool_call>\n<function=ping>\n<parameter=arguments>\n{}\n</parameter>\n</function>\n</tool_call>"],
    ["auto", '<am:tool_call name="ping"><input/></am:tool_call>'],
  ] as const)("is no argument in %s: %s", (protocol, reply) => {
    expect(argumentsOf(reply, { protocol, tools })).toEqual([{}]);
  });

  test("leaves the arguments beside it", () => {
    const reply = hermes('{"name": "locate", "arguments": {"zone": "north", "args": {}, "extra": 1}}');
    expect(argumentsOf(reply, { tools })).toEqual([{ zone: "north", extra: 1 }]);
  });

  test("is an argument if the tool has one of that name, or one of any name", () => {
    const store = hermes('{"name": "store", "arguments": {"input": ""}}');
    const label = hermes('{"name": "label", "arguments": {"input": ""}}');
    for (const reply of [store, label]) expect(argumentsOf(reply, { tools })).toEqual([{ input: "" }]);
    for (const name of ["any", "more"]) {
      const args = { input: "", zone: "north" };
      expect(argumentsOf(hermes(JSON.stringify({ name, arguments: args })), { tools })).toEqual([args]);
    }
  });
});

describe("text in place of the arguments", () => {
  test.each([
    ["under the key of a wrapper", { input: "Oulu" }],
    ["under another", { args: "Oulu" }],
  ])("%s is the only string that the tool has and may need", (_, args) => {
    expect(everywhere(args)).toEqual(compact.map((protocol) => ({ protocol, read: [{ city: "Oulu" }] })));
  });

  test("alone is that string as well", () => {
    expect(argumentsOf(hermes('{"name": "get_weather", "arguments": "Mo i Rana"}'))).toEqual([{ city: "Mo i Rana" }]);
  });

  test.each([
    ["of a tool with two strings", '{"name": "write_file", "arguments": "a.txt"}'],
    ["that may contain arguments", '{"name": "get_weather", "arguments": "city: Oulu, days: 2"}'],
    ["under a key, that may contain arguments", '{"name": "get_weather", "arguments": {"input": "city=Oulu"}}'],
    ["without quotes", '{"name": "get_weather", "arguments": no city is known}'],
    ["that may be the value of another", '{"name": "get_weather", "arguments": "3"}'],
    ["that is a word for yes", '{"name": "get_weather", "arguments": {"input": "on"}}'],
    ["with a name in capitals", '{"name": "get_weather", "arguments": "CITY = Oulu"}'],
    ["that is a call of the tool", '{"name": "get_weather", "arguments": "get_weather(Oulu)"}'],
    ["beside that argument", '{"name": "get_weather", "arguments": "Oulu", "city": "Bodo"}'],
    ["that says there is none", '{"name": "get_weather", "arguments": {"input": "None"}}'],
    ["beside others that the tool lacks", '{"name": "get_weather", "arguments": {"input": "Oulu", "zone": "a"}}'],
  ])("%s: no call", (_, call) => expect(read(hermes(call)).toolCalls).toEqual([]));

  test("between tags is refused alike where it may be the value of another argument", () => {
    const parameters = { properties: { note: { type: "string" }, loud: { type: "boolean" } } } as const;
    const reply = (text: string) => `<tool_call>\n<name>say</name>\n<arguments>${text}</arguments>\n</tool_call>`;
    const calls = (text: string) =>
      read(reply(text), { protocol: "xml", tools: [{ name: "say", parameters }] }).toolCalls.length;
    expect(["hello", "yes", "1, 2"].map(calls)).toEqual([1, 0, 0]);
  });

  test("is an argument where the tool allows any key", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } }, additionalProperties: {} } as const;
    const reply = hermes('{"name": "search", "arguments": {"city": "Oulu", "args": {"city": "Bodo"}}}');
    expect(argumentsOf(reply, { tools: [{ name: "search", parameters }] })).toEqual([
      { city: "Oulu", args: { city: "Bodo" } },
    ]);
  });
});

describe("a list that names each argument", () => {
  test.each([
    [
      [
        { name: "city", value: "Oulu" },
        { name: "days", value: "2" },
      ],
    ],
    [
      [
        { key: "city", value: "Oulu" },
        { key: "days", value: 2 },
      ],
    ],
    [
      [
        { name: "days", type: "integer", value: 2 },
        { name: "city", type: "string", value: "Oulu" },
      ],
    ],
    [[{ name: "city", value: "Oulu" }]],
  ])("%j", (list) => {
    const [args] = argumentsOf(hermes(JSON.stringify({ name: "get_weather", arguments: list })));
    expect(args).toEqual(list.length > 1 ? { city: "Oulu", days: 2 } : { city: "Oulu" });
    expect(argumentsOf(`[TOOL_CALLS]get_weather[ARGS]${JSON.stringify(list)}`, { protocol: "mistral" })).toEqual([
      args,
    ]);
  });

  test("is not read with a name that the tool lacks, or one that comes twice", () => {
    const refused = [
      [
        { name: "city", value: "Oulu" },
        { name: "zone", value: 2 },
      ],
      [
        { name: "city", value: "Oulu" },
        { name: "city", value: "Bodo" },
      ],
    ];
    for (const list of refused) {
      expect(read(hermes(JSON.stringify({ name: "get_weather", arguments: list }))).toolCalls).toEqual([]);
    }
  });
});

describe("a call without arguments to speak of", () => {
  test.each([[[]], [null], [""], [{}]])("%j are no arguments", (args) => {
    expect(argumentsOf(hermes(JSON.stringify({ name: "now", arguments: args })))).toEqual([{}]);
    expect(read(hermes(JSON.stringify({ name: "get_weather", arguments: args }))).toolCalls).toEqual([]);
  });

  test.each<[ProtocolName, string]>([
    ["xml", "<tool_call>\n<name>NAME</name>\n<arguments>{}</arguments>\n</tool_call>"],
    ["kimi-k2", "<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{}<|tool_call_end|>"],
    ["mistral", "[TOOL_CALLS]NAME[ARGS]{}"],
    ["deepseek-v31", "<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{}<｜tool▁call▁end｜>"],
    ["functionary", "<function=NAME>{}</function>"],
    ["harmony", "<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{}<|call|>"],
  ])("null in place of an object is no arguments in %s", (protocol, written) => {
    const calls = (name: string, nothing: string) =>
      read(written.replace("NAME", name).replace("{}", nothing), { protocol }).toolCalls.map((call) => call.arguments);
    for (const nothing of ["null", "None", "{}"]) {
      expect(calls("now", nothing)).toEqual([{}]);
      expect(calls("get_weather", nothing)).toEqual([]);
    }
    expect(calls("now", "nothing")).toEqual([]);
    expect(calls("now", "nullable")).toEqual([]);
  });
});

test("a tool's name may have a namespace before it and the number of the call after it", () => {
  for (const name of ["get_weather:0", "functions.get_weather:12", "getWeather:1"]) {
    expect(read(hermes(JSON.stringify({ name, arguments: { city: "Oulu" } }))).toolCalls).toMatchObject([
      { name: "get_weather", arguments: { city: "Oulu" } },
    ]);
  }
  expect(read(hermes('{"name": "get_weather:x", "arguments": {"city": "Oulu"}}')).toolCalls).toEqual([]);
});

describe("a call in two objects", () => {
  test.each([
    ['{"name": "get_weather"}, {"arguments": {"city": "Oulu"}}', [{ city: "Oulu" }]],
    ['{"name": "get_weather"}\n{"arguments": {"city": "Oulu"}}', [{ city: "Oulu" }]],
    ['{"name": "get_weather"} {"parameters": {"city": "Oulu"}}\n{"name": "now"}', [{ city: "Oulu" }, {}]],
    ['{"name": "now"}\n{"name": "get_weather"}\n{"arguments": {"city": "Oulu"}}', [{}, { city: "Oulu" }]],
  ])("%s", (json, calls) => {
    expect(argumentsOf(hermes(json))).toEqual(calls);
  });

  test.each([
    '{"name": "get_weather"}\n{"arguments": {"city": "Oulu"}, "name": "now"}',
    '{"name": "get_weather"}\n{"arguments": {"city": "Oulu"}}\n{"arguments": {"city": "Bodo"}}',
    '{"name": "get_weather"\n{"arguments": {"city": "Oulu"}}',
  ])("not read: %s", (json) => {
    expect(read(hermes(json)).toolCalls.filter(({ name }) => name === "get_weather")).toEqual([]);
  });
});

describe("a call of a tool without parameters", () => {
  test("may end after the marker before its arguments, unless it was cut off", () => {
    const options = { protocol: "mistral" } as const;
    expect(read("[TOOL_CALLS]now[ARGS]", options)).toMatchObject({ toolCalls: [{ name: "now", arguments: {} }] });
    expect(read("[TOOL_CALLS]now[ARGS]", { ...options, finish: "length" }).toolCalls).toEqual([]);
    expect(read("[TOOL_CALLS]now[ARGS]{", options).toolCalls).toEqual([]);
    expect(read("[TOOL_CALLS]write_file[ARGS]", options).toolCalls).toEqual([]);
    expect(read("[TOOL_CALLS]any[ARGS]", { ...options, tools: [{ name: "any", parameters: true }] }).toolCalls).toEqual(
      [],
    );
  });
});

describe("an object whose keys name several tools", () => {
  const all = [...(Object.keys(protocols) as ProtocolName[]), "auto"] as const;
  const objects = [
    '{"now": {}, "get_weather": {"city": "Oslo"}}',
    '{"get_weather": {"city": "Oslo"}, "now": {}}',
    '{"get_weather": {"city": "Oslo"}, "get_weather": {"city": "Bodo"}}',
    '{"now": {}, "now": {}}',
    '{"get_weather": {"city": "Oslo"}, "get_weather": "Bodo"}',
  ];
  const shapes = [
    (object: string) => object,
    (object: string) => `[${object}]`,
    (object: string) => hermes(object),
    (object: string) => `<|tools_prefix|>[${object}]<|tools_suffix|>`,
  ];

  test.each(objects)("is one invalid call in every format: %s", (object) => {
    for (const protocol of all)
      for (const shape of shapes) {
        const reply = shape(object);
        const { toolCalls, invalidToolCalls } = read(reply, { protocol });
        expect([toolCalls, invalidToolCalls.length], `${protocol}: ${reply}`).toEqual([[], 1]);
        expect(invalidToolCalls[0]?.error).toMatchObject({ ambiguous: true });
        expect(invalidToolCalls[0]?.error.feedback).toContain("one object for each call");
      }
    for (const shape of shapes)
      expect(pieces(shape(object), "hermes").filter(([kind]) => kind !== "dropped")).toEqual([
        ["invalid", "malformed"],
      ]);
  });

  test("is refused with a name as well, but not with a text under the name of another tool", () => {
    const named = '{"name": "now", "arguments": {}, "get_weather": {"city": "Oslo"}}';
    const remark = '{"get_weather": {"city": "Oslo"}, "now": "I look."}';
    for (const shape of shapes.slice(0, 3)) {
      expect(read(shape(named)).toolCalls).toEqual([]);
      expect(argumentsOf(shape(remark))).toEqual([{ city: "Oslo" }]);
    }
  });

  test("leaves the other calls of a list", () => {
    const reply = `[{"get_weather": {"city": "Rome"}}, ${objects[0]}]`;
    for (const list of [reply, `<|tools_prefix|>${reply}<|tools_suffix|>`]) {
      const { toolCalls, invalidToolCalls } = read(list, { protocol: "apertus" });
      expect([toolCalls, invalidToolCalls]).toMatchObject([[{ arguments: { city: "Rome" } }], [{ name: "now" }]]);
    }
  });

  test("is text where the first is no call", () => {
    const reply = '{"get_weather": {"count": 3}, "now": {"count": 4}}';
    for (const protocol of ["auto", "hermes", "json-list"] as const)
      expect(pieces(reply, protocol)).toEqual([["text", reply]]);
  });
});
