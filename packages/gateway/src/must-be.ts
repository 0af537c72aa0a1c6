import type { z } from "zod";

const KINDS: Readonly<Record<string, string>> = {
  boolean: "true or false",
  string: "a string",
  number: "a number",
  int: "a whole number",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** What a value must be, for schemas that do not say it themselves. */
export const mustBe: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type") return `must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value")
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
  // Whole numbers beyond these are not exact.
  if (issue.code === "too_big" && issue.origin === "int") return `must be a whole number up to ${issue.maximum}`;
  if (issue.code === "too_small" && issue.origin === "int") return `must be a whole number from ${issue.minimum}`;
  return undefined;
};
