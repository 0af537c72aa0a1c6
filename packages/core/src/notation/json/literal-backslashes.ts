import { MAX_BEFORE_ESCAPE } from "./escaped-end.js";
import { InnerQuotes } from "./inner-quotes.js";

/** A string so far that is nothing but a Windows path, from its drive on. */
const PATH = /^[A-Za-z]:(?:\\{1,2}[\w.-]+)*$/;
/** One without a drive: relative, or from the name of a computer on. */
const RELATIVE = /^(?:\\{2})?(?:[\w.~-]+|%\w+%)(?:\\{1,2}[\w.-]+)*$/;
/** An escape in it that was decoded before it was known that the path's backslashes are literal. */
const DECODED = /(?:^|[^\\])\\[bfnrt]/;
/** A path without spaces, none of whose names begins with a dot. */
const GOES_ON = /^[A-Za-z]:(?:\\{1,2}[\w-][\w.-]*)*$/;
/** The end of a path. */
const EXTENSION = /\.\w{1,5}$/;

/** What JSON has no escape for: a letter, or a character of formulas and patterns. `u` comes without digits here. */
const UNKNOWN = /^(?:[A-Zac-eg-mo-qsu-z()[\]{}.,:;!?*+^|-]|x[\da-fA-F]{2})$/;
/** What other languages escape: quotes and dollars of a shell or program, underscores of Markdown. */
const FOREIGN = /^['`$_]$/;
const CONTROL = /^[bfnrt]$/;

/** A string so far that is the letter of a drive, after which a path begins. */
const DRIVE = /^[A-Za-z]:$/;
/** A line break or tab, after which a tab indents. */
const BREAK = /\\[nrt]$/;

/** Why a call with a doubtful escape is invalid. */
export const BACKSLASHES = "a string's backslashes can be read in more than one way; write each as two";

/** What JSON contains if {@link LiteralBackslashes} may doubt an escape in it. */
const DOUBTFUL = /"[a-z]:\\[bfnrt][a-z]|(?<!\\)(?:\\\\)*\\(?:b|f[a-z])/i;
/** What the second alternative contains: a search for this alone takes less than half the time. */
const RARE = /\\[bf]/i;

/**
 * Whether {@link LiteralBackslashes} may doubt an escape in this JSON.
 *
 * @example mayBeDoubtful('"C:\\temp"'); // true
 */
export const mayBeDoubtful = (json: string): boolean =>
  (json.includes(":\\") || RARE.test(json)) && DOUBTFUL.test(json);

/**
 * Finds the backslashes that a writer did not escape. In a Windows path after `C:\U`, which is no escape, those of `\notes` and
 * `\temp` are literal too. An escape before a small letter is doubtful after the letter of a drive that begins the string
 * (`C:\temp`), and beside an escape that JSON does not have in a path without a drive. A backspace, which no text contains, and
 * a form feed before a letter are always doubtful (`\bword`, `\frac`): `renderCalls` and grammars write them as `\u0008` and
 * `\u000c`. So is, beside an escape that JSON does not have, a tab within a line (`\sqrt{2} + \theta`). Other escapes are
 * meant: `renderCalls` writes any text with them, and grammars admit them.
 *
 * The escapes of other languages lose their backslash (`it\'s`, `user\_id`). Within quotes they may be meant for a shell or
 * program (`echo "\$HOME"`): those of the same quotation mark are literal where it begins a value of a program
 * (`print('don\'t')`), and the others doubtful.
 *
 * @example
 * const backslashes = new LiteralBackslashes();
 * backslashes.begin('"', false);
 * backslashes.read("U", "s", () => "C:"); // undefined: read it as in any string
 * backslashes.read("n", "e", () => "C:\\Users"); // "literal"
 */
export class LiteralBackslashes {
  /** Whether the string is such a path. */
  isPath = false;
  /** Whether the string has an escape that JSON does not have. */
  private hasUnknown = false;
  /** Whether it has one of another language, whose backslash was no part of the text. */
  private hasForeign = false;
  /** Whether an escape that JSON does not have is in a path without a drive. */
  private isRelative = false;
  /** Whether it has one that is doubtful beside one of those. */
  private hasRare = false;
  private python = false;
  /** The quotation mark that ends the string. */
  private quote = "";
  private readonly inner = new InnerQuotes();

  /** Begins a string that this quotation mark ends; `python`: Python's escapes are known. */
  begin(quote: string, python: boolean): void {
    this.isPath = this.hasUnknown = this.hasForeign = this.isRelative = this.hasRare = false;
    this.python = python;
    this.quote = quote;
    this.inner.begin(quote);
  }

  /** Adds a part of the string, as written, with whole escapes. */
  push(part: string): void {
    this.inner.push(part);
  }

  /**
   * How to read an escape, given without its backslash, with the character after it and the string so far, of which the last
   * {@link MAX_BEFORE_ESCAPE} characters are known. `doubtful`: the escape may be meant, or an earlier one may not have been.
   */
  read(escaped: string, next: string, before: () => string): "literal" | "doubtful" | undefined {
    if (this.isPath) return this.inPath(escaped, before);
    if (this.isForeign(escaped)) return this.foreign(escaped, before());
    // JSON has those of `u`, and hardly any folder is named like one.
    if (escaped.length > 1 && !escaped.startsWith("u") && DRIVE.test(before())) return "doubtful";
    if (this.isUnknown(escaped)) {
      const path = before();
      const isWhole = path.length < MAX_BEFORE_ESCAPE;
      this.isPath = isWhole && PATH.test(path);
      this.isRelative ||= isWhole && RELATIVE.test(path);
      const isDecoded = (this.isPath || this.isRelative) && (DECODED.test(path) || escaped.length > 1);
      if (this.isPath || isDecoded) return isDecoded ? "doubtful" : undefined;
      this.hasUnknown = true;
      if (this.hasForeign) return "doubtful";
    } else if (CONTROL.test(escaped)) {
      if (escaped === "b" || (escaped === "f" && /[a-z]/i.test(next))) return "doubtful";
      if (/[a-z]/.test(next)) {
        const text = before();
        if (DRIVE.test(text) || this.isRelative) return "doubtful";
        this.hasRare ||= escaped !== "n" && !BREAK.test(text);
      }
    }
    return this.hasRare && (this.hasUnknown || this.hasForeign) ? "doubtful" : undefined;
  }

  /** Whether only other languages have an escape: the text before it has to be pushed before it is read. */
  isForeign(escaped: string): boolean {
    // The string would end at its own mark.
    if (escaped === this.quote) return false;
    return this.python ? escaped === "_" : FOREIGN.test(escaped);
  }

  private isUnknown(escaped: string): boolean {
    return UNKNOWN.test(escaped) && !(this.python && escaped.length > 1);
  }

  /** An escape in a path whose backslashes are literal. */
  private inPath(escaped: string, before: () => string): "literal" | "doubtful" | undefined {
    if (this.isForeign(escaped)) return "literal";
    // Digits that may be the name of a folder, as in `\x64`.
    if (escaped.length > 1) return "doubtful";
    if (!CONTROL.test(escaped)) return undefined;
    const path = before();
    return GOES_ON.test(path) && !EXTENSION.test(path) ? "literal" : "doubtful";
  }

  /** An escape that only other languages have. */
  private foreign(escaped: string, text: string): "literal" | "doubtful" | undefined {
    if (text !== "" && text.length < MAX_BEFORE_ESCAPE && PATH.test(text)) {
      this.isPath = true;
      return "literal";
    }
    const { mark, isCode } = this.inner.open;
    if (escaped === mark) return isCode ? "literal" : "doubtful";
    if (escaped === "'") return undefined;
    if (this.hasUnknown && escaped !== "`") return "literal";
    if (mark !== "") return this.python ? "literal" : "doubtful";
    this.hasForeign ||= escaped !== "`";
    return this.hasRare ? "doubtful" : undefined;
  }
}
