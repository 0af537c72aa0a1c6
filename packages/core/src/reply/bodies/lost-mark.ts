import { partial } from "../input.js";
import { endsLike } from "./text-pieces.js";

/** A key where an object goes on. A match is at most {@link REACH} characters long. */
const KEY = /[,{]\s{0,16}([\p{L}_][\p{L}\p{N}_.-]{0,63})\s{0,16}:/gu;
const REACH = 128;

/** Watches a string between the marks of its format for what shows that its last mark came, but broken. */
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

  /** Whether the string, which the call's end ends, may end earlier: it holds a declared key, or a part of the mark at its end. */
  isLikely(mark: string): boolean {
    return this.key || partial(this.tail, 0, mark) > 0 || endsLike(this.tail, mark);
  }
}
