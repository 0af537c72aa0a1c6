import { PLAIN_NAME } from "../schema/names.js";
import type { Syntax } from "./syntax.js";
import { turnEndTokens } from "./turn-tokens.js";

/**
 * Why the call of a tool cannot be an element of its name; undefined if it can. The element of a span, such as `<think>`, is no
 * call, and a token that ends a turn, such as `</s>`, no closing tag.
 *
 * @example whyNoElement("s", getProtocol("tool-tags").syntax); // "is that of a marker of the format"
 */
export function whyNoElement(name: string, { spans = [] }: Syntax): string | undefined {
  if (!PLAIN_NAME.test(name)) return "cannot be an element's name";
  const isSpan = spans.some(({ open }) => `<${name}>`.startsWith(open));
  return isSpan || turnEndTokens.includes(`</${name}>`) ? "is that of a marker of the format" : undefined;
}
