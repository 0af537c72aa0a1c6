import { randomId } from "../common/random-id.js";
import { streamOf } from "../options/stream-of.js";
import { forcedTool } from "../prompt/force.js";
import { addEvent } from "../reply/parse-reply.js";
import type {
  ChatMessage,
  InvalidToolCall,
  ParsedReply,
  ReplyEvent,
  TextModelChunk,
  ToolChoice,
  ToolDefinition,
} from "../types.js";
import { abortable, checkedStep, iteratorOf } from "./abortable.js";
import type { CheckedAnswer } from "./answer-schema.js";
import { argumentsAsReply } from "./arguments-as-reply.js";
import { AttemptReply } from "./attempt-reply.js";
import { AttemptTrace } from "./attempt-trace.js";
import { checkedIds } from "./checked-ids.js";
import { InvalidToolCallError, ToolChoiceError, turnStopped } from "./errors.js";
import type { GenerateOptions } from "./generate-options.js";
import { hasOtherCall, otherCallsAsText } from "./only-tool.js";
import { quotedCall } from "./quoted-call.js";
import type { RawReply } from "./read-reply.js";
import { endsReasoning } from "./reasoning-opener.js";
import { namesOf, type ShownTools, selectTools } from "./selection/shown-tools.js";
import type { ToolSelection } from "./selection/tool-selection.js";
import type { TraceListener } from "./trace.js";
import type { TurnResult } from "./turn.js";
import { TurnPlan } from "./turn-plan.js";
import { TurnPrompt } from "./turn-prompt.js";
import { takeReply } from "./turn-result.js";
import { untrustedContents } from "./untrusted-messages.js";
import { whyText } from "./why/why-text.js";
import { endsWithWrongCalls } from "./wrong-calls.js";

type Take = (events: ReplyEvent[]) => void;

interface Selected {
  plan: TurnPlan;
  /** The shown tools, if not all are. */
  shown?: ShownTools | undefined;
}

/** A turn that has begun. */
interface Begun extends Selected {
  prompt: TurnPrompt;
  untrusted: readonly string[] | undefined;
  result: TurnResult;
  /** The reply that quotes a call, while the model is asked whether it means it. It is the answer if no call follows. */
  quoting?: RawReply | undefined;
  /** Whether the model was asked about an empty reply. */
  askedAboutEmpty?: boolean;
}

/** A question to the model about its reply. */
interface Question {
  about: "empty reply" | "quoted call";
  text: string;
}

/** The attempt that is being read. */
interface OpenAttempt {
  reply: AttemptReply;
  chunks: AsyncIterator<TextModelChunk>;
  canRetry: boolean;
  traced: AttemptTrace | undefined;
}

/**
 * One turn, step by step: each gives the events that arrive together, because a step costs more than an event. No
 * asynchronous generator, which costs three more promises per step. Nothing is read ahead.
 *
 * Like a generator's, steps that are asked for at the same time follow one another; after an error there are no more.
 */
export class TurnRun {
  #turn: Begun | undefined;
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
  /** The number of requests for more tools. */
  #requests = 0;
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
        this.#turn ??= this.#begin(
          toolSelection ? await this.#select(toolSelection) : { plan: new TurnPlan(this.options) },
        );
        const attempt = this.#open ?? this.#ask(this.#turn);
        // A model that fails need not be ended.
        this.#open = undefined;
        let next: IteratorResult<TextModelChunk> = END;
        if (attempt.reply.isOver) await attempt.chunks.return?.();
        else next = checkedStep(await attempt.chunks.next());
        if (next.done) {
          attempt.reply.end();
          const { answerSchema } = this.#turn.plan;
          const answer = answerSchema === undefined ? undefined : await this.#checkAnswer(this.#turn, attempt.reply);
          this.#conclude(this.#turn, attempt, answer);
        } else {
          this.#open = attempt;
          attempt.reply.push(next.value);
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
    const attempt = this.#open;
    this.#open = undefined;
    await attempt?.chunks.return?.();
  }

  async #select(selection: ToolSelection): Promise<Selected> {
    const plan = new TurnPlan(this.options);
    const { messages, offered: tools, protocol, toolChoice } = plan;
    const { model, signal, startWithReasoning } = this.options;
    const how = { selection, messages, tools, toolChoice, model, protocol, startWithReasoning, signal };
    return { plan, shown: await selectTools(how) };
  }

  /** Renders the prompt. */
  #begin({ plan, shown }: Selected): Begun {
    const { options } = this;
    const prompt = new TurnPrompt(plan, shown);
    const result: TurnResult = {
      text: "",
      reasoning: "",
      toolCalls: [],
      invalidToolCalls: [],
      raw: "",
      attempts: 0,
      request: [],
    };
    if (shown?.usage) result.usage = shown.usage;
    // Rendering has checked the messages.
    const untrusted = options.copiedCalls === "call" ? undefined : untrustedContents(options.messages, this.trusted);
    return { plan, prompt, shown, untrusted, result };
  }

  /** Asks the model. */
  #ask({ plan, prompt, shown, untrusted, result, quoting }: Begun): OpenAttempt {
    const { model, signal } = this.options;
    signal?.throwIfAborted();
    result.attempts += 1;
    result.request = prompt.messages;
    const canRetry = result.attempts - this.#requests <= plan.retries;
    const request = prompt.request();
    const { isUnconstrained } = prompt;
    const about = {
      attempt: result.attempts,
      protocol: plan.protocol.name,
      request,
      ...(isUnconstrained && { isUnconstrained }),
    };
    const traced = this.#trace && new AttemptTrace(this.#trace, about);
    const reply = new AttemptReply({
      plan,
      prompt,
      untrusted,
      canRetry,
      waitsForCall: plan.needsCall || quoting !== undefined,
      // Copied: the result grows while the reply is read.
      sent: { text: result.text, reasoning: result.reasoning },
      canRequest: shown !== undefined && this.#requests < MAX_REQUESTS,
      seen: traced?.seen,
      send: this.#send,
    });
    return { reply, chunks: iteratorOf(abortable(streamOf(model(request), "model"), signal)), canRetry, traced };
  }

  /** Checks the answer by its schema. If a part of it was sent, only the data of the result can follow from it. */
  async #checkAnswer({ plan, result }: Begun, reply: AttemptReply): Promise<CheckedAnswer | undefined> {
    const { attempt } = reply;
    if (!attempt.met || attempt.called || reply.request !== undefined) return undefined;
    if (reply.awaitsCheck && plan.checkedSchema !== undefined) return plan.checkAnswer(attempt.bufferedText);
    // An answer that streams is read already.
    const isRead = plan.checkedSchema !== undefined;
    const read = isRead
      ? "value" in result && (await plan.readAnswer(result.value))
      : (await plan.checkAnswer(result.text))?.event;
    if (read && "value" in read) result.value = read.value;
    else delete result.value;
    return undefined;
  }

  /** Ends an attempt: the turn has a result, or the model is asked again. `answer`: the checked one. */
  #conclude(turn: Begun, { reply, canRetry, traced }: OpenAttempt, answer: CheckedAnswer | undefined): void {
    const { plan, prompt, shown, untrusted, result } = turn;
    const { options } = this;
    const trace = this.#trace;
    const { attempt, raw } = reply;
    // A call was meant, whatever becomes of it.
    if (attempt.called) turn.quoting = undefined;
    const { quoting } = turn;
    takeReply(result, quoting ? { ...quoting, usage: raw.usage } : raw);
    if (traced) {
      const reasoning = attempt.called ? "" : reasoningIn(attempt.buffered, result);
      const how = { tools: prompt.tools, protocol: plan.protocol, accept: options.accept, reasoning, untrusted };
      traced.reply(raw, () => (attempt.called ? [] : whyText(raw.prefill + raw.text, how)));
    }
    if (shown && reply.request !== undefined) {
      const isGrown = shown.grow(reply.request);
      // If the reply also has calls, the requested tools are shown in the next turn.
      if (!attempt.called) {
        this.#requests += 1;
        return prompt.showAdded(isGrown ? undefined : nothingFits(reply.request));
      }
    }
    if (quoting) {
      this.#result = this.#ended(turn);
      return;
    }
    if (!attempt.met && reply.request === undefined && !hasOtherCall(attempt.buffered)) {
      // Reasoning without an end may hold the arguments (`<think>{"a": 5}`), one with an end not (`<think>{"a": 5}</think>No.`).
      const isClosed = attempt.buffered.some(({ type }) => type === "reasoning") && endsReasoning(raw.text);
      const text = isClosed ? attempt.bufferedText : raw.text;
      const call = onlyArguments(plan, prompt.tools, text, untrusted);
      if (call) {
        attempt.dropText();
        call.forEach(attempt.on);
      }
    }
    if (answer?.event) attempt.dropText(answer.event);
    // What the token limit or a filter cut off would be cut off again, at the user's cost.
    const isCut = raw.finish !== undefined && raw.finish !== "stop";
    const isWrong = ({ error }: InvalidToolCall) => !(isCut && error.code === "truncated");
    const areCallsGood =
      options.onInvalidCall !== "retry" ||
      attempt.sentCall ||
      !attempt.invalid.some(isWrong) ||
      endsWithWrongCalls(options.messages, plan.offered);
    const question = isCut ? undefined : this.#question(turn, reply);
    const feedback = isCut ? undefined : (answer?.feedback ?? question?.text);
    const isGood = attempt.met && areCallsGood && feedback === undefined;
    if (isGood || !canRetry) {
      if (!attempt.met && options.onMissingCall !== "surface")
        throw new ToolChoiceError(unmet(plan.toolChoice, result.attempts), raw.text, raw.finish);
      joinedDeltas(attempt.met ? attempt.buffered : otherCallsAsText(attempt.buffered)).forEach(this.#send);
      this.#result = this.#ended(turn);
      return;
    }
    if (question?.about === "empty reply") turn.askedAboutEmpty = true;
    if (question?.about === "quoted call") turn.quoting = raw;
    prompt.retry(raw, attempt, feedback);
    const { met, invalid } = attempt;
    options.onRetry?.(invalid);
    const missingCall = !met;
    const { pinned: tool } = prompt;
    trace?.({ type: "retry", attempt: result.attempts, calls: invalid, missingCall, tool, feedback });
  }

  /** What the model is asked about a reply that is empty, or that ends with a quoted call. */
  #question({ plan, result, untrusted, askedAboutEmpty }: Begun, { attempt, raw }: AttemptReply): Question | undefined {
    const { options, protocol, offered: tools } = plan;
    if (options.onInvalidCall !== "retry" || attempt.called || !attempt.met || tools.length === 0) return undefined;
    if (attempt.isEmpty) return askedAboutEmpty || raw.content ? undefined : { about: "empty reply", text: NO_ANSWER };
    if (plan.checkedSchema !== undefined) return undefined;
    const name = quotedCall(result.text, { tools, protocol, accept: options.accept, untrusted });
    return name === undefined ? undefined : { about: "quoted call", text: isItMeant(name) };
  }

  #ended({ shown, result }: Begun): TurnResult {
    if (shown) {
      shown.add(namesOf([...result.toolCalls, ...result.invalidToolCalls]));
      result.selection = shown.summary();
    }
    const { attempts, usage, selection } = result;
    this.#trace?.({ type: "end", attempts, ms: performance.now() - this.#begun, usage, selection });
    return result;
  }

  /** Sends an event with the next step, and adds it to the result. */
  readonly #send = (event: ReplyEvent): void => {
    const result = this.#turn?.result;
    if (event.type === "call-invalid" && this.options.onInvalidCall === "throw")
      throw new InvalidToolCallError(event.call);
    if (result) addEvent(result, event);
    this.#sent.push(event);
  };

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

/** The call of which a reply has only the arguments, as some models write it if only one tool can be called. */
function onlyArguments(
  { options, toolChoice }: TurnPlan,
  tools: readonly ToolDefinition[],
  text: string,
  untrusted: readonly string[] | undefined,
): ReplyEvent[] | undefined {
  const name = forcedTool(toolChoice, tools);
  const tool = name === undefined ? undefined : tools.find((one) => one.name === name);
  const { generateId: given, answersByCall = false } = options;
  const generateId = given ? checkedIds(given) : randomId;
  return tool && argumentsAsReply(text, tool, { generateId, untrusted, isAnswer: answersByCall });
}

/** Buffered events, with the deltas of each call joined. */
function joinedDeltas(events: readonly ReplyEvent[]): ReplyEvent[] {
  const joined: ReplyEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === "call-delta" && last?.type === "call-delta" && last.index === event.index) {
      joined[joined.length - 1] = { ...last, argumentsDelta: last.argumentsDelta + event.argumentsDelta };
    } else joined.push(event);
  }
  return joined;
}

/** The model's reasoning so far. */
function reasoningIn(buffered: readonly ReplyEvent[], { reasoning }: ParsedReply): string {
  return reasoning + buffered.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
}

/** The maximum number of requests for more tools in one turn. A further one is text. */
const MAX_REQUESTS = 3;

const NO_ANSWER = "Your reply has no answer and calls no tool. Write an answer, or call a tool.";

const isItMeant = (name: string) =>
  `You wrote a call of "${name}" in a code block, so it is text and the tool was not run. If you mean the call, write it \
again without the code block. If it only shows something, write "no call".`;

const nothingFits = (request: string) => `There is no further tool for ${JSON.stringify(request)}.`;

function unmet(toolChoice: ToolChoice, attempts: number): string {
  const what = typeof toolChoice === "object" ? `call the tool "${toolChoice.name}"` : "call a tool";
  const asked = attempts === 1 ? "once" : `${attempts} times`;
  return `The model was required to ${what} but did not, asked ${asked}.`;
}
