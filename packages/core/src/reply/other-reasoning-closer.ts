import { LOOKAHEAD } from "../notation/input.js";
import { REASONING_NAME } from "../syntax/reasoning-spans.js";

/** The bracket and bar with which a tag or token of reasoning begins, and those with which it ends. */
const OPEN = "[<[◁]\\|?[ \\t]?";
const CLOSE = "[ \\t]?\\|?[>\\]▷]";

/** A code fence; an opening or closing tag of reasoning in any spelling; the tokens with a word for these. */
const MARKS = new RegExp(
  `\`{3,}|${OPEN}([/\\\\]?)[ \\t]?\\|?(?:[a-z]{1,16}:)?(${REASONING_NAME})${CLOSE}|<\\|(begin|start|end)_(?:of_)?(${REASONING_NAME})\\|>`,
  "giu",
);

/** The beginning of one at the end of a text. */
const PART = new RegExp(`(?:\`{1,16}|${OPEN}[/\\\\]?[ \\t]?\\|?[\\w:]{0,32}[ \\t]?\\|?)$`, "u");

/** The longest text that {@link PART} matches. */
const MAX_PART = 42;

/** What may follow the end of reasoning: the end of its line, or directly the answer or a call. */
const ENDS = /^[^\S\n]*(?:\n|$)|^[\p{Lu}\p{Lo}<[{]/u;

/** A quotation: a quote directly before it, or a quoted line. */
const QUOTED = /["'`“‘«„]\s*$|(?:^|\n)[^\S\n]*>[^\n]*$/;

/** Whether a marker closes reasoning in one of the spellings. */
export const closesReasoning = (marker: string): boolean => /[/_]/.test(marker) && marker.search(MARKS) === 0;

/** A tag or fence in reasoning. `end`: its end, or -1 if more input may complete it. */
export interface Mark {
  at: number;
  end: number;
  found?: RegExpExecArray;
}

/**
 * Searches reasoning for a closing tag of other reasoning, or in another spelling, with which it may end:
 * `<think>a</thinking>`. One that is quoted, that closes a tag within the reasoning, or that the line goes on after is a part
 * of it.
 */
export class OtherReasoningCloser {
  /** The tags of each name that are open within the reasoning. */
  private readonly opened = new Map<string, number>();
  private isFenced = false;
  /** The last characters of the reasoning. */
  private tail = "";
  /** The next tag in a text, from an index on. */
  private ahead: { text: string; from: number; found: RegExpExecArray | null } = { text: "", from: 0, found: null };

  /** The first tag or fence in a range of a text. */
  next(text: string, from: number, to: number, final: boolean): Mark | undefined {
    const { ahead } = this;
    if (ahead.text !== text || from < ahead.from || (ahead.found && ahead.found.index < from)) {
      MARKS.lastIndex = from;
      this.ahead = { text, from, found: MARKS.exec(text) };
    }
    const { found } = this.ahead;
    if (found) return found.index < to ? { at: found.index, end: found.index + found[0].length, found } : undefined;
    const [part = ""] = (!final && PART.exec(text.slice(Math.max(from, text.length - MAX_PART)))) || [];
    const at = text.length - part.length;
    return part !== "" && at < to ? { at, end: -1 } : undefined;
  }

  /** Keeps the end of the reasoning so far. */
  passed(piece: string): void {
    this.tail = piece.length < LOOKAHEAD ? (this.tail + piece).slice(-LOOKAHEAD) : piece.slice(-LOOKAHEAD);
  }

  /** Whether the reasoning may end with a mark that is next in it; undefined: more input must decide. */
  ends({ found, end }: Mark, text: string, final: boolean): boolean | undefined {
    const [whole, slash = "", name = "", word = "", token = ""] = found ?? [];
    if (whole === undefined) return undefined;
    if (name + token === "") {
      if (!final && end === text.length) return undefined;
      this.isFenced = !this.isFenced;
      return false;
    }
    const key = (name || token).toLowerCase();
    const open = this.opened.get(key) ?? 0;
    const closes = slash !== "" || word.toLowerCase() === "end";
    if (!closes || open > 0) {
      this.opened.set(key, open + (closes ? -1 : 1));
      return false;
    }
    if (this.isFenced || QUOTED.test(this.tail)) return false;
    const after = text.slice(end, end + LOOKAHEAD);
    if (!final && after.length < LOOKAHEAD && /^[^\S\n]*$/.test(after)) return undefined;
    return ENDS.test(after);
  }
}
