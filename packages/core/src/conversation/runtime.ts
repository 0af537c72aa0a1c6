import { ToolChoiceError } from "../turn/errors.js";
import { type GenerateOptions, generateMoments } from "../turn/generate-with-tools.js";
import type { TraceEvent } from "../turn/trace.js";
import type { TurnResult } from "../turn/turn.js";
import type { InvalidToolCall, ReplyEvent, ToolChoice } from "../types.js";
import { callsLeft, lastAnswerMs, Meter, spent, tokensSpent } from "./budget.js";
import { startClock } from "./clock.js";
import { copied } from "./copied.js";
import { EagerCalls } from "./eager-calls.js";
import { type CountMessage, compaction, countMessages, shownMessages } from "./history.js";
import type { Journal } from "./journal.js";
import { OpenCalls } from "./open-calls.js";
import type { BudgetSpent, RecordBody, StopReason } from "./records.js";
import type { RunContext, Running } from "./run-context.js";
import type { ConversationOptions, ConversationTurn } from "./types.js";

/** Why a run stopped, and what the model threw. */
export interface Stopped {
  stopReason: StopReason;
  /** What the model had written when it was interrupted. */
  text?: string;
  error?: unknown;
  /** Where the reason is `budget`. */
  budget?: BudgetSpent;
}

/** Turns of the model and calls of tools, one step after the other, each from the state that the log describes. */
export class Runtime {
  /** The calls of the model's last reply. */
  readonly calls: OpenCalls;
  readonly #tokensOf: CountMessage;

  constructor(
    private readonly options: ConversationOptions,
    private readonly journal: Journal,
    private readonly newId: () => string,
  ) {
    this.calls = new OpenCalls(options, journal);
    this.#tokensOf = countMessages(options.history ?? {});
  }

  /** Goes on until there is an answer, or nothing that can be done without someone else. */
  async run(context: RunContext): Promise<Stopped> {
    const { seconds } = this.options.budget ?? {};
    const begun = performance.now();
    const { state } = this.journal;
    const clock = startClock(context.signal, seconds === undefined ? undefined : seconds * 1000 - state.run.ms);
    const { deadline, tools } = clock;
    const running: Running = { deadline, tools, ...context };
    this.journal.signal = tools;
    try {
      const stopped = await this.#untilStopped(running);
      const ms = Math.round(performance.now() - begun);
      const last = this.journal.log.at(-1);
      const isOver = last?.type === "end" && last.stopReason === stopped.stopReason;
      if (!isOver) await this.journal.add(() => [{ type: "end", stopReason: stopped.stopReason, ms }]);
      return stopped;
    } finally {
      clock.stop();
    }
  }

  async #untilStopped(running: Running): Promise<Stopped> {
    const { state } = this.journal;
    for (;;) {
      if (running.signal?.aborted) return this.#cancelled();
      const enough = this.#hadEnough();
      if (enough) {
        await this.calls.giveUp("This call was not made: the run was ended before it.");
        return { stopReason: enough };
      }
      if (state.next === "user") {
        const { exhausted } = state.run;
        if (state.answered) return { stopReason: "stop-tool" };
        return exhausted === undefined ? { stopReason: "answer" } : { stopReason: "budget", budget: exhausted };
      }
      if (state.next === "calls") {
        const waitsFor = await this.calls.settle(running);
        if (running.signal?.aborted) return this.#cancelled();
        if (waitsFor) return { stopReason: waitsFor };
        continue;
      }
      const spent = await this.#spentBefore(running);
      if (spent) return spent;
      const turn = await this.ask(running, true);
      if (turn.stopReason === "budget") continue;
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

  /** The limit that forbids another turn of the model; if a last answer is allowed, that is recorded. */
  async #spentBefore(running: Running): Promise<Stopped | undefined> {
    const { state } = this.journal;
    const { budget = {} } = this.options;
    if (state.run.exhausted !== undefined) return undefined;
    const { current } = state;
    const onlyRefused = current.length > 0 && current.every(({ how }) => how === "budget");
    const isTimeUp = running.deadline?.aborted === true;
    let met: BudgetSpent | undefined;
    try {
      met = spent(budget, state.run, isTimeUp);
    } catch (error) {
      return { stopReason: "error", error };
    }
    if (onlyRefused) met ??= { limit: callsLeft(budget, state.run) > 0 ? "callsPerTool" : "calls" };
    if (met === undefined) return undefined;
    if (budget.onExhausted === "stop") return { stopReason: "budget", budget: met };
    await this.journal.add(() => [{ type: "exhausted", ...met }]);
    return undefined;
  }

  // ── the model ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * One turn of the model. `runsCalls`: its calls are run next, so that some may start early. The last answer has its own
   * time limit, since that of the run may be over.
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
      if (options.history) compacted = await compaction(state, options.history, this.#tokensOf, context);
    } catch (error) {
      return signal?.aborted ? { ...failed, stopReason: "aborted" } : { ...failed, stopReason: "error", error };
    }
    await journal.add(() => compacted);
    // The summary may have used up what the reply was to have.
    try {
      if (!last && compacted.length > 0 && tokensSpent(options.budget ?? {}, state.run)) {
        return { ...failed, stopReason: "budget" };
      }
    } catch (error) {
      return { ...failed, stopReason: "error", error };
    }
    const meter = this.#meterFor(context, last);
    const isEager = options.eagerReadOnly && runsCalls && !last;
    const eager = isEager ? new EagerCalls(() => this.calls.earlyStarter(context)) : undefined;
    // Fields that a spread is followed by cost a microsecond each; `Object.assign` takes all of them in a tenth of one.
    const given: GenerateOptions = Object.assign({}, options, {
      model: meter ? meter.measured(options.model) : options.model,
      messages: shownMessages(state),
      toolChoice: last ? "auto" : this.#toolChoice(),
      onInvalidCall: last ? "surface" : (options.onInvalidCall ?? "retry"),
      generateId: this.newId,
      signal,
      constraint: last ? "off" : options.constraint,
      onRepair: (calls: readonly InvalidToolCall[]) => {
        options.onRepair?.(calls);
        eager?.discard();
        if (calls.length > 0) emit({ type: "repair", calls: [...calls] });
      },
      onTrace: eager
        ? (event: TraceEvent) => {
            options.onTrace?.(event);
            eager.on(event);
          }
        : options.onTrace,
    } satisfies Partial<GenerateOptions>);
    const moments = generateMoments(given, state.trusted);
    let text = "";
    let result: TurnResult | undefined;
    let calls = 0;
    let heard = false;
    const take = (event: ReplyEvent) => {
      heard = true;
      if (event.type === "text") text += event.text;
      if (last && event.type.startsWith("call-")) return;
      emit(event.type === "call-end" ? { ...event, call: copied(event.call) } : event);
      if (meter && event.type === "call-end") {
        calls += 1;
        // The reply after a call that is not allowed is not needed.
        meter.stopped ||= callsLeft(options.budget, state.run) < calls;
      }
    };
    /** The cost of a failed turn counts, unless the model did not begin to answer. */
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
    const stored = journal.add(() => [
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
    try {
      await stored;
    } catch (error) {
      eager?.discard();
      throw error;
    }
    this.calls.early = eager;
    const stopReason =
      toolCalls.length > 0 ? "needs-results" : invalidToolCalls.length > 0 ? "invalid-replies" : "answer";
    const shown = toolCalls.map(copied);
    return {
      text: result.text,
      reasoning,
      toolCalls: shown,
      invalidToolCalls,
      ...(usage ? { usage } : {}),
      stopReason,
    };
  }

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

  async #cancelled(): Promise<Stopped> {
    await this.calls.cancel();
    return { stopReason: "aborted" };
  }
}
