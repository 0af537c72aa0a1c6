import { attributesBody } from "../bodies/attributes.js";
import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { checkArgument } from "../check-argument.js";
import { defineProtocol } from "../define-protocol.js";
import type { Protocol } from "../protocol.js";
import { children, name } from "../syntax/parts.js";
import type { Syntax } from "../syntax/syntax.js";
import { toolsAsElements } from "../tool-text/elements.js";
import { errorText } from "../tool-text/error-text.js";
import { withoutDialect } from "../tool-text/index.js";
import { xmlAttribute, xmlText } from "../tool-text/xml-text.js";
import type { ToolDefinition, ToolResult } from "../types.js";
import { think } from "./parts.js";
import { exampleCall } from "./tool-section.js";

/** Options of {@link amXml} for tools, values and failures. */
export interface AmXmlOptions {
  /** Parameters as nested elements (default), or the JSON Schema inside the tool's element. */
  definitions?: "elements" | "schema" | undefined;
  /** How arrays and objects are taught and written: JSON text (default) or nested elements. Both are read. */
  structured?: "json" | "nested" | undefined;
  /** The details of a failure in a result: its message (default), or also the error's class and code. Never a stack. */
  errors?: "message" | "detailed" | undefined;
}

/**
 * One element per call, one child per argument, in the `am:` namespace. A call is never self-closing, so that its
 * closing tag can be a stop sequence.
 *
 * @example
 * amXml({ errors: "detailed" }).renderCalls([{ name: "calculator", arguments: { a: 5, b: 3 } }], { tools });
 * // <am:tool_call name="calculator"><a>5</a><b>3</b></am:tool_call>
 */
export function amXml(options: AmXmlOptions = {}): Protocol {
  checkArgument("options", "object", options);
  const { definitions = "elements", structured = "json", errors = "message" } = options;
  const syntax: Syntax = {
    parallel: true,
    call: ['<am:tool_call name="', name, '">', { ...children, structured }, "</am:tool_call>"],
    also: [
      { call: [{ body: "attributes", tag: "am:tool_call", name: "name" }] },
      { call: ['<am:tool_call name="', name, '">', { body: "json" }, "</am:tool_call>"] },
      { call: ["<am:tool_call>", "<name>", name, "</name>", { body: "json" }, "</am:tool_call>"] },
    ],
    spans: [
      think,
      // Models write their reasoning in the namespace too.
      { open: "<am:think>", close: "</am:think>", as: "reasoning" },
      { open: "<am:thinking>", close: "</am:thinking>", as: "reasoning" },
      { open: "<am:tool_result", close: "</am:tool_result>", as: "dropped" },
      { open: "<am:tool_error", close: "</am:tool_error>", as: "dropped" },
    ],
    stop: ["</am:tool_call>", "<am:tool_result", "<am:tool_error"],
  };
  const protocol: Protocol = defineProtocol({
    name: "am-xml",
    about: { models: "any that follows instructions", source: "Toolingua's own" },
    bodies: [jsonBody, elementsBody, attributesBody],
    syntax,
    renderTools(tools, { style, parallel, listTools }) {
      return [
        "# Tools",
        "",
        "<am:tools>",
        style !== "native"
          ? listTools(tools, style)
          : definitions === "schema"
            ? embedded(tools)
            : toolsAsElements(tools),
        "</am:tools>",
        "",
        "To call a tool, write an element with the tool's name and one child for each argument, in this form:",
        exampleCall(protocol, tools),
        "",
        structured === "nested"
          ? "Write an array as one <item> for each value, and an object as one child for each property."
          : "Write an array or an object as JSON.",
        "In text, write &lt; for < and &amp; for &. Always close the call with </am:tool_call>.",
        "Call a tool when it helps with the user's message; otherwise answer in plain text.",
        parallel ? "You may write several calls, one after the other." : "Write one call at a time.",
        "After a call, stop. The result comes in the next message, in an <am:tool_result>; use it to answer.",
      ].join("\n");
    },
    renderResults: (results) => results.map((result) => renderResult(result, errors === "detailed")).join("\n"),
  });
  return protocol;
}

function renderResult({ name, content, isError }: ToolResult, detailed: boolean): string {
  if (!isError) return `<am:tool_result name="${xmlAttribute(name)}">${xmlText(content)}</am:tool_result>`;
  const { message, type, code } = errorText(content);
  const detail = detailed ? attribute("type", type) + attribute("code", code) : "";
  return `<am:tool_error name="${xmlAttribute(name)}"${detail}>${xmlText(message)}</am:tool_error>`;
}

/** Each tool's JSON Schema inside its element. */
const embedded = (tools: readonly ToolDefinition[]) =>
  tools
    .map((tool) => {
      const schema = xmlText(JSON.stringify(withoutDialect(tool.parameters ?? { type: "object" })));
      const about = attribute("description", tool.description);
      return `<am:tool name="${xmlAttribute(tool.name)}"${about}><schema>${schema}</schema></am:tool>`;
    })
    .join("\n");

const attribute = (name: string, value: string | undefined) => (value ? ` ${name}="${xmlAttribute(value)}"` : "");
