import { MAX_BEFORE_ESCAPE } from "./escaped-end.js";

/** A string so far that is nothing but a Windows path, from its drive on. */
const PATH = /^[A-Za-z]:(?:\\{1,2}[\w.-]+)*$/;
/** An escape in it that was decoded before it was known that the path's backslashes are literal. */
const DECODED = /(?:^|[^\\])\\[bfnrt]/;
/** A path without spaces, none of whose names begins with a dot. */
const GOES_ON = /^[A-Za-z]:(?:\\{1,2}[\w-][\w.-]*)*$/;
/** The end of a path. */
const EXTENSION = /\.\w{1,5}$/;

/** A letter that makes no escape after a backslash. `u` and `x` make one with their digits, and are not alone then. */
const UNKNOWN_LETTER = /^[A-Zac-eg-mo-qsu-z]$/;
/** Brackets and other marks of formulas and patterns, which make no escape either. */
const UNKNOWN_MARK = /^[()[\]{}.,:;!?*+^|-]$/;
const CONTROL = /^[bfnrt]$/;

/**
 * Finds the backslashes that a writer did not escape: the string then contains an escape that JSON does not have. In a Windows
 * path after `C:\U`, those of `\notes` and `\temp` are literal too. Elsewhere, a form feed or backspace beside such an escape is
 * doubtful, as in `\frac{1}{2} + \sqrt{2}` and `\bword\s`: hardly any text contains these characters.
 *
 * @example
 * const backslashes = new LiteralBackslashes();
 * backslashes.read("U", () => "C:"); // undefined: read it as in any string
 * backslashes.read("n", () => "C:\\Users"); // "literal"
 */
export class LiteralBackslashes {
  private isPath = false;
  /** Whether the string has an escape that JSON does not have. */
  private hasUnknown = false;
  /** Whether it has one for a form feed or backspace. */
  private hasRare = false;

  /** Begins a string. */
  begin(): void {
    this.isPath = this.hasUnknown = this.hasRare = false;
  }

  /**
   * How to read an escape, given without its backslash, after the string so far, of which the last
   * {@link MAX_BEFORE_ESCAPE} characters are known. `doubtful`: the escape may be meant, or an earlier one may not have been.
   */
  read(escaped: string, before: () => string): "literal" | "doubtful" | undefined {
    if (this.isPath) {
      if (!CONTROL.test(escaped)) return undefined;
      const path = before();
      return GOES_ON.test(path) && !EXTENSION.test(path) ? "literal" : "doubtful";
    }
    const isUnknown = UNKNOWN_LETTER.test(escaped);
    const path = isUnknown ? before() : "";
    if (path.length < MAX_BEFORE_ESCAPE && PATH.test(path)) {
      this.isPath = true;
      return DECODED.test(path) ? "doubtful" : undefined;
    }
    this.hasUnknown ||= isUnknown || UNKNOWN_MARK.test(escaped);
    this.hasRare ||= escaped === "f" || escaped === "b";
    return this.hasUnknown && this.hasRare ? "doubtful" : undefined;
  }
}
