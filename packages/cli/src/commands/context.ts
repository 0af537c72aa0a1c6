import type { Io } from "../terminal/io.js";
import { type OutputOptions, Terminal } from "../terminal/terminal.js";

/** What the definition of a command gets: the streams, and where the exit code of its action goes. */
export class CommandContext {
  readonly io: Io;
  exitCode = 0;

  constructor(io: Io) {
    this.io = io;
  }

  /**
   * The action of a command: `run` does the work and gives the exit code.
   *
   * @example command.action((options) => context.run(options, async (terminal) => (await import("../x/run.js")).run(terminal)));
   */
  async run(options: OutputOptions, run: (terminal: Terminal) => Promise<number>): Promise<void> {
    this.exitCode = await run(new Terminal(this.io, options));
  }
}
