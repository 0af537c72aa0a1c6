import type { ValidationIssue } from "./validation-issue.js";

/**
 * What is wrong with a value, for an error message: each issue after its place, which the value as a whole has not.
 *
 * @example describeIssues(validateValue({ n: "x" }, { properties: { n: { type: "number" } } })); // '/n: expected number, got string "x"'
 */
export const describeIssues = (issues: readonly ValidationIssue[], separator = "\n"): string =>
  issues.map(({ path, message }) => [path, message].filter(Boolean).join(": ")).join(separator);
