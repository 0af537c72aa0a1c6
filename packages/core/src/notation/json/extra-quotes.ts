import { LOOKAHEAD, spaceEnd } from "../input.js";
import type { Lookahead } from "../lookahead.js";
import { startsKey } from "./json-key.js";
import { MAX_TOKEN } from "./word-limit.js";

/**
 * Where the object begins that is inside the quotes at an index, with its own quotes unescaped; false: it is not there, or
 * far from them.
 *
 * @example quotedObject(new Lookahead({ text: '"{"city": "Oslo"}"', final: true }), 0); // 1
 */
export function quotedObject(look: Lookahead, at: number): number | false {
  const quote = look.text.charAt(at);
  const brace = spaceEnd(look.text, at + 1, at + LOOKAHEAD);
  if (look.charAt(brace) !== "{") return false;
  const key = spaceEnd(look.text, brace + 1, brace + LOOKAHEAD);
  return look.charAt(key) === quote && startsKey(look, key, quote) && brace;
}

/** Where the text goes on after a second closing mark of a value, before a comma or bracket; false: there is none. */
export function extraQuoteEnd(look: Lookahead, at: number, mark: string): number | false {
  if (!look.has(mark, at)) return false;
  const next = spaceEnd(look.text, at + mark.length, at + MAX_TOKEN);
  return /[,}\]]/.test(look.charAt(next)) && next;
}
