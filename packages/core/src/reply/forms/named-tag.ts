import type { Lookahead } from "../../notation/lookahead.js";
import { readTag, readTagInside, type Tag } from "../../notation/markup/markup.js";
import type { Plan } from "../../schema/plan.js";
import { closedBy } from "../../syntax/spelling.js";
import type { Token } from "../../syntax/tokens.js";
import type { FormNode } from "./forms.js";
import { isTagged } from "./match-token.js";

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
  const tag = readTagInside(look, from);
  const isNaming = tag && !tag.isBroken && (tag.attributes.size > 0 || tag.selfClosing);
  return isNaming ? { ...tag, tool: tag.name } : undefined;
}

/** The node after the closing tag of a call's element, from the node after its body. */
export const afterElement = (afterBody: FormNode | undefined): FormNode =>
  afterBody?.branches.find(({ token }) => token.kind === "literal" && closedBy(token.text) !== undefined)?.node ??
  END_OF_FORM;

const END_OF_FORM: FormNode = { branches: [], literals: [] };

/** The attributes of a tag, except the one that names the tool, that are arguments of it. */
export const statedIn = ({ attributes, attribute }: NamingTag, plan: Plan): ReadonlyMap<string, string> =>
  new Map([...attributes].filter(([key]) => key !== attribute && plan.properties.has(key)));
