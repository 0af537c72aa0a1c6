import { Lookahead } from "../../notation/lookahead.js";
import { readTag, type Tag } from "../../notation/markup/markup.js";
import type { Token } from "../../syntax/tokens.js";
import { isTagged } from "./match-token.js";

/** Longer than the longest tag that is read. */
const MAX_REST = 1024;

/** A tag that names the tool, and the attribute that does so. */
export interface NamingTag extends Tag {
  tool: string;
  attribute?: string | undefined;
}

/** The tag at an index that names the tool: the whole tag of a format, or the rest of one after `<function=`. */
export function namingTag(token: Token, look: Lookahead, at: number): NamingTag | undefined {
  if (token.kind === "name") return token.line ? undefined : restOfTag(look, at, token.ends);
  const tag = token.kind === "tag" ? readTag(look, at) : undefined;
  if (token.kind !== "tag" || !tag) return undefined;
  const { attribute } = token;
  const tool = attribute === undefined ? token.name : (tag.attributes.get(attribute) ?? "");
  return { ...tag, tool: tool.trim(), attribute };
}

/** The rest of a tag that begins with the tool's name and has attributes, as in `<function=add a="1" b="2"/>`. */
export function restOfTag(look: Lookahead, from: number, ends: readonly string[]): NamingTag | undefined {
  if (!isTagged(ends)) return undefined;
  const inside = new Lookahead({ text: `<${look.text.slice(from, from + MAX_REST)}`, final: look.isWhole });
  const tag = readTag(inside, 0);
  if (inside.hitEnd) look.atCut();
  const isNaming = tag && !tag.isBroken && (tag.attributes.size > 0 || tag.selfClosing);
  return isNaming ? { ...tag, tool: tag.name, end: from + tag.end - 1 } : undefined;
}
