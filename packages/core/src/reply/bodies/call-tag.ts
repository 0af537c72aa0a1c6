import type { AttributesBody } from "../../protocol.js";
import { type Input, LOOKAHEAD, spaceEnd, standsAt } from "../input.js";
import { readTag } from "./markup.js";

/** The longest name, key or word without quotes that is waited for. */
export const MAX_WORD = 256;

const ATTRIBUTE = /[\p{L}_][\p{L}\p{N}_.:-]*/uy;

/** Whether a call of this form begins here: its tag, in which the tool is named. Undefined: more input is needed. */
export function callStands({ tag, name }: AttributesBody, { text, pos, final }: Input): boolean | undefined {
  const stands = standsAt(text, pos, `<${tag}`);
  if (!stands) return stands;
  const after = pos + tag.length + 1;
  const from = spaceEnd(text, after);
  if (from - after > LOOKAHEAD) return false;
  if (name === "") return from > after;
  const first = attributeAt(text, from, final);
  if (from === after && from < text.length) return false;
  if (first === "more") return final ? false : undefined;
  if (first?.isAssigned && first.key.toLowerCase() === name) return true;
  // The name may follow other attributes.
  const whole = readTag(text, pos);
  return whole === "more" && !final ? undefined : typeof whole === "object" && whole.attributes.has(name);
}

/** The attribute that begins here: its key, and where its value, or what follows, begins. Undefined: none begins here. */
export function attributeAt(
  text: string,
  at: number,
  final: boolean,
): { key: string; end: number; isAssigned: boolean } | "more" | undefined {
  ATTRIBUTE.lastIndex = at;
  const key = ATTRIBUTE.exec(text)?.[0];
  if (key === undefined) return at === text.length ? "more" : undefined;
  const behind = at + key.length;
  const sign = spaceEnd(text, behind);
  if (sign - at > MAX_WORD) return undefined;
  if (sign === text.length) return "more";
  if (text.charAt(sign) !== "=") return { key, end: behind, isAssigned: false };
  const value = spaceEnd(text, sign + 1);
  if (value - at > 2 * MAX_WORD) return undefined;
  return value === text.length && !final ? "more" : { key, end: value, isAssigned: true };
}
