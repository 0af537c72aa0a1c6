import { MAX_BEFORE_ESCAPE } from "./escaped-end.js";

/** A string so far that is nothing but a Windows path, from its drive on. */
const PATH = /^[A-Za-z]:(?:\\{1,2}[\w.-]+)*$/;
/** An escape in it that was decoded before it was known that the path's backslashes are literal. */
const DECODED = /(?:^|[^\\])\\[bfnrt]/;
/** A path without spaces, none of whose names begins with a dot. */
const GOES_ON = /^[A-Za-z]:(?:\\{1,2}[\w-][\w.-]*)*$/;
/** The end of a path. */
const EXTENSION = /\.\w{1,5}$/;

/** A character that JSON has no escape for: a letter, or a sign of formulas and patterns. `u` and `x` come without digits here. */
const UNKNOWN = /^[A-Zac-eg-mo-qsu-z()[\]{}.,:;!?*+^|-]$/;
const CONTROL = /^[bfnrt]$/;

/** A string so far that is the letter of a drive, after which a path begins. */
const DRIVE = /^[A-Za-z]:$/;
/** A line break or tab, after which a tab indents. */
const BREAK = /\\[nrt]$/;

/** Why a call with a doubtful escape is invalid. */
export const BACKSLASHES = "a string's backslashes can be read in more than one way";

/** What JSON contains if {@link LiteralBackslashes} may doubt an escape in it. */
export const DOUBTFUL = /"[a-z]:\\[bfnrt][a-z]/i;

/**
 * Finds the backslashes that a writer did not escape. In a Windows path after `C:\U`, which is no escape, those of `\notes` and
 * `\temp` are literal too. An escape before a small letter is doubtful after the letter of a drive that begins the string
 * (`C:\temp`). Beside an escape that JSON does not have, so are a form feed and a backspace, which hardly any text contains
 * (`\frac{1}{2} + \sqrt{2}`), and a tab within a line (`\sqrt{2} + \theta`). Alone they are meant: `renderCalls` writes any
 * text so, and grammars admit it.
 *
 * @example
 * const backslashes = new LiteralBackslashes();
 * backslashes.read("U", "s", () => "C:"); // undefined: read it as in any string
 * backslashes.read("n", "e", () => "C:\\Users"); // "literal"
 */
export class LiteralBackslashes {
  private isPath = false;
  /** Whether the string has an escape that JSON does not have. */
  private hasUnknown = false;
  /** Whether it has one that is doubtful beside such an escape. */
  private hasRare = false;

  /** Begins a string. */
  begin(): void {
    this.isPath = this.hasUnknown = this.hasRare = false;
  }

  /**
   * How to read an escape, given without its backslash, with the character after it and the string so far, of which the last
   * {@link MAX_BEFORE_ESCAPE} characters are known. `doubtful`: the escape may be meant, or an earlier one may not have been.
   */
  read(escaped: string, next: string, before: () => string): "literal" | "doubtful" | undefined {
    const isControl = CONTROL.test(escaped);
    if (this.isPath) {
      if (!isControl) return undefined;
      const path = before();
      return GOES_ON.test(path) && !EXTENSION.test(path) ? "literal" : "doubtful";
    }
    if (UNKNOWN.test(escaped)) {
      const path = before();
      if (path.length < MAX_BEFORE_ESCAPE && PATH.test(path)) {
        this.isPath = true;
        return DECODED.test(path) ? "doubtful" : undefined;
      }
      this.hasUnknown = true;
    } else if (isControl) {
      this.hasRare ||= /[bf]/.test(escaped);
      if (/[a-z]/.test(next)) {
        const text = before();
        if (DRIVE.test(text)) return "doubtful";
        this.hasRare ||= escaped !== "n" && !BREAK.test(text);
      }
    }
    return this.hasUnknown && this.hasRare ? "doubtful" : undefined;
  }
}
