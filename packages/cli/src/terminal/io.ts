import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";

/** An output stream. A terminal also has its width, its height and its number of colours. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  hasColors?(env: object): boolean;
};

/** The width and the height of a terminal in characters; some terminals report none, or 0. */
export const sizeOf = ({ columns, rows }: Output) => ({ columns: columns || 80, rows: rows || 24 });

/** The parts of the process that a command uses. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Emits `SIGINT`, `SIGTERM` and `SIGHUP`, and uncaught errors (`uncaughtException`, `unhandledRejection`); without a
   * listener, each of them ends the process. Emits `beforeExit` when nothing keeps the process alive.
   */
  readonly signals: Pick<EventEmitter, "on" | "off">;
}

/** The streams, the environment and the signals of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, signals: process };
}
