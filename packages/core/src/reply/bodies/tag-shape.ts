import type { ElementsBody } from "../../protocol.js";
import { closedBy } from "../../syntax/spelling.js";
import { ATTRIBUTE_OPEN, literals } from "../../syntax/tokens.js";

/** The attribute that says whether a value is text, in what stands behind the key. */
const TEXT_ATTRIBUTE = /\s([\w:.-]+)="$/;

/** How the tag that opens an argument is told. */
export interface TagShape {
  /** What stands before the key, and the markers behind it. */
  before: string;
  behindKey: string[];
  /** It is markup, which may hold attributes and may close itself. */
  isTag: boolean;
  /** The attribute that the key stands in, and the name of the tag. */
  attribute: { tag: string; name: string } | undefined;
  /** The attribute that says whether the value is text. */
  textAttribute: string | undefined;
  /** What ends the tag behind the value's type, where that stands behind the key. */
  behindType: string | undefined;
  /** The closing tag: what stands before the key, and behind it; without a key in it, all of it, and its name. */
  close: { before: string; behind: string | undefined; name: string | undefined };
}

const shapes = new WeakMap<ElementsBody, TagShape>();

/** The shape of a body's opening tags, worked out once. */
export function tagShape(body: ElementsBody): TagShape {
  let shape = shapes.get(body);
  if (!shape) {
    shape = makeShape(body);
    shapes.set(body, shape);
  }
  return shape;
}

/** The closing tag of an argument, and its name if it is markup. */
export function closingTagOf({ close }: TagShape, key: string): { close: string; name: string | undefined } {
  const { before, behind, name } = close;
  if (behind === undefined) return { close: before, name };
  return { close: before + key + behind, name: before === "</" && behind === ">" ? key : undefined };
}

function makeShape({ open, close }: ElementsBody): TagShape {
  const [before = "", , after = ""] = open.map((part) => (typeof part === "string" ? part : ""));
  const behind = open[4];
  const [, tag = "", name = ""] = ATTRIBUTE_OPEN.exec(before) ?? [];
  return {
    before,
    behindKey: literals(after).map(({ text }) => text),
    isTag: (before === "<" && after === ">") || (tag !== "" && after.startsWith('"')),
    attribute: tag === "" ? undefined : { tag, name },
    textAttribute: TEXT_ATTRIBUTE.exec(after)?.[1],
    close: makeClose(close),
    behindType: typeof behind === "string" ? (literals(behind).at(-1)?.text ?? "") : undefined,
  };
}

function makeClose(close: ElementsBody["close"]): TagShape["close"] {
  const [before = "", , behind] = close.map((part) => (typeof part === "string" ? part : ""));
  if (behind !== undefined) return { before: before.trimStart(), behind: behind.trimEnd(), name: undefined };
  return { before: before.trim(), behind, name: closedBy(before.trim()) };
}
