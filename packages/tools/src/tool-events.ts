import type { ToolFailure } from "./failure.js";

/** The record of one run of a tool. */
export interface ToolRun {
  tool: string;
  toolCallId: string;
  /** The arguments as the caller passed them. */
  arguments: unknown;
  startedAt: Date;
  durationMs: number;
  /** `cached`: the result comes from the cache; `aborted`: the call was aborted. */
  outcome: "done" | "cached" | "failed" | "aborted";
  /** Set for `done` and `cached`. */
  result?: unknown;
  /** Set for `failed`. If `run` threw another error (a mistake in the tool's options), that is its `cause`. */
  failure?: ToolFailure;
  /** Set for `aborted`: the signal's reason. */
  reason?: unknown;
}

/** An event of a run. `cache-failed`: the store of the cache failed, and the call continues without it. */
export type ToolEvent =
  | { type: "start"; tool: string; toolCallId: string; arguments: unknown; startedAt: Date }
  | { type: "end"; run: ToolRun }
  | { type: "cache-failed"; tool: string; toolCallId: string; error: unknown };

/** Receives events. Its errors and rejections are ignored, so that a failing listener does not fail the call. */
export type ToolEventListener = (event: ToolEvent) => void;

type Ending = Pick<ToolRun, "outcome" | "result" | "failure" | "reason">;

/** Reports the events of one run to the listener. */
export class RunReport {
  readonly #startedAt = new Date();
  readonly #began = performance.now();

  constructor(
    private readonly listener: ToolEventListener | undefined,
    private readonly call: Pick<ToolRun, "tool" | "toolCallId" | "arguments">,
  ) {
    this.#emit({ type: "start", ...call, startedAt: this.#startedAt });
  }

  cacheFailed(error: unknown): void {
    const { tool, toolCallId } = this.call;
    this.#emit({ type: "cache-failed", tool, toolCallId, error });
  }

  end(ending: Ending): void {
    const durationMs = performance.now() - this.#began;
    this.#emit({ type: "end", run: { ...this.call, startedAt: this.#startedAt, durationMs, ...ending } });
  }

  #emit(event: ToolEvent): void {
    // An `async` listener rejects later, which would end the process. See ToolEventListener.
    void (async () => await this.listener?.(event))().catch(() => {});
  }
}
