import type { Input } from "../input.js";

/** What JSON, or nearly JSON, begins with: an object's key and colon, a list's bracket or its first item and a comma. */
const BEGINS =
  /^(?:\{\s*(?:"[^"\n]{0,64}"|'[^'\n]{0,64}'|[\p{L}_$][\p{L}\p{N}_$.-]{0,63})\s*:|\[\s*(?:[[{]|(?:"[^"\n]{0,64}"|'[^'\n]{0,64}'|-?[\d.]{1,32})\s*,))/u;

/** A part of that. */
const MAY_BEGIN =
  /^(?:\{\s{0,64}(?:"[^"\n]{0,64}"?\s{0,64}|'[^'\n]{0,64}'?\s{0,64}|[\p{L}_$][\p{L}\p{N}_$.-]{0,63}\s{0,64})?|\[\s{0,64}(?:"[^"\n]{0,64}"?\s{0,64}|'[^'\n]{0,64}'?\s{0,64}|-?[\d.]{0,32}\s{0,64})?)$/u;

/** How far the word between two alternatives is looked for. */
const MAX_OR = 16;

/** Whether something offers what follows instead of the call that has been read; undefined: too little is there to tell. */
export function orFollows({ text, pos, final }: Pick<Input, "text" | "pos" | "final">): boolean | undefined {
  const rest = text.slice(pos, pos + MAX_OR);
  if (/^or\s+[[{`]/i.test(rest)) return true;
  return !final && rest.length < MAX_OR && /^(?:o|or\s*)$/i.test(rest) ? undefined : false;
}

/**
 * The JSON in the text of a reply that is no call, from its first bracket to its last. What lies within is data, also
 * where it looks like a call without a marker. A string ends with its line, so a stray quote hides no more than that.
 * So is what is offered instead of it, behind the word `or`: of two alternatives none is chosen.
 */
export class OuterJson {
  private depth = 0;
  /** What may begin it, until that is known. */
  private head: string | undefined;
  /** The quote that ends the open string. */
  private quote = "";
  private isEscaped = false;
  /** The last character outside of strings that is not white space. */
  private last = "";
  /** What stands behind its last bracket. */
  private tail: string | undefined;
  /** The place in the reply that comes next. */
  private next = 0;

  /** It may begin with the bracket at this place of the reply. */
  begin(bracket: string, place: number): void {
    if (this.depth > 0 || place < this.next) return;
    this.depth = 1;
    this.head = this.last = bracket;
    this.quote = "";
    this.tail = undefined;
    this.next = place + 1;
  }

  /** Reads on up to an index of a text that begins at a place of the reply. */
  read(text: string, to: number, place: number): void {
    if (this.depth === 0 && this.tail === undefined) return;
    for (let i = Math.max(0, this.next - place); i < to && (this.depth > 0 || this.tail !== undefined); i++) {
      const char = text.charAt(i);
      if (this.tail !== undefined) {
        this.tail = this.tail.length < MAX_OR ? this.tail + char : undefined;
        continue;
      }
      if (this.head !== undefined && !this.goesOn(this.head + char)) return;
      this.step(char);
    }
    this.next = Math.max(this.next, place + to);
  }

  /** Whether the character at an index, up to which the text is read, lies within. */
  holds(text: string, at: number, place: number): boolean {
    this.read(text, at, place);
    if (this.depth > 0 && this.head !== undefined) this.goesOn(this.head + text.charAt(at), this.head);
    if (this.tail !== undefined && /^[,;]?\s*or\s+$/i.test(this.tail)) {
      this.begin(text.charAt(at), place + at);
      return true;
    }
    return this.depth > 0;
  }

  /** Whether what has come may still begin JSON; `kept`: what of it has been read. */
  private goesOn(head: string, kept = head): boolean {
    if (BEGINS.test(head)) this.head = undefined;
    else if (MAY_BEGIN.test(head)) this.head = kept;
    else {
      this.head = undefined;
      this.depth = 0;
    }
    return this.depth > 0;
  }

  private step(char: string): void {
    if (this.quote !== "") {
      if (this.isEscaped) this.isEscaped = false;
      else if (char === "\\") this.isEscaped = true;
      else if (char === this.quote || char === "\n") this.quote = "";
      return;
    }
    if (char === '"' || (char === "'" && /[[{,:]/.test(this.last))) {
      this.quote = char;
      this.isEscaped = false;
    } else if (char === "{" || char === "[") this.depth++;
    else if ((char === "}" || char === "]") && --this.depth === 0) this.tail = "";
    if (char.trim() !== "") this.last = char;
  }
}
