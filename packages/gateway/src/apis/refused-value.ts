import { describeValue } from "@toolingua/core/adapters";
import type { z } from "zod";
import { Failure } from "../failure.js";
import { placeOf } from "../place.js";

/**
 * The failure of a request for its first wrong value: "`temperature` must be a number from 0 to 2, not 5." The codes are those of
 * OpenAI's API.
 */
export function refusedValue(issue: z.core.$ZodIssue, body: unknown): Failure {
  const param = placeOf(issue.path);
  const what = param === "" ? "The body" : `\`${param}\``;
  const value = valueAt(body, issue.path);
  const details = { param: param === "" ? undefined : param, code: codeOf(issue, value) };
  const { message } = issue;
  if (message.startsWith("there is")) return new Failure("invalid", `${what}: ${ended(message)}`, details);
  if (!message.startsWith("must be")) return new Failure("invalid", `${what} ${ended(message)}`, details);
  const words =
    value === undefined ? `${what} is missing: it ${message}` : `${what} ${message}, not ${describeValue(value)}`;
  return new Failure("invalid", ended(words), details);
}

const ended = (words: string) => words.replace(/(?<![.?])$/, ".");

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value;
}

function codeOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return "missing_required_parameter";
  switch (issue.code) {
    case "invalid_type":
    case "invalid_union":
      return "invalid_type";
    case "too_small":
    case "too_big": {
      const isBelow = issue.code === "too_small";
      if (issue.origin === "array" && isBelow) return "empty_array";
      if (issue.origin === "string") return isBelow ? "empty_string" : "string_above_max_length";
      const kind = issue.message.includes("whole number") ? "integer" : "decimal";
      return `${kind}_${isBelow ? "below_min_value" : "above_max_value"}`;
    }
    case "custom":
      return issue.message.startsWith("there is no such field") ? "unknown_parameter" : "invalid_value";
    default:
      return "invalid_value";
  }
}
