import type { z } from "zod";
import { Failure, wrongValue } from "../failure.js";
import { placeOf } from "../place.js";

/**
 * The failure of a request for its first wrong value: "`temperature` must be a number from 0 to 2, not 5." The codes
 * are those of OpenAI's API. The message of a `custom` issue is a sentence about the value, and its code may be in
 * `params.code`; all others say what the value must be, or what a list needs.
 */
export function refusedValue(issue: z.core.$ZodIssue, body: unknown): Failure {
  const { message } = issue;
  const param = placeOf(issue.path);
  const code = codeOf(issue);
  if (issue.code === "custom") return new Failure("invalid", `\`${param}\`: ${message}`, { param, code });
  if (code === "empty_array") return new Failure("invalid", `\`${param}\` ${message}.`, { param, code });
  return wrongValue(param, message, valueAt(body, issue.path), code);
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value;
}

function codeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
    case "invalid_union":
      return "invalid_type";
    case "too_small":
    case "too_big": {
      const isBelow = issue.code === "too_small";
      if (issue.origin === "array" && isBelow) return "empty_array";
      if (issue.origin === "string") return isBelow ? "empty_string" : "string_above_max_length";
      return `${issue.origin === "int" ? "integer" : "decimal"}_${isBelow ? "below_min_value" : "above_max_value"}`;
    }
    case "custom":
      return (issue.params?.code as string | undefined) ?? "invalid_value";
    default:
      return "invalid_value";
  }
}
