import { spaceEnd } from "../input.js";
import type { Lookahead } from "../lookahead.js";

/** The element of a quoted value. */
export interface AttributePlace {
  /** The element's name. */
  tag: string;
  /** Whether the element can have this attribute; undefined: unknown. */
  expects(key: string): boolean | undefined;
}

/** The state of the text so far. */
export interface AttributeText {
  /** It contains an unescaped quote. */
  dirty: boolean;
  /** It ends inside a tag. */
  inTag: boolean;
}

const NAME = /[\p{L}_][\p{L}\p{N}_.:-]{0,256}/uy;

/** The name of the attribute at an index; undefined: none is there. */
export function attributeNameAt(text: string, at: number): string | undefined {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0];
}

/**
 * Whether the quote at `at` ends its attribute's value. It does if the text after it can follow a value: the end of the
 * tag, another attribute, the end of the reply. Text with unescaped quotes is often markup itself, so inside it the
 * parts of a tag end nothing, and only expected attributes count.
 *
 * @example endsAttribute(new Lookahead({ text: '" b="1">', final: false }), 0, place, { dirty: false, inTag: false }); // true
 */
export function endsAttribute(look: Lookahead, at: number, place: AttributePlace, written: AttributeText): boolean {
  const { dirty, inTag } = written;
  if (dirty && inTag) return false;
  const i = spaceEnd(look.text, at + 1);
  if (look.endsAt(i)) return true;
  switch (look.charAt(i)) {
    case "/":
      return look.endsAt(i + 1) || (look.charAt(i + 1) === ">" && tagEnds(look, i + 2, dirty));
    case ">":
      return tagEnds(look, i + 1, dirty);
    case "<":
    case "`":
      return lacksTagEnd(look, i, place);
    case ",":
      return attributeFollows(look, spaceEnd(look.text, i + 1), true, place, dirty);
    default:
      return attributeFollows(look, i, i > at + 1, place, dirty);
  }
}

function tagEnds(look: Lookahead, after: number, dirty: boolean): boolean {
  return !dirty || look.endsAt(after) || /[\s<{`]/.test(look.charAt(after));
}

/** Whether the tag's end is missing: another call, the element's closing tag or the end of a code fence follows. */
function lacksTagEnd(look: Lookahead, i: number, { tag }: AttributePlace): boolean {
  const found = [`<${tag}`, `</${tag}`, "```"].find((markup) => look.has(markup, i) || look.cuts(markup, i));
  return found !== undefined;
}

function attributeFollows(
  look: Lookahead,
  from: number,
  isApart: boolean,
  { expects }: AttributePlace,
  dirty: boolean,
): boolean {
  if (look.endsAt(from)) return true;
  const key = attributeNameAt(look.text, from);
  if (key === undefined) return false;
  const separatorAt = spaceEnd(look.text, from + key.length);
  if (look.endsAt(separatorAt)) return true;
  const isExpected = expects(key);
  const char = look.charAt(separatorAt);
  if (char === "/" || char === ">") return isApart && !dirty && isExpected === true;
  if (char !== "=") return false;
  const value = spaceEnd(look.text, separatorAt + 1);
  if (look.endsAt(value)) return true;
  if (!isApart) return isExpected === true && /["']/.test(look.charAt(value));
  return dirty ? isExpected !== false : /["'{[\w-]/.test(look.charAt(value));
}
