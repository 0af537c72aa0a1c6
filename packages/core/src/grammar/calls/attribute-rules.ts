import { attributeLeaf } from "../../bodies/attributes.js";
import { noAliases } from "../../schema/aliases.js";
import { aliasesFor } from "../../schema/aliases-for.js";
import { PLAIN_NAME } from "../../schema/names.js";
import { anyPlan } from "../../schema/plan.js";
import { planOfTool } from "../../schema/tool-plan.js";
import type { AttributesBody } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";
import { jsonSpelling, type Spelling, spellingOf } from "../json-style.js";
import { choice, literal, sequence } from "../rules.js";
import type { Part } from "../schema/argument-shapes.js";
import { xmlStrings } from "../text/string-notation.js";
import type { CallContext } from "./call-context.js";

/**
 * Rules for the attributes of a call that is one element, in the order of the schema. Each value is quoted as
 * `renderCalls` quotes it. `name` is the tool's name or alias in the call.
 */
export function attributeRules(
  body: AttributesBody,
  tool: ToolDefinition,
  tools: readonly ToolDefinition[],
  call: CallContext,
): { name: string; attributes: string } {
  const aliases = body.aliases && aliasesFor(tools, body.aliases, body.name);
  const keys = aliases?.parameters(tool.name) ?? noAliases;
  const isWritable = (key: string) => {
    const attribute = keys.short(key);
    return PLAIN_NAME.test(attribute) && keys.long(attribute) === key && attribute.toLowerCase() !== body.name;
  };
  const name = aliases?.tools.short(tool.name) ?? tool.name;
  const compiler = call.compiler(inMarkup);
  const texts = call.compiler(inAttribute);
  const words = call.compiler(jsonSpelling);
  const { properties } = planOfTool(tool);
  const value = (part: Part): string | undefined => {
    switch (attributeLeaf(properties.get(part.key) ?? anyPlan)) {
      case "text":
        return texts.part(part);
      case "word":
        return quoted('"', words.part(part));
      case "json":
        return quoted("'", compiler.part(part));
      case "any": {
        const ways = [quoted("'", compiler.part(part)), quoted('"', words.part(part, WORDS))];
        const possible = ways.filter((way) => way !== undefined);
        return possible.length === 0 ? undefined : choice(possible);
      }
    }
  };
  const attribute = (part: Part) => {
    if (!isWritable(part.key)) return undefined;
    const expression = value(part);
    return expression === undefined ? undefined : sequence(literal(` ${keys.short(part.key)}=`), expression);
  };
  return { name, attributes: call.arguments(compiler, attribute) };
}

const inMarkup = spellingOf({ escape: "markup" });
const inAttribute: Spelling = { ...jsonSpelling, strings: xmlStrings('"') };

const WORDS = ["number", "boolean", "null"];

const quoted = (quote: string, value: string | undefined) =>
  value === undefined ? undefined : sequence(literal(quote), value, literal(quote));
