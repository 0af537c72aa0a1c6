import { styleText } from "node:util";
import type { AgentEvent } from "./ask.js";

const dim = (text: string) => styleText("dim", text);
const bold = (text: string) => styleText("bold", text);
const indent = (text: string) => text.replaceAll(/^/gm, "    ");

/** Writes an answer's events to the terminal as they come, each step with its time. */
export class Printer {
  readonly #showPrompt: boolean;
  readonly #started = performance.now();
  #last = this.#started;
  #streaming = false;
  #openLine = false;

  constructor(showPrompt: boolean) {
    this.#showPrompt = showPrompt;
  }

  print(event: AgentEvent): void {
    if (event.type === "text") {
      process.stdout.write(this.#streaming ? event.text : `${bold("answer ")} ${event.text}`);
      this.#streaming = true;
      this.#openLine = !event.text.endsWith("\n");
      return;
    }
    this.#endLine();
    this.#streaming = false;
    switch (event.type) {
      case "request":
        if (!this.#showPrompt) return;
        console.log(dim("\nthe model is sent"));
        for (const { role, content } of event.messages) console.log(dim(`  ${role}:\n${indent(content)}`));
        return;
      case "reply":
        if (this.#showPrompt) console.log(dim(`the model wrote\n${indent(event.text)}\n`));
        return;
      case "call":
        console.log(
          `${bold("call   ")} ${styleText("cyan", event.name)} ${JSON.stringify(event.args)} ${this.#time()}`,
        );
        return;
      case "invalid-call":
        console.log(`${bold("call   ")} ${styleText("red", event.error)}\n${dim(indent(event.text))} ${this.#time()}`);
        return;
      case "result":
        console.log(`${bold("result ")} ${clip(event.text)} ${this.#time()}`);
    }
  }

  end(): void {
    this.#endLine();
    console.log(dim(`${seconds(performance.now() - this.#started)} in all`));
  }

  /** The answer may have ended its last line itself. */
  #endLine(): void {
    if (this.#openLine) process.stdout.write("\n");
    this.#openLine = false;
  }

  /** The time since the last step. */
  #time(): string {
    const now = performance.now();
    const spent = now - this.#last;
    this.#last = now;
    return dim(seconds(spent));
  }
}

const seconds = (ms: number) => (ms < 100 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`);
const clip = (text: string) => {
  const line = text.trim().replaceAll(/\s*\n\s*/g, " ⏎ ");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
};
