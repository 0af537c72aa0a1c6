import { parsedJson } from "../../common/json-text.js";
import { isObject } from "../../common/plain-object.js";
import { readJsonText } from "../../notation/json/read-json.js";
import { describeJson } from "../../schema/words.js";
import type { ToolCall } from "../../types.js";
import type { Losses } from "./losses.js";

/**
 * The arguments of an earlier call: an object, or its JSON text. Unreadable arguments are reported and become `{}`,
 * because the call was already answered.
 */
export function pastArguments(value: unknown, path: string, losses: Losses): Record<string, unknown> {
  if (value === undefined || value === null || value === "") return {};
  const strict = typeof value === "string" ? parsedJson(value) : value;
  if (isObject(strict)) return strict;
  const repaired = typeof value === "string" ? readJsonText(value) : undefined;
  const got = describeJson(value);
  if (isObject(repaired)) losses.add(path, "arguments", `repaired, because this is not JSON: ${got}`);
  else losses.add(path, "arguments", `expected a JSON object, got ${got}: written as {}`);
  return isObject(repaired) ? repaired : {};
}

/** Reports repairs, which no provider's format can store. */
export function reportRepairs({ repairs }: ToolCall, path: string, losses: Losses): void {
  if (repairs?.length) losses.add(`${path}/repairs`, "repairs", "calls have no field for repairs here");
}

/** The arguments of a tool with free text instead of JSON, as an object. */
export function customArguments(input: unknown, path: string, losses: Losses): Record<string, unknown> {
  losses.add(path, "custom", "the free text of a custom tool became the argument `input`");
  return { input };
}
