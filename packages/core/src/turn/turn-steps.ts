import type { ChatMessage, ReplyEvent, TextModelChunk } from "../types.js";
import { checkedStep } from "./abortable.js";
import { turnStopped } from "./errors.js";
import type { GenerateOptions } from "./generate-options.js";
import { selectTools } from "./selection/shown-tools.js";
import type { ToolSelection } from "./selection/tool-selection.js";
import type { TraceListener } from "./trace.js";
import { type OpenAttempt, TurnAttempts } from "./turn-attempts.js";
import { TurnPlan } from "./turn-plan.js";
import type { TurnResult } from "./turn-result.js";
import { untrustedContents } from "./untrusted-messages.js";

type Take = (events: ReplyEvent[]) => void;

/**
 * The steps of one turn. Each reads until there are events to send, and gives those that arrive together, because a step costs
 * more than an event. No asynchronous generator, which costs three more promises per step. Nothing is read ahead.
 *
 * Like a generator's, steps that are asked for at the same time follow one another; after an error there are no more.
 *
 * What a turn does is in {@link TurnAttempts}: of the {@link TurnPlan}, which stays the same, it makes a `TurnPrompt`, and
 * reads each reply by an `Attempt`, until there is a {@link TurnResult}.
 */
export class TurnSteps {
  #attempts: TurnAttempts | undefined;
  #open: OpenAttempt | undefined;
  /** Set once the turn has its result; its last events may not yet be sent. */
  #result: TurnResult | undefined;
  /** The events to send with the next step. */
  #sent: ReplyEvent[] = [];
  /** The error that follows the events that were sent last. */
  #failure: { error: unknown } | undefined;
  #isOver = false;
  readonly #begun: number;
  private readonly options: GenerateOptions;
  /** The steps that are not yet taken, and the last of them. */
  #waiting = 0;
  #last: Promise<unknown> | undefined;
  readonly #trace: TraceListener | undefined;

  /**
   * `trusted`: messages of users and results that count as the application's, so that a call copied from them is a call.
   * They are compared by identity, because a field could come from untrusted JSON.
   */
  constructor(
    options: GenerateOptions,
    private readonly trusted: ReadonlySet<ChatMessage>,
    trace: TraceListener | undefined,
  ) {
    this.options = withAbilities(options);
    this.#trace = trace;
    this.#begun = trace ? performance.now() : 0;
  }

  /** The next events, at least one; undefined at the end. Errors: those of the turn. */
  next(): Promise<ReplyEvent[] | undefined> {
    return this.#after(() => this.#advance());
  }

  /**
   * Reads the turn to its end; `take` receives the events of each step. Errors: those of the turn; `turn-stopped` if it
   * was ended before.
   */
  async whole(take: (events: ReplyEvent[]) => void): Promise<TurnResult> {
    await this.#after(() => this.#advance(take));
    if (this.#result) return this.#result;
    throw turnStopped();
  }

  /** The result, once the last step has been taken. */
  get result(): TurnResult | undefined {
    return this.#isOver ? this.#result : undefined;
  }

  /** Ends the turn before its end, and the model's stream. */
  async return(): Promise<void> {
    if (this.#waiting > 0) await this.#last?.catch(() => {});
    this.#isOver = true;
    await this.#close();
  }

  /** Takes a step after those that are waiting. */
  #after(step: () => Promise<ReplyEvent[] | undefined>): Promise<ReplyEvent[] | undefined> {
    const before = this.#waiting > 0 ? this.#last : undefined;
    this.#waiting += 1;
    const taken = before ? before.then(step, step) : step();
    this.#last = taken;
    return taken;
  }

  /**
   * Reads until there are events to send; with `take`, which receives them, to the end. One asynchronous function for
   * all of it, because each costs a promise and a context per call.
   */
  async #advance(take?: Take): Promise<ReplyEvent[] | undefined> {
    const { toolSelection } = this.options;
    try {
      while (!this.#isOver) {
        if (this.#failure) throw this.#failure.error;
        if (this.#result) {
          this.#isOver = true;
          break;
        }
        if (!this.#attempts) {
          const plan = new TurnPlan(this.options);
          this.#attempts = this.#begin(plan, toolSelection && (await this.#select(plan, toolSelection)));
        }
        const open = this.#open ?? this.#attempts.ask();
        // A model that fails need not be ended.
        this.#open = undefined;
        let next: IteratorResult<TextModelChunk> = END;
        if (open.attempt.isOver) await open.chunks.return?.();
        else next = checkedStep(await open.chunks.next());
        if (next.done) {
          open.attempt.end();
          const { answerSchema } = this.#attempts.plan;
          const answer = answerSchema === undefined ? undefined : await this.#attempts.checkAnswer(open.attempt);
          this.#end(this.#attempts.conclude(open, answer));
        } else {
          this.#open = open;
          open.attempt.push(next.value);
        }
        if (this.#sent.length === 0) continue;
        if (!take) return this.#takeSent();
        take(this.#takeSent());
      }
      return undefined;
    } catch (error) {
      // Events before an error are sent first.
      if (this.#sent.length > 0 && !take) {
        this.#failure = { error };
        return this.#takeSent();
      }
      this.#isOver = true;
      try {
        if (this.#sent.length > 0) take?.(this.#takeSent());
      } finally {
        await this.#close().catch(() => {});
        this.#trace?.({ type: "error", error, ms: performance.now() - this.#begun });
      }
      throw error;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends the model's stream. */
  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.chunks.return?.();
  }

  #select(plan: TurnPlan, selection: ToolSelection): ReturnType<typeof selectTools> {
    const { messages, offered: tools, protocol, toolChoice } = plan;
    const { model, signal, startWithReasoning } = this.options;
    return selectTools({ selection, messages, tools, toolChoice, model, protocol, startWithReasoning, signal });
  }

  #begin(plan: TurnPlan, shown: Awaited<ReturnType<typeof selectTools>>): TurnAttempts {
    const { messages, copiedCalls } = this.options;
    // The plan has checked the messages.
    const untrusted = copiedCalls === "call" ? undefined : untrustedContents(messages, this.trusted);
    return new TurnAttempts({ plan, shown, untrusted, trace: this.#trace, send: (event) => this.#sent.push(event) });
  }

  /** Notes the result, if the turn has one. */
  #end(result: TurnResult | undefined): void {
    if (!result) return;
    this.#result = result;
    const { attempts, usage, selection } = result;
    this.#trace?.({ type: "end", attempts, ms: performance.now() - this.#begun, usage, selection });
  }

  #takeSent(): ReplyEvent[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }
}

/** The options of a turn, with the abilities of its model where they say nothing. */
function withAbilities(options: GenerateOptions): GenerateOptions {
  const { abilities } = options.model;
  if (!abilities) return options;
  const { backend = abilities.backend, prefill = abilities.prefill } = options;
  return { ...options, backend, prefill };
}

const END: IteratorResult<TextModelChunk> = Object.freeze({ done: true, value: undefined });
