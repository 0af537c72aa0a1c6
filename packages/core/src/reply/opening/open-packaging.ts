import { FENCES } from "./fences.js";
import { isOfCalls, isOfCode, packagingOf } from "./packaging.js";

/** Whether a marker closes a code fence. */
export const isFence = (marker: string): boolean => FENCES.some((fence) => marker.startsWith(fence));

/** The wrapping around calls without a marker, as far as it was read. */
export class OpenPackaging {
  /** The markers that may close it. */
  closers: readonly string[];
  /** Whether a code fence was opened around the calls and is not closed yet. */
  isFenceOpen = false;
  isQuotation = false;
  /** Whether it is a fence of code that runs. */
  isCode = false;
  /** Whether it is a fence whose language says that it contains calls. */
  isMeant = false;
  /** The marks of lists before calls that are those of a diff as well. */
  private readonly marks = new Set<string>();

  /** `isPossible`: whether a wrapping may be around the calls. */
  constructor(isPossible: boolean) {
    this.closers = isPossible ? FENCES : [];
  }

  /** Whether the calls are lines of a diff, of which not all is meant. */
  get isDiff(): boolean {
    return this.marks.size > 1;
  }

  /** The marker that closes the code fence. */
  get fence(): string | undefined {
    return this.closers.find(isFence);
  }

  /**
   * Reads the wrapping before the next calls, if a text begins with one, and returns its length. `isPython`: whether Python is
   * code that runs.
   */
  open(text: string, isPython: boolean): number {
    const { length, closers, language, isQuotation } = packagingOf(text);
    const [, mark] = /^\s*([-+])\s/.exec(text.slice(0, length)) ?? [];
    if (mark !== undefined) this.marks.add(mark);
    this.isCode ||= isOfCode(language, isPython);
    this.isMeant ||= isOfCalls(language);
    this.isFenceOpen ||= closers.some(isFence);
    this.isQuotation ||= isQuotation;
    if (closers.length > 0) this.closers = closers;
    else if (this.closers.length === 0) this.closers = FENCES;
    return length;
  }

  /** Notes that a marker closed it. After a code fence, another one opens. */
  close(closer: string): void {
    if (!isFence(closer)) return;
    this.closers = [];
    this.isFenceOpen = false;
  }
}
