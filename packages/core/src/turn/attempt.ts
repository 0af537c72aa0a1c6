import { copiedFrom } from "../reply/untrusted/normalizer.js";
import type { ParsedReply, TextModelChunk } from "../types.js";
import { AttemptEvents, type Emit, type Rewrite } from "./attempt-events.js";
import { checkedIds } from "./checked-ids.js";
import { LiveAnswer } from "./live-answer.js";
import { onlyTool } from "./only-tool.js";
import { reasoningApart } from "./reasoning-apart.js";
import { type RawReply, ReplyReader } from "./reply-reader.js";
import { RequestReader } from "./selection/request-reader.js";
import type { TurnPlan } from "./turn-plan.js";
import type { TurnPrompt } from "./turn-prompt.js";
import { createEventUnescaper } from "./unescape-events.js";
import { withoutSentText } from "./without-sent-text.js";

/** The options of {@link Attempt}. */
export interface AttemptOptions {
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

/** One attempt at a turn: chunks of the model's reply become events, which are sent or buffered. */
export class Attempt {
  readonly events: AttemptEvents;
  readonly #reader: ReplyReader;
  readonly #requests: RequestReader | undefined;
  readonly #live: LiveAnswer | undefined;

  constructor(how: AttemptOptions) {
    const { plan, prompt, untrusted, waitsForCall, sent, canRetry, canRequest, seen, send } = how;
    const { options, protocol, toolChoice, checkedSchema } = plan;
    const { accept, generateId, onInvalidCall, liveCalls, liveAnswer } = options;
    const live = checkedSchema !== undefined && liveAnswer ? new LiveAnswer(checkedSchema) : undefined;
    this.#live = live;
    const rewrites: Rewrite[] = [];
    // A model can only repeat escaped text that it was shown.
    if (prompt.isEscaped) rewrites.push(createEventUnescaper(prompt.escaper));
    if (live) rewrites.push(live.on);
    if (typeof toolChoice === "object") rewrites.push(onlyTool(toolChoice.name));
    if (sent.text !== "") rewrites.push(withoutSentText(sent.text));
    if (sent.reasoning !== "") rewrites.push(reasoningApart());
    // Events that cannot be retried need no buffering.
    const buffersCalls = onInvalidCall === "retry" && canRetry;
    this.events = new AttemptEvents({
      rewrites,
      waitsForCall,
      callsWait: buffersCalls ? (liveCalls ? "wrong" : "all") : "none",
      textWaits: checkedSchema === undefined ? undefined : () => !live?.isSent,
      seen,
      send,
    });
    const { on } = this.events;
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
    const { on } = this.events;
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
    return this.events.met && !this.events.called && !this.#live?.isSent;
  }

  /** The reply as the model wrote it; empty if it ends with a request for more tools. */
  get raw(): RawReply {
    return this.#requests?.done ? { text: "", prefill: "" } : this.#reader.reply;
  }
}
