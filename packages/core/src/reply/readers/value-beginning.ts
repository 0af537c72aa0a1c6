import { LOOKAHEAD } from "../../notation/input.js";
import { MAX_TOKEN } from "../../notation/json/word-limit.js";
import type { Closer } from "./value-end.js";

/** What a text is: the value alone, or the value in its own tags again. */
export interface OwnReading {
  text: string;
  /** Whether the tags that it has again are left out. */
  isUnwrapped?: true;
  /** Whether these tags may as well be the value's text. */
  isDoubtful?: boolean;
}

/** The argument of the value. */
interface Argument extends Pick<Closer, "close" | "name"> {
  key: string;
  opener: string;
  /** Whether it has no elements. */
  isScalar: boolean;
}

/**
 * The line in an element that is the argument's own again. Other text in it may be one of the argument's name, such as
 * `<html>`. `mayBeUnclosed`: the closing tag may be that of the inner element.
 */
export function ownElement(text: string, argument: Argument, mayBeUnclosed: boolean): OwnReading {
  const { opener, close, name, key, isScalar } = argument;
  const element = text.trim();
  if (!isScalar || !element.startsWith(opener)) return { text };
  const inside = element.endsWith(close) ? element.slice(opener.length, -close.length).trim() : undefined;
  if (inside !== undefined && isLine(inside)) return { text: inside, isUnwrapped: true };
  return { text, isDoubtful: inside === undefined ? mayBeUnclosed : name !== key && !inside.includes(close) };
}

const isLine = (text: string) => !/[<\n]/.test(text);

/**
 * The beginning of a string, which waits until it is known what of it is the value: the first line, if it is indented, until
 * there are more; or one with the argument's own tag again, until it ends or is long.
 */
export class ValueBeginning {
  private text = "";
  /** Whether it was emitted because more follows. */
  private isPassed = false;
  /** Whether it was then one line in the argument's own tag. */
  private isLongLine = false;
  /** The number of the argument's closing tags inside the value. */
  closers = 0;

  constructor(
    private readonly argument: Argument,
    private readonly opensTwice: boolean,
  ) {}

  /** Adds a part of the value, and returns what can be emitted. */
  push(part: string): string {
    if (this.isPassed) return part;
    this.text += part;
    const { text, opensTwice } = this;
    this.isPassed = opensTwice ? text.length > MAX_TOKEN : part.includes("\n") || text.length > LOOKAHEAD;
    if (!this.isPassed) return "";
    if (opensTwice) {
      const first = text.slice(0, MAX_TOKEN).trimStart();
      this.isLongLine = isLine(first.slice(this.argument.opener.length).trimStart());
    }
    return text;
  }

  /**
   * What is still to be emitted at the end of the value. `tail`: its last characters; `isAlone`: the indentation of the first
   * line is layout.
   */
  end(tail: string, isAlone: boolean, mayBeUnclosed: boolean): OwnReading {
    const { text, argument } = this;
    if (!this.isPassed) {
      const own = this.opensTwice ? ownElement(text, argument, mayBeUnclosed) : { text };
      return isAlone && !own.isUnwrapped ? { ...own, text: text.trimStart() } : own;
    }
    if (!this.opensTwice) return { text: "" };
    const { name, key, close } = argument;
    const isOwn = name === key ? this.isLongLine : this.closers < 2;
    return { text: "", isDoubtful: tail.trimEnd().endsWith(close) ? isOwn : mayBeUnclosed };
  }
}
