import type { Usage } from "../types.js";

const counts = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

const isCount = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;

/**
 * The usage that a model reports, if both numbers are finite and not negative. Any other usage counts as not reported:
 * a sum that contains NaN would be below every limit. Wrong parts of the numbers are left out.
 *
 * @example reportedUsage({ inputTokens: 12, outputTokens: Number.NaN }); // undefined
 */
export const reportedUsage = (usage: Usage | undefined): Usage | undefined =>
  usage && isCount(usage.inputTokens) && isCount(usage.outputTokens) ? addUsage(undefined, usage) : undefined;

/**
 * The usage of two requests, estimated if one of them is. Parts that neither reports stay undefined.
 *
 * @example addUsage({ inputTokens: 12, outputTokens: 3 }, { inputTokens: 20, outputTokens: 5, cacheReadTokens: 12 });
 */
export function addUsage(before: Usage | undefined, next: Usage): Usage {
  const sum: Usage = { inputTokens: 0, outputTokens: 0 };
  for (const one of [before, next])
    for (const name of counts) if (isCount(one?.[name])) sum[name] = (sum[name] ?? 0) + one[name];
  if (before?.estimated || next.estimated) sum.estimated = true;
  return sum;
}
