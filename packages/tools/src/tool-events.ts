import type { ToolFailure } from "./failure.js";

/** The record of one run of a tool. */
export interface ToolRun {
  tool: string;
  toolCallId: string;
  /** As the caller gave them. */
  arguments: unknown;
  startedAt: Date;
  durationMs: number;
  /** `cached`: the result comes out of the cache; `aborted`: the call was called off. */
  outcome: "done" | "cached" | "failed" | "aborted";
  /** Of `done` and `cached`. */
  result?: unknown;
  /** Of `failed`; where `run` threw something else (a mistake in the tool's options), that is its `cause`. */
  failure?: ToolFailure;
  /** Of `aborted`: what the signal was aborted with. */
  reason?: unknown;
}

/** What happens in a run. `cache-failed`: the store of the cache failed, and the call goes on without it. */
export type ToolEvent =
  | { type: "start"; tool: string; toolCallId: string; arguments: unknown; startedAt: Date }
  | { type: "end"; run: ToolRun }
  | { type: "cache-failed"; tool: string; toolCallId: string; error: unknown };

/** Is told of events. What it throws is ignored: a call does not fail because nobody could write it down. */
export type ToolEventListener = (event: ToolEvent) => void;

type Ending = Pick<ToolRun, "outcome" | "result" | "failure" | "reason">;

/** Tells the listener of one run. */
export class RunReport {
  readonly #startedAt = new Date();
  readonly #began = performance.now();

  constructor(
    private readonly listener: ToolEventListener | undefined,
    private readonly call: Pick<ToolRun, "tool" | "toolCallId" | "arguments">,
  ) {
    this.#tell({ type: "start", ...call, startedAt: this.#startedAt });
  }

  cacheFailed(error: unknown): void {
    const { tool, toolCallId } = this.call;
    this.#tell({ type: "cache-failed", tool, toolCallId, error });
  }

  end(ending: Ending): void {
    const durationMs = performance.now() - this.#began;
    this.#tell({ type: "end", run: { ...this.call, startedAt: this.#startedAt, durationMs, ...ending } });
  }

  #tell(event: ToolEvent): void {
    try {
      this.listener?.(event);
    } catch {
      // See ToolEventListener.
    }
  }
}
