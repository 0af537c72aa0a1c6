import { createReplyParser, type Protocol, protocols, type ReplyParserOptions } from "@toolingua/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainReply } from "../src/reply/explain-reply.js";

const tools = [
  {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
  {
    name: "write_file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
  },
];
const became = (reply: string, options = {}) =>
  explainReply(reply, { tools, ...options }).map((part) => [part.became, part.source]);

describe("explainReply", () => {
  test("marks markup as such", () => {
    expect(became("<think>think</think>Noon.")).toEqual([
      ["markup", "<think>"],
      ["reasoning", "think"],
      ["markup", "</think>"],
      ["text", "Noon."],
    ]);
  });

  test("gives each call its own source; the closing bracket of a list is markup", () => {
    const reply = '[TOOL_CALLS][{"name": "now", "arguments": {}}, {"name": "nwo", "arguments": {}}]';
    const parts = explainReply(reply, { tools, protocol: "mistral-list" });
    expect(parts.map(({ source }) => source)).toEqual([
      '[TOOL_CALLS][{"name": "now", "arguments": {}}',
      ', {"name": "nwo", "arguments": {}}',
      "]",
    ]);
    expect(parts).toMatchObject([
      { became: "call", call: { name: "now" } },
      { became: "call", call: { name: "nwo", error: { code: "unknown-tool" } } },
      { became: "markup" },
    ]);
  });

  const marked = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
  const bare = '{"name": "now", "parameters": {}}';
  test.each<[reply: string, options: object, why: RegExp]>([
    [`Write \`${marked}\` for it.`, {}, /"now" in a code block or inline code is quoted/],
    [`Like so:\n~~~\n${marked}\n~~~`, {}, /"now" in a code block or inline code is quoted/],
    [`> ${marked}`, {}, /"now" in a block quote or a comment is quoted/],
    [`1. > ${marked}`, {}, /"now" in a block quote or a comment is quoted/],
    [`Or:\n// ${bare}`, { protocol: "llama3-json" }, /"now" in a block quote or a comment is quoted/],
    [`${bare} # ${bare}`, { protocol: "llama3-json" }, /"now" in a block quote or a comment is quoted/],
    [`<think>I write ${marked}</think>Noon.`, {}, /a call of "now" in reasoning is a thought/],
    [marked, { protocol: "mistral", accept: "own" }, /"now" in another format/],
    ['{"name": "nwo", "parameters": {}}', { protocol: "llama3-json" }, /there is no tool "nwo"\. Did you mean "now"\?/],
    [`I wrote ${bare} for you.`, { protocol: "llama3-json" }, /words are around a call of "now"/],
    ['Let me see.\nget_weather(city="Oslo")', {}, /^words are around a call of "get_weather" without a marker$/],
    ['Let me see.\nget_weather(city="Oslo")\n', {}, /^words are around a call of "get_weather" without a marker$/],
    ['Sure, get_weather(city="Oslo").', {}, /^words are around a call of "get_weather" without a marker$/],
    ['Sure (at f(x) or so), get_weather(city="(Oslo)") and now().', {}, /^words are around a call of "get_weather"/],
    ["Sure: <get_weather><city>Oslo</city></get_weather>", {}, /^words are around a call of "get_weather" without/],
    ["Sure: <now></now> Done.", { protocol: "xml" }, /^words are around a call of "now" without a marker$/],
    ["Sure:\nOK <now/>", { protocol: "xml" }, /^words are around a call of "now" without a marker$/],
    ['Let me see.\nget_weather(city="Oslo"', {}, /a call of "get_weather" is incomplete: the reply ends in it/],
    ['I write {"name": "now", "parameters": {', { protocol: "llama3-json" }, /a call of "now" is incomplete/],
    ["It writes <tool_call> before a call.", {}, /the marker <tool_call> is mentioned/],
    ["I use a tool.\nnow", {}, /"now" is the name of a tool, without arguments or a marker/],
  ])("says why %j is no call", (reply, options, why) => {
    const parts = explainReply(reply, { tools, ...options });
    expect(parts.filter(({ became }) => became === "call")).toEqual([]);
    expect(parts.map((part) => ("why" in part ? part.why : undefined)).join("")).toMatch(why);
  });

  test("keeps a text with markers together", () => {
    const reply = "Sure: <get_weather><city>Oslo</city></get_weather>";
    expect(became(reply)).toEqual([["text", reply]]);
  });

  test("says that a call may belong to the invalid one before it", () => {
    const reply = `<am:tool_call name="get_weather"><town>Oslo</town></am:tool_call>\n${bare}`;
    const parts = explainReply(reply, { tools, protocol: "am-xml" });
    expect(parts.at(-1)).toMatchObject({ became: "text", why: expect.stringMatching(/^after an invalid call/) });
  });

  test("explains nothing of a text that looks like no call", () => {
    for (const text of ["Done.", "It is {noon} (or [later]).", "Use `ls` now.", "Use f(x), or print(x).", "a < b > c"])
      expect(explainReply(text, { tools })).toEqual([{ became: "text", from: 0, to: text.length, source: text }]);
  });

  const json = '{"name":"now","arguments":{}}';
  test.each<[reply: string, options: object, parts: [became: string, source: string][]]>([
    [
      '1. get_weather(city="Oslo")\n2. now()',
      {},
      [
        ["dropped", "1. "],
        ["call", 'get_weather(city="Oslo")'],
        ["markup", "\n"],
        ["dropped", "2. "],
        ["call", "now()"],
      ],
    ],
    [
      `${json}, ${json}`,
      {},
      [
        ["call", json],
        ["dropped", ","],
        ["markup", " "],
        ["call", json],
      ],
    ],
    [
      "[now(), now()]",
      { protocol: "pythonic" },
      [
        ["call", "[now()"],
        ["call", ", now()"],
        ["markup", "]"],
      ],
    ],
    [
      `\`\`\`xml\n${marked}\n\`\`\``,
      {},
      [
        ["dropped", "```xml\n"],
        ["call", marked],
        ["dropped", "\n```"],
      ],
    ],
    [`${json}</tool_call>`, { protocol: "hermes", prefill: "<tool_call>" }, [["call", `${json}</tool_call>`]]],
    [
      `${marked}\n<tool_response>\n${marked}\n</tool_response>\nDone.`,
      { protocol: "hermes" },
      [
        ["call", marked],
        ["markup", "\n<tool_response>"],
        ["dropped", `\n${marked}\n`],
        ["markup", "</tool_response>\n"],
        ["text", "Done."],
      ],
    ],
  ])("explains %j by the events of the parser", (reply, options, parts) => {
    expect(became(reply, options)).toEqual(parts);
  });

  test.each([
    [
      'write_file(path="a", content=get_weather(city="Oslo"))',
      'a call of "write_file" cannot be read: the argument "content"',
    ],
    ['get_weather(city=f"Os{x}")', 'a call of "get_weather" cannot be read: the argument "city" is an expression'],
  ])("says why %s, with an expression as an argument, is no call", (reply, why) => {
    expect(explainReply(reply, { tools })).toMatchObject([
      { became: "text", source: reply, why: expect.stringContaining(why) },
    ]);
  });

  test("a structured answer has all of its source", () => {
    const reply = '{"action": "final_answer", "action_input": "a\\"b"}';
    expect(became(reply, { protocol: "json-action" })).toEqual([["text", reply]]);
  });

  const text = fc.constantFrom("", "Let me look.", "a b\nc", "now", "é 🌧");
  const call = fc.constantFrom(
    { name: "now", arguments: {} },
    { name: "get_weather", arguments: { city: "Paris" } },
    { name: "get_weather", arguments: { city: "now" } },
  );

  test.each(Object.entries<Protocol>(protocols))("of %s: the parts are the reply and its events", (_, protocol) => {
    const calls = fc.array(call, { minLength: 1, maxLength: protocol.syntax.parallel ? 3 : 1 });
    fc.assert(
      fc.property(text, calls, text, (before, made, after) => {
        const written = protocol.renderCalls(made, { tools });
        expectEvents(protocol.syntax.at === "reply" ? written : `${before}\n${written}\n${after}`, { tools, protocol });
      }),
      { numRuns: 20 },
    );
  });

  test("of any calls and text in any order: the parts are the reply and its events", () => {
    const written = fc
      .tuple(fc.constantFrom<Protocol>(...Object.values<Protocol>(protocols)), call)
      .map(([protocol, made]) => protocol.renderCalls([made], { tools }));
    const plain = fc.constantFrom(json, bare, "now()", 'get_weather(city="Oslo")', 'get_weather(city=f"Os{x}")');
    const around = fc.constantFrom(
      "1. ",
      "- ",
      "\n",
      "; ",
      ", ",
      "```\n",
      "```json\n",
      "> ",
      "`",
      "<think>",
      "</think>",
    );
    const made = fc.constantFrom(
      "<tool_response>",
      "</tool_response>",
      "<result>",
      "</result>",
      "Observation: 12:00\n",
    );
    const reply = fc.array(fc.oneof(written, plain, around, made, text), { maxLength: 6 }).map((all) => all.join(""));
    const protocol = fc.constantFrom("auto" as const, "hermes" as const, "pythonic" as const, "react" as const);
    fc.assert(
      fc.property(reply, protocol, (given, asked) => expectEvents(given, { tools, protocol: asked })),
      { numRuns: 300 },
    );
  });
});

/** The calls, dropped pieces, text and reasoning of the explanation are those of the parser. */
function expectEvents(reply: string, options: ReplyParserOptions): void {
  const parts = explainReply(reply, options);
  expect(parts.map(({ source }) => source).join("")).toBe(reply);
  for (const { from, to, source } of parts) expect(reply.slice(from, to)).toBe(source);
  const parser = createReplyParser({ ...options, deltas: false });
  const events = [...parser.push(reply), ...parser.end()];
  const withoutId = ({ id, ...call }: { id: string }) => call;
  expect(parts.flatMap((part) => (part.became === "call" ? [withoutId(part.call)] : []))).toEqual(
    events.flatMap((event) =>
      event.type === "call-end" || event.type === "call-invalid" ? [withoutId(event.call)] : [],
    ),
  );
  for (const type of ["dropped", "text", "reasoning"] as const) {
    const explained = parts.flatMap((part) => (part.became === type ? [part.source] : []));
    const read = events.flatMap((event) => (event.type === type ? [event.text] : []));
    expect(withoutSpace(explained)).toBe(withoutSpace(read));
  }
}

/** The parser may move the white space around calls. */
const withoutSpace = (texts: readonly string[]) => texts.join("").replace(/\s/g, "");
