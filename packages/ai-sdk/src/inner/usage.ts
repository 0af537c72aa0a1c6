import type { Usage as CoreUsage } from "@toolingua/core";
import type { Usage } from "../sdk.js";

/** The sum of figures by their names; one that neither has stays undefined. */
function sums<T extends Record<string, number | undefined>>(before: T, next: T): T {
  const sum = (name: string) => (before[name] === undefined ? next[name] : before[name] + (next[name] ?? 0));
  return Object.fromEntries(Object.keys({ ...before, ...next }).map((name) => [name, sum(name)])) as T;
}

/** The sum of the usage of two requests. `raw` is that of the last one. */
export function addUsage(before: Usage | undefined, next: Usage): Usage {
  if (!before) return next;
  const raw = next.raw ?? before.raw;
  return {
    inputTokens: sums(before.inputTokens, next.inputTokens),
    outputTokens: sums(before.outputTokens, next.outputTokens),
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
