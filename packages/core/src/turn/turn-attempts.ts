import { randomId } from "../common/random-id.js";
import { streamOf } from "../options/stream-of.js";
import { forcedTool } from "../prompt/force.js";
import { addEvent } from "../reply/parse-reply.js";
import type { InvalidToolCall, ReplyEvent, TextModelChunk, ToolChoice, ToolDefinition } from "../types.js";
import { abortable, iteratorOf } from "./abortable.js";
import type { CheckedAnswer } from "./answer-schema.js";
import { argumentsAsReply } from "./arguments-as-reply.js";
import { Attempt } from "./attempt.js";
import { AttemptTrace } from "./attempt-trace.js";
import { checkedIds } from "./checked-ids.js";
import { InvalidToolCallError, ToolChoiceError } from "./errors.js";
import { hasOtherCall, otherCallsAsText } from "./only-tool.js";
import { quotedCall } from "./quoted-call.js";
import { endsReasoning } from "./reasoning-opener.js";
import type { RawReply } from "./reply-reader.js";
import { namesOf, type ShownTools } from "./selection/shown-tools.js";
import type { TraceListener } from "./trace.js";
import type { TurnPlan } from "./turn-plan.js";
import { TurnPrompt } from "./turn-prompt.js";
import { emptyResult, type TurnResult, takeReply } from "./turn-result.js";
import { whyText } from "./why/why-text.js";
import { endsWithWrongCalls } from "./wrong-calls.js";

/** The options of {@link TurnAttempts}. */
export interface TurnAttemptsOptions {
  plan: TurnPlan;
  /** The shown tools, if not all are. */
  shown: ShownTools | undefined;
  /** The texts of users and results; undefined if a call copied from them is a call. */
  untrusted: readonly string[] | undefined;
  trace: TraceListener | undefined;
  /** Receives the events to send. */
  send(event: ReplyEvent): void;
}

/** The attempt that is being read. */
export interface OpenAttempt {
  attempt: Attempt;
  chunks: AsyncIterator<TextModelChunk>;
  canRetry: boolean;
  traced: AttemptTrace | undefined;
}

/** Why the model is asked again; with neither of the two, because of its calls. */
interface Retry {
  /** What was wrong with its answer. */
  feedback?: string | undefined;
  question?: Question | undefined;
}

/** A question to the model about its reply. */
interface Question {
  about: "empty reply" | "quoted call";
  text: string;
}

/** Makes the attempts of a turn: asks the model, judges each reply, and asks again or has the result. */
export class TurnAttempts {
  readonly plan: TurnPlan;
  readonly #result: TurnResult = emptyResult();
  readonly #prompt: TurnPrompt;
  /** The reply that quotes a call, while the model is asked whether it means it. It is the answer if no call follows. */
  #quoting: RawReply | undefined;
  /** Whether the model was asked about an empty reply. */
  #askedAboutEmpty = false;
  /** The number of requests for more tools. */
  #requests = 0;

  /** Renders the prompt. Errors: those of {@link TurnPrompt}. */
  constructor(private readonly how: TurnAttemptsOptions) {
    const { plan, shown } = how;
    this.plan = plan;
    this.#prompt = new TurnPrompt(plan, shown);
    if (shown?.usage) this.#result.usage = shown.usage;
  }

  /** Asks the model. Errors: the signal's reason; those of the model. */
  ask(): OpenAttempt {
    const prompt = this.#prompt;
    const result = this.#result;
    const { plan, shown, untrusted, trace } = this.how;
    const { model, signal } = plan.options;
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
    const traced = trace && new AttemptTrace(trace, about);
    const attempt = new Attempt({
      plan,
      prompt,
      untrusted,
      canRetry,
      waitsForCall: plan.needsCall || this.#quoting !== undefined,
      // Copied: the result grows while the reply is read.
      sent: { text: result.text, reasoning: result.reasoning },
      canRequest: shown !== undefined && this.#requests < MAX_REQUESTS,
      seen: traced?.seen,
      send: this.#send,
    });
    return { attempt, chunks: iteratorOf(abortable(streamOf(model(request), "model"), signal)), canRetry, traced };
  }

  /** Sends an event, and adds it to the result. */
  readonly #send = (event: ReplyEvent): void => {
    if (event.type === "call-invalid" && this.plan.options.onInvalidCall === "throw")
      throw new InvalidToolCallError(event.call);
    addEvent(this.#result, event);
    this.how.send(event);
  };

  /** Checks the answer by its schema. If a part of it was sent, only the data of the result can follow from it. */
  async checkAnswer(attempt: Attempt): Promise<CheckedAnswer | undefined> {
    const { plan } = this;
    const result = this.#result;
    const { events } = attempt;
    if (!events.met || events.called || attempt.request !== undefined) return undefined;
    if (attempt.awaitsCheck && plan.checkedSchema !== undefined) return plan.checkAnswer(events.bufferedText);
    // An answer that streams is read already.
    const isRead = plan.checkedSchema !== undefined;
    const read = isRead
      ? "value" in result && (await plan.readAnswer(result.value))
      : (await plan.checkAnswer(result.text))?.event;
    if (read && "value" in read) result.value = read.value;
    else delete result.value;
    return undefined;
  }

  /**
   * Ends an attempt. Returns the result of the turn; undefined if the model is asked again. `answer`: the checked one. Errors:
   * `ToolChoiceError`; `InvalidToolCallError`.
   */
  conclude({ attempt, canRetry, traced }: OpenAttempt, answer: CheckedAnswer | undefined): TurnResult | undefined {
    const { plan } = this;
    const { events, raw } = attempt;
    // A call was meant, whatever becomes of it.
    if (events.called) this.#quoting = undefined;
    takeReply(this.#result, this.#quoting ? { ...this.#quoting, usage: raw.usage } : raw);
    this.#trace(attempt, traced);
    if (this.#showsMore(attempt)) return undefined;
    if (this.#quoting) return this.#ended();
    this.#readArguments(attempt);
    if (answer?.event) events.dropText(answer.event);
    const retry = this.#retryFor(attempt, answer);
    if (retry && canRetry) {
      this.#retry(attempt, retry);
      return undefined;
    }
    if (!events.met && plan.options.onMissingCall !== "surface")
      throw new ToolChoiceError(unmet(plan.toolChoice, this.#result.attempts), raw.text, raw.finish);
    joinedDeltas(events.met ? events.buffered : otherCallsAsText(events.buffered)).forEach(this.#send);
    return this.#ended();
  }

  #trace({ events, raw }: Attempt, traced: AttemptTrace | undefined): void {
    if (!traced) return;
    const { plan, untrusted } = this.how;
    const { protocol, options } = plan;
    const reasoning = events.called ? "" : reasoningIn(events.buffered, this.#result);
    const how = { tools: this.#prompt.tools, protocol, accept: options.accept, reasoning, untrusted };
    traced.reply(raw, () => (events.called ? [] : whyText(raw.prefill + raw.text, how)));
  }

  /** Shows the tools that the reply requests, if any. If it also has calls, they are shown in the next turn. */
  #showsMore({ events, request }: Attempt): boolean {
    const { shown } = this.how;
    if (!shown || request === undefined) return false;
    const isGrown = shown.grow(request);
    if (events.called) return false;
    this.#requests += 1;
    this.#prompt.showAdded(isGrown ? undefined : nothingFits(request));
    return true;
  }

  /** Reads a reply that has only the arguments of the required call as that call. */
  #readArguments({ events, raw, request }: Attempt): void {
    if (events.met || request !== undefined || hasOtherCall(events.buffered)) return;
    // Reasoning without an end may hold the arguments (`<think>{"a": 5}`), one with an end not (`<think>{"a": 5}</think>No.`).
    const isClosed = events.buffered.some(({ type }) => type === "reasoning") && endsReasoning(raw.text);
    const text = isClosed ? events.bufferedText : raw.text;
    const call = onlyArguments(this.plan, this.#prompt.tools, text, this.how.untrusted);
    if (!call) return;
    events.dropText();
    call.forEach(events.on);
  }

  /** Why the model is asked again; undefined if the reply is good. */
  #retryFor(attempt: Attempt, answer: CheckedAnswer | undefined): Retry | undefined {
    const { options, offered } = this.plan;
    const { events, raw } = attempt;
    // What the token limit or a filter cut off would be cut off again, at the user's cost.
    const isCut = raw.finish !== undefined && raw.finish !== "stop";
    const isWrong = ({ error }: InvalidToolCall) => !(isCut && error.code === "truncated");
    const areCallsGood =
      options.onInvalidCall !== "retry" ||
      events.sentCall ||
      !events.invalid.some(isWrong) ||
      endsWithWrongCalls(options.messages, offered);
    const question = isCut ? undefined : this.#question(attempt);
    const feedback = isCut ? undefined : (answer?.feedback ?? question?.text);
    const isGood = events.met && areCallsGood && feedback === undefined;
    return isGood ? undefined : { feedback, question };
  }

  /** What the model is asked about a reply that is empty, or that ends with a quoted call. */
  #question({ events, raw }: Attempt): Question | undefined {
    const { plan, untrusted } = this.how;
    const { options, protocol, offered: tools } = plan;
    if (options.onInvalidCall !== "retry" || events.called || !events.met || tools.length === 0) return undefined;
    const isAsked = this.#askedAboutEmpty || raw.content;
    if (events.isEmpty) return isAsked ? undefined : { about: "empty reply", text: NO_ANSWER };
    if (plan.checkedSchema !== undefined) return undefined;
    const name = quotedCall(this.#result.text, { tools, protocol, accept: options.accept, untrusted });
    return name === undefined ? undefined : { about: "quoted call", text: isItMeant(name) };
  }

  /** Prepares the next attempt. */
  #retry({ events, raw }: Attempt, { feedback, question }: Retry): void {
    if (question?.about === "empty reply") this.#askedAboutEmpty = true;
    if (question?.about === "quoted call") this.#quoting = raw;
    this.#prompt.retry(raw, events, feedback);
    const { met, invalid } = events;
    this.plan.options.onRetry?.(invalid);
    const missingCall = !met;
    const { pinned: tool } = this.#prompt;
    const { attempts: attempt } = this.#result;
    this.how.trace?.({ type: "retry", attempt, calls: invalid, missingCall, tool, feedback });
  }

  #ended(): TurnResult {
    const { shown } = this.how;
    const result = this.#result;
    if (shown) {
      shown.add(namesOf([...result.toolCalls, ...result.invalidToolCalls]));
      result.selection = shown.summary();
    }
    return result;
  }
}

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
function reasoningIn(buffered: readonly ReplyEvent[], { reasoning }: TurnResult): string {
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
