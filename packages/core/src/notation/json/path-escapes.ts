import { KEPT } from "./escaped-end.js";

/** A string so far that is nothing but a Windows path, from its drive on. */
const PATH = /^[A-Za-z]:(?:\\{1,2}[\w.-]+)*$/;
/** An escape in it that was decoded before it was known that the path's backslashes are literal. */
const DECODED = /(?:^|[^\\])\\[bfnrt]/;
/** A path without spaces, none of whose names begins with a dot. */
const GOES_ON = /^[A-Za-z]:(?:\\{1,2}[\w-][\w.-]*)*$/;
/** The end of a path. */
const EXTENSION = /\.\w{1,5}$/;

/** A letter that makes no escape after a backslash. `u` and `x` make one with their digits, and are not alone then. */
const NAME = /^[A-Zac-eg-mo-qsu-z]$/;
const CONTROL = /^[bfnrt]$/;

/**
 * The backslashes of a string that is a Windows path. After `C:\U`, which is no escape, those of `\notes` and `\temp` are
 * literal too.
 *
 * @example
 * const escapes = new PathEscapes();
 * escapes.read("U", () => "C:"); // undefined: read it as in any string
 * escapes.read("n", () => "C:\\Users"); // "literal"
 */
export class PathEscapes {
  private isLiteral = false;

  /** Begins a string. */
  begin(): void {
    this.isLiteral = false;
  }

  /**
   * How to read an escape, given without its backslash, after the string so far, of which the last {@link KEPT} characters
   * are known. `doubtful`: the escape may be meant, or an
   * earlier one may not have been.
   */
  read(escaped: string, before: () => string): "literal" | "doubtful" | undefined {
    if (this.isLiteral) {
      if (!CONTROL.test(escaped)) return undefined;
      const path = before();
      return GOES_ON.test(path) && !EXTENSION.test(path) ? "literal" : "doubtful";
    }
    const path = NAME.test(escaped) ? before() : "";
    if (path.length >= KEPT || !PATH.test(path)) return undefined;
    this.isLiteral = true;
    return DECODED.test(path) ? "doubtful" : undefined;
  }
}
