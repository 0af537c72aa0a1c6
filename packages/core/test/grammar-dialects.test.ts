import { describe, expect, test } from "vitest";
import {
  GrammarError,
  structuralTag,
  type ToolCallGrammarOptions,
  toEbnf,
  toLark,
  toolCallGrammar,
} from "../src/grammar/index.js";
import type { ToolChoice, ToolDefinition } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";
import { matcher } from "./support/gbnf-oracle.js";
import { GbnfSampler } from "./support/gbnf-sampler.js";
import { llguidanceMissing, llguidanceVerdicts } from "./support/llguidance-oracle.js";
import { isReadRightly, xgrammarMatcher } from "./support/xgrammar-oracle.js";

// Every dialect admits what the grammar for llama.cpp admits, by the judgement of those who read it.

const tools: ToolDefinition[] = [
  {
    name: "getWeather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer", minimum: -3, maximum: 14 },
        unit: { enum: ["°C", 'the "F"', null] },
      },
      required: ["city"],
      additionalProperties: false,
    },
  },
  {
    name: "send_mail",
    parameters: {
      type: "object",
      properties: {
        to: { type: "string", pattern: "^[a-zà-ÿ.]{1,9}@[^/\\\\-]+$" },
        body: { type: "string", minLength: 1, maxLength: 30 },
        cc: { type: "array", items: { type: "string" }, maxItems: 2 },
        headers: { type: "object", additionalProperties: { type: ["number", "boolean"] } },
      },
      required: ["to", "body"],
    },
  },
  { name: "now" },
];

const choices: ToolChoice[] = ["required", "auto"];

/** The grammar of a protocol and texts that it admits, or nearly; undefined for a format that has none. */
function sampled(protocol: (typeof protocolNames)[number], toolChoice: ToolChoice) {
  const options: ToolCallGrammarOptions = { tools, protocol, toolChoice, maxDepth: 1 };
  const gbnf = grammarOf(options);
  if (gbnf === undefined) return undefined;
  const sampler = new GbnfSampler(gbnf);
  const texts = Array.from({ length: 12 }, (_, seed) => sampler.sample(chance(seed), 150));
  const changed = texts.flatMap((text, i) => {
    const signs = [...text];
    const at = (i * 7919) % Math.max(signs.length, 1);
    const with_ = (...others: string[]) => [...signs.slice(0, at), ...others, ...signs.slice(at + 1)].join("");
    return [with_(), with_(signs[at] ?? "", signs[at] ?? "é"), with_("漢"), `${text}\n`, signs.slice(0, -1).join("")];
  });
  return { options, gbnf, texts: [...new Set([...texts, ...changed, "", "A plain answer."])] };
}

/** Numbers from 0 to 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function grammarOf(options: ToolCallGrammarOptions): string | undefined {
  try {
    return toolCallGrammar(options).grammar;
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return undefined;
    throw error;
  }
}

async function admitted(gbnf: string, texts: readonly string[]): Promise<string[]> {
  const matches = await matcher(gbnf);
  return texts.filter(matches);
}

describe.each(protocolNames)("%s", (protocol) => {
  test("xgrammar accepts the same, in its EBNF", async () => {
    for (const choice of choices) {
      const given = sampled(protocol, choice);
      if (!given) continue;
      const ebnf = toEbnf(given.gbnf);
      const matches = await xgrammarMatcher(ebnf);
      const found = given.texts.filter(matches);
      const expected = await admitted(given.gbnf, given.texts);
      if (isReadRightly(ebnf)) expect(found).toEqual(expected);
    }
  });

  test("a structural tag does not restrict text and accepts the same calls", async () => {
    const given = sampled(protocol, "required");
    const lazy = given && grammarOf({ ...given.options, toolChoice: "auto", lazy: true });
    const tag = lazy && structuralTag({ ...given.options, toolChoice: "auto", lazy: true });
    if (!tag) return;
    const { triggers } = tag.format;
    const calls = given.texts.filter((text) => triggers.some((trigger) => text.startsWith(trigger)));
    const matches = await xgrammarMatcher(tag);
    expect(matches("Nothing to call.")).toBe(true);
    const found = calls.filter((text) => matches(`Well: ${text}`));
    if (isReadRightly(JSON.stringify(tag).replaceAll("\\\\", "\\"))) {
      expect(found).toEqual(await admitted(given.gbnf, calls));
    }
  });
});

const missing = llguidanceMissing();
describe.skipIf(missing)(`llguidance${missing ? ` (left out: ${missing})` : ""}`, () => {
  test.each(choices)("accepts the same, in its Lark, for tool choice %j", async (choice) => {
    const cases = protocolNames.flatMap((protocol) => sampled(protocol, choice) ?? []);
    const verdicts = llguidanceVerdicts(cases.map(({ gbnf, texts }) => ({ grammar: toLark(gbnf), texts })));
    for (const [i, { options, gbnf, texts }] of cases.entries()) {
      const found = texts.filter((_, j) => verdicts[i]![j]);
      expect([options.protocol, ...found]).toEqual([options.protocol, ...(await admitted(gbnf, texts))]);
    }
  });
});
