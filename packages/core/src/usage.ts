import type { Usage } from "./types.js";

const isCount = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;

/**
 * The usage that a model reports, where both its numbers are finite and not below 0. Any other is as if the model had not
 * counted: a sum with NaN in it would be below every limit.
 *
 * @example reportedUsage({ inputTokens: 12, outputTokens: Number.NaN }); // undefined
 */
export const reportedUsage = (usage: Usage | undefined): Usage | undefined =>
  usage && isCount(usage.inputTokens) && isCount(usage.outputTokens) ? usage : undefined;
