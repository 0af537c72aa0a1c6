import { MAX_TIMER } from "../options/option-rules.js";

/**
 * Calls `onTime` once after any number of milliseconds (`Infinity`: never). Returns a function that stops the timer.
 */
export function startTimer(ms: number, onTime: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (left: number) => {
    timer = setTimeout(() => (left > MAX_TIMER ? wait(left - MAX_TIMER) : onTime()), Math.min(left, MAX_TIMER));
  };
  if (ms !== Number.POSITIVE_INFINITY) wait(ms);
  return () => clearTimeout(timer);
}
