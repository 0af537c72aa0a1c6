import { OUT_OF_TIME } from "./execution.js";

/** The signals of a run: one that is aborted when its time is over, one for tools that is aborted by either. */
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
  // A timer takes no more than 31 bits.
  const timer = ms <= 0 ? timeUp() : setTimeout(timeUp, Math.min(ms, 2 ** 31 - 1));
  return {
    deadline: deadline.signal,
    tools: tools.signal,
    stop: () => {
      if (timer !== undefined) clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
