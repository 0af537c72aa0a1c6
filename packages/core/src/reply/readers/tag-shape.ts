import { oncePer } from "../../common/once-per.js";
import { closedBy } from "../../syntax/spelling.js";
import type { ElementsBody, Leaf } from "../../syntax/syntax.js";
import { ATTRIBUTE_OPEN, literals } from "../../syntax/tokens.js";

/** The attribute that says whether a value is text, in the part of the tag after the key. */
const TEXT_ATTRIBUTE = /\s([\w:.-]+)="$/;

/** The parts that identify the tag of an argument. */
export interface TagShape {
  /** The text before the key, and the markers after it. */
  before: string;
  afterKey: string[];
  /** Whether it is markup, which may have attributes and may close itself. */
  isTag: boolean;
  /** The attribute that contains the key, and the name of the tag. */
  attribute: { tag: string; name: string } | undefined;
  /** The attribute that says whether the value is text. */
  textAttribute: string | undefined;
  /** The end of the tag after the value's type, where the type follows the key. */
  afterType: string | undefined;
  /** The closing tag: the text before the key and after it; without a key, the whole tag, and its name. */
  close: { before: string; after: string | undefined; name: string | undefined };
  leaf: Leaf;
  trims: boolean;
  /**
   * Whether a newline before the closing tag is layout also without one after the opening tag: the format writes no text there.
   */
  endNewlineIsLayout: boolean;
}

/** The shape of a body's opening tags, computed once. */
export const tagShape = oncePer(({ open, close, leaf, trims }: ElementsBody): TagShape => {
  const [before = "", , after = ""] = open.map((part) => (typeof part === "string" ? part : ""));
  const last = open[4];
  const [, tag = "", name = ""] = ATTRIBUTE_OPEN.exec(before) ?? [];
  return {
    before,
    afterKey: literals(after).map(({ text }) => text),
    isTag: (before === "<" && after === ">") || (tag !== "" && after.startsWith('"')),
    attribute: tag === "" ? undefined : { tag, name },
    textAttribute: TEXT_ATTRIBUTE.exec(after)?.[1],
    close: makeClose(close),
    leaf,
    trims: trims === true,
    endNewlineIsLayout: leaf !== "text" || String(close[0]).startsWith("\n"),
    afterType: typeof last === "string" ? (literals(last).at(-1)?.text ?? "") : undefined,
  };
});

/** The closing tag of an argument, and its name if it is markup. */
export function closingTagOf({ close }: TagShape, key: string): { close: string; name: string | undefined } {
  const { before, after, name } = close;
  if (after === undefined) return { close: before, name };
  return { close: before + key + after, name: before === "</" && after === ">" ? key : undefined };
}

function makeClose(close: ElementsBody["close"]): TagShape["close"] {
  const [before = "", , after] = close.map((part) => (typeof part === "string" ? part : ""));
  if (after !== undefined) return { before: before.trimStart(), after: after.trimEnd(), name: undefined };
  return { before: before.trim(), after, name: closedBy(before.trim()) };
}

/** The beginning of an argument's tag, up to its name's end. */
export const tagBeginning = ({ before }: TagShape): string => /^<[^\s"'=<>]*/.exec(before)?.[0] ?? before;
