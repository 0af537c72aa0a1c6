import { attributesBody } from "../bodies/attributes.js";
import { checkArgument } from "../check-argument.js";
import { defineProtocol } from "../define-protocol.js";
import type { Protocol } from "../protocol.js";
import type { GivenAliases, ToolAliases } from "../schema/aliases.js";
import { aliasesFor } from "../schema/aliases-for.js";
import { requiredOf } from "../schema/required.js";
import { planOfTool } from "../schema/tool-plan.js";
import type { Syntax } from "../syntax/syntax.js";
import { withoutStack } from "../tool-text/error-text.js";

import { typesIn } from "../tool-text/index.js";
import { xmlText } from "../tool-text/xml-text.js";
import type { JsonSchema, ToolDefinition, ToolResult } from "../types.js";
import { think } from "./parts.js";
import { exampleCall } from "./tool-section.js";

/** Options of {@link laic} for names. */
export interface LaicOptions {
  /**
   * Custom aliases, by the full names of tools and parameters; the other aliases are generated. Every tool that is
   * named here must be among the tools of every turn.
   */
  aliases?: GivenAliases | undefined;
}

const NAME = "name";

/**
 * Lightweight Agentic Invocation Convention: the call is one empty element at the end of the message, with short
 * aliases for tools and parameters. A call takes few tokens, and a model that is asked for its tools does not know
 * their internal names.
 *
 * Errors: `AliasError` for a bad alias, where tools are first shown, calls are rendered or a reply parser is made.
 *
 * @example
 * laic({ aliases: { get_weather: { alias: "W" } } }).renderCalls(calls, { tools });
 * // <call name="W" loc="San Francisco"/>
 */
export function laic(options: LaicOptions = {}): Protocol {
  checkArgument("options", "object", options);
  const { aliases: given = {} } = options;
  const syntax: Syntax = {
    parallel: true,
    call: [{ body: "attributes", tag: "call", name: NAME, aliases: given }],
    spans: [
      think,
      { open: "<thinking>", close: "</thinking>", as: "reasoning" },
      { open: "<tool_output", close: "</tool_output>", as: "dropped" },
    ],
    stop: ["<tool_output"],
  };
  const protocol: Protocol = defineProtocol({
    name: "laic",
    about: { models: "any that follows instructions", source: "Lightweight Agentic Invocation Convention" },
    bodies: [attributesBody],
    syntax,
    renderTools(tools, { style, parallel, listTools }) {
      const aliases = aliasesFor(tools, given, NAME);
      const shown =
        style === "native"
          ? tools.map((tool) => toolElement(tool, aliases)).join("\n")
          : listTools(
              tools.map((tool) => underAliases(tool, aliases)),
              style,
            );
      return [
        "# Tools",
        "",
        "<tools>",
        shown,
        "</tools>",
        "",
        "To call a tool, end your message with one <call> element that has the tool's name and each argument as an attribute:",
        exampleCall(protocol, tools),
        "",
        "Before the call you may think in <thinking>…</thinking>.",
        'Write text in double quotes, with &quot; for ", &lt; for < and &amp; for &. Write numbers, true, false and null as they are, also in double quotes.',
        `Write an array or an object as JSON in single quotes, such as key='["a", "b"]'.`,
        "Use only the tools and keys that are listed; never call a tool that is not listed.",
        "If the user asks which tools you have, tell what they do, from their descriptions; never tell their names or keys.",
        "Call a tool when it helps with the user's message; otherwise answer in plain text.",
        parallel ? "You may write several calls, one after the other." : "Write one call at a time.",
        "After a call, stop. The result comes in the next message, in a <tool_output>; use it to answer.",
      ].join("\n");
    },
    renderResults(results, { tools }) {
      const { tools: names } = aliasesFor(tools, given, NAME);
      return results.map((result) => output(result, names.short(result.name))).join("\n");
    },
  });
  return protocol;
}

function output({ content, isError }: ToolResult, name: string): string {
  const text = isError ? withoutStack(content) : content;
  return `<tool_output${attribute(NAME, name)}${isError ? ' status="error"' : ""}>\n${text}\n</tool_output>`;
}

/** Renders a tool, and each parameter with its type; optional parameters are marked. */
function toolElement(tool: ToolDefinition, aliases: ToolAliases): string {
  const keys = aliases.parameters(tool.name);
  const plan = planOfTool(tool);
  const required = requiredOf(plan.schema);
  const types = typesIn(tool.parameters ?? true);
  const parameters = [...plan.properties].map(([key, { schema }]) => {
    const { type, note } = types.of(schema);
    const optional = required.includes(key) ? "" : attribute("optional", "true");
    return `<param${attribute("key", keys.short(key))}${attribute("type", type)}${optional}${attribute("desc", note)}/>`;
  });
  const definitions = types
    .definitions()
    .map(
      ({ name, type, note }) => `<type${attribute("name", name)}${attribute("type", type)}${attribute("desc", note)}/>`,
    );
  const open = `<tool${attribute(NAME, aliases.tools.short(tool.name))}${attribute("desc", tool.description?.trim())}`;
  return parameters.length > 0 ? [`${open}>`, ...parameters, ...definitions, "</tool>"].join("\n") : `${open}/>`;
}

/** The definition with aliases in place of names, for the styles that all protocols share. */
function underAliases(tool: ToolDefinition, aliases: ToolAliases): ToolDefinition {
  const name = aliases.tools.short(tool.name);
  const keys = aliases.parameters(tool.name);
  const plan = planOfTool(tool);
  if (typeof plan.schema !== "object" || plan.properties.size === 0) return { ...tool, name };
  const parameters: JsonSchema = {
    ...plan.schema,
    properties: Object.fromEntries([...plan.properties].map(([key, { schema }]) => [keys.short(key), schema])),
  };
  const required = requiredOf(plan.schema).map((key) => keys.short(key));
  if (required.length > 0) parameters.required = required;
  return { ...tool, name, parameters };
}

/** An attribute, quoted as in calls: text that contains double quotes is in single quotes. */
function attribute(name: string, value: string | undefined): string {
  if (!value) return "";
  const text = xmlText(value);
  if (!text.includes('"')) return ` ${name}="${text}"`;
  return text.includes("'") ? ` ${name}="${text.replaceAll('"', "&quot;")}"` : ` ${name}='${text}'`;
}
