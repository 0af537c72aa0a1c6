import { type Input, standsAt } from "./input.js";

/**
 * The text that a decision looks at. Every question is answered as if the text ended where it ends now; when more input
 * could change the answer, `hitEnd` is set. So predicates are plain booleans, and only the reader that decides
 * asks whether to wait.
 *
 * Source: `hitEnd()` of `java.util.regex.Matcher`.
 *
 * @example
 * const look = new Lookahead({ text: "</para", final: false });
 * look.has("</parameter>", 0); // false
 * look.hitEnd; // true: wait for more input
 */
export class Lookahead {
  /** More input could change an answer that was given. */
  hitEnd = false;
  /** The text ends within a marker or tag that was looked for. */
  isCut = false;
  readonly text: string;
  /** No more text counts: the reply has ended, or all that is looked at is there. */
  readonly isWhole: boolean;

  /** `limit`: the index in the text up to which the decision looks, in UTF-16 code units. */
  constructor({ text, final }: Pick<Input, "text" | "final">, limit?: number) {
    const isLimited = limit !== undefined && text.length >= limit;
    this.text = isLimited && text.length > limit ? text.slice(0, limit) : text;
    this.isWhole = final || isLimited;
  }

  /** The next decision begins: what earlier answers left open does not count for it. */
  again(): void {
    this.hitEnd = this.isCut = false;
  }

  /** An answer depends on what comes after the text. */
  atEnd(): void {
    if (!this.isWhole) this.hitEnd = true;
  }

  /** Whether there is no character at an index. */
  endsAt(index: number): boolean {
    if (index < this.text.length) return false;
    this.atEnd();
    return true;
  }

  /** The character at an index, or "" after the end. */
  charAt(index: number): string {
    return this.endsAt(index) ? "" : this.text.charAt(index);
  }

  /** The text ends within a marker or tag. */
  atCut(): void {
    this.isCut = true;
    this.atEnd();
  }

  /** Whether a marker is at an index. */
  has(marker: string, index: number): boolean {
    const stands = standsAt(this.text, index, marker);
    if (stands === undefined) this.atCut();
    return stands === true;
  }

  /** Whether the text ends within a marker at an index. */
  cuts(marker: string, index: number): boolean {
    return !this.has(marker, index) && standsAt(this.text, index, marker) === undefined;
  }

  /** The first item that passes a test, whatever more comes; or one that passes it as far as the text goes. */
  find<T>(items: readonly T[], test: (item: T) => boolean): T | undefined {
    const before = this.hitEnd;
    let waits = before;
    let likely: T | undefined;
    for (const item of items) {
      this.hitEnd = false;
      const passes = test(item);
      if (passes && !this.hitEnd) {
        this.hitEnd = before;
        return item;
      }
      if (passes) likely ??= item;
      waits ||= this.hitEnd;
    }
    this.hitEnd = waits;
    return likely;
  }

  /** Whether one of some questions is answered with yes: of a sure yes, what the others leave open does not count. */
  any(...questions: (() => boolean)[]): boolean {
    return this.find(questions, (question) => question()) !== undefined;
  }

  /** The answer of a question that says itself when it needs more input, or this one where the text ends. */
  known<T>(answer: T | undefined, atEnd: T): T {
    if (answer !== undefined) return answer;
    this.atEnd();
    return atEnd;
  }
}
