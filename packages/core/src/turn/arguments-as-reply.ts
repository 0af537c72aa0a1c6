import { isObject } from "../plain-object.js";
import { coerce } from "../reply/arguments/coerce.js";
import { Repairs } from "../reply/arguments/repairs.js";
import { readStrictJson } from "../reply/bodies/read-json.js";
import { type Plan, planFor } from "../schema/plan.js";
import { validateValue } from "../schema/validate.js";
import type { Repair, ReplyEvent, ToolDefinition } from "../types.js";
import { inCodeBlock } from "./code-block.js";
import { onlyObjectIn } from "./objects-in-text.js";

/**
 * The events of a call whose arguments are the reply: a JSON object that matches the tool's schema and has no key that the
 * schema does not allow. Words may stand around it; then it has at least one key, and no other object in the reply matches.
 * `undefined` for any other reply, and where the arguments stand in one of the `untrusted` texts. Nobody chooses `{}`, so it
 * is nobody's own.
 *
 * @example argumentsAsReply('It is {"city": "Oslo"}.', weather, randomId)?.at(-1); // { type: "call-end", index: 0, call: … }
 */
export function argumentsAsReply(
  reply: string,
  tool: ToolDefinition,
  generateId: () => string,
  untrusted: readonly string[] = [],
): ReplyEvent[] | undefined {
  const text = reply.trim();
  const others = untrusted.map(bare);
  const isQuoted = (json: string) => others.some((other) => other.includes(bare(json)));
  const readOwn = (json: string) => {
    const read = readArguments(json, tool);
    return read && hasKeys(read) && isQuoted(json) ? undefined : read;
  };
  const embedded = (json: string) => {
    const read = readOwn(json);
    return read && hasKeys(read) ? read : undefined;
  };
  const read = readOwn(text) ?? readOwn(inCodeBlock(text) ?? "") ?? onlyObjectIn(text, embedded, ({ args }) => args);
  if (!read) return undefined;
  const { args, repairs } = read;
  const id = generateId();
  const call = { id, name: tool.name, arguments: args, repairs };
  return [
    { type: "call-start", index: 0, id, name: tool.name },
    { type: "call-delta", index: 0, argumentsDelta: JSON.stringify(args) },
    { type: "call-end", index: 0, call },
  ];
}

interface Read {
  args: Record<string, unknown>;
  repairs: Repair[];
}

/** White space and escapes apart, as with calls that are copied. */
const bare = (text: string) => text.replace(/[\s\\]+/g, "");

const hasKeys = ({ args }: Read) => Object.keys(args).length > 0;

function readArguments(json: string, tool: ToolDefinition): Read | undefined {
  if (!json.startsWith("{")) return undefined;
  const plan = planFor(tool.parameters);
  const unkept = new Set<string>();
  const given = readStrictJson(json, { unkept: (digits) => unkept.add(digits) });
  if (!isObject(given) || !Object.keys(given).every((key) => isDeclared(plan, key))) return undefined;
  const repairs = new Repairs();
  const args = coerce(given, plan, "", repairs, undefined, unkept) as Record<string, unknown>;
  if (repairs.issues.length > 0 || validateValue(args, tool.parameters).length > 0) return undefined;
  repairs.add("arguments-only", "");
  return { args, repairs: repairs.list() };
}

/** Where the schema says what other keys hold, as that of a record does, every key is one of it. */
const isDeclared = ({ properties, patterns, additional, schema }: Plan, key: string) =>
  properties.has(key) ||
  patterns.some(([pattern]) => pattern(key)) ||
  (additional !== false && isObject(schema) && schema.additionalProperties !== undefined);
