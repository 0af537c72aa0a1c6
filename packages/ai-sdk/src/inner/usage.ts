import type { Usage as CoreUsage } from "@toolingua/core";
import type { Usage } from "../sdk.js";

const sum = (a: number | undefined, b: number | undefined) => (a === undefined ? b : a + (b ?? 0));

/**
 * The sum of the usage of two requests; a figure that neither reports stays undefined. `raw` is that of the last one.
 */
export function addUsage(before: Usage | undefined, next: Usage): Usage {
  if (!before) return next;
  const [input, output] = [before.inputTokens, before.outputTokens];
  const raw = next.raw ?? before.raw;
  return {
    inputTokens: {
      total: sum(input.total, next.inputTokens.total),
      noCache: sum(input.noCache, next.inputTokens.noCache),
      cacheRead: sum(input.cacheRead, next.inputTokens.cacheRead),
      cacheWrite: sum(input.cacheWrite, next.inputTokens.cacheWrite),
    },
    outputTokens: {
      total: sum(output.total, next.outputTokens.total),
      text: sum(output.text, next.outputTokens.text),
      reasoning: sum(output.reasoning, next.outputTokens.reasoning),
    },
    ...(raw && { raw }),
  };
}

/** The usage of a model that reports none. */
export const unknownUsage: Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** The usage as the core's, if the model counts the tokens in and out. */
export function toCoreUsage({ inputTokens, outputTokens }: Usage): CoreUsage | undefined {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return undefined;
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite,
    reasoningTokens: outputTokens.reasoning,
  };
}
