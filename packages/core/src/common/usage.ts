import type { Usage } from "../types.js";

const counts = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

const isCount = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;

/**
 * The usage that a model reports, if both numbers are finite and not negative. Any other usage counts as not reported:
 * a sum that contains NaN would be below every limit. Of the parts of the numbers, those that are no counts are left out.
 *
 * @example reportedUsage({ inputTokens: 12, outputTokens: Number.NaN }); // undefined
 */
export function reportedUsage(usage: Usage | undefined): Usage | undefined {
  if (!usage || !isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined;
  return counts.every((name) => usage[name] === undefined || isCount(usage[name])) ? usage : addUsage(undefined, usage);
}

/**
 * The usage of two requests. It is estimated if one of them is; parts that neither reports stay undefined.
 *
 * @example
 * const first = { inputTokens: 12, outputTokens: 3 };
 * addUsage(first, { inputTokens: 20, outputTokens: 5, cacheReadTokens: 12 });
 * // { inputTokens: 32, outputTokens: 8, cacheReadTokens: 12 }
 */
export function addUsage(before: Usage | undefined, next: Usage): Usage {
  const sum: Usage = { inputTokens: 0, outputTokens: 0 };
  for (const one of [before, next])
    for (const name of counts) if (isCount(one?.[name])) sum[name] = (sum[name] ?? 0) + one[name];
  if (before?.estimated || next.estimated) sum.estimated = true;
  return sum;
}
