import { spaceEnd } from "../input.js";
import { stringEnd } from "../json-words.js";
import type { Lookahead } from "../lookahead.js";
import { operationEnd } from "../python/python-expression.js";
import { prefixedQuote } from "../python/string-prefix.js";

/** An operand or operator of JavaScript after a string: the value is unknown. */
const EXPRESSION =
  /\s{0,64}[+%*]\s{0,64}[\p{L}_][\p{L}\p{N}_.]{0,255}(?:\([^()]{0,1024}\)|\[[^[\]]{0,1024}\])?\s{0,64}[,+)}\]]/uy;

/** Whether an expression continues after the string that ends at `from`. */
export function isOperand(look: Lookahead, from: number, python: boolean): boolean {
  const { text } = look;
  if (python) return look.known(operationEnd(text, from), text.length) !== false;
  EXPRESSION.lastIndex = from;
  if (EXPRESSION.test(text)) return true;
  if (/[+%*]/.test(text.charAt(spaceEnd(text, from)))) look.atEnd();
  return false;
}

/**
 * Where the string begins, at its quote or prefix, that is joined to the one that ends at `from`: by `+`, in Python
 * also by standing next to it; where the text ends before that, its end. False: none is joined.
 *
 * @example joinedString(new Lookahead({ text: '"a" + "b"', final: true }), 3, false); // 6
 */
export function joinedString(look: Lookahead, from: number, python: boolean): number | false {
  const { text } = look;
  const next = spaceEnd(text, from);
  const plus = text.charAt(next) === "+";
  if (!plus && (!python || next === from)) return look.endsAt(next) && next;
  const at = plus ? spaceEnd(text, next + 1) : next;
  if (look.endsAt(at)) return at;
  if (/["']/.test(text.charAt(at))) return at;
  if (!python) return false;
  if (prefixedQuote(text, at) >= 0) return at;
  if (!/^[rbuf]{1,2}$/i.test(text.slice(at))) return false;
  look.atEnd();
  return text.length;
}

/** The index after the quote that ends the string beginning at its quote or prefix, or -1. */
export function literalEnd(text: string, at: number): number {
  const quote = Math.max(at, prefixedQuote(text, at));
  return stringEnd(text, quote, text.charAt(quote));
}
