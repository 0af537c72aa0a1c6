import type { Usage } from "../types.js";

const isCount = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;

/**
 * The usage that a model reports, if both numbers are finite and not negative. Any other usage counts as not reported:
 * a sum that contains NaN would be below every limit.
 *
 * @example reportedUsage({ inputTokens: 12, outputTokens: Number.NaN }); // undefined
 */
export const reportedUsage = (usage: Usage | undefined): Usage | undefined =>
  usage && isCount(usage.inputTokens) && isCount(usage.outputTokens) ? usage : undefined;
