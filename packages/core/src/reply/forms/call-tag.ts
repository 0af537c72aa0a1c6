import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { attributeNameAt } from "../../notation/markup/attribute-end.js";
import { readTag } from "../../notation/markup/markup.js";
import type { AttributesBody } from "../../syntax/syntax.js";

/** The longest name, key or unquoted word to wait for. */
export const MAX_WORD = 256;

/** Whether a call of this form begins at an index: its tag, which names the tool. */
export function startsCall({ tag, name }: AttributesBody, look: Lookahead, at: number): boolean {
  if (!look.has(`<${tag}`, at)) return false;
  const { text, isWhole } = look;
  const after = at + tag.length + 1;
  const from = spaceEnd(text, after);
  if (from - after > LOOKAHEAD) return false;
  if (name === "") return from > after;
  if (from === after && from < text.length) return false;
  const first = attributeAt(text, from, isWhole);
  if (first === "more") {
    look.atEnd();
    return false;
  }
  if (first?.isAssigned && first.key.toLowerCase() === name) return true;
  // The name may come after other attributes.
  const ahead = new Lookahead({ text, final: isWhole });
  const whole = readTag(ahead, at);
  if (ahead.hitEnd) look.atEnd();
  return whole?.attributes.has(name) === true;
}

/** The attribute at an index: its key, and the index of its value or of the text after the key. Undefined: none. */
export function attributeAt(
  text: string,
  at: number,
  final: boolean,
): { key: string; end: number; isAssigned: boolean } | "more" | undefined {
  const key = attributeNameAt(text, at);
  if (key === undefined) return at === text.length ? "more" : undefined;
  const keyEnd = at + key.length;
  const separatorAt = spaceEnd(text, keyEnd);
  if (separatorAt - at > MAX_WORD) return undefined;
  if (separatorAt === text.length) return "more";
  if (text.charAt(separatorAt) !== "=") return { key, end: keyEnd, isAssigned: false };
  const value = spaceEnd(text, separatorAt + 1);
  if (value - at > 2 * MAX_WORD) return undefined;
  return value === text.length && !final ? "more" : { key, end: value, isAssigned: true };
}

/** Whether the reply ends in a word that is no attribute with the tool's name: the tag before it is only mentioned. */
export function endsInWord(look: Lookahead, from: number): boolean {
  const [whole = "", word = ""] = /^\s+([\p{L}\p{N}_.:-]*)/u.exec(look.text.slice(from, from + LOOKAHEAD)) ?? [];
  return whole !== "" && look.endsAt(from + whole.length) && !"name".startsWith(word);
}
