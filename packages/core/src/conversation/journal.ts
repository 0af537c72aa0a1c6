import { frozenCopy } from "./copied.js";
import { ConversationStoreError } from "./errors.js";
import { emptyLog, type FoldedLog, step } from "./fold.js";
import type { ConversationRecord, RecordBody } from "./records.js";
import type { ConversationStore } from "./store.js";
import { startTimer } from "./timer.js";

/** How long an aborted run waits for the store, in milliseconds: long enough for a store that is only slow. */
const STORE_MS = 5000;

const noAnswer = () =>
  new ConversationStoreError(
    "no-answer",
    `The store has not answered ${STORE_MS / 1000} s after the run was aborted or its time was over. Whether the last records are stored is unknown: resume the conversation from the store.`,
    STORE_MS,
  );

/**
 * The log of a conversation, the state that it describes, and the store that keeps it. Records and messages are frozen,
 * because the application sees them and calls run with their content.
 */
export class Journal {
  readonly log: ConversationRecord[] = [];
  readonly state: FoldedLog = emptyLog();
  #signal: AbortSignal | undefined;
  /** What the appends that wait for the store do after an abort. */
  readonly #waiting = new Set<() => void>();
  /** The latest append. Each starts after the one before. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `stored`: how many of the records the store contains already. The others are stored together with the next append.
   * `listener` receives each record after it is stored. An error of the listener is printed with `console.error`, and
   * changes nothing.
   */
  constructor(
    records: readonly ConversationRecord[],
    private stored: number,
    private readonly store: ConversationStore | undefined,
    private readonly listener: ((record: ConversationRecord) => void) | undefined,
  ) {
    for (const record of records) this.#take(frozenCopy(record));
  }

  /**
   * Stores records and applies them to the state, all or none. `make` is called when it is their turn, and uses the
   * state at that time.
   *
   * Errors: those of the store and of `make`; {@link ConversationStoreError}. If the store accepts the records after
   * that error, they are applied then, so that the log never differs from the store.
   */
  add(make: () => readonly RecordBody[]): Promise<void> {
    // Without a store there is nothing to wait for.
    if (!this.store) return this.#append(make, undefined);
    const { store } = this;
    const added = this.#last.then(() => this.#append(make, store));
    this.#last = added.catch(() => {});
    return this.#signal ? this.#answered(added, this.#signal) : added;
  }

  /**
   * Once this signal is aborted, the store has {@link STORE_MS} to answer: otherwise a run would wait as long as the
   * store does. `undefined`: no limit.
   */
  heed(signal: AbortSignal | undefined): void {
    if (!this.store || signal === this.#signal) return;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#signal = signal;
    // One listener for all appends: adding a listener costs more than anything else here.
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  readonly #onAbort = () => {
    for (const onAbort of this.#waiting) onAbort();
  };

  #answered(added: Promise<void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let stop = () => {};
      const onAbort = () => {
        stop = startTimer(STORE_MS, () => reject(noAnswer()));
      };
      const forget = () => {
        stop();
        this.#waiting.delete(onAbort);
      };
      if (signal.aborted) onAbort();
      else this.#waiting.add(onAbort);
      added.then(
        () => {
          forget();
          resolve();
        },
        (error: unknown) => {
          forget();
          reject(error);
        },
      );
    });
  }

  async #append(make: () => readonly RecordBody[], store: ConversationStore | undefined): Promise<void> {
    const at = Date.now();
    const records = make().map((body): ConversationRecord => frozenCopy({ at, ...body }));
    if (records.length === 0) return;
    if (store) {
      await store.append([...this.log.slice(this.stored), ...records], this.stored);
      this.stored = this.log.length + records.length;
    }
    for (const record of records) this.#take(record);
    for (const record of records) this.#report(record);
  }

  /** Reports a stored record to the listener, whose errors cannot undo the storing. */
  #report(record: ConversationRecord): void {
    try {
      this.listener?.(record);
    } catch (error) {
      console.error("[toolingua] `onTrace` threw at a record:", error);
    }
  }

  #take(record: ConversationRecord): void {
    step(this.state, record);
    this.log.push(record);
  }
}
