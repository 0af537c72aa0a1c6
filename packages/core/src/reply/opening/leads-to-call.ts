import { MAX_BEFORE } from "../output/text-output.js";

/** Words that announce a call and cannot deny one. */
const ANNOUNCING =
  " ok okay sure certainly yes understood i ll will now let me use using call calling make here is are s this these the a following as follows below with to tool tools function json calls request action output answer response ";

/** The end of a sentence. */
const STATED = /[.!…。！｡।۔]["'”’)\]*_]*\s*$/;

/**
 * Whether a call after a text is meant. The text is a sentence of its own, with a full stop; or it consists of words that
 * announce a call and of tools' names, and asks nothing. Of any other words, which the call completes, some deny it or give it as
 * an example: no list has all of these, in all languages.
 *
 * @example
 * leadsToCall("I look up the weather.", () => false); // true
 * leadsToCall("Sure, here is the call:", () => false); // true
 * leadsToCall("I will not do this:", () => false); // false
 */
export function leadsToCall(before: string, isTool: (name: string) => boolean): boolean {
  if (STATED.test(before)) return true;
  const text = before.replace(/<[^<>\n]{1,64}>/g, "");
  const words = text.match(/[\p{L}_][\p{L}\p{M}\p{N}_-]*/gu) ?? [];
  const announces = (word: string) => ANNOUNCING.includes(` ${word.toLowerCase()} `) || isTool(word);
  return before.length < MAX_BEFORE && !/[?？]/.test(text) && words.every(announces);
}
