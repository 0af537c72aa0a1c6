import type { Io } from "../terminal/io.js";

const CTRL_C = "\u0003";

/** A stream that is a terminal can give each key at once. */
interface RawInput {
  setRawMode?(raw: boolean): unknown;
}

/**
 * Runs work that Ctrl-C stops: the signal is aborted. A second Ctrl-C does not wait for it, and `onSecond` says what then.
 *
 * In a terminal keys are read one by one meanwhile. So Ctrl-C does not reach the processes that were started, such as MCP
 * servers, and what is typed is thrown away: it was not typed for a question that is asked later.
 *
 * @example await interruptible(io, (signal) => run(signal), () => new CliError("interrupted", "Interrupted."));
 */
export async function interruptible<T>(
  { stdin, signals }: Io,
  work: (signal: AbortSignal) => Promise<T>,
  onSecond: () => Error,
): Promise<T> {
  const controller = new AbortController();
  const input: Io["stdin"] & RawInput = stdin;
  const isTerminal = input.isTTY === true;
  let interrupt = () => {};
  const twice = new Promise<never>((_, reject) => {
    interrupt = () => (controller.signal.aborted ? reject(onSecond()) : controller.abort());
  });
  const onKeys = (keys: Buffer | string) => {
    if (String(keys).includes(CTRL_C)) interrupt();
  };
  signals.on("SIGINT", interrupt);
  if (isTerminal) {
    input.setRawMode?.(true);
    input.on("data", onKeys).resume();
  }
  try {
    return await Promise.race([work(controller.signal), twice]);
  } finally {
    signals.off("SIGINT", interrupt);
    if (isTerminal) {
      input.off("data", onKeys).pause();
      input.setRawMode?.(false);
    }
  }
}
