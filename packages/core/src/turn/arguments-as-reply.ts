import { isObject } from "../common/plain-object.js";
import { parseReply } from "../full/index.js";
import { endsWithMark } from "../notation/comment.js";
import { inCodeBlock } from "../notation/json/code-block.js";
import { readJsonText } from "../notation/json/read-json.js";
import { coerce } from "../reply/arguments/coerce.js";
import { Repairs } from "../reply/arguments/repairs.js";
import { copiedFrom } from "../reply/untrusted/normalizer.js";
import type { Plan } from "../schema/plan.js";
import { planOfTool } from "../schema/tool-plan.js";
import { validateJson } from "../schema/validate.js";
import type { Repair, ReplyEvent, ToolDefinition } from "../types.js";
import { onlyObjectIn } from "./objects-in-text.js";

/**
 * Reads a reply as the arguments of a call: a JSON object, also repaired, that matches the tool's schema and has only keys
 * that the schema declares, or a whole call of the tool in JSON. Beside text, the object must have a key, be the only one that
 * matches, and not be quoted (see {@link isQuotedIn}). Returns the call's events, or
 * `undefined` for any other reply and for arguments that occur in one of the `untrusted` texts (`{}` is exempt, because it
 * carries nothing).
 *
 * @example argumentsAsReply('It is: {"city": "Oslo"}', weather, randomId)?.at(-1); // { type: "call-end", index: 0, call: … }
 */
export function argumentsAsReply(
  reply: string,
  tool: ToolDefinition,
  generateId: () => string,
  untrusted: readonly string[] = [],
): ReplyEvent[] | undefined {
  const text = reply.trim();
  const isQuoted = copiedFrom(untrusted);
  /** The last object beside text that was read. */
  let last = "";
  const readOwn = (json: string) => {
    const read = readCall(json, tool) ?? readArguments(json, tool);
    if (!read || !hasKeys(read)) return read;
    // A copy may be quoted in other ways.
    return isQuoted(json) || isQuoted(JSON.stringify(read.args)) ? undefined : read;
  };
  const embedded = (json: string) => {
    const read = readOwn(json);
    if (!read || !hasKeys(read)) return undefined;
    last = json;
    return read;
  };
  const whole = readOwn(text) ?? readOwn(inCodeBlock(text) ?? "");
  const read = whole ?? onlyObjectIn(text, embedded, ({ args }) => args);
  if (!read || (!whole && isQuotedIn(text, last))) return undefined;
  const { args, repairs } = read;
  const id = generateId();
  const call = { id, name: tool.name, arguments: args, repairs };
  return [
    { type: "call-start", index: 0, id, name: tool.name },
    { type: "call-delta", index: 0, argumentsDelta: JSON.stringify(args) },
    { type: "call-end", index: 0, call },
  ];
}

/**
 * Whether the last place of an object in a text is quoted: words follow on its line, it is in inline code after words, or the mark
 * of a block quote or comment is before it.
 *
 * @example isQuotedIn('I could call {"a": 1} but will not.', '{"a": 1}'); // true
 */
function isQuotedIn(text: string, object: string): boolean {
  const at = text.lastIndexOf(object);
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at).replaceAll(MARKUP, "");
  const before = line.replace(LIST_MARK, "").trim();
  if (before.startsWith(">") || endsWithMark(before) || (WORD.test(before) && before.endsWith("`"))) return true;
  const [after = ""] = text.slice(at + object.length).split("\n", 1);
  return WORD.test(after.replaceAll(MARKUP, ""));
}

const WORD = /[\p{L}\p{N}]/u;

/** A tag or token, or the mark of a fence with its language. */
const MARKUP = /<[^<>\n]{1,64}>|\[\/?\w{1,64}\]|`{3}\w*/g;

const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

interface Read {
  args: Record<string, unknown>;
  repairs: Repair[];
}

const hasKeys = ({ args }: Read) => Object.keys(args).length > 0;

/** A call is read before arguments: a schema for any keys would take `name` and `arguments` for arguments. */
function readCall(json: string, tool: ToolDefinition): Read | undefined {
  if (!json.startsWith("{")) return undefined;
  const { toolCalls, text } = parseReply(json, { tools: [tool], protocol: "auto" });
  const [call] = toolCalls;
  return call && toolCalls.length === 1 && text.trim() === ""
    ? { args: call.arguments, repairs: call.repairs ?? [] }
    : undefined;
}

function readArguments(json: string, tool: ToolDefinition): Read | undefined {
  if (!json.startsWith("{")) return undefined;
  const plan = planOfTool(tool);
  const unkept = new Set<string>();
  const repairs = new Repairs();
  const given = readJsonText(json, {
    unkept: (digits) => unkept.add(digits),
    repaired: (code) => repairs.add(code, ""),
  });
  if (!isObject(given) || !Object.keys(given).every((key) => isDeclared(plan, key))) return undefined;
  const args = coerce(given, plan, "", repairs, { unkept }) as Record<string, unknown>;
  if (repairs.issues.length > 0 || validateJson(args, tool.parameters).length > 0) return undefined;
  repairs.add("arguments-only", "");
  return { args, repairs: repairs.list() };
}

/** Whether the schema declares a key. A schema for additional properties, as of a record, declares every key. */
const isDeclared = ({ properties, patterns, additional, schema }: Plan, key: string) =>
  properties.has(key) ||
  patterns.some(([pattern]) => pattern(key)) ||
  (additional !== false && isObject(schema) && schema.additionalProperties !== undefined);
