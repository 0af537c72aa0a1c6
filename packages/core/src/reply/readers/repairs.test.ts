import { describe, expect, test } from "vitest";
import { argumentsOf, hermes, read, tools } from "../../../test/support/read.js";
import { createReplyParser, parseReply } from "../../full/index.js";
import { collectReply } from "../index.js";

const repairsOf = (text: string) => read(text).toolCalls[0]?.repairs?.map(({ code }) => code);

describe("repairs of JSON", () => {
  test.each([
    ["single-quotes", "{'name': 'get_weather', 'arguments': {'city': 'Rome'}}"],
    ["unquoted-key", '{name: "get_weather", arguments: {city: "Rome"}}'],
    ["trailing-comma", '{"name": "get_weather", "arguments": {"city": "Rome", "tags": ["a",]}}'],
    ["trailing-comma", '{"name": "get_weather", "arguments": {"city": "Rome",}}'],
    ["comment", '{"name": "get_weather", /* here */ "arguments": {"city": "Rome"}} // done'],
    ["missing-comma", '{"name": "get_weather" "arguments": {"city": "Rome"}}'],
    ["missing-bracket", '{"name": "get_weather", "arguments": {"city": "Rome"}'],
    ["extra-bracket", '{"name": "get_weather", "arguments": {"city": "Rome"}}}'],
    ["unquoted-string", '{"name": "get_weather", "arguments": {"city": Rome}}'],
    ["flat-arguments", '{"name": "get_weather", "city": "Rome"}'],
    ["renamed-tool", '{"name": "getWeather", "arguments": {"city": "Rome"}}'],
    ["renamed-key", '{"name": "get_weather", "arguments": {"City": "Rome"}}'],
    ["parsed-text", '{"name": "get_weather", "arguments": "{\\"city\\": \\"Rome\\"}"}'],
    ["unwrapped", '{"name": "get_weather", "arguments": [{"city": "Rome"}]}'],
    ["other-quotes", "{“name”: “get_weather”, “arguments”: {“city”: “Rome”}}"],
    ["other-quotes", "{`name`: `get_weather`, `arguments`: {`city`: `Rome`}}"],
    ["comment", '{"name": "get_weather", # which tool\n "arguments": {"city": "Rome", # where to\n}}'],
    ["comment", '{"name": "get_weather" # which tool\n, "arguments": # and what\n {"city": "Rome"}} # done'],
    ["missing-bracket", '"name": "get_weather", "arguments": {"city": "Rome"}}'],
    ["missing-bracket", '"name": "get_weather", "arguments": {"city": "Rome"}'],
    ["parsed-text", '{"name": "get_weather", "arguments": "\\"{\\\\\\"city\\\\\\": \\\\\\"Rome\\\\\\"}\\""}'],
    ["parsed-text", '"{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"Rome\\"}}"'],
    ["renamed-key", '{"tool": "get_weather", "arguments": {"city": "Rome"}}'],
    ["renamed-key", '{"name": "get_weather", "args": {"city": "Rome"}}'],
    ["single-quotes", `{"name": "get_weather", "arguments": {'city': "Rome"}}`],
  ])("%s", (code, json) => {
    const { toolCalls } = read(hermes(json));
    expect(toolCalls[0]?.arguments).toMatchObject({ city: "Rome" });
    expect(repairsOf(hermes(json))).toContain(code);
  });

  test.each([
    ["parameters", '{"name": "get_weather", "parameters": {"city": "Rome"}}'],
    ["args", '{"tool": "get_weather", "args": {"city": "Rome"}}'],
    ["input", '{"tool_name": "get_weather", "input": {"city": "Rome"}}'],
    ["a function object", '{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Rome"}}}'],
    ["a call of OpenAI's", '{"function_call": {"name": "get_weather", "arguments": {"city": "Rome"}}}'],
    ["a call of Anthropic's", '{"type": "tool_use", "id": "1", "name": "get_weather", "input": {"city": "Rome"}}'],
    ["a call of Gemini's", '{"functionCall": {"name": "get_weather", "args": {"city": "Rome"}}}'],
    ["dotted keys", '{"function.name": "get_weather", "function.arguments": {"city": "Rome"}}'],
    ["the tool's name as the key", '{"get_weather": {"city": "Rome"}}'],
    ["the name before the object", 'get_weather\n{"city": "Rome"}'],
    ["code", 'get_weather(city="Rome")'],
    ["code with an object", 'get_weather({"city": "Rome"})'],
    ["a function's name", '{"function": "get_weather", "arguments": {"city": "Rome"}}'],
  ])("other names of the keys: %s", (_, json) => {
    expect(argumentsOf(hermes(json))).toEqual([{ city: "Rome" }]);
  });

  test.each([
    ['say "hi" to', '{"name": "write_file", "arguments": {"content": "say "hi" to", "path": "p"}}'],
    ['x = "a";', '{"name": "write_file", "arguments": {"path": "p", "content": "x = "a";"}}'],
    ['{"a": "b", "c": "d"}', '{"name": "write_file", "arguments": {"content": "{"a": "b", "c": "d"}", "path": "p"}}'],
    ["two\nlines\tand a tab", '{"name": "write_file", "arguments": {"path": "p", "content": "two\nlines\tand a tab"}}'],
    ["C:\\Users", '{"name": "write_file", "arguments": {"path": "p", "content": "C:\\Users"}}'],
    ["it's $5", '{"name": "write_file", "arguments": {"path": "p", "content": "it\\\'s \\$5"}}'],
  ])("strings with other quotes than JSON's: %j", (content, json) => {
    expect(argumentsOf(hermes(json))).toEqual([{ content, path: "p" }]);
  });

  test.each([
    ["3 * (4 + 5)", '{"content": 3 * (4 + 5), "path": "p"}'],
    ["a few words", '{"path": "p", "content": a few words}'],
    ["12:30", '{"content": 12:30, "path": "p"}'],
  ])("text without quotes: %j", (content, args) => {
    const text = hermes(`{"name": "write_file", "arguments": ${args}}`);
    expect(argumentsOf(text)).toEqual([{ content, path: "p" }]);
    expect(repairsOf(text)).toContain("unquoted-string");
  });

  test.each([
    ["\\d+\\.x", "a pattern"],
    ["\\(a\\)\\[b\\]\\*\\?\\|\\{2\\}\\-", "signs of patterns"],
    ["\\alpha\\%\\&\\,x", "a formula"],
  ])("a backslash that escapes nothing is kept: %s, %s", (content) => {
    const text = hermes(`{"name": "write_file", "arguments": {"content": "${content}"}}`);
    expect(argumentsOf(text)).toEqual([{ content }]);
    expect(repairsOf(text)).toEqual(["invalid-escape"]);
  });

  test("a repair of a key is noted at the key", () => {
    const { toolCalls } = read(hermes('{"name": "get_weather", "arguments": {city: "Rome", options: {wind: true}}}'));
    expect(toolCalls[0]?.repairs).toEqual([
      { code: "unquoted-key", path: "/city" },
      { code: "unquoted-key", path: "/options" },
      { code: "unquoted-key", path: "/options/wind" },
    ]);
  });

  test.each([
    ["#fff", '{"content": #fff, "path": "p"}'],
    ["echo # no comment", '{"content": "echo # no comment", "path": "p"}'],
    ['say "hi" # to all', '{"content": "say "hi" # to all", "path": "p"}'],
  ])("a `#` that does not begin a comment is text: %j", (content, args) => {
    expect(argumentsOf(hermes(`{"name": "write_file", "arguments": ${args}}`))).toEqual([{ content, path: "p" }]);
  });

  test.each([
    '"x" # one\n# two\n, "mode": 1',
    '"x" // one\n// two\n, "mode": 1',
    '"x" /* one */ // two\n, "mode": 1',
    '"x" /* one */, "mode": 1',
    '"x" /* one\n */ /* two */, "mode": 1',
  ])("comments may follow a string, one after the other: %j", (rest) => {
    const tools = [
      { name: "save", parameters: { properties: { content: { type: "string" }, mode: { type: "integer" } } } },
    ];
    const reply = hermes(`{"name": "save", "arguments": {"content": ${rest}}}`);
    expect(argumentsOf(reply, { tools })).toEqual([{ content: "x", mode: 1 }]);
  });

  test.each([
    '<script src="//cdn.example.com/a.js"></script>',
    'Re: "//home" in the paths',
    'the globs "/*.js" and "/*.ts"',
    '@import "//fonts.example.com/f.css"; // fonts "here"',
  ])("slashes after an unescaped quote begin no comment if the line has another quote: %j", (content) => {
    const tools = [
      { name: "save", parameters: { properties: { content: { type: "string" }, mode: { type: "integer" } } } },
    ];
    const args = (value: string) => hermes(`{"name": "save", "arguments": {\n"content": "${value}",\n"mode": 1\n}}`);
    expect(argumentsOf(args(content), { tools })).toEqual([{ content, mode: 1 }]);
    expect(argumentsOf(args("x").replace('"x",', '"x" // once\n,'), { tools })).toEqual([{ content: "x", mode: 1 }]);
    expect(argumentsOf(args("x").replace('"x",', '"x" /* once */,'), { tools })).toEqual([{ content: "x", mode: 1 }]);
  });

  test.each([
    '{"name": "get_weather", "arguments": {"city": "Rome"}}}',
    '[{"name": "get_weather", "arguments": {"city": "Rome"}}}]',
    '```json\n{"name": "get_weather", "arguments": {"city": "Rome"}}}\n```',
  ])("a call without a marker may have an extra bracket: %s", (text) => {
    const { toolCalls } = read(text, { protocol: "auto" });
    expect(toolCalls.map((call) => call.arguments)).toEqual([{ city: "Rome" }]);
    expect(toolCalls[0]?.repairs).toEqual([{ code: "extra-bracket" }]);
  });

  test("repairs are in the order of the text, in any chunks", () => {
    const text = hermes('{"name": "write_file", "arguments": {"content": "a\\.b\nc"}}');
    const parser = createReplyParser({ tools, protocol: "hermes" });
    const { toolCalls } = collectReply([...[...text].flatMap((char) => parser.push(char)), ...parser.end()]);
    expect(toolCalls[0]?.repairs?.map(({ code }) => code)).toEqual(["invalid-escape", "control-character"]);
    expect(repairsOf(text)).toEqual(["invalid-escape", "control-character"]);
  });

  test("an integer with more digits than a number can represent is refused, or text if text is wanted", () => {
    const anything = {
      tools: [
        { name: "t", parameters: true },
        { name: "s", parameters: { properties: { v: { type: "string" } } } },
      ],
    };
    const digits = "12345678901234567890";
    const { invalidToolCalls } = read(hermes(`{"name": "t", "arguments": {"v": ${digits}, "w": 1.5}}`), anything);
    expect(invalidToolCalls[0]?.error.message).toContain(`/v the number ${digits} cannot be kept exactly`);
    expect(argumentsOf(hermes(`{"name": "s", "arguments": {"v": ${digits}}}`), anything)).toEqual([{ v: digits }]);
  });

  test("a code fence around the JSON between the markers", () => {
    for (const open of ["```json\n", "```\n"]) {
      const fenced = (json: string) => `${open}${json}\n\`\`\``;
      const call = '{"name": "get_weather", "arguments": {"city": "Rome"}}';
      expect(read(`${hermes(fenced(call))}\nDone.`)).toMatchObject({
        toolCalls: [{ arguments: { city: "Rome" }, repairs: [{ code: "fence" }] }],
        invalidToolCalls: [],
        text: "Done.",
      });
      const xml = `<tool_call><name>get_weather</name><arguments>${fenced('{"city": "Rome"}')}</arguments></tool_call>`;
      expect(argumentsOf(xml, { protocol: "xml" })).toEqual([{ city: "Rome" }]);
    }
  });

  test.each([
    ["SELECT 1", '{"content": "SELECT " + "1", "path": "p"}'],
    ["abc", '{"path": "p", "content": "a"\n  + "b" + "c"}'],
  ])("concatenated strings: %j", (content, args) => {
    const text = hermes(`{"name": "write_file", "arguments": ${args}}`);
    expect(argumentsOf(text)).toEqual([{ content, path: "p" }]);
    expect(repairsOf(text)).toEqual(["joined-strings"]);
  });

  test("text with unescaped quotes is not read as concatenated strings", () => {
    for (const content of ['x = "a" + "b" + c', 'alert(" + "x")']) {
      expect(argumentsOf(hermes(`{"name": "write_file", "arguments": {"content": "${content}"}}`))).toEqual([
        { content },
      ]);
    }
  });

  test("an expression is no value", () => {
    const { invalidToolCalls } = read(hermes('{"name": "write_file", "arguments": {"content": "a" + b, "path": "p"}}'));
    expect(invalidToolCalls).toMatchObject([{ error: { code: "malformed" } }]);
  });

  test("doubled braces", () => {
    for (const json of [
      '{{"name": "get_weather", "arguments": {"city": "Rome"}}}',
      '{{"name": "get_weather", "arguments": {{"city": "Rome"}}}}',
      '{"name": "get_weather", "arguments": {{"city": "Rome"}}, "id": 1}',
      '{{"name": "get_weather", "arguments": {"city": "Rome"}}',
    ]) {
      expect(argumentsOf(hermes(json)), json).toEqual([{ city: "Rome" }]);
      expect(repairsOf(hermes(json))).toContain("extra-bracket");
    }
  });

  test("an object in a list that was not closed", () => {
    const list = '[{"name": "get_weather", "arguments": {"city": "Rome"}, {"name": "now"}]';
    for (const text of [hermes(list), list]) {
      expect(read(text).toolCalls.map(({ name }) => name)).toEqual(["get_weather", "now"]);
    }
  });

  test("an object is read as its JSON text if the schema wants text", () => {
    const text = hermes('{"name": "write_file", "arguments": {"path": "p", "content": {"a": "b", "c": [1]}}}');
    expect(argumentsOf(text)).toEqual([{ path: "p", content: '{"a":"b","c":[1]}' }]);
  });

  test("null for an optional argument that cannot be null is dropped", () => {
    const parameters = {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer" },
        note: { type: ["string", "null"] },
        place: { type: "object", properties: { zip: { type: "string" }, floor: { enum: [1, 2] } } },
      },
      required: ["city"],
    };
    const args = '{"city": "Rome", "days": null, "note": null, "place": {"zip": null, "floor": null}}';
    const reply = parseReply(hermes(`{"name": "find", "arguments": ${args}}`), {
      tools: [{ name: "find", parameters }],
    });
    expect(reply.toolCalls).toMatchObject([{ arguments: { city: "Rome", note: null, place: {} } }]);
    expect(reply.toolCalls[0]?.arguments).not.toHaveProperty("days");
    expect(reply.toolCalls[0]?.repairs).toContainEqual({ code: "dropped-null", path: "/days" });
    const required = parseReply(hermes('{"name": "find", "arguments": {"city": null}}'), {
      tools: [{ name: "find", parameters }],
    });
    expect(required.invalidToolCalls).toMatchObject([{ error: { code: "invalid-arguments" } }]);
  });

  test("a missing or wrong closing tag", () => {
    const call = '<tool_call>{"name": "now"}';
    expect(read(`${call}</think>`)).toMatchObject({ toolCalls: [{ name: "now" }], text: "" });
    expect(read(`${call} and so on`)).toMatchObject({ toolCalls: [{ name: "now" }], text: "and so on" });
    expect(read(`${call}</tool_`)).toMatchObject({ toolCalls: [{ name: "now" }], text: "" });
  });

  test("a doubled opener", () => {
    expect(read(`<tool_call>\n${hermes('{"name": "now"}')}`)).toMatchObject({
      toolCalls: [{ name: "now" }],
      invalidToolCalls: [],
    });
  });

  test("an ambiguous choice between two tools makes no call", () => {
    const alike = [{ name: "get_user" }, { name: "getUser" }];
    const { invalidToolCalls } = read(hermes('{"name": "get-user"}'), { tools: alike });
    expect(invalidToolCalls[0]?.error.code).toBe("unknown-tool");
  });
});

describe("JSON in a code block as an argument", () => {
  const block = '```json\n{"city": "Rome"}\n```';
  const stored = [
    { name: "store", parameters: { properties: { data: { type: "object" }, note: { type: "string" } } } },
  ];

  test("is the value that it holds", () => {
    const { toolCalls } = read(hermes(JSON.stringify({ name: "store", arguments: { data: block } })), {
      tools: stored,
    });
    expect(toolCalls).toMatchObject([{ arguments: { data: { city: "Rome" } } }]);
    expect(toolCalls[0]?.repairs).toEqual([
      { code: "fence", path: "/data" },
      { code: "parsed-text", path: "/data" },
    ]);
    expect(argumentsOf(hermes(JSON.stringify({ name: "get_weather", arguments: block })))).toEqual([{ city: "Rome" }]);
  });

  test("is read once: blocks within blocks are none", () => {
    const deep = `${"```\n".repeat(5000)}{}${"\n```".repeat(5000)}`;
    const { invalidToolCalls } = read(hermes(JSON.stringify({ name: "store", arguments: { data: deep } })), {
      tools: stored,
    });
    expect(invalidToolCalls).toMatchObject([{ error: { code: "invalid-arguments" } }]);
  });

  test("is text if the argument is text, or something else is in it", () => {
    expect(
      argumentsOf(hermes(JSON.stringify({ name: "store", arguments: { note: block } })), { tools: stored }),
    ).toEqual([{ note: block }]);
    for (const data of ["```json\nnothing\n```", "```json\n{}\n``` and more", "```sh\n{}\n```"]) {
      const { invalidToolCalls } = read(hermes(JSON.stringify({ name: "store", arguments: { data } })), {
        tools: stored,
      });
      expect(invalidToolCalls).toMatchObject([{ error: { code: "invalid-arguments" } }]);
    }
  });
});

describe("coercion to the schema", () => {
  const coerced = (properties: Record<string, unknown>, args: unknown) =>
    argumentsOf(hermes(JSON.stringify({ name: "t", arguments: args })), {
      tools: [{ name: "t", parameters: { type: "object", properties } }],
    })[0];

  test.each([
    [{ type: "integer" }, "5", 5],
    [{ type: "number" }, "-1.5e3", -1500],
    [{ type: "boolean" }, "True", true],
    [{ type: "null" }, "None", null],
    [{ type: "string" }, 5, "5"],
    [{ type: "string" }, false, "false"],
    [{ type: "array", items: { type: "integer" } }, "[1, 2]", [1, 2]],
    [{ type: "array", items: { type: "integer" } }, "3", [3]],
    [{ type: "array", items: { type: "string" } }, "a", ["a"]],
    [{ type: "object", properties: { a: { type: "integer" } } }, '{"a": "1"}', { a: 1 }],
    [{ enum: ["celsius", "fahrenheit"] }, "'Celsius'", "celsius"],
    [{ enum: [1, 2] }, "2", 2],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "7", 7],
    [{ anyOf: [{ type: "string" }, { type: "integer" }] }, "7", "7"],
    [{ $ref: "#/$defs/n", $defs: { n: { type: "integer" } } }, "7", "7"],
  ])("%j turns %j into %j", (schema, given, wanted) => {
    expect(coerced({ x: schema }, { x: given })).toEqual({ x: wanted });
  });

  test("a string keeps the digits it was written with", () => {
    const text = '<tool_call>{"name": "write_file", "arguments": {"path": 1.50}}</tool_call>';
    expect(argumentsOf(text)).toEqual([{ path: "1.50" }]);
  });

  test("a union uses the branch that matches best", () => {
    const schema = {
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, n: { type: "integer" } }, required: ["kind", "n"] },
        { type: "object", properties: { kind: { const: "b" }, s: { type: "string" } }, required: ["kind", "s"] },
      ],
    };
    expect(coerced({ x: schema }, { x: { kind: "b", s: 5 } })).toEqual({ x: { kind: "b", s: "5" } });
    expect(coerced({ x: schema }, { x: { kind: "a", n: "5" } })).toEqual({ x: { kind: "a", n: 5 } });
  });

  test("keys that the schema does not declare are kept, unless it forbids them", () => {
    expect(coerced({}, { extra: 1 })).toEqual({ extra: 1 });
    const parameters = { type: "object", properties: { a: {} }, additionalProperties: false };
    const tools = [{ name: "t", parameters }];
    const stray = hermes('{"name": "t", "arguments": {"a": 1, "zone": "UTC"}}');
    const [call] = read(stray, { tools }).toolCalls;
    expect(call).toMatchObject({ arguments: { a: 1 }, repairs: [{ code: "dropped-key", path: "/zone" }] });
  });

  test("recursive schemas and unions within unions are finite", () => {
    const node = {
      type: "object",
      properties: { next: { anyOf: [{ $ref: "#" }, { type: "array", items: { $ref: "#" } }] } },
    };
    let value: unknown = {};
    for (let i = 0; i < 60; i++) value = { next: value };
    const text = hermes(JSON.stringify({ name: "t", arguments: value }));
    expect(argumentsOf(text, { tools: [{ name: "t", parameters: node }] })).toEqual([value]);
  });
});

describe("am-xml", () => {
  const xml = (body: string) => `<am:tool_call name="get_weather">${body}</am:tool_call>`;
  const readXml = (body: string) => argumentsOf(xml(body), { protocol: "am-xml" })[0];

  test.each([
    ["scalars", "<city>Rome</city><days>3</days>", { city: "Rome", days: 3 }],
    ["layout", "\n  <city>\n    Rome\n  </city>\n", { city: "Rome" }],
    ["indentation where the closing tag has none", "<city>\n    Rome\n</city>", { city: "    Rome" }],
    ["the indentation of several lines", "<city>\n    Rome\n    Oslo\n  </city>", { city: "    Rome\n    Oslo" }],
    ["layout of items", "<city>x</city><tags>\n <item>\n  a\n </item>\n</tags>", { city: "x", tags: ["a"] }],
    ["entities", "<city>R&amp;D &lt;x&gt; &#65;</city>", { city: "R&D <x> A" }],
    ["raw markup in a string", "<city>a <b>bold</b> & c</city>", { city: "a <b>bold</b> & c" }],
    ["CDATA", "<city><![CDATA[<&amp;>]]></city>", { city: "<&amp;>" }],
    ["an array as JSON", '<city>x</city><tags>["a", "b"]</tags>', { city: "x", tags: ["a", "b"] }],
    ["an array as items", "<city>x</city><tags><item>a</item><item>b</item></tags>", { city: "x", tags: ["a", "b"] }],
    ["an array as repeated elements", "<city>x</city><tags>a</tags><tags>b</tags>", { city: "x", tags: ["a", "b"] }],
    ["an array of one", "<city>x</city><tags>a</tags>", { city: "x", tags: ["a"] }],
    ["an object as JSON", '<city>x</city><options>{"wind": true}</options>', { city: "x", options: { wind: true } }],
    [
      "an object as elements",
      "<city>x</city><options><wind>true</wind></options>",
      { city: "x", options: { wind: true } },
    ],
    ["an empty element", "<city></city>", { city: "" }],
    ["a comment", "<!-- where --><city>Rome</city>", { city: "Rome" }],
    ["attributes on a child", '<city type="string">Rome</city>', { city: "Rome" }],
  ])("reads %s", (_, body, wanted) => {
    expect(readXml(body)).toEqual(wanted);
  });

  test("a call without arguments may be self-closing or empty", () => {
    for (const text of [
      '<am:tool_call name="now"/>',
      '<am:tool_call name="now"></am:tool_call>',
      "<am:tool_call name='now' />",
    ]) {
      expect(argumentsOf(text, { protocol: "am-xml" })).toEqual([{}]);
    }
  });

  test("the closing tag may be missing because it was the stop sequence", () => {
    expect(argumentsOf('<am:tool_call name="get_weather"><city>Rome</city>\n', { protocol: "am-xml" })).toEqual([
      { city: "Rome" },
    ]);
  });
});

test("repairs of an element have the path of its argument", () => {
  const properties = { city: { type: "string" }, days: { type: "integer" }, hours: { type: "integer" } };
  const given = [{ name: "plan", parameters: { type: "object", properties } }];
  const written = (days: string) =>
    `<tool_call>\n<function=plan>\n<parameter=city>\nOslo\n</parameter>\n${days}</function>\n</tool_call>`;
  const found = (days: string) => parseReply(written(days), { protocol: "qwen3-coder", tools: given }).toolCalls[0];
  expect(found("<parameter=days>\n2\n")).toMatchObject({
    arguments: { city: "Oslo", days: 2 },
    repairs: [{ code: "missing-closer", path: "/days" }],
  });
  expect(found("<parameter=days>\n2\n<parameter=hours>\n3\n</parameter>\n")?.repairs).toEqual([
    { code: "missing-closer", path: "/days" },
  ]);
});
