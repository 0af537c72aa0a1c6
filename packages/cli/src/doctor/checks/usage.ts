import { at } from "../../json.js";

/** Which of these token counts a `usage` lacks, in words; `undefined`: none. */
export function usageProblem(usage: unknown, counts: readonly string[]): string | undefined {
  const missing = counts.filter((name) => typeof at(usage, name) !== "number");
  return missing.length > 0 ? `\`usage\` has no ${missing.join(", no ")}` : undefined;
}
