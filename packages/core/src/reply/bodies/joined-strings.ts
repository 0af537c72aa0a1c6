import { type Input, LOOKAHEAD, spaceEnd } from "../input.js";
import { stringEnd } from "./json-words.js";
import { operationEnd } from "./python-expression.js";
import { prefixedQuote } from "./string-prefix.js";

/** An operand or operator of JavaScript after a string: the value is unknown. */
const EXPRESSION = /\s*[+%*]\s*[\p{L}_][\p{L}\p{N}_.]*(?:\([^()]*\)|\[[^[\]]*\])?\s*[,+)}\]]/uy;

/**
 * Whether code continues after the string that ends at `from`, within `LOOKAHEAD` characters; undefined: more input is
 * needed.
 */
export function isOperand(text: string, from: number, python: boolean): boolean | undefined {
  if (python) {
    const end = operationEnd(text, from);
    return end === undefined ? undefined : end !== false;
  }
  EXPRESSION.lastIndex = from;
  return EXPRESSION.test(text) || (/[+%*]/.test(text.charAt(spaceEnd(text, from))) ? undefined : false);
}

/**
 * Where the string begins, at its quote or prefix, that is joined to the one that ends at `from`: by `+`, in Python also
 * by standing next to it. False: none is; undefined: more input is needed.
 */
export function joinedString(text: string, from: number, python: boolean): number | false | undefined {
  const next = spaceEnd(text, from);
  const plus = text.charAt(next) === "+";
  if (!plus && (!python || next === from)) return next < text.length ? false : undefined;
  const at = plus ? spaceEnd(text, next + 1) : next;
  if (at >= text.length) return undefined;
  if (/["']/.test(text.charAt(at))) return at;
  if (!python) return false;
  if (prefixedQuote(text, at) >= 0) return at;
  return /^[rbuf]{1,2}$/i.test(text.slice(at)) ? undefined : false;
}

/** The same for a string that is known to end at `from`: no further than one looks to find that out. */
export function joinedTo({ text, final }: Input, from: number, python: boolean): number | false | undefined {
  const limit = from + LOOKAHEAD;
  const found = joinedString(text.length > limit ? text.slice(0, limit) : text, from, python);
  return found ?? (final || text.length >= limit ? false : undefined);
}

/** The index after the quote that ends the string beginning at its quote or prefix, or -1. */
export function literalEnd(text: string, at: number): number {
  const quote = Math.max(at, prefixedQuote(text, at));
  return stringEnd(text, quote, text.charAt(quote));
}
