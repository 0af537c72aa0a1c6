import { LOOKAHEAD } from "../input.js";

// A quote that is missing, doubled or of the wrong kind makes a string go on over what comes after it. Such a string can
// be read, but so can another one that ends where it should have, with other values: neither reading is chosen.

/** A key in quotes and its colon; where an object goes on, one of the quotes or the colon may be missing. */
const KEY =
  /["'“`]([\p{L}_][\p{L}\p{N}_.-]{0,63})["'“”`]\s*:|[,{([]\s*(?:["'“`]([\p{L}_][\p{L}\p{N}_.-]{0,63})(?:["'“”`]|\s*:)|([\p{L}_][\p{L}\p{N}_.-]{0,63})["'“”`])/gu;

/** A keyword argument of Python's with the beginning of its value. */
const KEYWORD = /[,("']\s*([\p{L}_][\p{L}\p{N}_]{0,63})\s*(?:\[|=\s*["'[{\dTFN-])/gu;

/** The end of a value, and a key behind it that nothing has to declare. */
const NEXT_KEY = /["'”]\s*,\s*["'“][\p{L}_][\p{L}\p{N}_.-]{0,63}["'”]\s*:|[{}]/gu;

/** The end of a list's item and the beginning of the next one. */
const NEXT_ITEM = /,\s*["'“`]|["'”`]\s*,/u;

/** What the open string stands in. */
interface StringPlace {
  inList: boolean;
  /** Whether the arguments have this key, in any object that is open. */
  declares(key: string): boolean;
  /** Whether the markup that ends the call stands at this index. */
  closes?: ((text: string, index: number) => boolean | undefined) | undefined;
}

/** Watches the open string for unescaped quotes that may have ended it. */
export class UnescapedQuotes {
  /** The last part of the string or, with unescaped quotes in it, all from shortly before the first. */
  private text = "";
  private count = 0;
  /** The quote that ends the string. */
  private sign = "";
  private begins = false;
  private ends = false;

  /** A string begins. */
  begin(): void {
    this.text = "";
    this.count = 0;
    this.begins = this.ends = false;
  }

  /** A part of it, as it is written. */
  push(part: string): void {
    this.ends = false;
    if (this.count > 0) this.text += part;
    else this.text = part.length < LOOKAHEAD ? this.text.slice(-LOOKAHEAD) + part : part;
  }

  /** A quote that was taken for text. */
  quote(sign: string): void {
    if (this.count === 0) {
      this.begins = this.text === "";
      this.text = this.text.slice(-LOOKAHEAD);
    }
    this.count++;
    this.sign = sign;
    this.text += sign;
    this.ends = true;
  }

  /**
   * Whether the string, now that it ends, may hold more than one value: another argument, another item of its list, the
   * end of the call, or a quote too many at one of its ends.
   */
  hideMore({ inList, declares, closes }: StringPlace): boolean {
    const { text, count } = this;
    if (count === 0) return false;
    if ((this.begins || this.ends) && count % 2 === 1) return true;
    for (const [, ...keys] of text.matchAll(KEY)) if (declares(keys.find((key) => key !== undefined)!)) return true;
    for (const [, key] of text.matchAll(KEYWORD)) if (declares(key!)) return true;
    if (goesOnOutside(text) || endsInQuotes(text, this.sign)) return true;
    if (inList && NEXT_ITEM.test(text)) return true;
    if (closes) for (let i = 0; i < text.length; i++) if (closes(text, i)) return true;
    return false;
  }
}

/**
 * Whether the last quote in a text opens something that is not closed, as in `a" or "b` and `print("a", "b`: what ends the
 * string may close that instead, or the text is two strings. In `say "hi" to me` the quotes come in pairs, and the one of
 * `a 12" pipe` opens nothing.
 */
function endsInQuotes(text: string, sign: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    let escapes = at;
    while (text.charAt(escapes - 1) === "\\") escapes--;
    if ((at - escapes) % 2 === 1) continue;
    const [before, after] = [text.charAt(at - 1), text.charAt(at + 1)];
    if (CLOSES_BEFORE.test(after)) isOpen = false;
    else if (OPENS_AFTER.test(before)) isOpen = true;
  }
  return isOpen;
}

/** What a quote that opens a string stands behind, and one that closes it before. */
const OPENS_AFTER = /^[\s([{=:,]?$/;
const CLOSES_BEFORE = /^[\s)\]}:;,.!?]?$/;

/** Whether a key follows a value outside of any braces that the text itself opens. */
function goesOnOutside(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(NEXT_KEY)) {
    if (sign === "{") depth++;
    else if (sign === "}") depth--;
    else if (depth <= 0) return true;
  }
  return false;
}
