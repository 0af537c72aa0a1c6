import { createInterface } from "node:readline";
import type { Io } from "../terminal/io.js";

/** The result of reading a line: a text, Ctrl-C, the end of input (Ctrl-D), or Escape where it counts. */
type Entered = { text: string } | "interrupt" | "end" | "back";

/** `initial`: the initial text. `leadsBack`: whether Escape ends the input. */
interface LineOptions {
  initial?: string | undefined;
  leadsBack?: boolean | undefined;
}

/** Terminals then mark the beginning and the end of pasted text. */
const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/** Reads lines in a terminal, with a history (arrow keys) and completion (tab). */
export class LineInput {
  readonly #io: Io;
  readonly #completions: readonly string[];
  #history: string[] = [];

  constructor(io: Io, completions: readonly string[] = []) {
    this.#io = io;
    this.#completions = completions;
  }

  /**
   * Waits for a message. Pasted text stays together until Enter is pressed, and so do lines that arrive together. A
   * line that ends with a backslash continues.
   */
  read(prompt: string, { initial = "", leadsBack = false }: LineOptions = {}): Promise<Entered> {
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
      let pasting = false;
      const onKey = (_: string | undefined, { name }: { name?: string }) => {
        if (name === "paste-start" || name === "paste-end") pasting = name === "paste-start";
        else if (leadsBack && name === "escape") end("back");
      };
      const end = (entered: Entered) => {
        stdin.off("keypress", onKey);
        stdout.write(PASTE_OFF);
        resolve(entered);
        lines.close();
      };
      stdin.on("keypress", onKey);
      stdout.write(PASTE_ON);
      lines.on("history", (history) => {
        this.#history = history;
      });
      lines.on("SIGINT", () => end("interrupt"));
      lines.on("close", () => end("end"));
      lines.on("line", (line) => {
        const goesOn = !pasting && line.endsWith("\\");
        text.push(goesOn ? line.slice(0, -1) : line);
        const wasPasted = pasting;
        // Lines that arrive together are one message, even if the terminal does not mark pasted text.
        setImmediate(() => {
          if (goesOn) lines.prompt();
          else if (!wasPasted && lines.line === "") end({ text: text.join("\n") });
        });
      });
      lines.prompt();
      if (initial !== "") lines.write(initial);
    });
  }
}
