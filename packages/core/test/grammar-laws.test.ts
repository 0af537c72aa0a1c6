import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GrammarError, toolCallGrammar } from "../src/grammar/index.js";
import { getProtocol, type JsonSchema, parseReply, type ToolDefinition, validateValue } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";
import { isBeyondGrammars } from "./support/beyond-grammars.js";
import { matcher } from "./support/gbnf-oracle.js";
import { GbnfSampler } from "./support/gbnf-sampler.js";
import { hostileName, hostilePieces } from "./support/hostile-markers.js";
import { runs } from "./support/runs.js";

/** Schemas of one argument, mostly with text. */
const argument = fc.constantFrom<JsonSchema>(
  { type: "string" },
  { type: "string" },
  { type: "string", minLength: 2, maxLength: 30 },
  { type: ["string", "null"] },
  { type: "array", items: { type: "string" } },
  { type: "object", properties: { name: { type: "string" }, n: { type: "integer" } }, required: ["name"] },
  { type: "integer" },
  {},
);

const bare = (name: string) => name.replace(/[._-]/g, "").toLowerCase();

const key = fc.oneof(fc.constantFrom("text", "path", "a", "content"), hostileName);

const tool = fc
  .tuple(
    fc.oneof(fc.constantFrom("write", "run_it"), hostileName),
    fc.uniqueArray(fc.tuple(key, argument, fc.boolean()), { maxLength: 3, selector: ([name]) => bare(name) }),
  )
  .map(
    ([name, members]): ToolDefinition => ({
      name,
      parameters: {
        type: "object",
        properties: Object.fromEntries(members.map(([key, schema]) => [key, schema])),
        required: members.filter(([, , required]) => required).map(([key]) => key),
      },
    }),
  );

const toolSet = fc.uniqueArray(tool, { minLength: 1, maxLength: 2, selector: ({ name }) => bare(name) });

function grammarOf(
  protocol: (typeof protocolNames)[number],
  tools: ToolDefinition[],
  toolChoice: "required" | "auto",
): string | undefined {
  try {
    return toolCallGrammar({ tools, protocol: getProtocol(protocol), toolChoice, maxCalls: 1 }).grammar;
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return undefined;
    throw error;
  }
}

/** Tools, what chance has it, and pieces of the format's markers for random places. */
const given = (protocol: (typeof protocolNames)[number]) =>
  toolSet.chain((tools) => {
    const names = tools.flatMap(({ name, parameters }) => [
      name,
      ...Object.keys((parameters as { properties: object }).properties),
    ]);
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    return fc.record({
      tools: fc.constant(tools),
      chance: fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      spliced: fc.array(fc.tuple(place, hostilePieces(getProtocol(protocol), names)), { maxLength: 12 }),
    });
  });

describe.each(protocolNames)("%s", (protocol) => {
  test.each(["required", "auto"] as const)(
    "everything that the grammar for tool choice %s accepts is read as meant, even from pieces of markers",
    async (toolChoice) => {
      await fc.assert(
        fc.asyncProperty(given(protocol), async ({ tools, chance, spliced }) => {
          const grammar = grammarOf(protocol, tools, toolChoice);
          if (grammar === undefined) return;
          const matches = await matcher(grammar);
          let text = new GbnfSampler(grammar).sample(() => chance.next().value, 120);
          for (const [place, piece] of spliced) {
            const at = Math.floor(place * text.length);
            const longer = text.slice(0, at) + piece + text.slice(at);
            if (longer.isWellFormed() && matches(longer)) text = longer;
          }
          // A grammar keeps the markers of its own format out of answers, not those of all others.
          for (const accept of toolChoice === "auto" ? (["own"] as const) : (["any", "own"] as const)) {
            const reply = parseReply(text, { tools, protocol, accept });
            const issues = reply.toolCalls.flatMap((call) =>
              validateValue(call.arguments, tools.find(({ name }) => name === call.name)?.parameters ?? false),
            );
            const { invalidToolCalls, toolCalls } = reply;
            if (invalidToolCalls.some(isBeyondGrammars)) return;
            expect({ text, invalidToolCalls, issues }).toEqual({ text, invalidToolCalls: [], issues: [] });
            const read = { text, calls: toolCalls.length, said: reply.text.trim() };
            if (toolChoice === "required") expect(read).toEqual({ text, calls: 1, said: "" });
          }
        }),
        runs(15),
      );
    },
  );
});
