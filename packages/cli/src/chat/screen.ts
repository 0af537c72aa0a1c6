import type { InvalidToolCall, ToolCall, ToolResult } from "@toolingua/core";
import type { ConversationEvent, ConversationResult } from "@toolingua/core/conversation";
import { printable } from "../terminal/printable.js";
import type { Style, Terminal } from "../terminal/terminal.js";

/** Lines of a result that are shown. */
const LINES = 8;
/** Characters of one of them. */
const LINE = 200;

/**
 * Shows a chat as it happens. In a terminal all of it stands on the screen; in a pipe standard output has the answer alone, and
 * the calls go to standard error.
 */
export class Screen {
  readonly #terminal: Terminal;
  /** What is written on the line that has no end yet. */
  #open: "text" | "reasoning" | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** One event of a run. */
  show(event: ConversationEvent): void {
    switch (event.type) {
      case "text":
        return this.#stream("text", event.text);
      case "reasoning":
        return this.#stream("reasoning", event.text);
      case "tool-start":
        return this.#line("cyan", `→ ${callText(event.call)}`);
      case "tool-end":
        return this.#result(event.result);
      case "repair":
        return this.#line("yellow", `↻ asked again: ${event.calls.map(faultOf).join("; ") || "a call is missing"}`);
      case "end":
        return this.#end(event.result);
      default:
        return;
    }
  }

  /** A line that is not the model's. */
  say(text: string, style: Style = "dim"): void {
    this.#line(style, text);
  }

  /** Ends the line that the model writes on. */
  endLine(): void {
    if (this.#open === undefined) return;
    const isHere = this.#open === "text" || this.#terminal.interactive;
    if (isHere) this.#terminal.io.stdout.write("\n");
    this.#open = undefined;
  }

  #stream(kind: "text" | "reasoning", text: string): void {
    const { interactive, io } = this.#terminal;
    if (kind === "reasoning" && !interactive) return;
    if (this.#open !== kind) this.endLine();
    // The line ends around a call are not shown.
    const shown = this.#open === undefined ? text.replace(/^\s+/, "") : text;
    if (shown === "") return;
    this.#open = kind;
    const safe = interactive || io.stdout.isTTY ? printable(shown) : shown;
    io.stdout.write(kind === "reasoning" ? this.#terminal.style("dim", safe) : safe);
  }

  #result({ content, isError }: ToolResult): void {
    const lines = content.trimEnd().split("\n");
    const shown = lines.slice(0, LINES).map((line) => (line.length > LINE ? `${line.slice(0, LINE)}…` : line));
    if (lines.length > LINES) shown.push(`… ${lines.length - LINES} more lines`);
    this.#line(isError ? "red" : "green", `← ${shown.join("\n  ")}`);
  }

  #end({ stopReason, error, budget, pending }: ConversationResult): void {
    this.endLine();
    if (stopReason === "aborted") this.#line("yellow", "Stopped.");
    else if (stopReason === "budget")
      this.#line("yellow", `Stopped: the limit of ${budget?.limit ?? "the budget"} is reached.`);
    else if (stopReason === "repeated-call")
      this.#line("yellow", "Stopped: the model makes the same call again and again.");
    else if (stopReason === "invalid-replies") this.#line("yellow", "Stopped: the model's calls stay invalid.");
    else if (stopReason === "error")
      this.#line("red", `error: ${error instanceof Error ? error.message : String(error)}`);
    else if (stopReason === "needs-results" && !this.#terminal.interactive)
      for (const { call } of pending) this.#line("cyan", `→ ${callText(call)}: its result is needed`);
  }

  #line(style: Style, text: string): void {
    this.endLine();
    const safe = printable(text);
    if (this.#terminal.interactive) this.#terminal.print(this.#terminal.style(style, safe));
    else this.#terminal.note(this.#terminal.styleNote(style, safe));
  }
}

/** A call on one line. */
export const callText = ({ name, arguments: args }: ToolCall): string => `${name} ${JSON.stringify(args)}`;

const faultOf = ({ name, error }: InvalidToolCall): string => `${name ?? "a call"}: ${error.message}`;
