import type { Input } from "../input.js";
import { readPythonNumber, readWord } from "../json-words.js";
import { Lookahead } from "../lookahead.js";
import { expressionReason } from "../python/python-expression.js";
import { emitText, type ValueSink } from "../value-sink.js";
import { isKeyed, type OpenBrackets, takesArguments } from "./brackets.js";
import { extraQuoteEnd } from "./extra-quotes.js";
import type { JsonReaderOptions } from "./json-options.js";
import { endsPlain, isPlain } from "./next-value.js";
import { CLOSED, isCode, QUOTED, textGoesOn } from "./unquoted-text.js";

/** Reads the values without quotes of a JSON value for a sink: numbers, literals, and text that lacks its quotes. */
export class WordReader {
  /** Whether the last value is a number or literal. */
  isAfterPlain = false;
  /** The last word of this list. */
  private last = "";

  constructor(
    private readonly sink: ValueSink,
    private readonly options: JsonReaderOptions,
    private readonly brackets: OpenBrackets,
  ) {}

  /** A value that is not a word begins. */
  otherBegins(): void {
    this.isAfterPlain = false;
    this.last = "";
  }

  /** A whole object or list was read. */
  wholePassed(source: string): void {
    this.isAfterPlain = endsPlain(source);
  }

  commaPassed(): void {
    this.isAfterPlain = false;
  }

  /** Reads the value that begins with the word from the current position to `end`; false: more input is needed. */
  read(input: Input, end: number): boolean {
    const { text, pos } = input;
    const top = this.brackets.stack.at(-1);
    const keyed = isKeyed(top) && !takesArguments(top);
    const look = new Lookahead(input);
    const textEnd = top !== undefined && textGoesOn(look, pos, end, keyed, this.options.python);
    // A quote after digits may mean inches.
    const mayBeQuote = keyed && !/\d/.test(text.charAt(end - 1));
    const quoteEnd = textEnd === false && mayBeQuote && extraQuoteEnd(look, end, '"');
    if (look.hitEnd) return false;
    if (textEnd !== false) {
      input.pos = textEnd;
      this.text(text.slice(pos, textEnd));
      return true;
    }
    input.pos = quoteEnd === false ? end : quoteEnd;
    if (quoteEnd === false) this.word(text.slice(pos, end));
    else {
      this.options.repaired?.("missing-quote");
      this.isAfterPlain = false;
      emitText(text.slice(pos, end), this.sink);
    }
    return true;
  }

  private text(source: string): void {
    this.options.repaired?.("unquoted-string");
    this.isAfterPlain = false;
    const words = source.trimEnd().replace(CLOSED, "$1");
    if (QUOTED.test(words)) this.options.rejected?.("words and a string stand in the place of one value");
    this.unquoted(words);
  }

  /** Emits text that lacks its quotes. In Python, its reader decides what is an expression. */
  private unquoted(text: string): void {
    const { python, keys, rejected } = this.options;
    if (!python && isCode(text, (key) => keys?.declares(key) ?? false)) rejected?.(expressionReason(text, "a value"));
    emitText(text, this.sink);
  }

  private word(word: string): void {
    this.isAfterPlain = isPlain(word);
    const { value, repair } = readWord(word);
    const number = this.options.python && repair === "unquoted-string" ? readPythonNumber(word) : undefined;
    if (number) return this.sink.scalar(number.value, number.source);
    const isPython = this.options.python && repair === "python-literal";
    if (repair !== undefined && !isPython) this.options.repaired?.(repair);
    const top = this.brackets.stack.at(-1);
    if (THOUSANDS.test(`${this.last},${word}`) && (!isKeyed(top) || takesArguments(top)))
      this.options.rejected?.("an item may be the thousands of the number before it");
    this.last = word;
    if (typeof value === "string") this.unquoted(value);
    else this.sink.scalar(value, word);
  }
}

/** Two items, or the thousands of one number: no number begins with such a zero. */
const THOUSANDS = /^\d{1,3},0\d\d$/;
