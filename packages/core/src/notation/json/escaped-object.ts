import type { Input, Status } from "../input.js";
import { TextBuffer } from "../text-buffer.js";
import { wholeJson } from "./whole-json.js";

/** More backslashes than this before a character are no escape of an escape. */
const MAX_RUN = 64;

/** A character that no marker begins with. */
const IN_TEXT = /[\p{L}\p{N}\s_,.:-]/u;
const BREAK = /[\n\r\t]/g;

/**
 * Reads the rest of an object that is escaped once more, as in a string of JSON, but has no quotes around it:
 * `{\"city\": \"Oslo\"}`. A quote without a backslash, or the markup that ends the call or begins another, shows that it is no
 * such object.
 *
 * @example
 * const object = new EscapedObject();
 * object.read(input); // "done" before the last bracket of `\"city\": \"Oslo\"}`
 * object.value(256); // { city: "Oslo" }
 */
export class EscapedObject {
  private readonly raw = new TextBuffer();
  private depth = 1;
  private isInString = false;

  /** `markers`: the tests whether the value ends or another one begins at an index; undefined: more input is needed. */
  constructor(private readonly markers: readonly ((text: string, index: number) => boolean | undefined)[] = []) {}

  /** Reads on; returns `done` before the object's last bracket. */
  read(input: Input): Status {
    const { text } = input;
    const from = input.pos;
    let at = from;
    let status: Status = "more";
    while (at < text.length) {
      const next = this.step(input, at);
      if (typeof next === "string") {
        status = next;
        break;
      }
      at = next;
    }
    this.raw.push(text.slice(from, at));
    input.pos = at;
    return status;
  }

  /** The index after the character or escape at an index, or where it ends the reading. */
  private step(input: Input, at: number): number | Status {
    const { text, final } = input;
    const char = text.charAt(at);
    if (char === "\\") return this.escape(input, at);
    if (char === '"') return "fail";
    if (IN_TEXT.test(char)) return at + 1;
    const found = this.markers.map((marks) => marks(text, at));
    if (found.includes(true)) return "fail";
    if (found.includes(undefined) && !final) return "more";
    if (this.isInString) return at + 1;
    if (char === "{" || char === "[") this.depth++;
    else if ((char === "}" || char === "]") && --this.depth === 0) return "done";
    return at + 1;
  }

  private escape({ text, final }: Input, at: number): number | Status {
    let end = at;
    while (text.charAt(end) === "\\" && end - at <= MAX_RUN) end++;
    if (end - at > MAX_RUN) return "fail";
    if (end === text.length) return final ? "fail" : "more";
    const char = text.charAt(end);
    if (char === '"') {
      // An even number would leave the quote without a backslash of its own.
      const escapes = (end - at - 1) / 2;
      if (!Number.isInteger(escapes)) return "fail";
      if (escapes % 2 === 0) this.isInString = !this.isInString;
      else if (!this.isInString) return "fail";
    } else if (!this.isInString && (end - at > 1 || !/[nrt]/.test(char))) return "fail";
    return end + 1;
  }

  /** The value that was read, if it is strict JSON, nested at most as deep as `levels`; it empties the reader. */
  value(levels: number): object | undefined {
    const raw = this.raw.take().replace(BREAK, (char) => JSON.stringify(char).slice(1, -1));
    try {
      const json = `{${JSON.parse(`"${raw}"`)}}`;
      const { whole, end } = wholeJson(json, 0, levels);
      return end === json.length ? whole?.value : undefined;
    } catch {
      return undefined;
    }
  }
}
