import type { Io } from "../terminal/io.js";
import { type OutputOptions, Terminal } from "../terminal/terminal.js";

/** What a command's definition needs: the streams, and a place for the exit code of its action. */
export class CommandContext {
  readonly io: Io;
  exitCode = 0;

  constructor(io: Io) {
    this.io = io;
  }

  /**
   * Runs the action of a command: `run` does the work and returns the exit code.
   *
   * @example
   * command.action((options) => context.run(options, async (terminal) => (await import("../x/run.js")).run(terminal)));
   */
  async run(options: OutputOptions, run: (terminal: Terminal) => Promise<number>): Promise<void> {
    this.exitCode = await run(new Terminal(this.io, options));
  }
}
