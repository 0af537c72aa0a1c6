import { OUT_OF_TIME } from "./execution.js";
import { startTimer } from "./timer.js";

/**
 * The signals of a run: `deadline` is aborted when its time is over, `tools` (for tools and models) by that or
 * `signal`.
 */
export function startClock(signal: AbortSignal | undefined, ms: number | undefined) {
  if (ms === undefined) return { deadline: undefined, tools: signal, stop: () => {} };
  const deadline = new AbortController();
  const tools = new AbortController();
  const timeUp = () => {
    deadline.abort();
    tools.abort(OUT_OF_TIME);
  };
  const onAbort = () => tools.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  const stopTimer = ms <= 0 ? timeUp() : startTimer(ms, timeUp);
  return {
    deadline: deadline.signal,
    tools: tools.signal,
    stop: () => {
      stopTimer?.();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
