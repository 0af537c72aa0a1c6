import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";

/** A stream for output; a terminal says of itself that it is one, how wide and high it is, and how many colours it has. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  hasColors?(env: object): boolean;
};

/** All that a command sees of the process it runs in. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Gets `SIGINT`, `SIGTERM` and `SIGHUP`, and what nobody caught (`uncaughtException`, `unhandledRejection`); without a listener
   * each ends the process.
   */
  readonly signals: Pick<EventEmitter, "on" | "off">;
}

/** The streams, the environment and the signals of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, signals: process };
}
