import { type Protocol, parseReply, protocols } from "@toolingua/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainReply } from "../src/reply/explain-reply.js";

const tools = [
  {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
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

  test("gives each call its own source, and the last of a list the closing bracket", () => {
    const reply = '[TOOL_CALLS][{"name": "now", "arguments": {}}, {"name": "nwo", "arguments": {}}]';
    const parts = explainReply(reply, { tools, protocol: "mistral-list" });
    expect(parts.map(({ source }) => source)).toEqual([
      '[TOOL_CALLS][{"name": "now", "arguments": {}}',
      ', {"name": "nwo", "arguments": {}}]',
    ]);
    expect(parts).toMatchObject([
      { became: "calls", calls: [{ name: "now" }] },
      { became: "calls", calls: [{ name: "nwo", error: { code: "unknown-tool" } }] },
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
    expect(parts.filter(({ became }) => became === "calls")).toEqual([]);
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

  test("gives a source with several calls all of them", () => {
    const [part, ...others] = explainReply("[now(), now()]", { tools, protocol: "pythonic" });
    expect(others).toEqual([]);
    expect(part).toMatchObject({ became: "calls", calls: [{ name: "now" }, { name: "now" }] });
  });

  test.each(Object.entries<Protocol>(protocols))(
    "of %s: the parts are the reply, its texts and all its calls",
    (_, protocol) => {
      const text = fc.constantFrom("", "Let me look.", "a b\nc", "now", "é 🌧");
      const call = fc.constantFrom(
        { name: "now", arguments: {} },
        { name: "get_weather", arguments: { city: "Paris" } },
        { name: "get_weather", arguments: { city: "now" } },
      );
      const calls = fc.array(call, { minLength: 1, maxLength: protocol.syntax.parallel ? 3 : 1 });
      fc.assert(
        fc.property(text, calls, text, (before, made, after) => {
          const written = protocol.renderCalls(made, { tools });
          const reply = protocol.syntax.at === "reply" ? written : `${before}\n${written}\n${after}`;
          const parts = explainReply(reply, { tools, protocol });
          const parsed = parseReply(reply, { tools, protocol });
          expect(parts.map(({ source }) => source).join("")).toBe(reply);
          for (const { from, to, source } of parts) expect(reply.slice(from, to)).toBe(source);
          const texts = parts.filter((part) => part.became === "text").map(({ source }) => source);
          expect(texts.join("").trim()).toBe(parsed.text.trim());
          const explained = parts.flatMap((part) => (part.became === "calls" ? part.calls : []));
          expect(explained.map(({ name }) => name)).toEqual(
            [...parsed.toolCalls, ...parsed.invalidToolCalls].map(({ name }) => name),
          );
        }),
        { numRuns: 20 },
      );
    },
  );
});
