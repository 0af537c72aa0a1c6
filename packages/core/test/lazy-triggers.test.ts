import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GrammarError, type GrammarTrigger, toolCallGrammar } from "../src/grammar/index.js";
import { getProtocol, type ToolDefinition } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";
import { matcher } from "./support/gbnf-oracle.js";

// llama.cpp starts a lazy grammar as follows (llama_grammar_accept_impl in src/llama-grammar.cpp): tokens are collected
// until they contain a trigger; then the grammar receives the text from the trigger's first group on (from its own
// beginning if it has no group), with the rest of the last token. A word is a pattern with every character escaped.

/** Where the grammar begins in a text of which so much has come; undefined: not yet. */
function started(triggers: readonly GrammarTrigger[], text: string): number | undefined {
  for (const { type, value } of triggers) {
    const source = type === "word" ? value.replace(/[.^$|()*+?[\]{}\\]/g, "\\$&") : value;
    const found = new RegExp(source, "d").exec(text);
    if (found) return (found.indices?.slice(1).find((group) => group && group[1] > group[0]) ?? [found.index])[0];
  }
  return undefined;
}

const tools: ToolDefinition[] = [
  {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  },
  { name: "now" },
];

function lazyGrammar(protocol: ReturnType<typeof getProtocol>) {
  try {
    return toolCallGrammar({ tools, protocol, toolChoice: "auto", lazy: true });
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return undefined;
    throw error;
  }
}

const lazy = protocolNames.flatMap((name) => {
  const made = lazyGrammar(getProtocol(name));
  return made ? [{ name, made }] : [];
});

describe("a lazy grammar, as llama.cpp starts it", () => {
  test("exists for most formats", () => {
    expect(lazy.length).toBeGreaterThan(30);
  });

  test.each(lazy)(
    "of $name continues from the beginning of a call, after any text and in any tokens",
    async ({ name, made }) => {
      const { grammar, triggers = [] } = made;
      const matches = await matcher(grammar);
      const call = { name: "get_weather", arguments: { city: "São Paulo", days: 3 } };
      const written = getProtocol(name).renderCalls([call], { tools });
      const before = fc.constantFrom(
        "",
        "Let me look.\n",
        "First: a < b, [1], {x}.\n\n",
        "I call no tool yet (see above).\n",
      );
      await fc.assert(
        fc.asyncProperty(
          before,
          fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
          async (text, sizes) => {
            const reply = text + written;
            let start: number | undefined;
            for (let at = 0, i = 0; at < reply.length && start === undefined; i++) {
              at += sizes[i % sizes.length]!;
              start = started(triggers, reply.slice(0, at));
            }
            expect({ reply, start }).toEqual({ reply, start: expect.any(Number) });
            const rest = reply.slice(start);
            expect({ rest, admitted: matches(rest) }).toEqual({ rest, admitted: true });
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});
