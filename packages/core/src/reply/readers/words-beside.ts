import { NAMED } from "../../notation/lines.js";

/** The maximum number of characters that are skipped. */
const MAX_WORDS = 1024;

/** The text beside the arguments of a call, which is not part of them. */
export class WordsBeside {
  /** All of it, without the white space before each piece. */
  all = "";
  /** The part since the last argument. */
  last = "";
  /** Whether a line ended between the two. */
  private beginsLine = false;
  /** Whether more of the same piece may follow. */
  goesOn = false;
  /** Whether an element that was read as an argument is within a line of it. */
  holdsElement = false;
  /** Whether nothing is between the last argument and the current index. */
  private isBeside = false;
  /** Whether words touch the end of an argument, or stand beside one without a value: they may be its value. */
  private mayBeValue = false;

  /** Whether it may be a value. */
  get areValue(): boolean {
    return this.mayBeValue && this.all !== "";
  }

  get areTooMany(): boolean {
    return this.all.length > MAX_WORDS;
  }

  /** Notes white space, which separates words, even where a chunk ends in it. */
  space(space: string): void {
    if (space !== "") this.isBeside = false;
    if (this.last === "") this.beginsLine ||= space.includes("\n");
    else this.last += space;
    if (this.all !== "") this.all += space;
  }

  /** Notes words. */
  add(words: string): void {
    this.mayBeValue ||= this.isBeside && /^[\p{L}\p{N}]/u.test(words);
    this.isBeside = false;
    this.all += words;
    this.last += words;
  }

  /** An argument begins. Returns whether there were words before it. */
  argument(): boolean {
    const hadWords = this.last !== "";
    const line = this.last.lastIndexOf("\n");
    this.holdsElement ||= (this.beginsLine || line >= 0) && /\p{L}/u.test(this.last.slice(line + 1));
    this.last = "";
    this.beginsLine = false;
    return hadWords;
  }

  /** An argument ends. */
  ended(isEmpty: boolean): void {
    this.isBeside = true;
    this.mayBeValue ||= isEmpty;
  }

  /** Whether it contains arguments in another format: an object, or a line of YAML. */
  holdArgument(knows: (name: string) => boolean): boolean {
    if (this.all === "") return false;
    if (/\{\s{0,64}["'\p{L}_]/u.test(this.all)) return true;
    return [...this.all.matchAll(NAMED)].some(([, key = ""]) => knows(key));
  }
}
