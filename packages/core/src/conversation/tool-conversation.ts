import { isObject } from "../common/plain-object.js";
import { randomId } from "../common/random-id.js";
import { OptionsError } from "../errors.js";
import { checkOptions } from "../options/check-options.js";
import { validateJson } from "../schema/validate.js";
import type { ChatMessage, ToolResult } from "../types.js";
import { eventsOfCall } from "./call-events.js";
import { checkContent, checkDecision, checkResults, failureOf } from "./check-input.js";
import { checkRecord, storedRecords } from "./check-record.js";
import { startClock } from "./clock.js";
import { checkConversationOptions, decideRules, forkRules, sendRules, submitRules } from "./conversation-options.js";
import { type ConversationRun, createRun } from "./conversation-run.js";
import { copied, ownData } from "./copied.js";
import { ConversationLogError, ConversationStateError, DecisionError } from "./errors.js";
import { firstRecord } from "./first-record.js";
import type { CallState } from "./fold.js";
import { Journal } from "./journal.js";
import type { RunsTool } from "./open-calls.js";
import { type ConversationRecord, type Decision, LOG_VERSION, type RecordBody } from "./records.js";
import type { RunContext } from "./run-context.js";
import { Runtime, type Stopped } from "./runtime.js";
import { firstOfEach, readTriggers } from "./triggers.js";
import type {
  CheckedOptions,
  ConversationOptions,
  ConversationResult,
  ConversationState,
  ConversationTurn,
  Schemas,
  SendOptions,
  StoredOptions,
} from "./types.js";

/** What a conversation continues. */
interface Begun {
  /** Its log, and the number of its records that the store contains. Default: a new log. */
  records?: readonly ConversationRecord[];
  stored?: number;
  /** The id of a fork. */
  fork?: string;
  /** Chooses the tools that its calls run. Default: those of the options. */
  runs?: RunsTool;
}

/** Creates a conversation that continues a given log. Not part of the package's interface. */
export let begunConversation: (options: ConversationOptions, begun: Begun) => ToolConversation;

/**
 * A conversation of a model with tools, without a framework: asks the model and runs its calls until it answers.
 *
 * - Everything that happens is a record of its log; {@link fold} computes its state from the records. With a `store`,
 *   each record is stored before its consequences: after a crash, {@link ToolConversation.resume} continues where the
 *   log ends. A call with a stored result never runs again; the tool's `onCrash` decides about a call that had started.
 * - The calls of one reply run in parallel (`concurrency`; `exclusive` tools alone), and their results are in the order
 *   of the calls. The model sees the error of a call that fails; the other calls continue.
 * - `needsApproval`: calls wait for `decide()`. A tool without `execute` waits for `submitToolResults()`.
 * - A schema written with its tool in `tools` determines the types of the arguments of `execute` and `needsApproval`.
 * - `budget`, `maxIdenticalCalls` and `maxInvalidCallRetries` end a run that would not end by itself.
 *
 * Errors: `OptionsError` (`bad-option`), also for an unknown option; `ToolDefinitionError`;
 * `ProtocolError` (`unknown-protocol`); `ConversationError` (`bad-message`).
 *
 * @example
 * const conversation = new ToolConversation({ model, tools: [weather], instructions: "Be brief." });
 * const { text } = await conversation.run("What is the weather in Oslo?");
 */
export class ToolConversation<const S extends Schemas = Schemas> {
  readonly #options: CheckedOptions;
  #journal!: Journal;
  #runtime!: Runtime;
  #ids!: Set<string>;
  #fork: string | undefined;
  #prepared: Promise<void> | undefined;
  #busy = false;

  static {
    begunConversation = (options, begun) => {
      const conversation = new ToolConversation(options);
      conversation.#begin(begun);
      return conversation;
    };
  }

  constructor(options: ConversationOptions<S>);
  // For a choice of lists, as in `isAdmin ? [a, b] : [a]`: only one of them gives `S`.
  constructor(options: ConversationOptions);
  constructor(options: ConversationOptions) {
    this.#options = checkConversationOptions(options);
    this.#begin({});
  }

  #begin({ records, stored = 0, fork, runs }: Begun): void {
    const { store, onTrace } = this.#options;
    for (const [index, record] of records?.entries() ?? []) checkRecord(record, index);
    const listener = onTrace && ((record: ConversationRecord) => onTrace({ type: "record", record }));
    this.#fork = fork;
    this.#journal = new Journal(records ?? [firstRecord(this.#options)], stored, store, listener);
    this.#ids = new Set(this.#journal.state.calls.keys());
    this.#runtime = new Runtime(this.#options, this.#journal, () => this.#newId(), runs);
  }

  /**
   * The conversation in a store; a new one if the store is empty. `instructions` and `messages` are those of the log; limits
   * such as `budget` are options, and must be given again. Opening writes nothing: what has changed in the tools counts from
   * the first run, message or decision on.
   *
   * Errors: those of the constructor; {@link ConversationLogError}; those of the store.
   *
   * @example const conversation = await ToolConversation.resume({ store: fileStore("a.jsonl"), model, tools });
   */
  static resume<const S extends Schemas>(options: StoredOptions<S>): Promise<ToolConversation>;
  static resume(options: StoredOptions): Promise<ToolConversation>;
  static async resume(options: StoredOptions): Promise<ToolConversation> {
    checkConversationOptions(options);
    if (!options.store) throw new OptionsError("bad-option", "`store` is missing: it stores the conversation.");
    const records = storedRecords(await options.store.read());
    if (records.length === 0) return new ToolConversation(options);
    return begunConversation(options, { records, stored: records.length });
  }

  /**
   * Restores what `toJSON` gave; an empty `store` gets the log. Errors: those of the constructor; {@link ConversationLogError}.
   *
   * @example ToolConversation.fromJSON(JSON.parse(text), { model, tools });
   */
  static fromJSON<const S extends Schemas>(state: ConversationState, options: ConversationOptions<S>): ToolConversation;
  static fromJSON(state: ConversationState, options: ConversationOptions): ToolConversation;
  static fromJSON(state: ConversationState, options: ConversationOptions): ToolConversation {
    const given: unknown = state;
    if (!isObject(given) || !Array.isArray(given.log) || given.log.length === 0) {
      const message = "The state of a conversation is { version, log }, and its log not empty.";
      throw new ConversationLogError("bad-log", message);
    }
    if (typeof given.version !== "number" || given.version > LOG_VERSION) {
      const message = `The state has version ${String(given.version)}; this version of Toolingua reads up to ${LOG_VERSION}.`;
      throw new ConversationLogError("unknown-version", message);
    }
    return begunConversation(options, { records: state.log });
  }

  /** The conversation as plain data, frozen. It can be called during a run. */
  toJSON(): ConversationState {
    const { log } = this.#journal;
    // A fork that has not run yet: a conversation that is restored from this continues the fork, not its parent.
    const forked = this.#forked();
    return { version: LOG_VERSION, log: forked ? [...log, { at: Date.now(), ...forked }] : [...log] };
  }

  /** The id of the conversation; a fork has its own. */
  get id(): string {
    return this.#fork ?? this.#journal.state.id;
  }

  /** All messages, including calls and results. They are frozen, like the records of the log. */
  get messages(): readonly ChatMessage[] {
    return [...this.#journal.state.messages];
  }

  /** The records of the conversation so far, frozen. */
  get log(): readonly ConversationRecord[] {
    return [...this.#journal.log];
  }

  /**
   * Sends a message and takes one turn of the model. Its calls are returned and do not run: pass their results to
   * `submitToolResults`, or continue with `run()`.
   *
   * Errors: `ConversationError` (`bad-message`); `OptionsError`; {@link ConversationStateError} (`busy`, `open-calls`);
   * those of the store. An error of the model is the turn's `error`.
   *
   * @example const { toolCalls } = await conversation.send("What is the weather in Oslo?");
   */
  async send(content: string, options: SendOptions = {}): Promise<ConversationTurn> {
    checkContent(content);
    checkOptions(sendRules, options);
    const context = { emit: () => {}, signal: this.#signal(options.signal) };
    return this.#alone(context.signal, async () => {
      await this.#addMessage(content, options.trusted ?? false, context);
      return this.#turn(context);
    });
  }

  /**
   * Submits the results of all open calls, and takes one turn of the model. For a single result without a turn, call
   * `decide` with `respond`.
   *
   * Errors: `ConversationError` (`bad-message`); `OptionsError`; {@link ConversationStateError} (`busy`,
   * `no-open-calls`, `unknown-call`, `missing-results`); those of the store.
   *
   * @example await conversation.submitToolResults([{ toolCallId: call.id, name: call.name, content: "Sunny" }]);
   */
  async submitToolResults(
    results: readonly ToolResult[],
    options: Pick<SendOptions, "signal"> = {},
  ): Promise<ConversationTurn> {
    checkResults(results);
    checkOptions(submitRules, options);
    const context = { emit: () => {}, signal: this.#signal(options.signal) };
    return this.#alone(context.signal, async () => {
      await this.#journal.add(() => this.#submitted(results));
      return this.#turn(context);
    });
  }

  /**
   * Sends a message, if one is given, and runs until there is an answer, or all open calls wait for the application
   * (`result().pending`). Without `content` it continues open calls: after decisions, results or a crash. It starts when it is
   * awaited or read: without `await`, `for await` or `result()` nothing happens.
   *
   * Errors, from its result and its events: `ConversationError` (`bad-message`); `OptionsError`;
   * {@link ConversationStateError} (`busy`, `open-calls`, `nothing-to-do`); {@link ConversationConflictError} and others
   * of the store; {@link ConversationStoreError} if the store does not answer within 5 s after an abort or the time
   * limit. An error of the model is the result's `error`.
   *
   * @example const { text, stopReason } = await conversation.run("What is the weather in Oslo?");
   */
  run(content?: string, options: SendOptions = {}): ConversationRun {
    const refused = failureOf(() => {
      if (content !== undefined) checkContent(content);
      checkOptions(sendRules, options);
    });
    if (refused) return createRun(() => Promise.reject(refused.error), undefined);
    return createRun((emit, signal) => {
      const context = { emit, signal };
      // The time limit also applies to what is stored before the run's own clock starts.
      const { budget: { seconds } = {}, store } = this.#options;
      const clock = startClock(signal, seconds === undefined || !store ? undefined : seconds * 1000);
      const ran = this.#alone(clock.tools, async () => {
        if (content !== undefined) await this.#addMessage(content, options.trusted ?? false, context);
        else if (!this.#journal.state.messages.some(({ role }) => role !== "system")) {
          throw new ConversationStateError("nothing-to-do", "There is no message yet: pass one to run().");
        }
        const result = this.#result(await this.#runtime.run(context));
        emit({ type: "end", result });
        return result;
      });
      return ran.finally(clock.stop);
    }, this.#signal(options.signal));
  }

  /**
   * Decides on a call that waits; continue with `run()`. A call that had started when the process ended can be approved
   * too: it then runs again, with the same `idempotencyKey`. `argumentsHash` is that of the pending call which the
   * person saw: the decision is refused if the arguments have changed since.
   *
   * Errors: {@link DecisionError}; `OptionsError`; those of the store. After an error nothing is decided.
   *
   * @example for (const { call } of result.pending) await conversation.decide(call.id, { type: "approve" });
   */
  async decide(callId: string, decision: Decision, options: { argumentsHash?: string } = {}): Promise<void> {
    checkDecision(callId, decision);
    checkOptions(decideRules, options);
    // The application may change its object afterwards.
    const own = ownData(decision);
    await this.#prepare();
    await this.#journal.add(() => {
      const { argumentsHash } = this.#decidable(callId, own, options.argumentsHash);
      return [{ type: "decision", callId, argumentsHash, decision: own }];
    });
  }

  /**
   * Creates another conversation from the first `count` records of this one, to try another continuation. It has its
   * own id, and is kept in memory unless a `store` (an empty one) is given.
   *
   * Errors: `OptionsError`, also for a count that is not from 1 to the number of records.
   *
   * @example conversation.fork(3).run("In French, please.");
   */
  fork(count: number, options: Pick<ConversationOptions, "store"> = {}): ToolConversation {
    checkOptions(forkRules, options);
    const { log } = this.#journal;
    if (!Number.isInteger(count) || count < 1 || count > log.length) {
      throw new OptionsError("bad-option", `A fork takes 1 to ${log.length} records, not ${JSON.stringify(count)}.`);
    }
    const begun = { records: log.slice(0, count), fork: randomId().replace("call", "conv") };
    return begunConversation({ ...this.#options, store: options.store }, begun);
  }

  /** Runs once, before anything else: gives a fork its id, and compares the tools with those of the log. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#takeUp().catch((error: unknown) => {
      // The store may work at the next attempt.
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #takeUp(): Promise<void> {
    // Checked again when it is its turn, because an earlier attempt may be stored by then.
    if (this.#forked()) await this.#journal.add(() => [this.#forked() ?? []].flat());
    await this.#runtime.calls.takeTools();
  }

  /** The record of a fork, if its log does not contain it yet. */
  #forked(): RecordBody | undefined {
    const id = this.#fork;
    const { id: from } = this.#journal.state;
    return id === undefined || id === from ? undefined : { type: "forked", id, from };
  }

  /** Runs `work` if nothing else runs. Once `signal` is aborted, the store must answer soon. */
  async #alone<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#busy) {
      throw new ConversationStateError("busy", "The conversation is running: wait for its result, or abort it.");
    }
    this.#busy = true;
    this.#journal.heed(signal);
    try {
      await this.#prepare();
      return await work();
    } finally {
      this.#busy = false;
      this.#journal.heed(undefined);
    }
  }

  #signal(signal: AbortSignal | undefined): AbortSignal | undefined {
    const { signal: always } = this.#options;
    return signal && always ? AbortSignal.any([signal, always]) : (signal ?? always ?? undefined);
  }

  async #addMessage(content: string, trusted: boolean, { emit }: RunContext): Promise<void> {
    const { triggers: mode = "off", tools = [], aliases, maxIdenticalCalls = 2 } = this.#options;
    const isRead = mode !== "off" && trusted;
    const { text, calls, invalid } = isRead
      ? firstOfEach(readTriggers(content, { tools, aliases, generateId: () => this.#newId() }), maxIdenticalCalls)
      : { text: content, calls: [], invalid: [] };
    const called = mode === "prompt" ? calls.map(({ name, arguments: args }) => ({ name, arguments: args })) : [];
    const isDirect = mode === "direct" && calls.length + invalid.length > 0;
    const shown = isDirect && text !== "" ? text : content;
    await this.#journal.add((): RecordBody[] => {
      this.#refuseOpenCalls();
      const user: RecordBody = {
        type: "user",
        content: shown,
        ...(shown === content ? {} : { written: content }),
        ...(trusted ? { trusted } : {}),
        ...(called.length > 0 ? { called } : {}),
      };
      if (!isDirect) return [user];
      const reply: RecordBody = { type: "reply", by: "trigger", text: "", calls };
      return [user, invalid.length > 0 ? { ...reply, invalid } : reply];
    });
    if (!isDirect) return;
    for (const [index, call] of calls.entries()) for (const event of eventsOfCall(copied(call), index)) emit(event);
    for (const [i, call] of invalid.entries()) emit({ type: "call-invalid", index: calls.length + i, call });
  }

  #refuseOpenCalls(): void {
    const open = this.#open();
    if (open.length === 0) return;
    const names = open.map(({ call }) => `${call.name} (${call.id})`).join(", ");
    const message = `These calls have no result yet: ${names}. Decide on them, give their results, or go on with run().`;
    throw new ConversationStateError("open-calls", message);
  }

  #open(): CallState[] {
    const { current, next } = this.#journal.state;
    return next === "calls" ? current.filter(({ status }) => status !== "settled") : [];
  }

  #submitted(results: readonly ToolResult[]): RecordBody[] {
    const open = new Map(this.#open().map(({ call }) => [call.id, call]));
    const listed = (ids: Iterable<string>) => [...ids].join(", ") || "none";
    if (open.size === 0 && (results.length > 0 || this.#journal.state.next !== "model")) {
      throw new ConversationStateError("no-open-calls", "No call waits for a result.");
    }
    const records = results.map(({ toolCallId, content, isError }): RecordBody => {
      const call = open.get(toolCallId);
      if (!call) {
        const message = `No call ${JSON.stringify(toolCallId)} waits for a result; these do: ${listed(open.keys())}.`;
        throw new ConversationStateError("unknown-call", message);
      }
      open.delete(toolCallId);
      const result = { toolCallId, name: call.name, content, ...(isError ? { isError } : {}) };
      return { type: "call-settled", callId: toolCallId, result, how: "submitted" };
    });
    if (open.size === 0) return records;
    const message = `Results are missing for these calls: ${listed(open.keys())}. To give a single one: decide(id, { type: "respond", content }).`;
    throw new ConversationStateError("missing-results", message);
  }

  /** One turn of the model, unless triggers made calls without it. */
  async #turn(context: RunContext): Promise<ConversationTurn> {
    const { current, next } = this.#journal.state;
    if (next !== "calls") return this.#runtime.ask(context);
    const toolCalls = current.map(({ call }) => copied(call));
    const invalidToolCalls = this.#runtime.calls.invalid();
    return { text: "", reasoning: "", toolCalls, invalidToolCalls, stopReason: "needs-results" };
  }

  #decidable(callId: string, decision: Decision, argumentsHash: string | undefined): CallState {
    const { state } = this.#journal;
    const open = state.calls.get(callId);
    if (!open) {
      const waiting = this.#runtime.calls.pending().map(({ call }) => call.id);
      const given =
        typeof callId === "string" ? `There is no call ${JSON.stringify(callId)}.` : "It takes the id of a call.";
      const message = `${given} Waiting: ${waiting.join(", ") || "none"}.`;
      throw new DecisionError("unknown-call", callId, message);
    }
    const { call, status } = open;
    const isOwn = this.#runtime.calls.tools.get(call.name)?.execute !== undefined;
    const runsSoon = this.#busy && isOwn && status !== "asked";
    // An approved call waits again if its tool has lost its `execute` since.
    const wasDecided = status === "approved" && (isOwn || decision.type === "approve");
    if (status === "settled" || wasDecided || this.#runtime.calls.running.has(callId) || runsSoon) {
      const how = status === "settled" ? "has its result already" : status === "approved" ? "was decided" : "runs";
      throw new DecisionError("not-pending", callId, `The call ${callId} of ${call.name} ${how}.`);
    }
    if (argumentsHash !== undefined && argumentsHash !== open.argumentsHash) {
      const message = `The call ${callId} of ${call.name} has other arguments than those that were decided on.`;
      throw new DecisionError("stale", callId, message);
    }
    if (decision.type !== "edit" && decision.type !== "approve") return open;
    const isEdit = decision.type === "edit";
    const args = isEdit ? decision.arguments : call.arguments;
    const issues = validateJson(args, this.#runtime.calls.tools.get(call.name)?.parameters);
    const [first] = issues;
    if (!first) return open;
    const message = `The ${isEdit ? "edited " : ""}arguments do not match ${call.name}: ${first.path || "the arguments:"} ${first.message}`;
    throw new DecisionError("invalid-arguments", callId, message, issues);
  }

  #result({ stopReason, ...failed }: Stopped): ConversationResult {
    const { state } = this.#journal;
    const { usage } = state.run;
    return {
      text: state.text,
      stopReason,
      pending: this.#runtime.calls.pending(),
      invalidToolCalls: stopReason === "invalid-replies" ? this.#runtime.calls.invalid() : [],
      ...(usage ? { usage } : {}),
      messages: [...state.messages],
      ...failed,
    };
  }

  /** An id that no call of this conversation has. */
  #newId(): string {
    const made = (this.#options.generateId ?? randomId)();
    let id = made;
    for (let n = 2; this.#ids.has(id); n++) id = `${made}_${n}`;
    this.#ids.add(id);
    return id;
  }
}
