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

/** How {@link argumentsAsReply} reads a reply. */
interface ArgumentsOptions {
  generateId: () => string;
  /** Texts of users and results: arguments that occur in one are none. `{}` is exempt, because it carries nothing. */
  untrusted?: readonly string[] | undefined;
  /** The call runs nothing, because its arguments are the answer: the object may have any text around it. */
  isAnswer: boolean;
}

/**
 * Reads a reply as the arguments of a call: a JSON object, also repaired, that matches the tool's schema and has only keys
 * that the schema declares, or a whole call of the tool in JSON. The object is the whole reply, or after an announcement (see
 * {@link isAnnouncement}), with no words after it. As an answer it may be beside any text, if it has a key, is the only one
 * that matches, and is not quoted (see {@link isQuotedIn}). Returns the call's events, or `undefined` for any other reply.
 *
 * @example argumentsAsReply('It is: {"city": "Oslo"}', weather, { generateId, isAnswer: false })?.[2]; // a call-end
 */
export function argumentsAsReply(
  reply: string,
  tool: ToolDefinition,
  { generateId, untrusted = [], isAnswer }: ArgumentsOptions,
): ReplyEvent[] | undefined {
  const text = reply.trim();
  const isQuoted = copiedFrom(untrusted);
  const readOwn = (json: string) => {
    const read = readCall(json, tool) ?? readArguments(json, tool);
    if (!read || !hasKeys(read)) return read;
    // A copy may be quoted in other ways.
    return isQuoted(json) || isQuoted(JSON.stringify(read.args)) ? undefined : read;
  };
  const read =
    readOwn(text) ??
    readOwn(inCodeBlock(text) ?? "") ??
    (isAnswer ? readAmongText(text, readOwn) : readAnnounced(text, tool.name, readOwn));
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

/** Reads the object of a reply that has only an announcement before it, and no words after it. */
function readAnnounced(text: string, tool: string, read: (json: string) => Read | undefined): Read | undefined {
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}") + 1;
  if (from < 0 || to <= from || WORD.test(withoutMarkup(text.slice(to)))) return undefined;
  return isAnnouncement(text.slice(0, from), tool) ? read(text.slice(from, to)) : undefined;
}

/** Reads the only object in a text that can be read and is not quoted. */
function readAmongText(text: string, read: (json: string) => Read | undefined): Read | undefined {
  let last = "";
  const embedded = (json: string) => {
    const found = read(json);
    if (!found || !hasKeys(found)) return undefined;
    last = json;
    return found;
  };
  const found = onlyObjectIn(text, embedded, ({ args }) => args);
  return found && !isQuotedIn(text, last) ? found : undefined;
}

/**
 * Whether the text before an object only announces it: it has no words, or is short, ends with a colon or an equals
 * sign, and consists of the words in {@link ANNOUNCING} and the tool's name. A reply that refuses a call or asks about it may
 * show its arguments too, in any language, so the model is asked again after any other word.
 *
 * @example isAnnouncement("Here are the arguments:", "add"); // true
 * @example isAnnouncement("I will not call it with:", "add"); // false
 */
function isAnnouncement(before: string, tool: string): boolean {
  const given = withoutMarkup(before);
  if (given.length > MAX_ANNOUNCEMENT) return false;
  const line = given.replace(LIST_MARK, "").trim().replace(EMPHASIS, "").trim();
  // What remains may be the mark of a quotation or comment.
  if (!WORD.test(line)) return line === "";
  const isQuotation = /[?？>`]|\/\//.test(line.replaceAll(/`[^`\n]*`/g, ""));
  const words = line.match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? [];
  const announces = (word: string) => word === tool || ANNOUNCING.has(word.toLowerCase());
  return !isQuotation && /[:：=]$/.test(line) && words.every(announces);
}

/** The most characters of an announcement. */
const MAX_ANNOUNCEMENT = 200;

/** The words of announcements: what is announced, in some languages, and English words around it. */
const ANNOUNCING = new Set(
  (
    "argument arguments args parameter parameters params input inputs values call calling function tool json object output answer " +
    "result response argumente argumentos parámetros paramètres argomenti parametri аргументы 参数 引数 매개변수 " +
    "a absolutely all alright an and are as below certainly course following follows for got here i in is it its ll make my of ok okay s sure the these this " +
    "to understood use using will with write yes your"
  ).split(" "),
);

/** Emphasis around a line, and the mark of inline code around the whole reply. */
const EMPHASIS = /^[*_`\s]+|[*_\s]+$/g;

/**
 * Whether the last place of an object in a text is quoted: words follow on its line, it is in inline code after words, or the
 * mark of a block quote or comment is before it.
 *
 * @example isQuotedIn('I could call {"a": 1} but will not.', '{"a": 1}'); // true
 */
function isQuotedIn(text: string, object: string): boolean {
  const at = text.lastIndexOf(object);
  const before = withoutMarkup(text.slice(text.lastIndexOf("\n", at) + 1, at))
    .replace(LIST_MARK, "")
    .trim();
  if (before.startsWith(">") || endsWithMark(before) || (WORD.test(before) && before.endsWith("`"))) return true;
  const [after = ""] = text.slice(at + object.length).split("\n", 1);
  return WORD.test(withoutMarkup(after));
}

const WORD = /[\p{L}\p{N}]/u;

/** A text without tags and tokens, and without the marks of fences with their language. */
const withoutMarkup = (text: string): string => text.replaceAll(/<[^<>\n]{1,64}>|\[\/?\w{1,64}\]|`{3}\w*/g, "");

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
