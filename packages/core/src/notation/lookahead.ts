import { partial } from "../common/partial.js";
import { type Input, LOOKAHEAD, matchesAt, spaceEnd } from "./input.js";

/** A tag, or the beginning of one up to the equals sign. */
const TAG_MARKER = /^<\/?[\w.:-]+[=>]$/;

/** Whether white space may come before the last character of a marker, because it is a tag's. */
export const hasSpaceBeforeEnd = (marker: string): boolean => TAG_MARKER.test(marker);

/**
 * Takes one decision at the current position. `choose` asks its questions and returns what to do, which is done once no more
 * input could change an answer; `more`: it waits for that. So `choose` changes nothing that is read, and need not know when
 * to wait.
 *
 * @example
 * decide(input, (look) => (look.has("</call>", input.pos) ? () => this.end() : () => this.fail()));
 */
export function decide<T>(input: Input, choose: (look: Lookahead) => () => T): T | "more" {
  const look = new Lookahead(input);
  const act = choose(look);
  return look.hitEnd ? "more" : act();
}

/**
 * The text of one decision. Every question is answered as if the text ended here; if more input could change the
 * answer, `hitEnd` is set. So predicates are plain booleans, and only the reader that acts checks whether to wait, once
 * for all its questions: {@link decide}.
 *
 * Source: `hitEnd()` of `java.util.regex.Matcher`.
 *
 * @example
 * const look = new Lookahead({ text: "</para", final: false });
 * look.has("</parameter>", 0); // false
 * look.hitEnd; // true: wait for more input
 */
export class Lookahead {
  /** Whether more input could change an answer. */
  hitEnd = false;
  /** Whether the text ends within a marker or tag. */
  isCut = false;
  readonly text: string;
  /** Whether more text is irrelevant: the reply has ended, or the limited text is complete. */
  readonly isWhole: boolean;

  /** `limit`: the index up to which the decision reads, in UTF-16 code units. */
  constructor({ text, final }: Pick<Input, "text" | "final">, limit?: number) {
    const isLimited = limit !== undefined && text.length >= limit;
    this.text = isLimited && text.length > limit ? text.slice(0, limit) : text;
    this.isWhole = final || isLimited;
  }

  /** Begins the next decision: forgets that earlier answers depended on text after the end. */
  again(): void {
    this.hitEnd = this.isCut = false;
  }

  /** Notes that an answer depends on the text after the end. */
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

  /**
   * The index of the first character after white space at an index; undefined: the text ends there, or so much white space is
   * there that nothing follows.
   *
   * @example
   * new Lookahead({ text: "a, b", final: true }).next(2); // 3
   */
  next(index: number): number | undefined {
    const at = spaceEnd(this.text, index);
    return at - index > LOOKAHEAD || this.endsAt(at) ? undefined : at;
  }

  /** Whether the text ends after white space at an index, not too much of it. */
  endsAfterSpace(index: number): boolean {
    const at = spaceEnd(this.text, index);
    return at - index <= LOOKAHEAD && this.endsAt(at);
  }

  /** Notes that the text ends within a marker or tag. */
  atCut(): void {
    this.isCut = true;
    this.atEnd();
  }

  /** Whether a marker is at an index. */
  has(marker: string, index: number): boolean {
    const isHere = matchesAt(this.text, index, marker);
    if (isHere === undefined) this.atCut();
    return isHere === true;
  }

  /**
   * Where a marker at an index ends; false: it is not there. White space may come before the last character of a tag's
   * marker.
   *
   * @example
   * new Lookahead({ text: "<function = f>", final: true }).markerEnd("<function=", 0); // 11
   */
  markerEnd(marker: string, index: number): number | false {
    const { text } = this;
    // In most cases the marker is here as it is, or one of the characters before its last is not.
    const stem = marker.length - 1;
    let same = 0;
    while (same <= stem && text.charCodeAt(index + same) === marker.charCodeAt(same)) same++;
    if (same > stem) return index + marker.length;
    if (same < stem && index + same < text.length) return false;
    if (!hasSpaceBeforeEnd(marker) || !this.has(marker.slice(0, stem), index)) {
      return this.has(marker, index) && index + marker.length;
    }
    const last = spaceEnd(text, index + stem);
    if (last - index - stem > LOOKAHEAD) return false;
    return this.has(marker.slice(stem), last) && last + 1;
  }

  /**
   * The first place of a marker at or after an index, as {@link markerEnd} reads it. `end`: its end, or -1, and then `at` is
   * where it may begin, or the end of the text.
   */
  nextMarker(marker: string, from: number): { at: number; end: number } {
    const { text } = this;
    const stem = hasSpaceBeforeEnd(marker) ? marker.slice(0, -1) : marker;
    for (let at = text.indexOf(stem, from); at >= 0; at = text.indexOf(stem, at + 1)) {
      this.again();
      const end = this.markerEnd(marker, at);
      if (end !== false) return { at, end };
      if (this.hitEnd) return { at, end: -1 };
    }
    return { at: text.length - (this.isWhole ? 0 : partial(text, from, stem)), end: -1 };
  }

  /** The index of a marker in a text as {@link markerEnd} reads it, or -1. */
  static indexOf(text: string, marker: string): number {
    if (marker.charAt(0) !== "<") return text.indexOf(marker);
    const { at, end } = new Lookahead({ text, final: true }).nextMarker(marker, 0);
    return end < 0 ? -1 : at;
  }

  /** Whether the text ends within a marker at an index. */
  cuts(marker: string, index: number): boolean {
    return !this.has(marker, index) && matchesAt(this.text, index, marker) === undefined;
  }

  /** The first item that passes a test, whatever input follows; otherwise one that passes it in the available text. */
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

  /** Whether any question is answered with yes. If one yes is certain, the open answers of the others do not count. */
  any(...questions: (() => boolean)[]): boolean {
    return this.find(questions, (question) => question()) !== undefined;
  }

  /** The answer to a question that returns undefined when it needs more input; `atEnd` if the text ends there. */
  known<T>(answer: T | undefined, atEnd: T): T {
    if (answer !== undefined) return answer;
    this.atEnd();
    return atEnd;
  }
}
