import { adapterDefaults } from "../turn/adapter-options.js";
import type { FinishReason } from "../types.js";
import { callsLeft, lastAnswerMs, spent, tokensSpent } from "./budget.js";
import { startClock } from "./clock.js";
import { type CountMessage, compaction, countMessages } from "./history.js";
import type { Journal } from "./journal.js";
import { emptyTurn, ModelTurn } from "./model-turn.js";
import { OpenCalls, type RunsTool } from "./open-calls.js";
import type { BudgetSpent, RecordBody, StopReason } from "./records.js";
import type { RunContext, Running } from "./run-context.js";
import type { CheckedOptions, ConversationTurn } from "./types.js";

/** Why a run stopped, with the error of the model if there is one. */
export interface Stopped {
  stopReason: StopReason;
  /** What the model had written before the interruption. */
  text?: string;
  error?: unknown;
  /** Why the model stopped in the last reply. */
  finish?: FinishReason;
  /** The limit that was reached, if the reason is `budget`. */
  budget?: BudgetSpent;
}

/** Alternates turns of the model and calls of tools. Each step starts from the state that the log describes. */
export class Runtime {
  /** The calls of the model's last reply. */
  readonly calls: OpenCalls;
  readonly #tokensOf: CountMessage;
  /** Why the model stopped in the last reply of this run. */
  #finish: FinishReason | undefined;

  constructor(
    private readonly options: CheckedOptions,
    private readonly journal: Journal,
    private readonly newId: () => string,
    runs: RunsTool | undefined,
  ) {
    this.calls = new OpenCalls(options, journal, runs);
    this.#tokensOf = countMessages(options.history ?? {});
  }

  /** Runs until there is an answer, or until all open calls wait for the application. */
  async run(context: RunContext): Promise<Stopped> {
    const { seconds } = this.options.budget ?? {};
    const begun = performance.now();
    const { state } = this.journal;
    const clock = startClock(context.signal, seconds === undefined ? undefined : seconds * 1000 - state.run.ms);
    const { deadline, tools } = clock;
    const running: Running = { deadline, tools, ...context };
    this.journal.heed(tools);
    this.#finish = undefined;
    try {
      const stopped = await this.#untilStopped(running);
      const ms = Math.round(performance.now() - begun);
      const last = this.journal.log.at(-1);
      const isOver = last?.type === "end" && last.stopReason === stopped.stopReason;
      if (!isOver) await this.journal.add(() => [{ type: "end", stopReason: stopped.stopReason, ms }]);
      return this.#finish === undefined ? stopped : { ...stopped, finish: this.#finish };
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
      this.#finish = turn.finish;
      if (turn.stopReason === "budget") continue;
      if (turn.stopReason === "aborted") return { ...(await this.#cancelled()), text: turn.text };
      running.emit({ type: "turn-end", turn });
      if (turn.stopReason === "error" || (turn.stopReason === "invalid-replies" && turn.error !== undefined)) {
        return { stopReason: turn.stopReason, error: turn.error, text: turn.text };
      }
    }
  }

  /** The reason to stop a model that repeats a call, or writes no valid call. */
  #hadEnough(): StopReason | undefined {
    const { maxIdenticalCalls = 2, onInvalidCall = adapterDefaults.onInvalidCall } = this.options;
    const { maxInvalidCallRetries = adapterDefaults.maxInvalidCallRetries } = this.options;
    const { identical, invalidInARow } = this.journal.state.run;
    if (identical.most > maxIdenticalCalls) return "repeated-call";
    // With `retry` the turn itself has retried already.
    return invalidInARow > (onInvalidCall === "retry" ? 0 : maxInvalidCallRetries) ? "invalid-replies" : undefined;
  }

  /** The reason to stop if a limit forbids another turn of the model. If a last answer is allowed, that is recorded. */
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
   * Takes one turn of the model. `runsCalls`: its calls run next, so that some may start early. The last answer has its
   * own time limit, because that of the run may be over.
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
    const { options, journal, calls, newId } = this;
    const stopped = await this.#shortened(context, runsCalls && !last);
    return stopped ?? new ModelTurn({ options, journal, calls, newId }, context, { last, runsCalls }).take();
  }

  /**
   * Leaves out the oldest messages if the history is too long. Returns a turn if that has ended it. `isLimited`: the summary
   * may spend the tokens that the reply of a run needs.
   */
  async #shortened(context: Running, isLimited: boolean): Promise<ConversationTurn | undefined> {
    const { history, budget = {} } = this.options;
    if (!history) return undefined;
    const { state } = this.journal;
    const stopped = (error: unknown): ConversationTurn =>
      context.signal?.aborted
        ? emptyTurn({ text: "", stopReason: "aborted" })
        : emptyTurn({ text: "", stopReason: "error", error });
    let compacted: RecordBody[];
    try {
      compacted = await compaction(state, history, this.#tokensOf, context);
    } catch (error) {
      return stopped(error);
    }
    if (compacted.length === 0) return undefined;
    await this.journal.add(() => compacted);
    try {
      if (!isLimited || !tokensSpent(budget, state.run)) return undefined;
    } catch (error) {
      return stopped(error);
    }
    return emptyTurn({ text: "", stopReason: "budget" });
  }

  async #cancelled(): Promise<Stopped> {
    await this.calls.cancel();
    return { stopReason: "aborted" };
  }
}
