import { checkArgument } from "../check-argument.js";
import { callKey } from "../common/call-key.js";
import { isObject } from "../common/plain-object.js";
import { addUsage } from "../common/usage.js";
import { escapeText } from "../prompt/escape.js";
import type { ChatMessage, InvalidToolCall, ToolCall, ToolResult, Usage } from "../types.js";
import { checkRecord } from "./check-record.js";
import { frozenCopy } from "./copied.js";
import { ConversationLogError } from "./errors.js";
import { type BudgetSpent, type ConversationRecord, hashOf, LOG_VERSION, type SettledHow } from "./records.js";

/**
 * The status of a call. `proposed`: the model made it. `asked`: a person must decide. `approved`: it may run.
 * `started`: it runs, or ran when the process ended. `settled`: it has its result.
 */
export type CallStatus = "proposed" | "asked" | "approved" | "started" | "settled";

/** One call of the conversation. */
export interface CallState {
  /** The call with its current arguments, which a decision may have changed. */
  call: ToolCall;
  argumentsHash: string;
  status: CallStatus;
  idempotencyKey?: string;
  result?: ToolResult;
  how?: SettledHow;
}

/** What has happened since the user's last message. */
export interface RunState {
  /** Replies of the model. */
  steps: number;
  /** Turns that began and ended without a reply. */
  failed: number;
  /** The number of calls that started, or whose result was submitted without that, by tool. */
  started: Map<string, number>;
  /** The usage that the model reported; also `estimated` if the model did not report it for every reply. */
  usage?: Usage;
  /** Whether the model has counted the tokens of a turn. */
  isCounted: boolean;
  /** Tokens, including the estimates where the model did not count. */
  tokens: number;
  /** Whether some of `tokens` are an estimate. */
  estimated: boolean;
  /** The running time in milliseconds, without the part that has not ended. */
  ms: number;
  /** The number of consecutive replies with an invalid call. */
  invalidInARow: number;
  /** The last call, how often it came in a row, and the largest such number for the calls of the last reply. */
  identical: { key: string; count: number; most: number };
  exhausted?: BudgetSpent;
  /** The tools that must be called first. */
  called: string[];
}

/** The state that a log describes. */
export interface FoldedLog {
  id: string;
  messages: ChatMessage[];
  /** The messages that were sent as trusted. */
  trusted: Set<ChatMessage>;
  tools: Record<string, string>;
  /** All calls, by id. */
  calls: Map<string, CallState>;
  /** The calls of the last reply, in order. */
  current: CallState[];
  run: RunState;
  /** The messages before this index are not shown to the model; `summary` replaces them. */
  hidden: { before: number; summary?: ChatMessage };
  /** Whose turn it is: the model's, the tools', or the user's. */
  next: "user" | "model" | "calls";
  /** The last text of the model, or the result that is the answer. */
  text: string;
  /** Whether a result was the answer. */
  answered: boolean;
  /** The index of the last reply in the messages, and the feedback on its invalid calls. */
  reply: { at: number; invalid: ChatMessage[] };
}

/**
 * Computes the state that a log describes. This is the only place where records become a conversation.
 *
 * Errors: {@link ConversationLogError}.
 *
 * @example fold(conversation.log).next; // "user"
 */
export function fold(records: Iterable<ConversationRecord>): FoldedLog {
  if (typeof records?.[Symbol.iterator] !== "function")
    checkArgument("records", "list", records, "a list of records, or another iterable");
  const state = emptyLog();
  let index = 0;
  for (const record of records) {
    checkRecord(record, index++);
    step(state, frozenCopy(record));
  }
  return state;
}

/** Freezes a message, because calls run with its content. The arguments of its calls are the record's. */
function frozen(message: ChatMessage): ChatMessage {
  if (message.role === "assistant" && message.toolCalls) {
    for (const call of message.toolCalls) Object.freeze(call);
    Object.freeze(message.toolCalls);
  }
  return Object.freeze(message);
}

/** The summary as a message of the user: what it quotes is escaped, and the system message does not change. */
const summaryOf = (text: string) => frozen({ role: "user", content: `Summary of the conversation so far:\n${text}` });

/** The state before the first record. */
export function emptyLog(): FoldedLog {
  return {
    id: "",
    messages: [],
    trusted: new Set(),
    tools: {},
    calls: new Map(),
    current: [],
    run: newRun(),
    hidden: { before: 0 },
    next: "user",
    text: "",
    answered: false,
    reply: { at: -1, invalid: [] },
  };
}

const newRun = (): RunState => ({
  steps: 0,
  failed: 0,
  isCounted: false,
  started: new Map(),
  tokens: 0,
  estimated: false,
  ms: 0,
  invalidInARow: 0,
  identical: { key: "", count: 0, most: 0 },
  called: [],
});

/** Applies one record to the state, which is changed in place. */
export function step(state: FoldedLog, record: ConversationRecord): void {
  if (state.id === "" && record.type !== "begin") {
    throw new ConversationLogError("bad-log", `The log begins with a record "${record.type}", not with "begin".`);
  }
  switch (record.type) {
    case "begin":
      if (record.version > LOG_VERSION) {
        const message = `The log has version ${record.version}; this version of Toolingua reads up to ${LOG_VERSION}.`;
        throw new ConversationLogError("unknown-version", message);
      }
      state.id = record.id;
      state.tools = record.tools;
      state.messages = [...record.messages];
      state.next = ["user", "tool"].includes(record.messages.at(-1)?.role ?? "") ? "model" : "user";
      return;
    case "forked":
      state.id = record.id;
      return;
    case "tools":
      state.tools = record.tools;
      return;
    case "user":
      state.run = newRun();
      state.run.called = (record.called ?? []).map(({ name }) => name);
      user(state, record);
      if (record.called?.length) state.messages.push(frozen({ role: "system", content: mustCall(record.called) }));
      state.current = [];
      state.answered = false;
      state.next = "model";
      return;
    case "reply":
      reply(state, record);
      return;
    case "failed":
      state.run.failed += 1;
      state.run.isCounted ||= record.usage !== undefined;
      countTokens(state.run, record);
      if (record.last) state.next = "user";
      return;
    case "approval-needed":
      callOf(state, record).status = "asked";
      return;
    case "decision":
      decision(state, record);
      return;
    case "call-started": {
      const open = callOf(state, record);
      if (open.status !== "started") countCall(state.run, open.call.name);
      open.status = "started";
      open.idempotencyKey = record.idempotencyKey;
      return;
    }
    case "call-settled":
      settle(state, callOf(state, record), record.result, record.how);
      if (record.answer && !state.answered) {
        state.answered = true;
        state.text = record.result.content;
      }
      if (state.next === "model" && state.answered) state.next = "user";
      return;
    case "exhausted":
      state.run.exhausted = { limit: record.limit, ...(record.estimated ? { estimated: true } : {}) };
      state.messages.push(frozen({ role: "system", content: NO_MORE_CALLS }));
      return;
    case "compacted":
      state.hidden = { before: record.before };
      if (record.summary !== undefined) state.hidden.summary = summaryOf(record.summary);
      if (record.tokens !== undefined) countTokens(state.run, record);
      return;
    case "end":
      state.run.ms += record.ms;
      return;
    default:
      throw new ConversationLogError("bad-log", `The log has a record of the type ${JSON.stringify(typeOf(record))}.`);
  }
}

const typeOf = (record: unknown) => (isObject(record) ? record.type : record);

type Of<T extends ConversationRecord["type"]> = Extract<ConversationRecord, { type: T }>;

function callOf(state: FoldedLog, { callId }: { callId: string }): CallState {
  const open = state.calls.get(callId);
  if (!open)
    throw new ConversationLogError("bad-log", `The log has a record of the call ${callId}, which was not made.`);
  return open;
}

function user(state: FoldedLog, { content, trusted }: Of<"user">): void {
  const message = frozen({ role: "user", content });
  state.messages.push(message);
  if (trusted) state.trusted.add(message);
}

function reply(state: FoldedLog, record: Of<"reply">): void {
  const { run } = state;
  const { invalid = [] } = record;
  if (record.by !== "trigger") {
    run.steps += 1;
    run.invalidInARow = invalid.length > 0 ? run.invalidInARow + 1 : 0;
    run.isCounted ||= record.usage !== undefined;
    countTokens(run, record);
  }
  run.identical.most = 0;
  for (const call of record.calls) countIdentical(run, call);
  state.current = record.calls.map((call) => ({
    call,
    argumentsHash: hashOf(call.arguments),
    status: "proposed",
  }));
  // Of two calls with one id, only one would ever be settled.
  if (new Set(state.current.map(({ call }) => call.id)).size < state.current.length)
    throw new ConversationLogError("bad-log", "The log has a reply with two calls of the same id.");
  for (const open of state.current) state.calls.set(open.call.id, open);

  // An invalid call with a name and arguments is shown as a call, the others as the text that the model wrote.
  const shown = invalid.filter(isShownAsCall);
  const broken = invalid.filter((call) => !isShownAsCall(call)).map(({ raw }) => raw);
  const calls = [...record.calls, ...shown.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }))];
  state.messages.push(
    frozen({
      role: "assistant",
      content: [record.text, ...broken].filter((text) => text !== "").join("\n"),
      ...(calls.length > 0 ? { toolCalls: calls } : {}),
      ...(record.reasoning ? { reasoning: record.reasoning } : {}),
    }),
  );
  state.reply = { at: state.messages.length - 1, invalid: invalid.map((call) => frozen(feedbackOn(call))) };
  state.text = record.text;
  if (record.calls.length > 0) state.next = "calls";
  else if (invalid.length > 0 || (record.cut && !record.last)) settled(state);
  else state.next = "user";
}

function countTokens(run: RunState, { tokens, estimated, usage }: Of<"reply" | "failed" | "compacted">): void {
  run.tokens += tokens ?? (usage ? usage.inputTokens + usage.outputTokens : 0);
  run.estimated ||= estimated ?? usage?.estimated ?? usage === undefined;
  if (usage) run.usage = addUsage(run.usage, usage);
  if (run.usage && run.estimated) run.usage.estimated = true;
}

type Named = InvalidToolCall & { name: string; arguments: Record<string, unknown> };

const isShownAsCall = (call: InvalidToolCall): call is Named => call.name !== undefined && isObject(call.arguments);

function feedbackOn(call: InvalidToolCall): ChatMessage {
  const { id, error } = call;
  if (!isShownAsCall(call)) return { role: "system", content: escapeText(error.feedback) };
  return { role: "tool", toolCallId: id, name: call.name, content: error.feedback, isError: true };
}

/** Counts a call towards the budget, or removes it from the count (-1). */
export function countCall({ started }: RunState, name: string, by = 1): void {
  started.set(name, (started.get(name) ?? 0) + by);
}

/** Counts one more call of the last reply. */
export function countIdentical(run: RunState, call: ToolCall): void {
  const { identical } = run;
  const key = callKey(call);
  identical.count = identical.key === key ? identical.count + 1 : 1;
  identical.key = key;
  identical.most = Math.max(identical.most, identical.count);
}

function decision(state: FoldedLog, record: Of<"decision">): void {
  const open = callOf(state, record);
  if (record.argumentsHash !== open.argumentsHash) {
    const message = `The log has a decision on other arguments than the call ${record.callId} has.`;
    throw new ConversationLogError("bad-log", message);
  }
  const made = record.decision;
  const { id: toolCallId, name } = open.call;
  // A call that a crash interrupted is counted again when it starts again.
  const runsAgain = open.status === "started" && (made.type === "approve" || made.type === "edit");
  if (runsAgain) countCall(state.run, name, -1);
  switch (made.type) {
    case "approve":
      open.status = "approved";
      return;
    case "edit":
      open.status = "approved";
      open.call = { ...open.call, arguments: made.arguments };
      open.argumentsHash = hashOf(made.arguments);
      delete open.idempotencyKey;
      rewrite(state, open.call);
      return;
    case "reject": {
      const content = made.message ?? "The user does not want this call to be made.";
      settle(state, open, { toolCallId, name, content, isError: true }, "refused");
      return;
    }
    case "respond":
      settle(state, open, { toolCallId, name, content: made.content }, "submitted");
      return;
    default:
      throw new ConversationLogError("bad-log", `The log has a decision of the type ${JSON.stringify(typeOf(made))}.`);
  }
}

/** Rewrites the reply as if the model had made this call, so that it does not try the old arguments again. */
function rewrite(state: FoldedLog, call: ToolCall): void {
  const { at } = state.reply;
  const message = state.messages[at];
  if (message?.role !== "assistant") return;
  const toolCalls = (message.toolCalls ?? []).map((one) => (one.id === call.id ? call : one));
  state.messages[at] = frozen({ ...message, toolCalls });
}

function settle(state: FoldedLog, open: CallState, result: ToolResult, how: SettledHow): void {
  // The call was made outside this process: by the client, or by the person who knows the result.
  if (how === "submitted" && open.status !== "started") countCall(state.run, open.call.name);
  open.status = "settled";
  open.result = result;
  open.how = how;
  settled(state);
}

/** Shows the results so far, in the order of the calls, and sets whose turn it is. */
function settled(state: FoldedLog): void {
  const { reply, current } = state;
  state.messages.length = reply.at + 1;
  for (const { result } of current) if (result) state.messages.push(frozen({ role: "tool", ...result }));
  state.messages.push(...reply.invalid);
  if (current.every(({ status }) => status === "settled")) state.next = "model";
}

/** The message for the model when it may call no tool any more. */
const NO_MORE_CALLS =
  "No tool can be called any more. Answer now, in plain text, with what you know so far; say what is missing.";

const mustCall = (calls: readonly { name: string; arguments: Record<string, unknown> }[]): string =>
  escapeText(
    ["The user asks for these tool calls; make them:", ...calls.map((call) => JSON.stringify(call))].join("\n"),
  );
