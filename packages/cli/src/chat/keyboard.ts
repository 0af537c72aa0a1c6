import type { Io } from "../terminal/io.js";

const CTRL_C = "\u0003";

/** A stream that is a terminal can give each key at once. */
interface RawInput {
  setRawMode?(raw: boolean): unknown;
}

/** Reads keys one by one until the function it gives is called. In a pipe there are none. */
function readKeys(stdin: Io["stdin"], onKeys: (keys: string) => void): () => void {
  if (stdin.isTTY !== true) return () => {};
  const input: Io["stdin"] & RawInput = stdin;
  const onData = (data: Buffer | string) => onKeys(String(data));
  input.setRawMode?.(true);
  input.on("data", onData).resume();
  return () => {
    input.off("data", onData).pause();
    input.setRawMode?.(false);
  };
}

/**
 * Throws away what is typed in these milliseconds: it was not typed for the question that comes after them.
 *
 * @example await discardKeys(io, 250);
 */
export async function discardKeys({ stdin }: Io, ms: number): Promise<void> {
  const stop = readKeys(stdin, () => {});
  await new Promise((resolve) => setTimeout(resolve, ms));
  stop();
}

/**
 * Runs work that Ctrl-C stops: the signal is aborted. A second Ctrl-C does not wait for it, and `onSecond` says what then.
 *
 * In a terminal keys are read one by one meanwhile. So Ctrl-C does not reach the processes that were started, such as MCP
 * servers, and what is typed is thrown away.
 *
 * @example await interruptible(io, (signal) => run(signal), () => new CliError("interrupted", "Interrupted."));
 */
export async function interruptible<T>(
  { stdin, signals }: Io,
  work: (signal: AbortSignal) => Promise<T>,
  onSecond: () => Error,
): Promise<T> {
  const controller = new AbortController();
  let interrupt = () => {};
  const twice = new Promise<never>((_, reject) => {
    interrupt = () => (controller.signal.aborted ? reject(onSecond()) : controller.abort());
  });
  signals.on("SIGINT", interrupt);
  const stop = readKeys(stdin, (keys) => {
    if (keys.includes(CTRL_C)) interrupt();
  });
  try {
    return await Promise.race([work(controller.signal), twice]);
  } finally {
    signals.off("SIGINT", interrupt);
    stop();
  }
}
