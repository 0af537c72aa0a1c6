import type { Io } from "../terminal/io.js";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ESCAPE = "\u001b";

/** A stream that is a terminal can give each key at once. */
interface RawInput {
  setRawMode?(raw: boolean): unknown;
}

/**
 * The keys of a terminal, one by one, as long as a chat lasts. So Ctrl-C never reaches the processes that were started, such as
 * MCP servers, and what is typed while nothing is asked is thrown away. In a pipe there are no keys, and Ctrl-C is the signal.
 */
export class Keyboard {
  readonly #io: Io;
  readonly #isTerminal: boolean;
  /** What is done with a key now. Default: it is thrown away. */
  #onKey: (key: string) => void = () => {};
  readonly #onData = (data: Buffer | string) => {
    const keys = String(data);
    // What comes at once was pasted, or is one key of several characters; of that only Ctrl-C counts.
    for (const key of keys) if (keys.length === 1 || key === CTRL_C) this.#onKey(key);
  };
  readonly #onSignal = () => this.#onKey(CTRL_C);

  constructor(io: Io) {
    this.#io = io;
    this.#isTerminal = io.stdin.isTTY === true;
  }

  /** Begins to read keys. */
  open(): void {
    this.#io.signals.on("SIGINT", this.#onSignal);
    this.#listen(true);
  }

  /** The terminal is as it was. */
  close(): void {
    this.#io.signals.off("SIGINT", this.#onSignal);
    this.#listen(false);
  }

  /**
   * Runs work that Ctrl-C stops: the signal is aborted. A second Ctrl-C does not wait for it, and `onSecond` says what then.
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
   * Waits for one of these keys; `stop` after Ctrl-C, Ctrl-D or Escape. What is typed in the first milliseconds, `deaf`, was not typed
   * as an answer: of that only Ctrl-C counts.
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

  /** Lets somebody else read from the terminal. */
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
