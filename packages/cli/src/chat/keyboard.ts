import type { Io } from "../terminal/io.js";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ESCAPE = "\u001b";

/** In raw mode, a terminal stream delivers each key at once. */
interface RawInput {
  setRawMode?(raw: boolean): unknown;
}

/**
 * Reads single keys from the terminal during a chat. So Ctrl-C does not reach child processes such as MCP servers, and
 * keys typed while nothing is asked are discarded. In a pipe there are no keys, and Ctrl-C is the signal.
 */
export class Keyboard {
  readonly #io: Io;
  readonly #isTerminal: boolean;
  /** Handles a key. Default: discards it. */
  #onKey: (key: string) => void = () => {};
  readonly #onData = (data: Buffer | string) => {
    const keys = String(data);
    // Several characters at once are pasted text, or one special key; of these only Ctrl-C counts.
    for (const key of keys) if (keys.length === 1 || key === CTRL_C) this.#onKey(key);
  };
  readonly #onSignal = () => this.#onKey(CTRL_C);

  constructor(io: Io) {
    this.#io = io;
    this.#isTerminal = io.stdin.isTTY === true;
  }

  /** Starts to read keys. */
  open(): void {
    this.#io.signals.on("SIGINT", this.#onSignal);
    this.#listen(true);
  }

  /** Restores the terminal. */
  close(): void {
    this.#io.signals.off("SIGINT", this.#onSignal);
    this.#listen(false);
  }

  /**
   * Runs work that Ctrl-C stops, by aborting the signal. A second Ctrl-C does not wait for it, and throws the error of
   * `onSecond`.
   *
   * @example await keyboard.interruptible((signal) => run(signal), () => new CliError("interrupted", "Interrupted."));
   */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>, onSecond: () => Error): Promise<T> {
    const controller = new AbortController();
    const twice = new Promise<never>((_, reject) => {
      this.#onKey = (key) => {
        if (key !== CTRL_C) return;
        if (controller.signal.aborted) reject(onSecond());
        else controller.abort();
      };
    });
    return this.#until(Promise.race([work(controller.signal), twice]));
  }

  /**
   * Waits for one of these keys. Returns `stop` after Ctrl-C, Ctrl-D or Escape. Keys within the first `deaf` ms are not
   * an answer: of these only Ctrl-C counts.
   *
   * @example await keyboard.oneOf("yn", 250); // "y"
   */
  oneOf(keys: string, deaf: number): Promise<string> {
    const begun = performance.now();
    const pressed = new Promise<string>((resolve) => {
      this.#onKey = (key) => {
        if (key === CTRL_C) return resolve("stop");
        if (performance.now() - begun < deaf) return;
        if (key === CTRL_D || key === ESCAPE) resolve("stop");
        else if (keys.includes(key.toLowerCase())) resolve(key.toLowerCase());
      };
    });
    return this.#until(pressed);
  }

  /** Lets other code read from the terminal. */
  async lend<T>(read: () => Promise<T>): Promise<T> {
    this.#listen(false);
    try {
      return await read();
    } finally {
      this.#listen(true);
    }
  }

  #until<T>(done: Promise<T>): Promise<T> {
    return done.finally(() => {
      this.#onKey = () => {};
    });
  }

  #listen(on: boolean): void {
    if (!this.#isTerminal) return;
    const input: Io["stdin"] & RawInput = this.#io.stdin;
    if (on) {
      input.setRawMode?.(true);
      input.on("data", this.#onData).resume();
    } else {
      input.off("data", this.#onData).pause();
      input.setRawMode?.(false);
    }
  }
}
