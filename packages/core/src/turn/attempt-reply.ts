import { copiedFrom } from "../reply/untrusted/normalizer.js";
import type { ParsedReply, TextModelChunk } from "../types.js";
import { Attempt, type Emit, type Step } from "./attempt.js";
import { checkedIds } from "./checked-ids.js";
import { LiveAnswer } from "./live-answer.js";
import { onlyTool } from "./only-tool.js";
import { type RawReply, ReplyReader } from "./read-reply.js";
import { reasoningApart } from "./reasoning-apart.js";
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
  /** Whether nothing is sent before a call begins. */
  waitsForCall: boolean;
  /** The text and the reasoning that earlier attempts have sent. */
  sent: Pick<ParsedReply, "text" | "reasoning">;
  /** Whether the model may be asked again. */
  canRetry: boolean;
  /** Whether the model may request more tools. */
  canRequest: boolean;
  /** Receives each event as soon as it is read. */
  seen: Emit | undefined;
  /** Receives the events to send. */
  send: Emit;
}

/** Reads the reply of one attempt: chunks of the model become events, which are sent or buffered. */
export class AttemptReply {
  readonly attempt: Attempt;
  readonly #reader: ReplyReader;
  readonly #requests: RequestReader | undefined;
  readonly #live: LiveAnswer | undefined;

  constructor(place: AttemptPlace) {
    const { plan, prompt, untrusted, waitsForCall, sent, canRetry, canRequest, seen, send } = place;
    const { options, protocol, toolChoice, checkedSchema } = plan;
    const { accept, generateId, onInvalidCall, liveCalls, liveAnswer } = options;
    const live = checkedSchema !== undefined && liveAnswer ? new LiveAnswer(checkedSchema) : undefined;
    this.#live = live;
    const steps: Step[] = [];
    // A model can only repeat escaped text that it was shown.
    if (prompt.isEscaped) steps.push(createEventUnescaper(prompt.escaper));
    if (live) steps.push(live.on);
    if (typeof toolChoice === "object") steps.push(onlyTool(toolChoice.name));
    if (sent.text !== "") steps.push(withoutRepeats(sent.text));
    if (sent.reasoning !== "") steps.push(reasoningApart());
    // Events that cannot be retried need no buffering.
    const buffersCalls = onInvalidCall === "retry" && canRetry;
    this.attempt = new Attempt({
      steps,
      waitsForCall,
      callsWait: buffersCalls ? (liveCalls ? "wrong" : "all") : "none",
      textWaits: checkedSchema === undefined ? undefined : () => !live?.isSent,
      seen,
      send,
    });
    const { on } = this.attempt;
    const ids = generateId && checkedIds(generateId);
    const requests = canRequest ? new RequestReader(copiedFrom(untrusted ?? [])) : undefined;
    this.#requests = requests;
    const reading = {
      prefill: prompt.prefill,
      // Calls of other tools than the one that was asked for may become text.
      parser: {
        tools: plan.offered,
        protocol,
        accept,
        generateId: ids,
        untrusted,
        sources: typeof toolChoice === "object",
      },
      opening: prompt.opening,
      reasoning: prompt.reasoning,
      single: !plan.isParallel,
      maxIdenticalCalls: options.maxIdenticalCalls ?? (prompt.isConstrained ? 1 : 2),
    };
    this.#reader = new ReplyReader(reading, requests ? (event) => requests.on(event).forEach(on) : on);
  }

  /** Reads a chunk. Errors: those of {@link ReplyReader.push}. */
  push(chunk: TextModelChunk): void {
    this.#reader.push(chunk);
  }

  /** Whether the rest of the reply need not be read. */
  get isOver(): boolean {
    return this.#reader.over || this.#requests?.done === true;
  }

  /** Reads the end of the reply. */
  end(): void {
    const { on } = this.attempt;
    const requests = this.#requests;
    if (!requests?.done) this.#reader.end();
    this.#live?.end().forEach(on);
    // A reply that requests more tools ends there, and the rest of it is ignored.
    if (!requests?.done) requests?.end().forEach(on);
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
