import type { Io } from "./io.js";

/** Thrown by {@link untilInterrupted} after Ctrl-C. */
export class Interrupted extends Error {}

/**
 * Does work that the user can interrupt: Ctrl-C aborts its signal, and does not end the process.
 *
 * Errors: those of the work; once it is interrupted, only `reason` (default: {@link Interrupted}).
 *
 * @example await untilInterrupted(terminal.io, (signal) => resolveModel(name, { signal }));
 */
export async function untilInterrupted<T>(
  { signals }: Io,
  work: (signal: AbortSignal) => Promise<T>,
  { on = ["SIGINT"], reason = new Interrupted() }: { on?: readonly string[]; reason?: Error } = {},
): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(reason);
  for (const name of on) signals.on(name, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? reason : error;
  } finally {
    for (const name of on) signals.off(name, interrupt);
  }
}
