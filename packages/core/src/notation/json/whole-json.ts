import { isSpace, spaceEnd } from "../input.js";
import { TextBuffer } from "../text-buffer.js";
import type { WholeValue } from "../value-sink.js";
import { mayBeDoubtful } from "./literal-backslashes.js";

/** Longer keys and numbers are left to the reader, which limits them. */
const MAX_WHOLE = 256;

/** A value that was read whole, and where it ends; or where reading it failed. */
export interface WholeRead {
  end: number;
  whole: WholeValue | undefined;
}

/**
 * The object or array of strict JSON that begins at `at`, if all of it was received, and the index after its last
 * bracket.
 *
 * `whole` is undefined if it continues after the text, is not strict JSON, is nested deeper than `levels`, or contains
 * something that `JSON.parse` may read differently from the reader: a repeated key; `-0`; an exponent; an integer with
 * more digits than a number keeps; a doubtful escape. Then `end` is the index up to which the text was examined.
 *
 * @example
 * wholeJson('{"a": [1, 2]} …', 0, 8); // { end: 13, whole: { value: { a: [1, 2] }, source: '{"a": [1, 2]}', inner: "[1, 2]" } }
 */
export function wholeJson(text: string, at: number, levels: number): WholeRead {
  const { end, keys, inner } = toItsEnd(text, at, levels);
  if (inner === undefined) return { end, whole: undefined };
  const source = text.slice(at, end);
  if (mayBeDoubtful(source)) return { end, whole: undefined };
  try {
    const value: object = JSON.parse(source);
    return { end, whole: keysIn(value) === keys ? { value, source, inner } : undefined };
  } catch {
    return { end, whole: undefined };
  }
}

function keysIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += keysIn(item);
  else for (const key in value) count += 1 + keysIn((value as Record<string, unknown>)[key]);
  return count;
}

/** Counts brackets and skips strings; other text is not examined. Without `inner`, the end was not found. */
function toItsEnd(text: string, at: number, levels: number): { end: number; keys: number; inner?: string } {
  let keys = 0;
  let depth = 0;
  let inner = at;
  let innerEnd = at;
  let i = at;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    switch (code) {
      case 0x22 /* " */:
        {
          const end = quoteEnd(text, i + 1);
          if (end < 0) return { end: text.length, keys };
          if (end - i > MAX_WHOLE && text.charCodeAt(spaceEnd(text, end + 1)) === 0x3a /* : */) return { end, keys };
          i = end + 1;
          break;
        }
      case 0x7b /* { */:
      case 0x5b /* [ */:
        if (++depth > levels) return { end: i, keys };
        if (depth === 2) inner = i;
        i = code === 0x7b ? spaceEnd(text, i + 1) : i + 1;
        if (code === 0x7b && !beginsMember(text.charCodeAt(i))) return { end: i, keys };
        break;
      case 0x7d /* } */:
      case 0x5d /* ] */:
        i++;
        if (--depth === 0) return { end: i, keys, inner: text.slice(inner, innerEnd) };
        if (depth === 1) innerEnd = i;
        break;
      case 0x3a /* : */:
        keys++;
        i++;
        break;
      default: {
        const end = isInNumber(code) ? numberEnd(text, i) : i + 1;
        if (end < 0) return { end: i, keys };
        i = end;
      }
    }
  }
  return { end: text.length, keys };
}

/** Whether an object may go on so: with a key, or with its end. */
const beginsMember = (code: number) => code === 0x22 /* " */ || code === 0x7d; /* } */

const isInNumber = (code: number) => code === 0x2d /* - */ || (code >= 0x30 && code <= 0x39);

/**
 * Strict JSON without the space between its tokens.
 *
 * @example withoutSpace('{"a b": [1, 2]}'); // '{"a b":[1,2]}'
 */
export function withoutSpace(json: string): string {
  const compact = new TextBuffer();
  let from = 0;
  for (let i = 0; i < json.length; ) {
    const code = json.charCodeAt(i);
    if (code === 0x22 /* " */) i = quoteEnd(json, i + 1) + 1;
    else if (isSpace(code)) {
      compact.push(json.slice(from, i));
      from = i = spaceEnd(json, i);
    } else i++;
  }
  compact.push(json.slice(from));
  return compact.toString();
}

/** The index of the quote that ends a string of JSON whose text begins at `from`; -1 if it is missing. */
export function quoteEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let i = at;
    while (i > from && text.charCodeAt(i - 1) === 0x5c /* \ */) i--;
    if ((at - i) % 2 === 0) return at;
  }
  return -1;
}

function numberEnd(text: string, from: number): number {
  if (text.charCodeAt(from) === 0x2d && text.charCodeAt(from + 1) === 0x30) return -1;
  let i = from + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 0x30 || code > 0x39) && code !== 0x2e /* . */) break;
  }
  // An integer part that may be too long for a number.
  const point = text.slice(from, i).indexOf(".");
  if ((point < 0 ? i - from : point) > 15) return -1;
  const isExponent = (text.charCodeAt(i) | 0x20) === 0x65; /* e */
  return isExponent || i - from > MAX_WHOLE ? -1 : i;
}
