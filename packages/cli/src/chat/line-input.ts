import { createInterface } from "node:readline";
import type { Io } from "../terminal/io.js";

/** What came of waiting for a message: a text, Ctrl-C, or the end (Ctrl-D). */
export type Entered = { text: string } | "interrupt" | "end";

/** Reads messages in a terminal, with a history (arrow keys) and completion (tab). */
export class LineInput {
  readonly #io: Io;
  readonly #completions: readonly string[];
  #history: string[] = [];

  constructor(io: Io, completions: readonly string[]) {
    this.#io = io;
    this.#completions = completions;
  }

  /**
   * Waits for a message. Lines that come at once, as a text that is pasted does, are one message; so are those that end
   * with a backslash.
   */
  read(prompt: string): Promise<Entered> {
    const { stdin, stdout } = this.#io;
    const lines = createInterface({
      input: stdin,
      output: stdout,
      prompt,
      terminal: true,
      history: this.#history,
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: (line: string) => [this.#completions.filter((one) => line !== "" && one.startsWith(line)), line],
    });
    return new Promise((resolve) => {
      const text: string[] = [];
      const end = (entered: Entered) => {
        resolve(entered);
        lines.close();
      };
      lines.on("history", (history) => {
        this.#history = history;
      });
      lines.on("SIGINT", () => end("interrupt"));
      lines.on("close", () => resolve("end"));
      lines.on("line", (line) => {
        const goesOn = line.endsWith("\\");
        text.push(goesOn ? line.slice(0, -1) : line);
        // What was pasted comes whole.
        setImmediate(() => {
          if (lines.line === "" && !goesOn) end({ text: text.join("\n") });
          else if (goesOn) lines.prompt();
        });
      });
      lines.prompt();
    });
  }
}
