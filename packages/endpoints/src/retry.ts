import type { EndpointError } from "./errors.js";

/** Whether a repetition may change this status. */
const worthRepeating = (status: number) => status === 429 || (status >= 500 && status !== 501);

/** Whether a request that failed before its first byte may succeed if it is sent again. */
export const isPassing = ({ code, status }: EndpointError): boolean =>
  code === "connect" || code === "connect-timeout" || (code === "http" && worthRepeating(status ?? 0));

/**
 * The wait before the `attempt`th repetition (from 0), in ms; half of it is random, so that clients do not return
 * together.
 */
export function backoff(attempt: number, { delay, maxDelay }: { delay: number; maxDelay: number }): number {
  const longest = Math.min(delay * 2 ** attempt, maxDelay);
  return longest / 2 + (Math.random() * longest) / 2;
}
