import { clip } from "../../common/clip.js";
import { PYTHON_NAME } from "../../schema/names.js";
import { stringEnd } from "../json-words.js";
import { prefixedQuote } from "./string-prefix.js";

/**
 * Whether a Python value without quotes is an expression. The value of a literal is known. The value of an expression
 * such as `user.email` or `os.getcwd()` is unknown: the program that would compute it does not exist. Anything else is
 * text whose quotes are missing, as models write it.
 *
 * Python's grammar separates expressions from text, with two exceptions:
 *
 * - One name alone is a word (`city=Paris`), unless it is the name of one of the tool's parameters: `f(city=city)` passes
 *   on a variable, and `f(city, days)` is the tool's signature. For a list of any texts it is a variable too:
 *   `sort(elements=names)`. For a list of enumerated values (`colors=red`) the enum decides.
 * - Names and numbers joined without spaces by one of `- / @ & | ^ ~` are a word: a date, a path, an address, a range,
 *   an option (`2024-10-02`, `src/main.py`, `ann@example.com`, `--force`). None of those operators returns a string.
 *
 * What Python's grammar rejects is text: `New York`, `/tmp/a`, `10 km`, `2024-01-02`, `https://example.com`. So `a.txt`
 * is an expression, like `user.email`, and `./a.txt` is a word.
 *
 * Source: the Python Language Reference, 6 (Expressions).
 */
export function isExpression(written: string, isVariable: (name: string) => boolean): boolean {
  const text = written.trim();
  if (PYTHON_NAME.test(text)) return isVariable(text);
  const read = new ExpressionReader(text, 0, false).read();
  if (typeof read !== "object" || read.end < text.length) return false;
  return read.isOperation && !(read.isCompact && read.isJoined);
}

/** The number of characters of an expression that an error shows. */
const SHOWN_EXPRESSION = 60;

/** Why a call with an expression as the value of an argument, or of a key, is invalid. */
export function expressionReason(expression: string, what: string): string {
  const shown = clip(expression, SHOWN_EXPRESSION);
  return `${what} is an expression (${shown.trim()}); write its value, in quotes if it is text`;
}

/**
 * Where the operation ends whose first operand ends at `from`, as in `'a' % 'b'` or `f(x) if y else None`: before a
 * comma, a closing bracket or a semicolon. `line`: or at the end of the line; `final`: or at the end of the text.
 *
 * @returns false: no operation continues here; undefined: more input is needed.
 */
export function operationEnd(
  text: string,
  from: number,
  { line = false, final = false } = {},
): number | false | undefined {
  const read = new ExpressionReader(text, from, line).readOperators();
  if (typeof read !== "object") return read;
  return read.end === text.length && !final ? undefined : read.isOperation && read.end;
}

interface Expression {
  end: number;
  /** Whether it is more than one literal or name. */
  isOperation: boolean;
  /** Whether it contains neither space nor brackets. */
  isCompact: boolean;
  /** Whether its operators are common in words. */
  isJoined: boolean;
}

const NAME = /[\p{L}_][\p{L}\p{N}_]{0,255}/uy;
/** Numbers; Python has no leading zeros. */
const NUMBER =
  /(?:0[xob][\da-f_]{1,1024}|(?:(?:0{1,1024}|[1-9][\d_]{0,1024})(?:\.\d{0,1024})?|\.\d{1,1024})(?:e[+-]?\d{1,9})?j?)(?![\p{L}\p{N}_.])/iuy;
/** The beginning of a number, or of an ellipsis, with which the text ends. */
const PART_OF_NUMBER = /^(?:0[xob]|(?:\d[\d_]{0,30}(?:\.\d{0,30})?|\.\d{1,30})e[+-]?|\.{1,2})$/iu;
const ATTRIBUTE = /\.[\p{L}_][\p{L}\p{N}_]{0,255}/uy;
const SPACE = /[^\S\n]*/y;
const SPACES = /\s*/y;
/** Operators between two operands, the longest first. */
const OPERATOR =
  /\*\*|\/\/|<<|>>|[=!<>:]=|[-+*/%@&|^<>]|(?:and|or|if|else|for|in|is(?:\s{1,64}not)?|not\s{1,64}in)(?![\p{L}\p{N}_])/uy;
/** Operators before an operand. */
const PREFIX = /[-+~]|\*{1,2}|(?:not|await)(?![\p{L}\p{N}_])/uy;
/** Keywords, which are not names. */
const KEYWORDS = new Set(["and", "or", "if", "else", "for", "in", "is", "not", "await"]);
const OPERATOR_CHARACTER = /^[-/@&|^~]$/;
const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** Reads alternating operands and operators. */
class ExpressionReader {
  private isOperation = false;
  private isCompact = true;
  private isJoined = false;
  /** Whether none of its operators is uncommon in words. */
  private isPlain = true;

  constructor(
    private readonly text: string,
    private at: number,
    private readonly line: boolean,
  ) {}

  read(): Expression | false | undefined {
    const isOperand = this.operand();
    return isOperand ? this.readOperators() : isOperand;
  }

  readOperators(): Expression | false | undefined {
    for (;;) {
      const hasSpace = this.space();
      const { text, at } = this;
      if (at >= text.length) return this.ended();
      const char = text.charAt(at);
      if (/[,)\]};]/.test(char) || (this.line && char === "\n")) return this.ended();
      if (!hasSpace && this.take(ATTRIBUTE) !== undefined) {
        this.isOperation = true;
        continue;
      }
      if (!hasSpace && (char === "(" || char === "[")) {
        const closed = this.group();
        if (!closed) return closed;
        this.isOperation = true;
        continue;
      }
      const operator = this.take(OPERATOR);
      if (operator === undefined) return this.mayGoOn() ? undefined : false;
      this.isOperation = true;
      if (hasSpace || /\p{L}/u.test(operator)) this.isCompact = false;
      this.note(operator);
      const isOperand = this.operand();
      if (!isOperand) return isOperand;
    }
  }

  private ended(): Expression {
    const { at: end, isOperation, isCompact, isJoined, isPlain } = this;
    return { end, isOperation, isCompact, isJoined: isJoined && isPlain };
  }

  private note(operator: string): void {
    if (OPERATOR_CHARACTER.test(operator)) this.isJoined = true;
    else this.isPlain = false;
  }

  /** Reads one operand, with the operators before it. */
  private operand(): boolean | undefined {
    const { text } = this;
    for (;;) {
      if (this.space()) this.isCompact &&= !this.isOperation;
      if (this.at >= text.length) return undefined;
      const prefix = this.take(PREFIX);
      if (prefix === undefined) break;
      if (/^[-+]$/.test(prefix) && this.take(NUMBER) !== undefined) return true;
      this.isOperation = true;
      if (prefix !== "+") this.note(prefix);
    }
    if (text.startsWith("...", this.at)) {
      this.at += 3;
      this.isOperation = true;
      return true;
    }
    const char = text.charAt(this.at);
    if (char in CLOSING) return this.group();
    const quote = /["']/.test(char) ? this.at : prefixedQuote(text, this.at);
    if (quote >= 0) return this.string(quote);
    if (this.take(NUMBER) !== undefined) return true;
    if (PART_OF_NUMBER.test(text.slice(this.at))) return undefined;
    const name = this.take(NAME);
    if (name === "lambda") return this.lambda();
    if (name !== undefined && KEYWORDS.has(name) && this.at === text.length) return undefined;
    return name !== undefined && !KEYWORDS.has(name);
  }

  private lambda(): boolean | undefined {
    const colon = this.text.indexOf(":", this.at);
    if (colon < 0) return undefined;
    if (/[^\s\p{L}\p{N}_,*=]/u.test(this.text.slice(this.at, colon))) return false;
    this.at = colon + 1;
    this.isOperation = true;
    this.isCompact = false;
    return this.operand();
  }

  /** Reads adjacent strings as one. */
  private string(quote: number): boolean | undefined {
    this.isCompact = false;
    for (let at = quote; at >= 0; ) {
      const end = stringEnd(this.text, at, this.text.charAt(at));
      if (end < 0) return undefined;
      this.at = end;
      this.space();
      const next = this.text.charAt(this.at);
      at = /["']/.test(next) ? this.at : prefixedQuote(this.text, this.at);
      if (at < 0 && /^[rbuf]{1,2}$/i.test(this.text.slice(this.at, this.at + 3))) return undefined;
    }
    return true;
  }

  /** Skips a bracket and its contents. */
  private group(): boolean | undefined {
    const { text } = this;
    const open: string[] = [];
    this.isCompact = false;
    for (let i = this.at; i < text.length; i++) {
      const char = text.charAt(i);
      if (char in CLOSING) open.push(CLOSING[char]!);
      else if (/[)\]}]/.test(char)) {
        if (open.pop() !== char) return false;
        if (open.length > 0) continue;
        this.at = i + 1;
        return true;
      } else if (/["']/.test(char)) {
        const end = stringEnd(text, i, char);
        if (end < 0) return undefined;
        i = end - 1;
      }
    }
    return undefined;
  }

  /** Whether the text ends within a possible operator. */
  private mayGoOn(): boolean {
    return /^(?:an?|o|i|el?s?|fo?|no?|not(?:\s+i?)?|[!:=.])$/.test(this.text.slice(this.at));
  }

  private space(): boolean {
    return this.take(this.line ? SPACE : SPACES) !== "";
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}
