import { frozenCopy } from "./copied.js";
import { emptyLog, type FoldedLog, step } from "./fold.js";
import type { ConversationRecord, RecordBody } from "./records.js";
import type { ConversationStore } from "./store.js";

/**
 * The log of a conversation, the state it describes, and the store that both are kept in. Records and messages are frozen:
 * they are shown to the application, and calls run with what they say.
 */
export class Journal {
  readonly log: ConversationRecord[] = [];
  readonly state: FoldedLog = emptyLog();
  /** Appends one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `stored`: how many of the records the store has already. The others are stored together with what comes first.
   * `listener` hears each record once it is stored. What it throws is printed with `console.error`, and changes nothing.
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
   * Stores records and takes them into the state, all or none. They are made when it is their turn, from the state as it
   * is then.
   *
   * Errors: those of the store; what `make` throws.
   */
  add(make: () => readonly RecordBody[]): Promise<void> {
    // Without a store there is nothing to wait for.
    if (!this.store) return this.#append(make, undefined);
    const { store } = this;
    const added = this.#last.then(() => this.#append(make, store));
    this.#last = added.catch(() => {});
    return added;
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

  /** The records are stored: what the listener throws cannot undo that. */
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
