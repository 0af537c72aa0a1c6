import { estimateTokens } from "../common/estimate-tokens.js";
import { isObject } from "../common/plain-object.js";
import { addUsage, reportedUsage } from "../common/usage.js";
import { aFunction, type OptionRule, type OptionRules, oneOf, wholeFrom } from "../options/option-rules.js";
import { streamOf } from "../options/stream-of.js";
import { abortable } from "../turn/abortable.js";
import { checkChunk } from "../turn/check-chunk.js";
import type { TextModel, TextModelChunk, TextModelRequest, Usage } from "../types.js";
import type { RunState } from "./fold.js";
import { givenNumber } from "./given-number.js";
import type { BudgetLimit, BudgetSpent } from "./records.js";

/** The limits of a run, from a message of the user to the answer. A run that is resumed continues its counts. */
export interface Budget {
  /**
   * The maximum number of replies, including turns that fail or are aborted within a reply. Default 20; `Infinity`: no
   * limit.
   */
  steps?: number | undefined;
  /**
   * The maximum number of calls that are made, by this process or by the client. A call counts once: when it starts, or
   * when its result is submitted (`submitToolResults`, `respond`). Until then it keeps its place before the calls that
   * follow it. A call that is rejected, or cancelled before it starts, does not count. A call over the limit is
   * answered with an error, and the client does not see it.
   */
  calls?: number | undefined;
  /**
   * The maximum number of calls of single tools, by name. The run ends only if all calls of a reply are over the limit.
   */
  callsPerTool?: Readonly<Record<string, number>> | undefined;
  /**
   * The maximum number of tokens, input and output. If the model does not count tokens, or reports something other than
   * a finite number from 0, they are estimated at four characters a token, and the result's `budget.estimated` is true.
   */
  tokens?: number | undefined;
  /**
   * The maximum running time, in seconds. The time in which people decide does not count. The last answer has time of its own,
   * at least one second (`onExhausted`).
   */
  seconds?: number | undefined;
  /**
   * The maximum cost, in any unit. `of` returns the cost of the tokens: a finite number from 0, or the run ends with an
   * `OptionsError` (`error`). If the model does not count tokens, the cost is 0; `usage.estimated` is true for an
   * estimate.
   */
  cost?: { limit: number; of(usage: Usage): number } | undefined;
  /**
   * `answer` (default): a message states that no tool can be called any more, and the model answers once more. That
   * answer may take half of `tokens` (only its output counts; at least 256), of `cost` and of `seconds` (at least one
   * second) in addition, and is cut off there. `stop`: the run ends.
   */
  onExhausted?: "answer" | "stop" | undefined;
}

const aboveZero: OptionRule = {
  takes: (value) => typeof value === "number" && value > 0,
  words: "a number above 0",
};

export const costRules: OptionRules<Cost> = {
  limit: { takes: (value) => typeof value === "number" && value >= 0, words: "a number from 0" },
  of: aFunction,
};

export const budgetRules: OptionRules<Budget> = {
  steps: wholeFrom(1, true),
  calls: wholeFrom(0, true),
  callsPerTool: {
    takes: (value) => isObject(value) && Object.values(value).every((one) => wholeFrom(0, true).takes(one)),
    words: "an object with a whole number for each tool",
  },
  tokens: aboveZero,
  seconds: aboveZero,
  cost: {
    takes: (value) => isObject(value) && value.limit !== undefined && value.of !== undefined,
    words: "{ limit, of(usage) }, and limit a number from 0",
  },
  onExhausted: oneOf("answer", "stop"),
};

const STEPS = 20;

/** The limit that forbids another turn of the model, if one is reached. */
export function spent(budget: Budget, run: RunState, isTimeUp: boolean): BudgetSpent | undefined {
  const limit = limitOf(budget, run, isTimeUp);
  if (limit === undefined) return undefined;
  const isEstimate = limit === "tokens" ? run.estimated : limit === "cost" && run.usage?.estimated === true;
  return { limit, ...(isEstimate ? { estimated: true } : {}) };
}

function limitOf(budget: Budget, run: RunState, isTimeUp: boolean): BudgetLimit | undefined {
  if (run.steps + run.failed >= (budget.steps ?? STEPS)) return "steps";
  return tokensSpent(budget, run) ?? (isTimeUp ? "seconds" : undefined);
}

/** The limit of tokens or cost, if the run has reached one. */
export function tokensSpent(budget: Budget, run: RunState): "tokens" | "cost" | undefined {
  if (budget.tokens !== undefined && run.tokens >= budget.tokens) return "tokens";
  if (budget.cost && run.usage && costOf(budget.cost, run.usage) >= budget.cost.limit) return "cost";
  return undefined;
}

type Cost = NonNullable<Budget["cost"]>;

/** Errors: {@link OptionsError} (`bad-option`) for a cost that is not a finite number from 0. */
const costOf = (cost: Cost, usage: Usage): number =>
  givenNumber(cost.of(usage), "budget.cost.of", () => JSON.stringify(usage));

/** The number of calls that may still be made. */
export const callsLeft = ({ calls = Number.POSITIVE_INFINITY }: Budget = {}, { started }: RunState): number =>
  calls - [...started.values()].reduce((sum, count) => sum + count, 0);

/** The error for the model if one more call of this tool is over the limit, or `undefined` if it may run. */
export function refusal(budget: Budget, run: RunState, name: string): string | undefined {
  const { calls, callsPerTool = {} } = budget;
  if (callsLeft(budget, run) <= 0) return used(calls);
  const most = Object.hasOwn(callsPerTool, name) ? callsPerTool[name]! : Number.POSITIVE_INFINITY;
  if ((run.started.get(name) ?? 0) < most) return undefined;
  return used(most, ` of ${JSON.stringify(name)}`);
}

const used = (calls = 0, of = "") =>
  `This call was not made. The limit of ${calls} ${calls === 1 ? "call" : "calls"}${of} per question has been reached.`;

/** The part of a limit that the last answer may take in addition. */
const LAST = 0.5;
const LEAST_TOKENS = 256;
const LEAST_MS = 1000;

/** The time limit of the last answer, in milliseconds, or `undefined` if the budget has none. */
export const lastAnswerMs = ({ seconds }: Budget): number | undefined =>
  seconds === undefined ? undefined : Math.max(seconds * 1000 * LAST, LEAST_MS);

/**
 * Counts the cost of a turn while the model writes, and ends the reply when the budget is spent. The reply then ends as
 * at a token limit, so that a call that is cut off does not run.
 */
export class Meter {
  /** Tokens of this turn, estimated where the model does not count them. */
  tokens = 0;
  /** Whether some of `tokens` are an estimate. */
  estimated = false;
  /** Whether the rest of the reply is not needed. */
  stopped = false;
  /** Whether the model has begun to answer. */
  heard = false;
  /** The usage that the model reported in this turn, if it did. */
  usage: Usage | undefined;
  /** The tokens that the model wrote. */
  #written = 0;

  constructor(
    private readonly budget: Budget,
    private readonly run: RunState,
    /** `deadline` is aborted when the time is over, `tools` also by the application. */
    private readonly clock: { deadline: AbortSignal | undefined; tools: AbortSignal | undefined },
    /** Whether the budget is spent, so that this turn is the last answer. */
    private readonly last: boolean,
  ) {}

  /** The cost of the turn, as fields of its record. */
  get cost(): { tokens: number; estimated?: true } {
    return { tokens: this.tokens, ...(this.estimated ? { estimated: true } : {}) };
  }

  /** The model, with its usage counted. */
  readonly measured = (model: TextModel): TextModel =>
    Object.assign((request: TextModelRequest) => this.#read(model, request), { abilities: model.abilities });

  async *#read(model: TextModel, request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    const { deadline, tools: signal } = this.clock;
    if (this.stopped || deadline?.aborted) {
      this.stopped = true;
      yield { finish: "length" };
      return;
    }
    const before = this.tokens;
    const writtenBefore = this.#written;
    const usageBefore = this.usage;
    // A model that counts tokens reports those of the request at the end; a wrong estimate could end its reply too
    // early.
    const asked = this.run.isCounted ? 0 : request.messages.reduce((sum, { content }) => sum + content.length, 0);
    let characters = 0;
    this.tokens = before + estimateTokens(asked);
    let counted = false;
    const estimatedBefore = this.estimated;
    this.estimated = true;
    try {
      // The model's signal aborts at the time limit too, so that its server stops.
      const signalled = signal ? { ...request, signal } : request;
      for await (const chunk of abortable(streamOf(model(signalled), "model"), deadline)) {
        this.heard = true;
        if (typeof chunk === "string") characters += chunk.length;
        else {
          checkChunk(chunk);
          characters += chunk.reasoning?.length ?? 0;
          const usage = reportedUsage(chunk.usage);
          if (usage) {
            const { inputTokens, outputTokens, estimated } = usage;
            counted = true;
            this.estimated = estimatedBefore || estimated === true;
            this.tokens = before + inputTokens + outputTokens;
            this.#written = writtenBefore + outputTokens;
            this.usage = addUsage(usageBefore, usage);
            if (this.estimated) this.usage.estimated = true;
          }
        }
        if (!counted) {
          this.tokens = before + estimateTokens(asked + characters);
          this.#written = writtenBefore + estimateTokens(characters);
        }
        yield chunk;
        this.stopped ||= this.last ? this.#isLastSpent : this.#isSpent;
        if (this.stopped) break;
      }
    } catch (error) {
      if (!deadline?.aborted) throw error;
      this.stopped = true;
    }
    if (this.stopped) yield { finish: "length" };
  }

  get #isSpent(): boolean {
    const { tokens, cost } = this.budget;
    if (tokens !== undefined && this.run.tokens + this.tokens >= tokens) return true;
    const all = this.#all;
    return cost !== undefined && all !== undefined && costOf(cost, all) >= cost.limit;
  }

  get #isLastSpent(): boolean {
    const { tokens, cost } = this.budget;
    if (tokens !== undefined && this.#written >= Math.max(tokens * LAST, LEAST_TOKENS)) return true;
    const all = this.#all;
    if (!cost || !all) return false;
    const { outputTokens = 0, reasoningTokens } = this.run.usage ?? {};
    const asked = { ...all, outputTokens, reasoningTokens };
    return costOf(cost, all) - costOf(cost, asked) >= cost.limit * LAST;
  }

  /** The usage of the run, including this turn. */
  get #all(): Usage | undefined {
    return this.usage ? addUsage(this.run.usage, this.usage) : this.run.usage;
  }
}
