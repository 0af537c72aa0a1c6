import { preparedTools } from "../schema/prepared-tools.js";
import { adapterDefaults } from "../turn/adapter-options.js";
import { ToolChoiceError } from "../turn/errors.js";
import type { GenerateOptions } from "../turn/generate-options.js";
import { type TraceEvent, traceListener } from "../turn/trace.js";
import type { TurnResult } from "../turn/turn-result.js";
import { TurnSteps } from "../turn/turn-steps.js";
import type { InvalidToolCall, ReplyEvent, ToolChoice } from "../types.js";
import { callsLeft, Meter } from "./budget.js";
import { copied } from "./copied.js";
import { EagerCalls } from "./eager-calls.js";
import { shownMessages } from "./history.js";
import type { Journal } from "./journal.js";
import type { OpenCalls } from "./open-calls.js";
import type { RecordBody } from "./records.js";
import type { Running } from "./run-context.js";
import type { CheckedOptions, ConversationTurn } from "./types.js";

/** The conversation to which a turn belongs. */
export interface TurnOf {
  options: CheckedOptions;
  journal: Journal;
  calls: OpenCalls;
  newId: () => string;
}

/** A turn without a reply, and the reason. */
export const emptyTurn = (
  why: Pick<ConversationTurn, "stopReason" | "text" | "error" | "finish">,
): ConversationTurn => ({
  reasoning: "",
  toolCalls: [],
  invalidToolCalls: [],
  ...why,
});

/**
 * One turn of the model: requests a reply, emits its events, and stores the reply or the failure. `last`: the turn is
 * the last answer, without calls. `runsCalls`: its calls run next, so that some may start early.
 */
export class ModelTurn {
  readonly #meter: Meter | undefined;
  readonly #eager: EagerCalls | undefined;
  readonly #last: boolean;
  #text = "";
  #calls = 0;
  #heard = false;

  constructor(
    private readonly conversation: TurnOf,
    private readonly context: Running,
    { last, runsCalls }: { last: boolean; runsCalls: boolean },
  ) {
    const { options, journal, calls } = conversation;
    this.#last = last;
    this.#meter = meterFor(options.budget, journal, context, last);
    const isEager = options.eagerReadOnly && runsCalls && !last;
    this.#eager = isEager ? new EagerCalls(() => calls.earlyStarter(context)) : undefined;
  }

  /** Takes the turn. Errors: those of the store. An error of the model is the turn's `error`. */
  async take(): Promise<ConversationTurn> {
    const { signal } = this.context;
    let result: TurnResult;
    try {
      const request = this.#request();
      const run = new TurnSteps(request, this.conversation.journal.state.trusted, traceListener(request.onTrace));
      result = await run.whole((events) => {
        for (const event of events) this.#hear(event);
      });
    } catch (error) {
      await this.#failed();
      const text = this.#text;
      if (signal?.aborted) return emptyTurn({ text, stopReason: "aborted" });
      if (!(error instanceof ToolChoiceError)) return emptyTurn({ text, stopReason: "error", error });
      const { finish } = error;
      return emptyTurn({ text, stopReason: "invalid-replies", ...(finish ? { finish } : {}), error });
    }
    if (!signal?.aborted) return this.#replied(result);
    await this.#failed(result);
    return emptyTurn({ text: this.#text, stopReason: "aborted" });
  }

  #request(): GenerateOptions {
    const { options, journal, newId } = this.conversation;
    const { emit, signal } = this.context;
    const last = this.#last;
    const eager = this.#eager;
    // Each field after a spread costs a microsecond; `Object.assign` takes a tenth of one for all of them.
    return Object.assign({}, options, {
      model: this.#meter ? this.#meter.measured(options.model) : options.model,
      messages: shownMessages(journal.state),
      tools: options.tools && preparedTools(options.tools),
      toolChoice: last ? "auto" : this.#toolChoice(),
      onInvalidCall: last ? "surface" : (options.onInvalidCall ?? adapterDefaults.onInvalidCall),
      generateId: newId,
      signal,
      constraint: last ? "off" : options.constraint,
      onRetry: (calls: readonly InvalidToolCall[]) => {
        options.onRetry?.(calls);
        eager?.discard();
        if (calls.length > 0) emit({ type: "retry", calls: [...calls] });
      },
      onTrace: eager
        ? (event: TraceEvent) => {
            eager.on(event);
            options.onTrace?.(event);
          }
        : options.onTrace,
    } satisfies Partial<GenerateOptions>);
  }

  /** A forced tool is forced once, at the beginning; later turns only if the result of some tool is the answer. */
  #toolChoice(): ToolChoice {
    const { options, journal } = this.conversation;
    const { toolChoice = "auto", tools = [] } = options;
    const { steps, called } = journal.state.run;
    if (toolChoice === "none") return toolChoice;
    const [first] = called;
    if (steps === 0 && first !== undefined)
      return called.every((name) => name === first) ? { name: first } : "required";
    if (steps === 0) return toolChoice;
    return toolChoice === "required" && tools.some(({ resultAsAnswer }) => resultAsAnswer) ? toolChoice : "auto";
  }

  #hear(event: ReplyEvent): void {
    this.#heard = true;
    if (event.type === "text") this.#text += event.text;
    if (this.#last && event.type.startsWith("call-")) return;
    this.context.emit(event.type === "call-end" ? { ...event, call: copied(event.call) } : event);
    if (!this.#meter || event.type !== "call-end") return;
    this.#calls += 1;
    const { options, journal } = this.conversation;
    // The rest of a reply is not needed after a call that is not allowed.
    this.#meter.stopped ||= callsLeft(options.budget, journal.state.run) < this.#calls;
  }

  /** The cost of a failed turn counts, unless the model did not begin to answer. */
  async #failed(result?: TurnResult): Promise<void> {
    const meter = this.#meter;
    this.#eager?.discard();
    if (!this.#heard && !meter?.heard && !result) return;
    const usage = meter?.usage ?? result?.usage;
    const record: RecordBody = {
      type: "failed",
      ...(usage ? { usage } : {}),
      ...meter?.cost,
      ...(this.#last ? { last: true } : {}),
    };
    await this.conversation.journal.add(() => [record]);
  }

  async #replied({ text, reasoning, usage, finish, ...result }: TurnResult): Promise<ConversationTurn> {
    const { journal, calls } = this.conversation;
    const last = this.#last;
    // Nothing runs of a reply that a content filter ended.
    const isFiltered = finish === "content-filter";
    if (isFiltered) this.#eager?.discard();
    const toolCalls = last || isFiltered ? [] : result.toolCalls;
    const invalidToolCalls = last || isFiltered ? [] : result.invalidToolCalls;
    const record: RecordBody = {
      type: "reply",
      text,
      ...(reasoning === "" ? {} : { reasoning }),
      calls: toolCalls,
      ...(invalidToolCalls.length > 0 ? { invalid: invalidToolCalls } : {}),
      ...(usage ? { usage } : {}),
      ...this.#meter?.cost,
      ...(this.#meter?.stopped ? { cut: true } : {}),
      ...(last ? { last } : {}),
    };
    try {
      await journal.add(() => [record]);
    } catch (error) {
      this.#eager?.discard();
      throw error;
    }
    calls.early = isFiltered ? undefined : this.#eager;
    const stopReason =
      toolCalls.length > 0 ? "needs-results" : invalidToolCalls.length > 0 ? "invalid-replies" : "answer";
    const shown = toolCalls.map(copied);
    const about = { ...(usage ? { usage } : {}), ...(finish ? { finish } : {}) };
    return { text, reasoning, toolCalls: shown, invalidToolCalls, ...about, stopReason };
  }
}

/** A meter for the turn, if the budget has a limit that a reply can reach. */
function meterFor(budget: CheckedOptions["budget"], journal: Journal, context: Running, last: boolean) {
  if (!budget) return undefined;
  const { calls, callsPerTool, tokens, cost, seconds } = budget;
  const isCounted = [calls, callsPerTool, tokens, cost, seconds].some((limit) => limit !== undefined);
  return isCounted ? new Meter(budget, journal.state.run, context, last) : undefined;
}
