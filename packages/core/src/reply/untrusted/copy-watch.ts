/** Compares the source of each call, as it comes in, with untrusted text. */
export interface CopyWatch {
  /** Begins the source of a call. `unmarked`: calls have no marker, not even around several. */
  begin(unmarked: boolean): void;
  /** Continues after the end of a call: another may follow in the same list or block. */
  goOn(): void;
  read(piece: string): void;
  /** Whether the source so far may be the beginning of a copy. */
  readonly mayBeCopy: boolean;
  /** Whether the untrusted text contains the source so far. */
  isCopy(): boolean;
}

/**
 * Untrusted texts of a conversation, made by `untrustedTexts`. A bundle that reads replies without them has no code for
 * the search.
 */
export interface UntrustedTexts {
  watch(): CopyWatch;
}
