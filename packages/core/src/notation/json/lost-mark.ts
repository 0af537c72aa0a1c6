import { partial } from "../../common/partial.js";
import { endsLike } from "../text-pieces.js";

/** A key where an object continues. A match is at most {@link REACH} characters long. */
const KEY = /[,{]\s{0,16}([\p{L}_][\p{L}\p{N}_.-]{0,63})\s{0,16}:/gu;
const REACH = 128;

/** Detects that the closing mark of a string between the format's own marks is broken. */
export class LostMark {
  /** The last characters. */
  private tail = "";
  private key = false;

  /** A string begins. */
  begin(): void {
    this.tail = "";
    this.key = false;
  }

  /** A part of the string; `declares`: whether the arguments have this key. */
  push(part: string, declares: (key: string) => boolean): void {
    const text = this.tail + part;
    this.key ||= [...text.matchAll(KEY)].some(([, key]) => declares(key!));
    this.tail = text.slice(-REACH);
  }

  /**
   * Whether an unclosed string may end earlier: it contains a declared key, or ends with a quote or parts of the mark.
   */
  isLikely(mark: string): boolean {
    const end = this.tail.slice(-2 * mark.length);
    if (this.key || /["'”`]\s*$/.test(end) || end.includes(mark.slice(0, 2)) || end.includes(mark.slice(-2)))
      return true;
    return partial(this.tail, 0, mark) > 0 || endsLike(this.tail, mark);
  }
}
