import { isObject } from "../plain-object.js";
import { coerce } from "../reply/arguments/coerce.js";
import { Repairs } from "../reply/arguments/repairs.js";
import { readStrictJson } from "../reply/bodies/read-json.js";
import { planFor } from "../schema/plan.js";
import { validateValue } from "../schema/validate.js";
import type { ReplyEvent, ToolDefinition } from "../types.js";

/** A reply in one code block. */
const BLOCK = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/**
 * The events of a call whose arguments are the whole reply: a JSON object (or one in a code block) that fits the tool's
 * schema and has no key that the schema does not name. `undefined` for any other reply.
 *
 * @example argumentsAsReply('{"city": "Oslo"}', weather, randomId)?.at(-1); // { type: "call-end", index: 0, call: … }
 */
export function argumentsAsReply(
  reply: string,
  tool: ToolDefinition,
  generateId: () => string,
): ReplyEvent[] | undefined {
  const text = reply.trim();
  const json = BLOCK.exec(text)?.[1]?.trim() ?? text;
  if (!json.startsWith("{")) return undefined;
  const plan = planFor(tool.parameters);
  const unkept = new Set<string>();
  const given = readStrictJson(json, { unkept: (digits) => unkept.add(digits) });
  if (!isObject(given) || !Object.keys(given).every((key) => plan.properties.has(key))) return undefined;
  const repairs = new Repairs();
  const args = coerce(given, plan, "", repairs, undefined, unkept) as Record<string, unknown>;
  if (repairs.issues.length > 0 || validateValue(args, tool.parameters).length > 0) return undefined;
  repairs.add("arguments-only", "");
  const id = generateId();
  const call = { id, name: tool.name, arguments: args, repairs: repairs.list() };
  return [
    { type: "call-start", index: 0, id, name: tool.name },
    { type: "call-delta", index: 0, argumentsDelta: JSON.stringify(args) },
    { type: "call-end", index: 0, call },
  ];
}
