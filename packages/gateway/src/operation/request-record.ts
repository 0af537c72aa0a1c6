import type { Usage } from "@toolingua/core";
import { addUsage } from "@toolingua/core/adapters";
import type { Reply } from "../apis/api.js";
import type { Failure } from "../failure.js";
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
  usage?: Usage;
  /** How many calls the answer has. */
  calls?: number;
  /** How many times the model was asked, and for how many replies. */
  attempts?: number;
  replies?: number;
  error?: ErrorRecord;
}

/** Observes a request and reports its end exactly once. */
export class RequestWatch {
  readonly #begun = performance.now();
  readonly #record: RequestRecord;
  readonly #ends: ((record: RequestRecord, replies: readonly Reply[]) => void)[] = [];
  readonly #replies: Reply[] = [];
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

  reply(reply: Reply, attempts: number): void {
    const { parts, usage } = reply;
    this.#replies.push(reply);
    const record = this.#record;
    record.calls = (record.calls ?? 0) + parts.filter(({ type }) => type === "call").length;
    record.attempts = (record.attempts ?? 0) + attempts;
    record.replies = (record.replies ?? 0) + 1;
    record.usage = addUsage(record.usage, usage);
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
    const record = { ...this.#record, status, ms: this.#elapsed() };
    for (const end of this.#ends) end(record, this.#replies);
    this.onRecord(record);
  }

  #elapsed(): number {
    return elapsedSince(this.#begun);
  }
}

/** The milliseconds since a time of `performance.now()`. */
export const elapsedSince = (begun: number): number => Math.round((performance.now() - begun) * 1000) / 1000;
