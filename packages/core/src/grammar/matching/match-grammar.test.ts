import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matcher } from "../../../test/support/gbnf-oracle.js";
import type { Protocol } from "../../protocol.js";
import { protocols } from "../../protocols/index.js";
import { jsonSchemaToGbnf, matchGrammar, toolCallGrammar } from "../index.js";

const tools = [
  {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer", minimum: 0 },
        tags: { type: "array", items: { enum: ["a", "é"] } },
      },
      required: ["city"],
    },
  },
  { name: "now" },
];

describe("matchGrammar", () => {
  test("reports where a text leaves the grammar, and what would be right there", () => {
    const { grammar } = jsonSchemaToGbnf({ enum: ["one", "two"] });
    expect(matchGrammar(grammar, '"two"')).toEqual({ matches: true });
    expect(matchGrammar(grammar, '"tow"')).toEqual({ matches: false, at: 2, expected: ['"wo\\""'] });
  });

  test("reports what is missing in a text that ends too early", () => {
    const { grammar } = jsonSchemaToGbnf({ type: "boolean" });
    expect(matchGrammar(grammar, "tr")).toMatchObject({ matches: false, at: 2, expected: ['"ue"'] });
  });

  test("reads long literals, and repetitions of nothing", () => {
    const long = "a".repeat(40_000);
    expect(matchGrammar(`root ::= "${long}"\n`, long)).toEqual({ matches: true });
    const nothing = ["()", '""', '("" "")', "((()){5})", '("a"{0})'];
    for (const part of nothing) {
      const grammar = `root ::= ${part}{100000000} "b" ${part}* ${part}{2,300000000}\n`;
      expect(matchGrammar(grammar, "b")).toEqual({ matches: true });
      expect(matchGrammar(grammar, "a")).toEqual({ matches: false, at: 0, expected: ['"b"'] });
    }
  });

  test.each(Object.entries<Protocol>(protocols))("accepts everything that %s renders", (_, protocol) => {
    const calls = [{ name: "get_weather", arguments: { city: 'Øslo 🌧 "x"', days: 3, tags: ["é"] } }];
    let grammar: string;
    try {
      ({ grammar } = toolCallGrammar({ tools, protocol, toolChoice: "required" }));
    } catch (error) {
      expect(error).toMatchObject({ code: "unsupported" });
      return;
    }
    const text = protocol.renderCalls(calls, { tools });
    expect(matchGrammar(grammar, text)).toEqual({ matches: true });
    expect(matchGrammar(grammar, `§${text}`)).toMatchObject({ matches: false, at: 0 });
  });

  test("judges texts like llama.cpp", async () => {
    for (const protocol of ["hermes", "qwen3-coder", "pythonic", "mistral", "json-action"] as const) {
      const { grammar } = toolCallGrammar({ tools, protocol, toolChoice: "required" });
      const judge = await matcher(grammar);
      const text = protocols[protocol].renderCalls(
        [{ name: "get_weather", arguments: { city: "Oslo", days: 3, tags: ["a", "é"] } }],
        { tools },
      );
      const edits = fc.record({
        at: fc.nat(text.length),
        cut: fc.nat(3),
        add: fc.constantFrom("", "x", '"', "}", " ", "é", "\n", "2"),
      });
      fc.assert(
        fc.property(edits, ({ at, cut, add }) => {
          const edited = text.slice(0, at) + add + text.slice(at + cut);
          expect(matchGrammar(grammar, edited).matches).toBe(judge(edited));
        }),
        { numRuns: 300 },
      );
    }
  });
});
