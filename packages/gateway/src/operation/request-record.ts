import type { Usage } from "@toolingua/core";
import { addUsage } from "@toolingua/core/adapters";
import type { Reply } from "../apis/api.js";
import type { Failure } from "../failure.js";
import type { UsageWatch } from "../turn/usage-watch.js";
import { type ErrorRecord, errorRecord } from "./error-record.js";

/**
 * The record of a finished request to a model, or of another one that was refused: one line of the log. Only
 * `telemetry.content` adds text of requests, replies or upstreams.
 */
export interface RequestRecord {
  /** The time of arrival, as an ISO date. */
  time: string;
  requestId: string;
  /** `other`: a refused request that is none for a model, such as one for an unknown path. */
  api: "chat" | "messages" | "responses" | "other";
  /** The method and path of such a request, such as `GET /v1/chat`; `*` replaces each segment that no route has. */
  path?: string;
  /** The name of the key's holder. */
  key?: string;
  /** The model by its configured name. */
  model?: string;
  stream?: boolean;
  /** The status of the answer; 499: the client disconnected early. A stream that fails in the middle keeps its 200. */
  status: number;
  /** The time from the request to the end of the answer. */
  ms: number;
  /** The time from the request to the first event of a stream. */
  firstMs?: number;
  /** The tokens that were used, also by a request that was aborted or that failed after the model began to answer. */
  usage?: Usage;
  /** How many calls the complete replies have. */
  calls?: number;
  /** How many times the model was asked, and for how many replies. */
  attempts?: number;
  replies?: number;
  error?: ErrorRecord;
}

/** A reply that a request asks for, as far as it is read. */
export interface ReplyProgress {
  /** How many times the model was asked. */
  attempts: number;
  /** Set once it is complete. */
  reply?: Reply;
}

/** Observes a request and reports its end exactly once. */
export class RequestWatch {
  readonly #begun = performance.now();
  readonly #record: RequestRecord;
  readonly #ends: ((record: RequestRecord, replies: readonly Reply[]) => void)[] = [];
  readonly #replies: (ReplyProgress & { used: Pick<UsageWatch, "answered"> })[] = [];
  #isOver = false;

  constructor(
    requestId: string,
    api: RequestRecord["api"],
    private readonly withContent: boolean,
    private readonly onRecord: (record: RequestRecord) => void,
  ) {
    this.#record = { time: new Date().toISOString(), requestId, api, status: 200, ms: 0 };
  }

  is(known: Pick<RequestRecord, "key"> | Pick<RequestRecord, "model" | "stream">): void {
    Object.assign(this.#record, known);
  }

  /** Called at the first event of a stream. */
  first(): void {
    this.#record.firstMs ??= this.#elapsed();
  }

  /** Notes that the model is asked for a reply. Its progress counts even if the request ends before the reply does. */
  reply(used: Pick<UsageWatch, "answered">): ReplyProgress {
    const progress = { attempts: 1, used };
    this.#replies.push(progress);
    return progress;
  }

  /** Notes the failure that ended the request. */
  failed(failure: Failure): void {
    this.#record.error = errorRecord(failure, this.withContent);
  }

  /** Registers a callback for the end of the request. */
  onEnd(end: (record: RequestRecord, replies: readonly Reply[]) => void): void {
    this.#ends.push(end);
  }

  end(status: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const record = { ...this.#record, ...this.#sums(), status, ms: this.#elapsed() };
    const complete = this.#replies.flatMap(({ reply }) => reply ?? []);
    for (const end of this.#ends) end(record, complete);
    this.onRecord(record);
  }

  #sums(): Pick<RequestRecord, "usage" | "calls" | "attempts" | "replies"> {
    if (this.#replies.length === 0) return {};
    const usage = this.#replies
      .map(({ used }) => used.answered)
      .reduce((sum, one) => (one ? addUsage(sum, one) : sum), undefined);
    const parts = this.#replies.flatMap(({ reply }) => reply?.parts ?? []);
    return {
      ...(usage && { usage }),
      calls: parts.filter(({ type }) => type === "call").length,
      attempts: this.#replies.reduce((sum, { attempts }) => sum + attempts, 0),
      replies: this.#replies.length,
    };
  }

  #elapsed(): number {
    return elapsedSince(this.#begun);
  }
}

/** The milliseconds since a time of `performance.now()`. */
export const elapsedSince = (begun: number): number => Math.round((performance.now() - begun) * 1000) / 1000;
