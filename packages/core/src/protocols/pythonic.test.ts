import { describe, expect, it } from "vitest";
import { createReplyParser, parseReply } from "../full/index.js";
import { collectReply } from "../reply/index.js";

describe("variants of Python calls", () => {
  const parameters = { type: "object", properties: { user_id: { type: "string" }, days: { type: "integer" } } };
  const tools = [
    { name: "get_user_info", parameters },
    { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
  ];
  const calls = (text: string) =>
    parseReply(text, { tools, protocol: "pythonic" }).toolCalls.map(({ name, arguments: args }) => [name, args]);

  it.each([
    ['f"for n"', "for n"],
    ["r'C:\\new'", "C:\\new"],
    ['b"x"', "x"],
    ['"one " "two"', "one two"],
    ['"one "\n  f\'two\' + "!"', "one two!"],
    ['"""a\nb""" \'c\'', "a\nbc"],
    ['"""return {"a": 1, "b": 2}"""', 'return {"a": 1, "b": 2}'],
    [`'''x = f('a')\ny = "b"'''`, `x = f('a')\ny = "b"`],
  ])("strings with a prefix, and concatenated strings: %s", (written, wanted) => {
    for (const text of [`[get_user_info(days=2, user_id=${written})]`, `[get_user_info(user_id=${written}, days=2)]`]) {
      expect(calls(text)).toMatchObject([["get_user_info", { user_id: wanted, days: 2 }]]);
      const chunks = [...text];
      const parser = createReplyParser({ tools, protocol: "pythonic" });
      const { toolCalls } = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
      expect(toolCalls).toMatchObject([{ arguments: { user_id: wanted, days: 2 } }]);
    }
  });

  it("an unpacked object", () => {
    expect(calls('[get_user_info(**{"user_id": "a", "days": 2})]')).toEqual([
      ["get_user_info", { user_id: "a", days: 2 }],
    ]);
    expect(calls('[get_user_info(user_id="a", **{"days": 2})]')).toEqual([
      ["get_user_info", { user_id: "a", days: 2 }],
    ]);
  });

  it.each([
    'get_user_info("a", 2, 3)',
    'get_user_info(user_id="a", 2)',
    'get_user_info("a", user_id="b")',
    'get_user_info(*["a", 2])',
    'get_user_info(user_id="a" if x else "b")',
    'get_user_info(user_id="a" + b, days=2)',
    'get_user_info(user_id="a".upper())',
  ])("ambiguous ones make no call: %s", (call) => {
    const reply = `<|tool_call_start|>[${call}]<|tool_call_end|>`;
    expect(parseReply(reply, { tools, protocol: "lfm2" })).toMatchObject({
      toolCalls: [],
      invalidToolCalls: [{ name: "get_user_info", error: { code: "malformed" } }],
    });
  });

  it("escapes of Markdown", () => {
    expect(calls("[get\\_user\\_info(user\\_id='a\\_b', days=2)]")).toEqual([
      ["get_user_info", { user_id: "a_b", days: 2 }],
    ]);
  });

  it("each call in quotes", () => {
    expect(calls(`['get_user_info(user_id="a")', 'weather(city="Rome")']`)).toEqual([
      ["get_user_info", { user_id: "a" }],
      ["weather", { city: "Rome" }],
    ]);
  });

  it("objects whose key is the tool, if they match", () => {
    expect(calls("[{'weather': {'city': 'Rome'}}]")).toEqual([["weather", { city: "Rome" }]]);
    expect(calls('{"weather": {"temperature": 21}}')).toEqual([]);
  });

  it("an explanation after the calls at the beginning of the reply", () => {
    const reply = parseReply('[weather(city="Rome")]\n\nThis asks for the weather.', { tools, protocol: "pythonic" });
    expect(reply).toMatchObject({ text: "This asks for the weather.", toolCalls: [{ arguments: { city: "Rome" } }] });
    expect(calls('```python\n[weather(city="Rome")]\n```\nThis asks for it.')).toEqual([["weather", { city: "Rome" }]]);
    expect(calls('[weather(city="Rome")] is how it is called.')).toEqual([]);
  });

  it("mistakes in the requested format", () => {
    const read = (text: string) => parseReply(text, { tools, protocol: "pythonic" });
    expect(read('[weather(city="Rome"), fly()]')).toMatchObject({
      toolCalls: [{ name: "weather" }],
      invalidToolCalls: [{ name: "fly", error: { code: "unknown-tool" } }],
    });
    expect(read('[weather(city="Ro')).toMatchObject({ text: "", invalidToolCalls: [{ error: { code: "truncated" } }] });
  });
});
