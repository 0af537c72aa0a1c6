import { explainInvalidArguments, explainUnknownTool } from "../schema/explain.js";
import { validateValue } from "../schema/validate.js";
import { untilAborted } from "../turn/abortable.js";
import { ToolChoiceError } from "../turn/errors.js";
import { type GenerateOptions, generateMoments } from "../turn/generate-with-tools.js";
import type { TurnResult } from "../turn/turn.js";
import type { ReplyEvent, Tool, ToolCall, ToolChoice } from "../types.js";
import { lastAnswerMs, Meter, refusal, spent } from "./budget.js";
import { startClock } from "./clock.js";
import { EagerCalls, type EarlyStarter } from "./eager-calls.js";
import { CANCELLED, execute, inParallel, type Outcome } from "./execution.js";
import { type CallState, countIdentical } from "./fold.js";
import { compaction, shownMessages } from "./history.js";
import type { Journal } from "./journal.js";
import { notMade, refused, resultOf, UNKNOWN } from "./outcomes.js";
import { type BudgetSpent, hashOf, type RecordBody, type StopReason, toolHashes } from "./records.js";
import type {
  ConversationEvent,
  ConversationOptions,
  ConversationTool,
  ConversationTurn,
  PendingCall,
} from "./types.js";

/** Why a run stopped, and what the model threw. */
export interface Stopped {
  stopReason: StopReason;
  /** What the model had written when it was interrupted. */
  text?: string;
  error?: unknown;
  /** Where the reason is `budget`. */
  budget?: BudgetSpent;
}

/** What a run is given. */
export interface RunContext {
  emit: (event: ConversationEvent) => void;
  /** Aborted by the application. */
  signal: AbortSignal | undefined;
}

/** The same with the run's clock. */
interface Running extends RunContext {
  /** Aborted when the time is over. */
  deadline: AbortSignal | undefined;
  /** Aborted by either. */
  tools: AbortSignal | undefined;
}

type Runnable = ConversationTool & Pick<Tool, "execute">;

const isRunnable = (tool: ConversationTool | undefined): tool is Runnable => tool?.execute !== undefined;

/** Turns of the model and calls of tools, one step after the other, each from the state that the log describes. */
export class Runtime {
  readonly tools: ReadonlyMap<string, ConversationTool>;
  /** The calls that run in this process. */
  readonly running = new Set<string>();

  constructor(
    private readonly options: ConversationOptions,
    private readonly journal: Journal,
    private readonly newId: () => string,
  ) {
    this.tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  }

  /** Goes on until there is an answer, or nothing that can be done without someone else. */
  async run(context: RunContext): Promise<Stopped> {
    const { seconds } = this.options.budget ?? {};
    const begun = performance.now();
    const { state } = this.journal;
    const clock = startClock(context.signal, seconds === undefined ? undefined : seconds * 1000 - state.run.ms);
    const running: Running = { ...context, ...clock };
    let stopped: Stopped;
    try {
      stopped = await this.#untilStopped(running);
    } finally {
      clock.stop();
    }
    const ms = Math.round(performance.now() - begun);
    const last = this.journal.log.at(-1);
    const isOver = last?.type === "end" && last.stopReason === stopped.stopReason;
    if (!isOver) await this.journal.add(() => [{ type: "end", stopReason: stopped.stopReason, ms }]);
    return stopped;
  }

  async #untilStopped(running: Running): Promise<Stopped> {
    const { state } = this.journal;
    for (;;) {
      if (running.signal?.aborted) return this.#cancelled();
      const enough = this.#hadEnough();
      if (enough) {
        this.#eager?.discard();
        this.#eager = undefined;
        const why = "This call was not made: the run was ended before it.";
        await this.#settleOpen(({ status }) => (status === "started" ? undefined : refused(why)));
        return { stopReason: enough };
      }
      if (state.next === "user") {
        const { exhausted } = state.run;
        if (state.answered) return { stopReason: "stop-tool" };
        return exhausted === undefined ? { stopReason: "answer" } : { stopReason: "budget", budget: exhausted };
      }
      if (state.next === "calls") {
        const stopped = await this.#settleCalls(running);
        if (stopped) return stopped;
        continue;
      }
      const budget = await this.#spentBefore(running);
      if (budget) return { stopReason: "budget", budget };
      const turn = await this.ask(running, true);
      if (turn.stopReason === "aborted") return { ...(await this.#cancelled()), text: turn.text };
      running.emit({ type: "turn-end", turn });
      if (turn.stopReason === "error" || (turn.stopReason === "invalid-replies" && turn.error !== undefined)) {
        return { stopReason: turn.stopReason, error: turn.error, text: turn.text };
      }
    }
  }

  /** The model goes round in circles, or writes no call that can be read. */
  #hadEnough(): StopReason | undefined {
    const { maxIdenticalCalls = 2, onInvalidCall = "retry", maxRetries = 2 } = this.options;
    const { identical, invalidInARow } = this.journal.state.run;
    if (identical.most > maxIdenticalCalls) return "repeated-call";
    // Under `retry` the turn itself has asked again.
    return invalidInARow > (onInvalidCall === "retry" ? 0 : maxRetries) ? "invalid-replies" : undefined;
  }

  /** What of the budget keeps the model from being asked once more; if it may be for the last time, that is recorded. */
  async #spentBefore(running: Running): Promise<BudgetSpent | undefined> {
    const { state } = this.journal;
    const { budget = {} } = this.options;
    if (state.run.exhausted !== undefined) return undefined;
    const { current } = state;
    const onlyRefused = current.length > 0 && current.every(({ how }) => how === "budget");
    const isTimeUp = running.deadline?.aborted === true;
    const met: BudgetSpent | undefined =
      spent(budget, state.run, isTimeUp) ??
      (onlyRefused ? { limit: this.#callsLeft() > 0 ? "callsPerTool" : "calls" } : undefined);
    if (met === undefined || budget.onExhausted === "stop") return met;
    await this.journal.add(() => [{ type: "exhausted", ...met }]);
    return undefined;
  }

  // ── the model ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * One turn of the model. `runsCalls`: its calls are run next, so that some may start early. The last answer has a time of
   * its own, for that of the run may be over.
   */
  async ask(context: RunContext & Partial<Running>, runsCalls = false): Promise<ConversationTurn> {
    const last = this.journal.state.run.exhausted !== undefined;
    const running = { deadline: undefined, tools: context.signal, ...context };
    if (!last) return this.#turn(running, { last, runsCalls });
    const clock = startClock(context.signal, lastAnswerMs(this.options.budget ?? {}));
    try {
      return await this.#turn({ ...context, ...clock }, { last, runsCalls: false });
    } finally {
      clock.stop();
    }
  }

  async #turn(context: Running, { last, runsCalls }: { last: boolean; runsCalls: boolean }): Promise<ConversationTurn> {
    const { options, journal } = this;
    const { state } = journal;
    const { emit, signal } = context;
    const failed = { text: "", reasoning: "", toolCalls: [], invalidToolCalls: [] };
    let compacted: RecordBody[] = [];
    try {
      if (options.history) compacted = await compaction(state, options.history, context);
    } catch (error) {
      return signal?.aborted ? { ...failed, stopReason: "aborted" } : { ...failed, stopReason: "error", error };
    }
    await journal.add(() => compacted);
    const meter = this.#meterFor(context, last);
    const isEager = options.eagerReadOnly && runsCalls && !last;
    const eager = isEager ? new EagerCalls(() => this.#earlyStarter(context)) : undefined;
    const given: GenerateOptions = {
      ...options,
      model: meter ? meter.measured(options.model) : options.model,
      messages: shownMessages(state),
      toolChoice: last ? "auto" : this.#toolChoice(),
      onInvalidCall: last ? "surface" : (options.onInvalidCall ?? "retry"),
      generateId: this.newId,
      signal,
      ...(last ? { constraint: "off" as const } : {}),
      onRepair: (calls) => {
        options.onRepair?.(calls);
        eager?.discard();
        if (calls.length > 0) emit({ type: "repair", calls: [...calls] });
      },
      onTrace: eager
        ? (event) => {
            options.onTrace?.(event);
            eager.on(event);
          }
        : options.onTrace,
    };
    const moments = generateMoments(given, state.trusted);
    let text = "";
    let result: TurnResult | undefined;
    let calls = 0;
    let heard = false;
    const take = (event: ReplyEvent) => {
      heard = true;
      if (event.type === "text") text += event.text;
      if (last && event.type.startsWith("call-")) return;
      emit(event);
      if (meter && event.type === "call-end") {
        calls += 1;
        // What comes after a call that may not be made is not wanted.
        meter.stopped ||= this.#callsLeft() < calls;
      }
    };
    /** What a turn has cost counts; one that the model did not even begin to answer cost nothing. */
    const fail = async () => {
      eager?.discard();
      if (!heard && !meter?.heard && !result) return;
      const usage = meter?.usage ?? result?.usage;
      const record = {
        type: "failed",
        ...(usage ? { usage } : {}),
        ...meter?.cost,
        ...(last ? { last } : {}),
      } as const;
      await journal.add(() => [record]);
    };
    try {
      let next = await moments.next();
      for (; !next.done; next = await moments.next()) for (const event of next.value) take(event);
      result = next.value;
    } catch (error) {
      await fail();
      if (signal?.aborted) return { ...failed, text, stopReason: "aborted" };
      return { ...failed, text, stopReason: error instanceof ToolChoiceError ? "invalid-replies" : "error", error };
    }
    if (signal?.aborted) {
      await fail();
      return { ...failed, text, stopReason: "aborted" };
    }
    const { reasoning, usage } = result;
    const toolCalls = last ? [] : result.toolCalls;
    const invalidToolCalls = last ? [] : result.invalidToolCalls;
    await journal.add(() => [
      {
        type: "reply",
        text: result.text,
        ...(reasoning === "" ? {} : { reasoning }),
        calls: toolCalls,
        ...(invalidToolCalls.length > 0 ? { invalid: invalidToolCalls } : {}),
        ...(usage ? { usage } : {}),
        ...meter?.cost,
        ...(meter?.stopped ? { cut: true } : {}),
        ...(last ? { last } : {}),
      },
    ]);
    this.#eager = eager;
    const stopReason =
      toolCalls.length > 0 ? "needs-results" : invalidToolCalls.length > 0 ? "invalid-replies" : "answer";
    return { text: result.text, reasoning, toolCalls, invalidToolCalls, ...(usage ? { usage } : {}), stopReason };
  }

  /** Calls of the last reply that started while it was written. */
  #eager: EagerCalls | undefined;

  /** A tool that must be called is called once, at the beginning; only with one that answers can each turn be a call. */
  #toolChoice(): ToolChoice {
    const { toolChoice = "auto", tools = [] } = this.options;
    const { steps, called } = this.journal.state.run;
    if (toolChoice === "none") return toolChoice;
    const [first] = called;
    if (steps === 0 && first !== undefined)
      return called.every((name) => name === first) ? { name: first } : "required";
    if (steps === 0) return toolChoice;
    return toolChoice === "required" && tools.some(({ resultAsAnswer }) => resultAsAnswer) ? toolChoice : "auto";
  }

  #meterFor(context: Running, last: boolean): Meter | undefined {
    const { budget } = this.options;
    if (!budget) return undefined;
    const { calls, callsPerTool, tokens, cost, seconds } = budget;
    const isCounted = [calls, callsPerTool, tokens, cost, seconds].some((limit) => limit !== undefined);
    return isCounted ? new Meter(budget, this.journal.state.run, context, last) : undefined;
  }

  #callsLeft(): number {
    const { calls = Number.POSITIVE_INFINITY } = this.options.budget ?? {};
    return calls - [...this.journal.state.run.started.values()].reduce((sum, count) => sum + count, 0);
  }

  // ── the tools ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Asks for approvals, runs what can run, and says what it waits for. */
  async #settleCalls(running: Running): Promise<Stopped | undefined> {
    const { state } = this.journal;
    await this.#refuse();
    await this.#askApprovals(running);
    for (let jobs = this.#runnable(); jobs.length > 0 && !running.tools?.aborted; jobs = this.#runnable()) {
      await inParallel(
        jobs.map(({ tool, open }) => ({
          exclusive: tool.exclusive === true,
          run: () => this.#call(tool, open, running),
        })),
        this.options.concurrency ?? 8,
      );
    }
    this.#eager?.discard();
    this.#eager = undefined;
    if (running.signal?.aborted) return this.#cancelled();
    if (running.deadline?.aborted)
      await this.#settleOpen((open) => (this.#waits(open) ? undefined : notMade("timeout")));
    const pending = this.pending();
    if (pending.length === 0 || state.next !== "calls") return undefined;
    return { stopReason: pending.some(({ why }) => why !== "result") ? "needs-approval" : "needs-results" };
  }

  /** What cannot run: calls beyond the budget, of tools that are gone, and those that may or may not have taken effect. */
  async #refuse(): Promise<void> {
    const { budget = {} } = this.options;
    const { run } = this.journal.state;
    const started = new Map(run.started);
    await this.#settleOpen(({ call, status }) => {
      const tool = this.tools.get(call.name);
      if (status === "started") {
        if (this.running.has(call.id) || tool?.onCrash !== "fail") return undefined;
        return { content: UNKNOWN, isError: true, how: "unknown" };
      }
      if (!tool) return refused(explainUnknownTool(call.name, [...this.tools.values()]).feedback);
      const reason = tool.execute && refusal(budget, { ...run, started }, call.name);
      if (reason !== undefined) return { content: reason, isError: true, how: "budget" };
      started.set(call.name, (started.get(call.name) ?? 0) + 1);
      return undefined;
    });
  }

  async #askApprovals({ emit, tools: signal }: Running): Promise<void> {
    const asked: CallState[] = [];
    for (const open of this.journal.state.current) {
      const tool = this.tools.get(open.call.name);
      if (open.status === "proposed" && isRunnable(tool) && (await this.#needsApproval(open.call, tool, signal)))
        asked.push(open);
      // The run is over, and what had not been asked for is not made.
      if (signal?.aborted) return;
    }
    if (asked.length === 0) return;
    await this.journal.add(() =>
      asked
        .filter(({ status }) => status === "proposed")
        .map(({ call, argumentsHash }) => ({ type: "approval-needed", callId: call.id, argumentsHash })),
    );
    for (const { call } of asked) emit({ type: "approval-needed", call });
  }

  /** Whether a call waits for a person. Who cannot say so is not trusted with it. */
  async #needsApproval(call: ToolCall, tool: ConversationTool, signal: AbortSignal | undefined): Promise<boolean> {
    const { needsApproval: byTool = false } = tool;
    try {
      if (typeof byTool === "function" ? await untilAborted(() => byTool(call.arguments), signal) : byTool) return true;
      return (await untilAborted(() => this.options.needsApproval?.(call, tool), signal)) ?? false;
    } catch {
      return true;
    }
  }

  #runnable(): { tool: Runnable; open: CallState }[] {
    return this.journal.state.current.flatMap((open) => {
      const tool = this.tools.get(open.call.name);
      if (!isRunnable(tool) || this.running.has(open.call.id)) return [];
      const runs =
        open.status === "started" ? tool.onCrash === "rerun" : ["proposed", "approved"].includes(open.status);
      return runs ? [{ tool, open }] : [];
    });
  }

  /** Runs one call: stored before it starts and after it has ended. */
  async #call(tool: Runnable, open: CallState, { emit, tools: signal }: Running): Promise<void> {
    if (signal?.aborted) return;
    const { state } = this.journal;
    const { id } = open.call;
    const conversationId = state.id;
    this.running.add(id);
    try {
      const { argumentsHash } = open;
      const idempotencyKey = open.idempotencyKey ?? this.#keyOf(id, argumentsHash);
      let call = open.call;
      await this.journal.add(() => {
        call = open.call;
        return [{ type: "call-started", callId: id, idempotencyKey }];
      });
      emit({ type: "tool-start", call });
      const { errorDetail: detail = "message" } = this.options;
      const context = { toolCallId: id, idempotencyKey, conversationId };
      const outcome =
        (await this.#eager?.outcomeOf(call, signal)) ?? (await execute(tool, call, context, { detail, signal }));
      const result = resultOf(call, outcome);
      const answer = tool.resultAsAnswer === true && !outcome.isError;
      await this.journal.add(() => [
        { type: "call-settled", callId: id, result, how: outcome.how, ...(answer ? { answer } : {}) },
      ]);
      emit({ type: "tool-end", call, result });
    } finally {
      this.running.delete(id);
    }
  }

  /** The same for every attempt at a call with these arguments. */
  #keyOf(callId: string, argumentsHash: string): string {
    return `${this.journal.state.id}:${callId}:${argumentsHash}`;
  }

  /** Starts calls of a reply that is still being written, where nothing will speak against them once it is complete. */
  #earlyStarter({ tools, signal }: Partial<Running>): EarlyStarter {
    const { needsApproval, errorDetail: detail = "message", budget = {} } = this.options;
    const { concurrency: limit = 8, maxIdenticalCalls = 2 } = this.options;
    const { id: conversationId, run } = this.journal.state;
    // As it will be when the reply is complete.
    const expected = { ...run, started: new Map(run.started), identical: { ...run.identical } };
    return (call) => {
      const { id, name, arguments: args } = call;
      const tool = this.tools.get(name);
      if (!isRunnable(tool) || !tool.readOnly || tool.needsApproval || needsApproval || tool.exclusive)
        return undefined;
      countIdentical(expected, call);
      if (expected.identical.count > maxIdenticalCalls || refusal(budget, expected, name) !== undefined)
        return undefined;
      expected.started.set(name, (expected.started.get(name) ?? 0) + 1);
      const context = { toolCallId: id, idempotencyKey: this.#keyOf(id, hashOf(args)), conversationId };
      const start = (stop: AbortSignal) => execute(tool, call, context, { detail, signal: stop });
      return { limit, signal: tools ?? signal, start };
    };
  }

  // ── what waits ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The calls that wait for someone else. */
  pending(): PendingCall[] {
    return this.journal.state.current.flatMap((open) => {
      const why = this.#waits(open);
      const { call, argumentsHash } = open;
      return why ? [{ call, why, argumentsHash }] : [];
    });
  }

  #waits({ call, status }: CallState): PendingCall["why"] | undefined {
    if (status === "asked") return "approval";
    if (status === "settled" || this.running.has(call.id)) return undefined;
    const tool = this.tools.get(call.name);
    if (status === "started") return tool?.onCrash === "rerun" && isRunnable(tool) ? undefined : "unknown-outcome";
    return isRunnable(tool) ? undefined : "result";
  }

  /** Every call that is open gets a result, or the next request would be refused for it. */
  async #cancelled(): Promise<Stopped> {
    await this.#settleOpen(({ status }) =>
      status === "started" ? { ...CANCELLED, isError: true } : notMade("cancelled"),
    );
    return { stopReason: "aborted" };
  }

  async #settleOpen(outcome: (open: CallState) => Outcome | undefined): Promise<void> {
    if (this.journal.state.current.every(({ status }) => status === "settled")) return;
    await this.journal.add(() =>
      this.journal.state.current.flatMap((open): RecordBody[] => {
        const { call, status } = open;
        const settled = status === "settled" || this.running.has(call.id) ? undefined : outcome(open);
        if (!settled) return [];
        return [{ type: "call-settled", callId: call.id, result: resultOf(call, settled), how: settled.how }];
      }),
    );
  }

  /** What a resumed conversation does first: its tools may have changed, and open calls must fit them. */
  async takeTools(): Promise<void> {
    const { state } = this.journal;
    const hashes = toolHashes([...this.tools.values()]);
    const changed = (name: string) => state.tools[name] !== hashes[name];
    if (![...Object.keys(state.tools), ...Object.keys(hashes)].some(changed)) return;
    const names = state.current.map(({ call }) => call.name).filter(changed);
    await this.journal.add(() => [{ type: "tools", tools: hashes }]);
    await this.#settleOpen(({ call, status }) => {
      if (status === "started" || !names.includes(call.name)) return undefined;
      const tool = this.tools.get(call.name);
      if (!tool) return refused(explainUnknownTool(call.name, [...this.tools.values()]).feedback);
      const { name, arguments: args } = call;
      const issues = validateValue(args, tool.parameters);
      if (issues.length === 0) return undefined;
      return refused(explainInvalidArguments({ name, arguments: args, issues, schema: tool.parameters }).feedback);
    });
  }
}
