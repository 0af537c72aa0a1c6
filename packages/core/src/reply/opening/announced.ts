import { MAX_BEFORE } from "../output/text-output.js";

/** Words that announce a call and cannot deny one. */
const ANNOUNCING =
  " ok okay sure certainly yes understood i ll will now let me use using call calling make here is are s this these the a following as follows below with to tool tools function json calls request action output answer response ";

/**
 * Whether a text before a call consists of words that announce one and of tools' names, in sentences that ask nothing. Of any
 * other words some deny the call, or give it as an example: no list has all of these, in all languages.
 *
 * @example
 * announcesCall("Sure, here is the call:", () => false); // true
 * announcesCall("I will not do this:", () => false); // false
 */
export function announcesCall(before: string, isTool: (name: string) => boolean): boolean {
  const text = before.replace(/<[^<>\n]{1,64}>/g, "");
  const words = text.match(/[\p{L}_][\p{L}\p{M}\p{N}_-]*/gu) ?? [];
  const announces = (word: string) => ANNOUNCING.includes(` ${word.toLowerCase()} `) || isTool(word);
  return before.length < MAX_BEFORE && !/[?？]/.test(text) && words.every(announces);
}
