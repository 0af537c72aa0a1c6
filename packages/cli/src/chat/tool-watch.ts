import { AsyncLocalStorage } from "node:async_hooks";
import { CliError } from "../terminal/errors.js";
import type { Io } from "../terminal/io.js";
import { printable } from "../terminal/printable.js";
import type { LoadedTool } from "../tool-sources/loaded-tool.js";

/** A call that has not ended. */
interface Running {
  name: string;
  fail(error: CliError): void;
}

/**
 * Watches the tools of a chat. One that calls `process.exit`, or waits for what never comes when nothing else keeps the
 * process alive, would end the chat without a word: its call fails, and `failure` says why.
 *
 * @example
 * const watch = new ToolWatch();
 * const tools = loaded.map((tool) => watch.watched(tool));
 * const close = watch.open(terminal.io);
 */
export class ToolWatch {
  readonly #calls = new AsyncLocalStorage<Running>();
  readonly #running = new Set<Running>();
  #failure: CliError | undefined;

  /** Returns the failure since it was last taken, if any. */
  takeFailure(): CliError | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** The same tool, whose calls are watched. */
  watched(tool: LoadedTool): LoadedTool {
    const { name, execute } = tool;
    if (execute === undefined) return tool;
    const run: typeof execute = (args, context) =>
      new Promise((resolve, reject) => {
        const running: Running = { name, fail: reject };
        this.#running.add(running);
        const result = this.#calls.run(running, async () => execute(args, context));
        result.finally(() => this.#running.delete(running)).then(resolve, reject);
      });
    return { ...tool, execute: run };
  }

  /** Watches until the returned function is called. */
  open({ signals }: Io): () => void {
    const { exit } = process;
    const onIdle = () => {
      for (const running of this.#running)
        this.#fail(running, "never ends: it waits for what never comes, and nothing else runs");
    };
    process.exit = (code) => {
      const running = this.#calls.getStore();
      if (running === undefined) return exit.call(process, code);
      const why = `calls process.exit(${code ?? ""})`;
      if (this.#running.has(running)) this.#fail(running, why);
      throw new Error(`The tool ${running.name} ${why}.`);
    };
    signals.on("beforeExit", onIdle);
    return () => {
      process.exit = exit;
      signals.off("beforeExit", onIdle);
    };
  }

  #fail(running: Running, why: string): void {
    this.#running.delete(running);
    const error = new CliError("failed", `The tool ${printable(running.name)} ${why}.`);
    this.#failure ??= error;
    running.fail(error);
  }
}
