import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { LABEL_LEAD } from "../../syntax/label-lead.js";
import { LABEL_COLONS, LABEL_MARKS } from "../../syntax/spelling.js";

const MARKS = `[ \\t${LABEL_MARKS}]*`;

/**
 * Where a label that begins a line ends. Models write labels in any case, as a heading or list item, with emphasis
 * around them, a number after their words, or space before the colon; with another mark between their words, or none; and
 * after the name of their own role, as in a transcript.
 *
 * @returns the index after it; false: it is not here.
 * @example labelEnd(new Lookahead({ text: "**Action 2:** search", final: true }), 0, "Action:"); // 14
 */
export function labelEnd(look: Lookahead, from: number, label: string): number | false {
  const { text } = look;
  const limit = from + LOOKAHEAD;
  const lead = over(text, from, LEAD, limit);
  const first = text.charAt(lead).toLowerCase();
  // Most other text begins with neither the label nor a role.
  if (first !== "" && first !== label.charAt(0).toLowerCase() && !ROLE_BEGINS.test(first)) return false;
  const start = roleEnd(look, lead);
  let i = start === lead ? lead : over(text, start, LEAD, limit);
  const isEmphasised = MARK.test(text.slice(from, i));
  const isNear = i <= limit;
  const words = label.slice(0, -1).split(" ");
  let isWhole = true;
  for (const [at, word] of words.entries()) {
    if (at > 0 && BETWEEN.test(text.charAt(i))) i++;
    const written = text.slice(i, i + word.length);
    if (written.toLowerCase() !== word.slice(0, written.length).toLowerCase()) return false;
    i += written.length;
    isWhole = written.length === word.length;
    if (!isWhole) break;
  }
  if (isWhole) {
    i = over(text, i, SPACE, limit);
    i = over(text, i, DIGIT, limit);
    const afterWords = i;
    i = over(text, i, EMPHASIS, limit);
    if (COLON.test(text.charAt(i))) {
      // Emphasis that opens before the label closes after it; other emphasis belongs to the following text.
      const isOpen = isEmphasised && !MARK.test(text.slice(afterWords, i));
      const closed = isOpen ? over(text, i + 1, MARK) : i + 1;
      const end = over(text, closed, SPACE);
      look.endsAt(end);
      return end;
    }
  }
  if (isNear) look.endsAt(i);
  return false;
}

/** Where the name of the model's role before a label ends: `Assistant: Action: now`. */
function roleEnd(look: Lookahead, from: number): number {
  const window = look.text.slice(from, from + LOOKAHEAD);
  const [role = ""] = ROLE.exec(window) ?? [];
  const [, word = "-"] = WORD.exec(window) ?? [];
  const isBegun = ROLES.some((name) => name.startsWith(word.toLowerCase()));
  if (isBegun || (role !== "" && role === window)) look.endsAt(from + window.length);
  return from + role.length;
}

/** The names of the model's role in a transcript. */
const ROLES = ["assistant", "ai"];
/** The first letter of one: a line of a label may begin with it. */
export const ROLE_BEGINS = new RegExp(ROLES.map((role) => role.charAt(0)).join("|"), "i");
const ROLE = new RegExp(`^(?:${ROLES.join("|")})${MARKS}[${LABEL_COLONS}][\\s${LABEL_MARKS}]*`, "i");
const WORD = new RegExp(`^([a-z]+)${MARKS}$`, "i");

/** What may come between the words of a label. */
const BETWEEN = /[ _-]/;

/** What may come before a label. After the `>` of a block quote, a label is quoted. */
export const LEAD = new RegExp(`[^\\S\\n]|[${LABEL_LEAD}]`);
const COLON = new RegExp(`[${LABEL_COLONS}]`);
const SPACE = /[ \t]/;
const DIGIT = /\d/;
const MARK = new RegExp(`[${LABEL_MARKS}]`);
const EMPHASIS = new RegExp(`[ \\t${LABEL_MARKS}]`);

/** Skips characters of one class, up to a limit. */
function over(text: string, from: number, characters: RegExp, limit = from + LOOKAHEAD): number {
  let i = from;
  while (i < text.length && i < limit && characters.test(text.charAt(i))) i++;
  return i;
}
