import type { Command } from "commander";
import type { Io } from "../terminal/io.js";
import { Terminal } from "../terminal/terminal.js";

type Work<Given extends unknown[]> = (terminal: Terminal, ...given: Given) => Promise<number> | Promise<void>;

/** What a command's definition needs: the streams, and a place for the exit code of its action. */
export class CommandContext {
  readonly io: Io;
  exitCode = 0;

  constructor(io: Io) {
    this.io = io;
  }

  /**
   * The action of a command: `load` imports what does the work, which gets the command's arguments and then its options. It
   * returns the exit code, or nothing for success.
   *
   * @example command.action(context.action(async () => (await import("../x/run.js")).run));
   */
  action<Given extends unknown[]>(load: () => Promise<Work<Given>>): (...given: [...Given, Command]) => Promise<void> {
    return async (...given) => {
      const work = await load();
      const own = given.slice(0, -1) as Given;
      const code: unknown = await work(new Terminal(this.io, own.at(-1) ?? {}), ...own);
      if (typeof code === "number") this.exitCode = code;
    };
  }
}
