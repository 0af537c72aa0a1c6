import { RenderError } from "../errors.js";
import { startsCall } from "../reply/forms/call-tag.js";
import { ToolElements } from "../reply/opening/tool-elements.js";
import { AttributesReader, aliasesIn } from "../reply/readers/attributes-reader.js";
import type { BodyKind, WrittenCall } from "../reply/readers/body-kind.js";
import { noAliases } from "../schema/aliases.js";
import { PLAIN_NAME } from "../schema/names.js";
import { anyPlan, type Plan, property, takesOnlyPlain } from "../schema/plan.js";
import type { AttributesBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { jsonWithoutMarkup, quotedXml } from "../tool-text/xml-text.js";
import type { ToolDefinition } from "../types.js";

/** The call as one element: see {@link AttributesBody}. */
export const attributesBody: BodyKind<AttributesBody> = {
  kind: "attributes",
  render: (body, call, { plan, tools }) => renderAttributes(body, call, plan, tools),
  starts: startsCall,
  checkTools: aliasesIn,
  toolElements: (wanted, tools) => ToolElements.of(wanted, tools),
  reader: (body, { host }) => new AttributesReader(body, host.currentCall(), host),
};

function renderAttributes(
  body: AttributesBody,
  call: WrittenCall,
  plan: Plan,
  tools: readonly ToolDefinition[],
): string {
  const aliases = aliasesIn(body, tools);
  const keys = aliases?.parameters(call.name) ?? noAliases;
  if (aliases && aliases.tools.long(call.name) !== call.name) {
    throw new RenderError("unwritable-name", `The tool name ${JSON.stringify(call.name)} is an alias of another tool.`);
  }
  const written = Object.entries(call.arguments).map(([key, value]) => {
    const attribute = keys.short(key);
    const isTaken = attribute.toLowerCase() === body.name || keys.long(attribute) !== key;
    if (isTaken || !PLAIN_NAME.test(attribute)) {
      const why = isTaken
        ? "is an alias of another argument, or the attribute with the tool's name"
        : "cannot be an attribute's name";
      throw new RenderError("unwritable-key", `The argument ${JSON.stringify(key)} ${why}.`);
    }
    return ` ${attribute}=${renderAttribute(value, property(plan, key)?.plan)}`;
  });
  const name = quotedXml(aliases?.tools.short(call.name) ?? call.name);
  return `<${body.tag} ${body.name}="${name}"${written.join("")}/>`;
}

function renderAttribute(value: unknown, plan: Plan = anyPlan): string {
  const how = attributeLeaf(plan);
  if (how === "text" && typeof value === "string") return `"${quotedXml(value)}"`;
  const isWord = value === null || typeof value === "number" || typeof value === "boolean";
  return isWord && (how === "word" || how === "any")
    ? `"${renderJson(value)}"`
    : `'${jsonWithoutMarkup(renderJson(value))}'`;
}

/**
 * How a value at this place is written in an attribute: as text; a number, boolean or null as a word in double quotes;
 * or as JSON in single quotes. `any`: as a word or as JSON. It depends on the place and not on the value, so that a
 * model sees each parameter written in one way, and a grammar can constrain it.
 */
export function attributeLeaf(plan: Plan): "text" | "word" | "json" | "any" {
  if (plan.onlyString) return "text";
  if (plan.kind === "any") return "any";
  return takesOnlyPlain(plan) && plan.branches.length === 0 ? "word" : "json";
}
