import { untilAborted } from "../common/until-aborted.js";
import { explainInvalidArguments, explainUnknownTool } from "../schema/explain.js";
import { validateJson } from "../schema/validate.js";
import type { InvalidToolCall, Tool, ToolCall } from "../types.js";
import { refusal } from "./budget.js";
import { copied } from "./copied.js";
import type { EagerCalls, EarlyStarter } from "./eager-calls.js";
import { CANCELLED, execute, inParallel, OUT_OF_TIME, type Outcome } from "./execution.js";
import { type CallState, countCall, countIdentical } from "./fold.js";
import type { Journal } from "./journal.js";
import { notMade, refused, resultOf, unknownOutcome } from "./outcomes.js";
import { hashOf, type RecordBody, toolHashes } from "./records.js";
import type { Running } from "./run-context.js";
import type { CheckedOptions, ConversationTool, PendingCall } from "./types.js";

type Runnable = ConversationTool & Pick<Tool, "execute">;

/** Chooses the tool that runs for a call, given the tool with its name. */
export type RunsTool = (call: ToolCall, tool: ConversationTool) => ConversationTool;

const isRunnable = (tool: ConversationTool | undefined): tool is Runnable => tool?.execute !== undefined;

/** The calls of the model's last reply: which run, which are refused, and which wait for the application. */
export class OpenCalls {
  readonly tools: ReadonlyMap<string, ConversationTool>;
  /** The calls that run in this process. */
  readonly running = new Set<string>();
  /** The calls that started while the reply was written. */
  early: EagerCalls | undefined;

  /** `runs` chooses the tool of a call. Default: the one with its name. */
  constructor(
    private readonly options: CheckedOptions,
    private readonly journal: Journal,
    private readonly runs: RunsTool = (_, tool) => tool,
  ) {
    this.tools = new Map((options.tools ?? []).map((tool) => [tool.name, tool]));
  }

  #toolOf(call: ToolCall): ConversationTool | undefined {
    const tool = this.tools.get(call.name);
    return tool && this.runs(call, tool);
  }

  /**
   * Asks for approvals, runs the calls that can run, and returns why others wait. After an abort see {@link cancel}.
   */
  async settle(running: Running): Promise<"needs-approval" | "needs-results" | undefined> {
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
    this.#discardEarly();
    if (running.signal?.aborted) return undefined;
    if (running.deadline?.aborted)
      await this.#settleOpen((open) => (this.#waits(open) ? undefined : notMade("timeout")));
    const pending = this.pending();
    if (pending.length === 0 || state.next !== "calls") return undefined;
    return pending.some(({ why }) => why !== "result") ? "needs-approval" : "needs-results";
  }

  /** Answers calls that cannot run: over the budget, of removed tools, or with an unknown outcome. */
  async #refuse(): Promise<void> {
    const { budget = {} } = this.options;
    const { run } = this.journal.state;
    // An open call keeps its place in the budget, even while it waits.
    const expected = { ...run, started: new Map(run.started) };
    await this.#settleOpen(({ call, status }) => {
      const tool = this.#toolOf(call);
      if (status === "started") {
        if (this.running.has(call.id) || tool?.onCrash !== "fail") return undefined;
        return unknownOutcome;
      }
      if (!tool) return refused(explainUnknownTool(call.name, [...this.tools.values()]).feedback);
      const reason = refusal(budget, expected, call.name);
      if (reason !== undefined) return { content: reason, isError: true, how: "budget" };
      countCall(expected, call.name);
      return undefined;
    });
  }

  async #askApprovals({ emit, tools: signal }: Running): Promise<void> {
    const asked: CallState[] = [];
    for (const open of this.journal.state.current) {
      const tool = this.#toolOf(open.call);
      if (open.status === "proposed" && isRunnable(tool) && (await this.#needsApproval(open.call, tool, signal)))
        asked.push(open);
      // The run is over: calls that are not approved yet do not run.
      if (signal?.aborted) return;
    }
    if (asked.length === 0) return;
    await this.journal.add(() =>
      asked
        .filter(({ status }) => status === "proposed")
        .map(({ call, argumentsHash }) => ({ type: "approval-needed", callId: call.id, argumentsHash })),
    );
    for (const { call } of asked) emit({ type: "approval-needed", call: copied(call) });
  }

  /** Whether a call waits for a person. It does if `needsApproval` throws. */
  async #needsApproval(made: ToolCall, tool: ConversationTool, signal: AbortSignal | undefined): Promise<boolean> {
    const { needsApproval: byTool = false } = tool;
    if (byTool === true) return true;
    if (byTool === false && !this.options.needsApproval) return false;
    const call = copied(made);
    try {
      if (byTool && (await untilAborted(() => byTool(call.arguments), signal))) return true;
      return (await untilAborted(() => this.options.needsApproval?.(call, tool), signal)) ?? false;
    } catch {
      return true;
    }
  }

  #runnable(): { tool: Runnable; open: CallState }[] {
    return this.journal.state.current.flatMap((open) => {
      const tool = this.#toolOf(open.call);
      if (!isRunnable(tool) || this.running.has(open.call.id)) return [];
      const runs =
        open.status === "started" ? tool.onCrash === "rerun" : ["proposed", "approved"].includes(open.status);
      return runs ? [{ tool, open }] : [];
    });
  }

  /** Runs one call. A record is stored before it starts and after it ends. */
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
      emit({ type: "tool-start", call: copied(call) });
      const { errorDetail: detail = "message" } = this.options;
      const context = { toolCallId: id, idempotencyKey, conversationId };
      // The run may have been aborted while the store was slow; then the tool does not run.
      const outcome = signal?.aborted
        ? notMade(signal.reason === OUT_OF_TIME ? "timeout" : "cancelled")
        : ((await this.early?.outcomeOf(call)) ?? (await execute(tool, call, context, { detail, signal })));
      const result = resultOf(call, outcome);
      const answer = tool.resultAsAnswer === true && !outcome.isError;
      await this.journal.add(() => [
        { type: "call-settled", callId: id, result, how: outcome.how, ...(answer ? { answer } : {}) },
      ]);
      emit({ type: "tool-end", call: copied(call), result });
    } finally {
      this.running.delete(id);
    }
  }

  /** The idempotency key, equal for every attempt at a call with these arguments. */
  #keyOf(callId: string, argumentsHash: string): string {
    return `${this.journal.state.id}:${callId}:${argumentsHash}`;
  }

  /** Starts calls of a reply that is still being written, if nothing can forbid them once it is complete. */
  earlyStarter({ tools, signal }: Partial<Running>): EarlyStarter {
    const { needsApproval, errorDetail: detail = "message", budget = {} } = this.options;
    const { concurrency: limit = 8, maxIdenticalCalls = 2 } = this.options;
    const { id: conversationId, run } = this.journal.state;
    // The state that will be reached when the reply is complete.
    const expected = { ...run, started: new Map(run.started), identical: { ...run.identical } };
    return (call) => {
      const { id, name, arguments: args } = call;
      const tool = this.#toolOf(call);
      if (!isRunnable(tool) || !tool.readOnly || tool.needsApproval || needsApproval || tool.exclusive)
        return undefined;
      countIdentical(expected, call);
      if (expected.identical.count > maxIdenticalCalls || refusal(budget, expected, name) !== undefined)
        return undefined;
      countCall(expected, name);
      const context = { toolCallId: id, idempotencyKey: this.#keyOf(id, hashOf(args)), conversationId };
      const start = (stop: AbortSignal) => execute(tool, call, context, { detail, signal: stop });
      return { limit, signal: tools ?? signal, start };
    };
  }

  /** The calls that wait for a decision or a result. */
  pending(): PendingCall[] {
    return this.journal.state.current.flatMap((open) => {
      const why = this.#waits(open);
      const { call, argumentsHash } = open;
      return why ? [{ call: copied(call), why, argumentsHash }] : [];
    });
  }

  /** The invalid calls of the reply. */
  invalid(): InvalidToolCall[] {
    const reply = this.journal.log.findLast((record) => record.type === "reply");
    return [...(reply?.invalid ?? [])];
  }

  #waits({ call, status }: CallState): PendingCall["why"] | undefined {
    if (status === "asked") return "approval";
    if (status === "settled" || this.running.has(call.id)) return undefined;
    const tool = this.#toolOf(call);
    if (status === "started") return tool?.onCrash === "rerun" && isRunnable(tool) ? undefined : "unknown-outcome";
    return isRunnable(tool) ? undefined : "result";
  }

  /** Answers every open call after an abort, because servers refuse a request with an open call. */
  async cancel(): Promise<void> {
    await this.#settleOpen(({ status }) =>
      status === "started" ? { ...CANCELLED, isError: true } : notMade("cancelled"),
    );
  }

  /** Ends the run: calls that have not started are answered with the reason. */
  async giveUp(why: string): Promise<void> {
    this.#discardEarly();
    await this.#settleOpen(({ status }) => (status === "started" ? undefined : refused(why)));
  }

  #discardEarly(): void {
    this.early?.discard();
    this.early = undefined;
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

  /**
   * Compares the tools with those of the log, which may differ, and settles open calls that no longer match them. Runs
   * before anything else is done with a conversation, because an earlier process may have ended between the record of the tools
   * and its consequences.
   */
  async takeTools(): Promise<void> {
    const { state } = this.journal;
    const hashes = toolHashes([...this.tools.values()]);
    const haveChanged = () =>
      [...Object.keys(state.tools), ...Object.keys(hashes)].some((name) => state.tools[name] !== hashes[name]);
    // Checked again when it is its turn, because an earlier attempt may be stored by then.
    if (haveChanged()) await this.journal.add(() => (haveChanged() ? [{ type: "tools", tools: hashes }] : []));
    await this.#settleOpen(({ call, status }) => {
      const { name, arguments: args } = call;
      const tool = this.tools.get(name);
      if (status === "started") {
        const cannotRerun = tool?.onCrash === "rerun" && validateJson(args, tool.parameters).length > 0;
        return cannotRerun ? unknownOutcome : undefined;
      }
      if (!tool) return refused(explainUnknownTool(name, [...this.tools.values()]).feedback);
      const issues = validateJson(args, tool.parameters);
      if (issues.length === 0) return undefined;
      return refused(explainInvalidArguments({ name, arguments: args, issues, schema: tool.parameters }).feedback);
    });
  }
}
