import type { InvalidToolCall, ToolCall, ToolResult } from "@toolingua/core";
import { clip } from "@toolingua/core/adapters";
import type { ConversationEvent, ConversationResult } from "@toolingua/core/conversation";
import { shownMessage } from "../terminal/errors.js";
import { printable } from "../terminal/printable.js";
import type { Style, Terminal } from "../terminal/terminal.js";
import { shown, shownName } from "./shown-json.js";

/** The number of lines of a result that are shown. */
const LINES = 8;
/** The length of a shown line, and of the arguments of a call that needs no approval, in characters. */
const LINE = 200;

/**
 * Shows a chat as it happens. A terminal shows everything. In a pipe, standard output gets the model's text, and
 * standard error the calls.
 */
export class Screen {
  readonly #terminal: Terminal;
  /** What the model is writing on the current, unfinished line. */
  #open: "text" | "reasoning" | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows one event of a run. */
  show(event: ConversationEvent): void {
    switch (event.type) {
      case "text":
        return this.#write("text", event.text);
      case "reasoning":
        if (this.#terminal.interactive) this.#write("reasoning", event.text);
        return;
      case "tool-start":
        return this.print(`→ ${callText(event.call)}`, "cyan");
      case "tool-end":
        return this.#result(event.result);
      case "retry":
        return this.print(`↻ asked again: ${event.calls.map(faultOf).join("; ") || "a call is missing"}`, "yellow");
      case "end":
        return this.#end(event.result);
      default:
        return;
    }
  }

  /** Prints a line that is not the model's. */
  print(text: string, style: Style = "dim"): void {
    this.endLine();
    const safe = printable(text);
    if (this.#terminal.interactive) this.#terminal.print(this.#terminal.style(style, safe));
    else this.#terminal.note(this.#terminal.styleNote(style, safe));
  }

  /** Ends the model's current line. */
  endLine(): void {
    if (this.#open !== undefined) this.#terminal.io.stdout.write("\n");
    this.#open = undefined;
  }

  #write(kind: "text" | "reasoning", text: string): void {
    if (this.#open !== kind) this.endLine();
    // Drops empty lines between calls.
    const written = this.#open === undefined ? text.replace(/^\n+/, "") : text;
    if (written === "") return;
    const { stdout } = this.#terminal.io;
    const safe = stdout.isTTY ? printable(written) : written;
    stdout.write(kind === "reasoning" ? this.#terminal.style("dim", safe) : safe);
    this.#open = written.endsWith("\n") ? undefined : kind;
  }

  #result({ content, isError }: ToolResult): void {
    const lines = content.replaceAll("\r\n", "\n").trimEnd().split("\n");
    const first = lines.slice(0, LINES).map((line) => clip(line, LINE));
    if (lines.length > LINES) first.push(`… ${lines.length - LINES} more lines`);
    this.print(`← ${first.join("\n  ")}`, isError ? "red" : "green");
  }

  #end({ stopReason, text, finish, error, budget, pending, invalidToolCalls }: ConversationResult): void {
    this.endLine();
    const cut = finish === undefined ? undefined : cuts[finish];
    switch (stopReason) {
      case "answer":
        if (text.trim() === "") this.print(`The model gave no answer${cut ? `: ${cut}` : ""}.`, "yellow");
        else if (cut) this.print(`The answer is not whole: ${cut}.`, "yellow");
        return;
      case "aborted":
        return this.print("Stopped.", "yellow");
      case "budget":
        return this.print(`Stopped: the limit of ${budget?.limit ?? "the budget"} is reached.`, "yellow");
      case "repeated-call":
        return this.print("Stopped: the model repeats the same call.", "yellow");
      case "invalid-replies":
        return this.print(
          ["Stopped: the model's calls are still invalid.", ...invalidToolCalls.map(faultOf)].join("\n  "),
          "yellow",
        );
      case "error":
        // In a pipe, the command reports this error at its end.
        if (this.#terminal.interactive) this.print(`error: ${shownMessage(error)}`, "red");
        return;
      case "needs-results":
        if (this.#terminal.interactive) return;
        for (const { call, why } of pending)
          if (why === "result") this.print(`→ ${callText(call)}: needs a result`, "cyan");
        return;
      default:
        return;
    }
  }
}

/** Why an answer is not whole. */
const cuts = {
  stop: undefined,
  length: "it ended at the token limit of the server or the model",
  "content-filter": "the content filter of the server ended it",
};

/** A call as one line. */
function callText({ name, arguments: args }: ToolCall): string {
  const text = shown(args, 0);
  const left = text.length - LINE;
  return `${shownName(name)} ${left > 0 ? `${text.slice(0, LINE / 2)}⟨${left} characters⟩${text.slice(-LINE / 2)}` : text}`;
}

const faultOf = ({ name, error }: InvalidToolCall): string => `${name ?? "a call"}: ${error.message}`;
