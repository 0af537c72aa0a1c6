import { type Input, LOOKAHEAD } from "./input.js";

/** Another key of the object that has been read, and its colon. */
const KEY = /[\]}),\s]*(["'])[^"'\n]{1,64}\1\s*:|[\]})\s]*,\s*[\p{L}_][\p{L}\p{N}_]{0,63}\s*[:=](?!=)/uy;

/** Whether a key stands behind an object, as if it had ended too early; undefined: too little is there to tell. */
export function keyFollows({ text, pos, final }: Pick<Input, "text" | "pos" | "final">): boolean | undefined {
  KEY.lastIndex = pos;
  if (KEY.test(text)) return true;
  const rest = text.slice(pos, pos + 2 * LOOKAHEAD);
  return !final && rest.length < 2 * LOOKAHEAD && /^[\]}),\s]*(?:["'][^"'\n]*["']?\s*|[\p{L}\p{N}_]*\s*)?$/u.test(rest)
    ? undefined
    : false;
}
