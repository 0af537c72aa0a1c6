import type { Input } from "../input.js";
import { parseString } from "../json-words.js";
import { TextBuffer } from "../text-buffer.js";

/** Reads the rest of an object whose quotes are all escaped once more, as in `{\"a\": \"b\"}`, after its bracket. */
export class EscapedObject {
  private readonly source = new TextBuffer();
  private depth = 1;
  private isString = false;

  /** The text without the escapes. `more`: it goes on; undefined: a quote is not escaped. */
  read(input: Input): { text: string } | "more" | undefined {
    const { text, pos } = input;
    let at = pos;
    for (; at < text.length && this.depth > 0; at++) {
      const char = text.charAt(at);
      if (char === '"') break;
      if (char === "\\") {
        const [slashes = ""] = /^\\+/.exec(text.slice(at)) ?? [];
        if (at + slashes.length === text.length && !input.final) break;
        at += slashes.length;
        const isQuote = text.charAt(at) === '"';
        if (isQuote && slashes.length % 2 === 0) break;
        if (isQuote && slashes.length === 1) this.isString = !this.isString;
      } else if (!this.isString && /[{[]/.test(char)) this.depth++;
      else if (!this.isString && /[}\]]/.test(char)) this.depth--;
    }
    this.source.push(text.slice(pos, at));
    input.pos = at;
    if (text.charAt(at) === '"') return undefined;
    if (this.depth > 0) return "more";
    const written = this.source.toString().replace(/[\n\r\t]/g, (control) => JSON.stringify(control).slice(1, -1));
    const read = parseString(written);
    return read === undefined ? undefined : { text: read };
  }
}
