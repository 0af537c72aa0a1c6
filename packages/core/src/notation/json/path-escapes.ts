/** The end of a text that is within a Windows path: from its drive, or from a server's name after two backslashes. */
const PATH = /(?:^|[\s"'=(,;])(?:[A-Za-z]:|\\\\[\w.$-]+)[^"'<>|*?\n]*$/;
/** What was decoded before it was known that the path's backslashes are literal. */
const DECODED = /(?:^|[^\\])\\[bfnrt]|^[^\\]?\\\\[\w.$-]+$/;

/** A character after a backslash that is no escape of JSON or Python there, but may be in the name of a file. */
const NAME = /^[^"'`_$\\/bfnrt\s]$/;
const CONTROL = /^[bfnrt]$/;

/** The last word of a text: part of the path if it contains a backslash, whose name may go on if it has no extension. */
const LAST_PART = /\\(?:[^\s"'<>|*?.]|\.(?!\w{1,5}$))*$/;

/**
 * The backslashes of a Windows path in one string. After `C:\U`, which is no escape, those of `\notes` and `\temp` are
 * literal too.
 *
 * @example
 * const escapes = new PathEscapes();
 * escapes.read("U", () => "C:"); // undefined: read it as in any string
 * escapes.read("n", () => "C:\\Users"); // "literal"
 */
export class PathEscapes {
  private isLiteral = false;

  /**
   * How to read an escape, given without its backslash, after a text of which the last part is enough. `doubtful`: the
   * escape may be meant, or an earlier one may not have been.
   */
  read(escaped: string, before: () => string): "literal" | "doubtful" | undefined {
    if (this.isLiteral) {
      if (!CONTROL.test(escaped)) return undefined;
      return LAST_PART.test(before()) ? "literal" : "doubtful";
    }
    const [path] = NAME.test(escaped) ? (PATH.exec(before()) ?? []) : [];
    if (path === undefined) return undefined;
    this.isLiteral = true;
    return DECODED.test(path) ? "doubtful" : undefined;
  }
}
