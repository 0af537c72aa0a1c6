import { growingPattern } from "../../notation/growing-pattern.js";

const SPACE = "\\s{0,64}";
const STRINGS = [
  ['"', '[^"\\n]{0,64}', '"', SPACE],
  ["'", "[^'\\n]{0,64}", "'", SPACE],
];

/** The beginning of JSON, or of nearly JSON: an object's key and colon, a list's bracket or its first item and a comma. */
const BEGINNING = growingPattern([
  ...[...STRINGS, ["[\\p{L}_$]", "[\\p{L}\\p{N}_$.\\-]{0,63}", SPACE]].map((key) => ["\\{", SPACE, ...key, ":"]),
  ["\\[", SPACE, "[\\[\\{]"],
  ...[...STRINGS, ["-?", "[\\d.]", "[\\d.]{0,31}", SPACE]].map((item) => ["\\[", SPACE, ...item, ","]),
]);

/**
 * The JSON in the text of a reply that is not a call, from its first bracket to its last. Its contents are data, even
 * where they look like a call without a marker. A string ends with its line, so a stray quote affects one line at most.
 */
export class OuterJson {
  private depth = 0;
  /** The possible beginning of JSON, until it is decided. */
  private head: string | undefined;
  /** The quote that ends the open string. */
  private quote = "";
  private isEscaped = false;
  /** The last character outside of strings that is not white space. */
  private last = "";
  /** The next place in the reply. */
  private next = 0;
  /** Whether it is nothing but the bracket of a list so far. */
  isBareList = false;

  /** JSON may begin with the bracket at this place in the reply. */
  begin(bracket: string, place: number): void {
    if (this.depth > 0 || place < this.next) return;
    this.depth = 1;
    this.head = this.last = bracket;
    this.quote = "";
    this.isBareList = bracket === "[";
    this.next = place + 1;
  }

  /** Reads up to an index of a text that begins at a given place in the reply. */
  read(text: string, to: number, place: number): void {
    if (this.depth === 0) return;
    for (let i = Math.max(0, this.next - place); i < to && this.depth > 0; i++) {
      const char = text.charAt(i);
      if (this.head !== undefined && !this.mayBeginJson(this.head + char)) return;
      this.step(char);
    }
    this.next = Math.max(this.next, place + to);
  }

  /** Whether the character at an index is inside the JSON; the text must have been read up to that index. */
  holds(text: string, at: number, place: number): boolean {
    this.read(text, at, place);
    if (this.depth > 0 && this.head !== undefined) this.mayBeginJson(this.head + text.charAt(at), this.head);
    return this.depth > 0;
  }

  /** Whether the text so far may still begin JSON; `kept`: the part that was read. */
  private mayBeginJson(head: string, kept = head): boolean {
    if (BEGINNING.whole.test(head)) this.head = undefined;
    else if (BEGINNING.part.test(head)) this.head = kept;
    else {
      this.head = undefined;
      this.depth = 0;
    }
    return this.depth > 0;
  }

  private step(char: string): void {
    this.isBareList &&= char.trim() === "";
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
    else if (char === "}" || char === "]") this.depth--;
    if (char.trim() !== "") this.last = char;
  }
}
