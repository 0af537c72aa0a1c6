import type { ReplyEvent, TextModelChunk } from "../types.js";
import { Attempt, type Step } from "./attempt.js";
import { LiveAnswer } from "./live-answer.js";
import { onlyTool } from "./only-tool.js";
import { type RawReply, ReplyReader } from "./read-reply.js";
import { RequestReader } from "./selection/request-reader.js";
import type { TurnPlan } from "./turn-plan.js";
import type { TurnPrompt } from "./turn-prompt.js";
import { createEventUnescaper } from "./unescape-events.js";
import { withoutRepeats } from "./without-repeats.js";

/** The context of one attempt. */
export interface AttemptPlace {
  plan: TurnPlan;
  prompt: TurnPrompt;
  /** The texts of users and results. */
  untrusted: readonly string[] | undefined;
  /** The text that earlier attempts have sent. */
  sentText: string;
  /** Whether the model may be asked again. */
  canRetry: boolean;
  /** Whether the model may request more tools. */
  canRequest: boolean;
  /** Receives each event as soon as it is read. */
  seen: ((event: ReplyEvent) => void) | undefined;
}

/** Reads the reply of one attempt: chunks of the model become the events to send. */
export class AttemptReply {
  readonly attempt: Attempt;
  readonly #reader: ReplyReader;
  readonly #requests: RequestReader | undefined;
  readonly #live: LiveAnswer | undefined;

  constructor(place: AttemptPlace) {
    const { plan, prompt, untrusted, sentText, canRetry, canRequest, seen } = place;
    const { options, protocol, toolChoice, needsCall, checkedSchema } = plan;
    const { accept, generateId, onInvalidCall, liveCalls, liveAnswer } = options;
    this.#reader = new ReplyReader({
      prefill: prompt.prefill,
      parser: { tools: plan.offered, protocol, accept, generateId, untrusted },
      opening: prompt.opening,
      single: !plan.isParallel,
      maxRepeatedCalls: options.maxRepeatedCalls ?? (prompt.isConstrained ? 0 : 1),
    });
    this.#requests = canRequest
      ? new RequestReader((request) => untrusted?.some((text) => text.includes(request)) ?? false)
      : undefined;
    const live = checkedSchema !== undefined && liveAnswer ? new LiveAnswer(checkedSchema) : undefined;
    this.#live = live;
    const steps: Step[] = [createEventUnescaper(prompt.escaper)];
    if (live) steps.push(live.on);
    if (typeof toolChoice === "object") steps.push(onlyTool(toolChoice.name));
    if (sentText !== "") steps.push(withoutRepeats(sentText));
    // Events that cannot be retried need no buffering.
    const buffersCalls = onInvalidCall === "retry" && canRetry;
    this.attempt = new Attempt({
      steps,
      wanted: needsCall,
      callsWait: buffersCalls ? (liveCalls ? "wrong" : "all") : "none",
      textWaits: checkedSchema === undefined ? undefined : () => !live?.isSent,
      seen,
    });
  }

  /** The events to send after a chunk. Errors: those of {@link ReplyReader.push}. */
  push(chunk: TextModelChunk): ReplyEvent[] {
    return this.#on(this.#reader.push(chunk));
  }

  /** Whether the rest of the reply need not be read. */
  get isOver(): boolean {
    return this.#reader.over || this.#requests?.done === true;
  }

  /** The events to send at the end of the reply. */
  end(): ReplyEvent[] {
    const requests = this.#requests;
    const sent = requests?.done ? [] : this.#on(this.#reader.end());
    if (this.#live) sent.push(...this.attempt.on(this.#live.end()));
    // A reply that requests more tools ends there, and the rest of it is ignored.
    if (requests && !requests.done) sent.push(...this.attempt.on(requests.end()));
    return sent;
  }

  #on(events: readonly ReplyEvent[]): ReplyEvent[] {
    const requests = this.#requests;
    if (events.length === 0) return [];
    return this.attempt.on(requests ? events.flatMap((event) => requests.on(event)) : events);
  }

  /** The model's request for more tools. */
  get request(): string | undefined {
    return this.#requests?.request;
  }

  /** Whether the answer must still be checked: it has no calls, and no part of it was sent. */
  get awaitsCheck(): boolean {
    return this.attempt.met && !this.attempt.called && !this.#live?.isSent;
  }

  /** The reply as the model wrote it; empty if it ends with a request for more tools. */
  get raw(): RawReply {
    return this.#requests?.done ? { text: "", prefill: "" } : this.#reader.reply;
  }
}
