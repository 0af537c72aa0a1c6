import {
  type GivenAliases,
  laic,
  OptionsError,
  type Protocol,
  parseReply,
  type ToolCall,
  type ToolDefinition,
} from "@toolingua/core";
import { checkOptions, converted, isObject, jsonPointer, type OptionRules } from "@toolingua/core/adapters";
import type { Converted } from "@toolingua/core/providers";
import { eachPart } from "../compose/parts.js";
import { checkTree } from "../schema/check-tree.js";
import type { PmlCall, PmlDocument } from "../tree.js";
import { ATTRIBUTE_NAME } from "../vocabulary.js";
import { escapedAttribute } from "../write/xml-text.js";

/** Options of {@link resolveAliases}. */
export interface ResolveAliasesOptions {
  tools: readonly ToolDefinition[];
  /** Given aliases, as `laic({ aliases })` takes them. The others are generated. */
  aliases?: GivenAliases | undefined;
}

const aliasRules: OptionRules<ResolveAliasesOptions> = {
  tools: { takes: Array.isArray, words: "a list of tools" },
  aliases: { takes: isObject, words: 'an object such as { get_weather: { alias: "W" } }' },
};

/**
 * Expands calls by short names, as models write them in `laic`, to the full names of tools and arguments, with values
 * of the types in the tools' schemas. Calls with full names stay. Calls that match no tool stay as well, and are
 * reported.
 *
 * Errors: `AliasError`, `PmlTreeError` `bad-tree`, `OptionsError`.
 *
 * @example
 * // <call name="W" loc="Oslo" days="2"/> → <call name="get_weather"
 * location="Oslo"><arguments>{"days":2}</arguments></call> resolveAliases(document, { tools: [getWeather], aliases: {
 * get_weather: { alias: "W" } } }).value;
 */
export function resolveAliases(document: PmlDocument, options: ResolveAliasesOptions): Converted<PmlDocument> {
  checkOptions(aliasRules, options, "the options of resolveAliases");
  checkTree(document);
  const { tools, aliases = {} } = options;
  if (tools === undefined)
    throw new OptionsError("bad-option", "`tools` is missing: the tools whose calls are resolved.");
  const protocol = laic({ aliases });
  return converted((losses) =>
    eachPart(document, (part, path) => {
      if (part.type !== "call") return part;
      const read = readCall(part, tools, protocol);
      if ("call" in read) return { ...part, name: read.call.name, arguments: read.call.arguments };
      losses.add(jsonPointer(path, "name"), part.name, read.why);
      return part;
    }),
  );
}

/** The call as the protocol reads it, by short or long names. */
function readCall(
  { name, arguments: args }: PmlCall,
  tools: readonly ToolDefinition[],
  protocol: Protocol,
): { call: ToolCall } | { why: string } {
  const unwritable = Object.keys(args).find((key) => !ATTRIBUTE_NAME.test(key) || key === "name");
  if (unwritable !== undefined) return { why: `${JSON.stringify(unwritable)} cannot be the name of an attribute` };
  const attributes = Object.entries({ name, ...args }).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    // An array or an object is written as JSON in single quotes; a string is not.
    const quote = typeof value === "object" ? "'" : '"';
    return ` ${key}=${quote}${escapedAttribute(text).replaceAll(quote, quote === "'" ? "&apos;" : "&quot;")}${quote}`;
  });
  const { toolCalls, invalidToolCalls } = parseReply(`<call${attributes.join("")}/>`, { tools, protocol });
  const [call] = toolCalls;
  return call ? { call } : { why: invalidToolCalls[0]?.error.message ?? "is not a call" };
}
