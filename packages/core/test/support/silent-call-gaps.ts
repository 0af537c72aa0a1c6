import type { GrammarGaps } from "../../src/grammar/gaps.js";
import { GrammarError, toolCallGrammar } from "../../src/grammar/index.js";
import {
  type JsonSchema,
  type ProtocolName,
  parseReply,
  protocols,
  RenderError,
  ToolDefinitionError,
} from "../../src/index.js";
import { ajvJudge, isJudged } from "./ajv-judge.js";
import { matcher } from "./gbnf-oracle.js";
import { GbnfSampler } from "./gbnf-sampler.js";
import { excused, unwritten } from "./silent-gaps.js";

const name = "use_it";

/** In JSON inside raw markup, a string with a limited length contains no raw `<`; the escaped spelling is equal. */
const respelt = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/gsu, (string) => string.replaceAll("<", "\\u003c"));

/**
 * Where the grammar for calls of a tool with these parameters differs from them without a word, by llama.cpp's matcher,
 * Ajv and the format's own parser: texts drawn from it that are no call, or one whose arguments break a keyword that no
 * gap names; arguments that fit and can be written, but that it refuses though no gap says so; parameters called
 * unsatisfiable that are not; and gaps that name what nobody wrote.
 */
export async function silentCallGaps(
  protocol: ProtocolName,
  parameters: JsonSchema,
  values: readonly unknown[],
  random: () => number,
): Promise<string[]> {
  const counts = JSON.stringify(parameters).includes('"minProperties"');
  const isContaining = JSON.stringify(parameters).includes('"contains"');
  const fits = ajvJudge(parameters, values);
  if (!fits) return [];
  const isArguments = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const fitting = values.filter(isArguments).filter((value) => isJudged(value, isContaining) && fits(value));
  const tools = [{ name, parameters }];
  let made: GrammarGaps & { grammar: string };
  try {
    made = toolCallGrammar({ tools, protocol, toolChoice: "required", maxCalls: 1 });
  } catch (error) {
    if (error instanceof ToolDefinitionError && error.code === "parameters-not-object")
      return fitting.map((value) => `refused, but fits: ${JSON.stringify(value)}`);
    if (!(error instanceof GrammarError)) throw error;
    if (error.code === "unsupported") return [];
    if (error.code !== "unsatisfiable") throw error;
    return fitting.map((value) => `unsatisfiable (${error.keyword}), but fits: ${JSON.stringify(value)}`);
  }
  const matches = await matcher(made.grammar);
  const found = new Set(unwritten(parameters, made));
  const { isTold, isOwed } = excused(parameters, made);
  for (const value of fitting) {
    const text = written(protocol, value, tools);
    if (text !== undefined && isOwed(value) && !matches(text) && !matches(respelt(text))) found.add(`tight: ${text}`);
  }
  const sampler = new GbnfSampler(made.grammar);
  for (let i = 0; i < 3; i++) {
    const text = sampler.sample(random, 80);
    const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol });
    const [call] = [...toolCalls, ...invalidToolCalls];
    const isRead = call && (!("error" in call) || call.error.code === "invalid-arguments");
    if (!isRead) found.add(`no call: ${text}`);
    else if (!(counts && repeatsKey(text)) && isJudged(call.arguments, isContaining) && !isTold(call.arguments))
      found.add(`drawn, but does not match: ${text}`);
  }
  return [...found];
}

/** Whether a key is written twice: a grammar counts the keys that a schema does not name, and cannot compare them. */
function repeatsKey(text: string): boolean {
  const keys = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/gsu)].map(([, key]) => key);
  return new Set(keys).size < keys.length;
}

function written(
  protocol: ProtocolName,
  args: Record<string, unknown>,
  tools: { name: string; parameters: JsonSchema }[],
): string | undefined {
  try {
    return protocols[protocol].renderCalls([{ name, arguments: args }], { tools });
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}
