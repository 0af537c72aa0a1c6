import { MAX_BEFORE } from "../output/text-output.js";

/** Words that announce a call and cannot deny one. */
const ANNOUNCING = new Set(
  (
    "ok okay sure certainly yes understood got it i ll will now let me us use using call calling make check here is are s this " +
    "these that the a for you following as follows below with to tool tools function json calls request action output answer " +
    "response arguments args parameters tool_call tool_calls assistant python"
  ).split(" "),
);

/** The end of a sentence that asks nothing. */
const STATED = /[.!…。！｡।۔]["'”’)\]*_]*(?=\s|$)/g;

/**
 * Whether a call after a text is meant. The text ends with a full stop, so that the call is no part of a sentence; or its last
 * sentence consists of words that announce a call and of tools' names, and asks nothing. Of any other words, which the call
 * completes, some deny it or give it as an example: no list has all of these, in all languages.
 *
 * @example
 * leadsToCall("I look up the weather.", () => false); // true
 * leadsToCall("I look it up. Here is the call:", () => false); // true
 * leadsToCall("I will not do this:", () => false); // false
 */
export function leadsToCall(before: string, isTool: (name: string) => boolean): boolean {
  const stated = [...before.matchAll(STATED)].at(-1);
  const rest = stated ? before.slice(stated.index + stated[0].length) : before;
  const text = rest.replace(/<[^<>\n]{1,64}>/g, "");
  const words = text.match(/[\p{L}_][\p{L}\p{M}\p{N}_-]*/gu) ?? [];
  const announces = (word: string) => ANNOUNCING.has(word.toLowerCase()) || isTool(word);
  return rest.length < MAX_BEFORE && !/[?？]/.test(text) && words.every(announces);
}
