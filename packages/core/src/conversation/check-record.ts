import { checkedMessages } from "../check-messages.js";
import { describeValue } from "../common/describe-value.js";
import { isObject, ownValue } from "../common/plain-object.js";
import type { ChatMessage } from "../types.js";
import { ConversationLogError } from "./errors.js";
import type { ConversationRecord } from "./records.js";

type Is = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Is>>;

const string: Is = (value) => typeof value === "string";
const number: Is = (value) => typeof value === "number";
const optional =
  (is: Is): Is =>
  (value) =>
    value === undefined || is(value);
const shaped =
  (shape: Shape): Is =>
  (value) =>
    isObject(value) && Object.entries(shape).every(([name, is]) => is(value[name]));
const listOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
const messages: Is = (value) => {
  try {
    return checkedMessages(value as ChatMessage[]) === value;
  } catch {
    return false;
  }
};

const call = shaped({ id: string, name: string, arguments: isObject });
const invalidCall = shaped({ id: string, raw: string, error: shaped({ feedback: string }) });
const usage = shaped({
  ...{ inputTokens: number, outputTokens: number },
  ...{ cacheReadTokens: optional(number), cacheWriteTokens: optional(number), reasoningTokens: optional(number) },
});
const decisions: Record<string, Is> = {
  edit: shaped({ arguments: isObject }),
  reject: shaped({ message: optional(string) }),
  respond: shaped({ content: string }),
};

/** The fields of each record that {@link step} reads. */
const shapes: { [T in ConversationRecord["type"]]: Shape } = {
  begin: { version: number, id: string, messages, tools: isObject },
  forked: { id: string, from: string },
  tools: { tools: isObject },
  user: {
    content: string,
    written: optional(string),
    called: optional(listOf(shaped({ name: string, arguments: isObject }))),
  },
  reply: {
    text: string,
    calls: listOf(call),
    invalid: optional(listOf(invalidCall)),
    usage: optional(usage),
    tokens: optional(number),
    reasoning: optional(string),
  },
  failed: { usage: optional(usage), tokens: optional(number) },
  "approval-needed": { callId: string, argumentsHash: string },
  decision: {
    callId: string,
    argumentsHash: string,
    decision: (value) => isObject(value) && (ownValue(decisions, String(value.type))?.(value) ?? true),
  },
  "call-started": { callId: string, idempotencyKey: string },
  "call-settled": { callId: string, result: shaped({ toolCallId: string, name: string, content: string }) },
  exhausted: { limit: string },
  compacted: {
    before: (value) => Number.isInteger(value) && (value as number) >= 0,
    summary: optional(string),
    usage: optional(usage),
    tokens: optional(number),
  },
  end: { stopReason: string, ms: number },
};

/**
 * Checks that a log is a list of records.
 *
 * Errors: {@link ConversationLogError} (`bad-log`).
 *
 * @example checkLog(conversation, "replay"); // throws: … Give its `log`.
 */
export function checkLog(log: readonly ConversationRecord[], where: string): void {
  const given: unknown = log;
  const refuse = (what: string): never => {
    throw new ConversationLogError("bad-log", `\`${where}\` takes a log, which is a list of records, ${what}`);
  };
  if (!Array.isArray(given)) {
    const hasLog = typeof given === "object" && given !== null && "log" in given;
    return refuse(
      hasLog ? "not an object with one. Give its `log`." : `not ${given === null ? "null" : typeof given}.`,
    );
  }
  const bad = given.findIndex((record) => !isObject(record));
  if (bad >= 0) refuse(`and record ${bad} is not an object.`);
}

/**
 * Checks the fields of a stored record that {@link step} reads. {@link step} refuses unknown types itself.
 *
 * Errors: {@link ConversationLogError} (`bad-log`), which names the record and the field.
 */
export function checkRecord(record: ConversationRecord, index: number): void {
  const given: unknown = record;
  const refuse = (what: string): never => {
    throw new ConversationLogError("bad-log", `Record ${index} of the log${what}.`);
  };
  if (!isObject(given)) return refuse(" is not an object");
  const type = String(given.type);
  if (!Object.hasOwn(shapes, type)) return;
  const shape = shapes[type as ConversationRecord["type"]];
  const bad = Object.keys(shape).find((name) => !shape[name]!(given[name]));
  if (bad !== undefined) refuse(`, of the type "${type}", has ${bad in given ? "a malformed" : "no"} \`${bad}\``);
}

/** What a store has read. Errors: {@link ConversationLogError} `bad-log` if it is not a list. */
export function storedRecords(read: unknown): ConversationRecord[] {
  if (Array.isArray(read)) return read;
  throw new ConversationLogError(
    "bad-log",
    `\`read\` of the store must return a list of records, empty for a new conversation, not ${describeValue(read)}.`,
  );
}
