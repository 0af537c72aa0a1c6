import { describe, expect, test } from "vitest";
import { tools } from "../../test/support/read.js";
import { collectReply, createReplyParser, getProtocol, type ProtocolName, parseReply, protocols } from "../index.js";
import { IS_ALTERNATIVE } from "./forms/or-follows.js";

/** A reply, the same in pieces of one character. */
function read(reply: string, protocol: ProtocolName) {
  const parser = createReplyParser({ protocol, tools, generateId: () => "id" });
  const streamed = collectReply([...[...reply].flatMap((piece) => parser.push(piece)), ...parser.end()]);
  const { toolCalls, invalidToolCalls, text } = parseReply(reply, { protocol, tools, generateId: () => "id" });
  expect(streamed).toMatchObject({ toolCalls, invalidToolCalls, text });
  return {
    calls: toolCalls.map((call) => call.arguments),
    errors: invalidToolCalls.map(({ error }) => error.message),
    text,
  };
}

const names = Object.keys(protocols) as ProtocolName[];
const calls = (name: ProtocolName, city: string) =>
  getProtocol(name).renderCalls([{ name: "get_weather", arguments: { city } }], { tools });

describe.each(["\nor\n", " or ", "\n\nOr:\n\n", "\n*or*\n", " oder ", "\n\nAlternatively:\n"])(
  "a call after %j",
  (or) => {
    test.each(names)("is not run, because the one before it may be meant instead: %s", (name) => {
      const { calls: run } = read(`${calls(name, "Oslo")}${or}${calls(name, "Rome")}`, name);
      expect(run.filter(({ city }) => city !== "Oslo")).toEqual([]);
    });

    test("has an error that says why", () => {
      const { calls: run, errors } = read(`${calls("hermes", "Oslo")}${or}${calls("hermes", "Rome")}`, "hermes");
      expect(run).toEqual([{ city: "Oslo" }]);
      expect(errors).toEqual([expect.stringContaining(IS_ALTERNATIVE)]);
    });
  },
);

test.each([" Then in color: ", "\nor, to be sure, both:\n", "\nFor:\n", "\n", "\nand\n"])(
  "a call after %j is run",
  (words) => {
    const { calls: run } = read(`${calls("hermes", "Oslo")}${words}${calls("hermes", "Rome")}`, "hermes");
    expect(run).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
  },
);

const json = (city: string) => `{"name": "get_weather", "arguments": {"city": "${city}"}}`;
const action = (city: string) => `{"action": "get_weather", "action_input": {"city": "${city}"}}`;

describe("in a format without a marker that ends a call, none of several alternatives runs", () => {
  test.each<[ProtocolName, string]>([
    ["pythonic", '[get_weather(city="A")] or [get_weather(city="B")]'],
    ["pythonic", '[get_weather(city="A")]\n\nor\n\n[get_weather(city="B")]'],
    ["pythonic", 'get_weather(city="A")\nor\nget_weather(city="B")'],
    ["glm4", 'get_weather(city="A")\nor\nget_weather(city="B")'],
    ["lfm2", '[get_weather(city="A")]\nor\n[get_weather(city="B")]'],
    ["llama3-json", `${json("A")}\nor\n${json("B")}`],
    ["llama3-json", `${json("A")} // or ${json("B")}`],
    ["llama3-json", `\`\`\`json\n${json("A")}\n\`\`\`\nor\n\`\`\`json\n${json("B")}\n\`\`\``],
    ["json-list", `[${json("A")} or ${json("B")}]`],
    ["json-list", `[${json("A")}]\n\nOr:\n\n[${json("B")}]`],
  ])("%s: %s", (protocol, reply) =>
    expect(read(reply, protocol)).toEqual({ calls: [], errors: [expect.stringContaining(IS_ALTERNATIVE)], text: "" }),
  );

  test("in one line of Python they are an expression", () =>
    expect(read('get_weather(city="A") or now()', "pythonic")).toEqual({
      calls: [],
      errors: [expect.stringContaining("an expression")],
      text: "",
    }));

  test.each([`${action("A")}\nor\n${action("B")}`, `${action("A")} // or ${action("B")}`])("json-action: %s", (reply) =>
    expect(read(reply, "json-action")).toMatchObject({
      calls: [],
      errors: [expect.stringContaining(IS_ALTERNATIVE), expect.stringContaining(IS_ALTERNATIVE)],
    }),
  );

  test("a sentence after a call offers none", () => {
    const reply = 'get_weather(city="A")\n\nOr is it Rome?';
    expect(read(reply, "pythonic")).toEqual({ calls: [{ city: "A" }], errors: [], text: "Or is it Rome?" });
  });
});
