import { isObject } from "../../common/plain-object.js";
import { keptJson } from "../../notation/json/kept-json.js";
import { readJsonText, readStrictJson } from "../../notation/json/read-json.js";
import { describeJson } from "../../schema/words.js";
import type { ToolCall } from "../../types.js";
import type { Losses } from "./losses.js";

/**
 * The arguments of an earlier call: an object, or its JSON text. Unreadable arguments are reported and become `{}`,
 * because the call was already answered. Reported are also an integer that JavaScript cannot represent, which becomes the
 * string of its digits, and a key with two values, which has the last.
 */
export function pastArguments(value: unknown, path: string, losses: Losses): Record<string, unknown> {
  if (value === undefined || value === null || value === "") return {};
  if (isObject(value)) return value;
  const unkept = (digits: string) =>
    losses.add(path, digits, "has more digits than a number keeps: it became the string of its digits");
  const strict = typeof value === "string" ? keptJson(value, unkept) : value;
  if (isObject(strict)) {
    const repeated = (key: string) =>
      losses.add(path, key, "occurs twice, with different values: the last one is kept");
    readStrictJson(String(value), { repeated });
    return strict;
  }
  const repaired = typeof value === "string" ? readJsonText(value, { unkept }) : undefined;
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
