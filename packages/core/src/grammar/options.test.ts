import { describe, expect, it } from "vitest";
import { GrammarError, jsonSchemaToGbnf, replySchema, toEbnf, toolCallGrammar } from "./index.js";

const tools = [{ name: "now" }];

function errorOf(run: () => unknown): GrammarError {
  try {
    run();
  } catch (error) {
    if (error instanceof GrammarError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("what a grammar is asked for", () => {
  it.each([
    ...[0, -1, 1.5, 5000, Number.NaN].map((count) => ["maxCalls", count] as const),
    ...[-1, 1.5].map((count) => ["maxStringLength", count] as const),
    ...[0, 2.5, 513].map((count) => ["maxItems", count] as const),
    ...[-1, 0.5, 5000].map((count) => ["maxDepth", count] as const),
    ...[-1, 14].map((count) => ["maxUnordered", count] as const),
  ])("%s cannot be %d, and the error says what it can be", (name, count) => {
    const refused = [
      () => toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required", [name]: count }),
      name === "maxCalls"
        ? () => replySchema({ tools, protocol: "json-list", toolChoice: "required", maxCalls: count })
        : () => jsonSchemaToGbnf({}, { [name]: count }),
    ].map(errorOf);
    for (const { code, message } of refused) {
      expect(code).toBe("bad-option");
      expect(message).toMatch(new RegExp(`${name} must be a whole number from [01]`));
    }
  });

  it.each(["onUnenforced", "onNarrowed", "whitespace"])("%s is one of the words that there are for it", (name) => {
    const { code, message } = errorOf(() => jsonSchemaToGbnf({}, { [name]: "throw" }));
    expect(code).toBe("bad-option");
    expect(message).toMatch(new RegExp(`${name} must be (report|none) or .*, not throw\\.$`));
  });

  it("the ends of a range are within it", () => {
    const options = { tools, protocol: "hermes", toolChoice: "required" } as const;
    expect(
      toolCallGrammar({ ...options, maxCalls: 1, maxDepth: 0, maxStringLength: 0, maxUnordered: 0 }),
    ).toBeDefined();
    expect(toolCallGrammar({ ...options, maxCalls: 512, maxDepth: 64, maxUnordered: 10 })).toBeDefined();
  });

  it.each([null, undefined, "string", 5, []])("%j is no schema", (schema) => {
    expect(errorOf(() => jsonSchemaToGbnf(schema as never)).code).toBe("bad-schema");
  });

  it("empty lines and comments in a grammar are passed over", () => {
    expect(toEbnf('# a grammar\n\nroot ::= "a"\n  \n')).toBe('root ::= "a"\n');
  });

  it.each(["", "# only words", "root ::= (", "nonsense"])("%j is no grammar", (text) => {
    expect(errorOf(() => toEbnf(text)).code).toBe("bad-grammar");
  });
});
