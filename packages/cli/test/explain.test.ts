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
