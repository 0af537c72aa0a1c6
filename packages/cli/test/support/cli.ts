import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../../src/main.js";
import type { Io } from "../../src/terminal/io.js";

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  /** What is on standard input, whole or in pieces. */
  stdin?: string | AsyncIterable<string> | Iterable<string | Buffer>;
  /** Sees each piece of standard output when it is written. */
  onStdout?: (written: string) => void;
  /** The same of standard error. */
  onStderr?: (written: string) => void;
  /** What sends signals to the command. */
  signals?: EventEmitter;
  env?: NodeJS.ProcessEnv;
}

/** Runs a command line in this process as in a pipe: no terminal, no colours. */
export async function cli(
  argv: readonly string[],
  { stdin = "", env = {}, onStdout, onStderr, signals = new EventEmitter() }: CliOptions = {},
): Promise<CliRun> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io: Io = {
    stdin: Readable.from(typeof stdin === "string" ? [stdin] : stdin),
    stdout,
    stderr,
    env,
    signals,
  };
  if (onStdout) stdout.on("data", (data: Buffer) => onStdout(String(data)));
  if (onStderr) stderr.on("data", (data: Buffer) => onStderr(String(data)));
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await main(argv, io);
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
}
