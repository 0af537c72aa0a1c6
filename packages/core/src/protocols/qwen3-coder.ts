import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import type { ToolPromptContext } from "../protocol.js";
import { key, name } from "../syntax/parts.js";
import type { Form, Part } from "../syntax/syntax.js";
import { withoutDialect } from "../tool-text/index.js";
import { renderJson } from "../tool-text/render-json.js";
import type { ToolDefinition } from "../types.js";
import { resultsBetween, textElements, think } from "./parts.js";

const parameters = textElements(["<parameter=", key, ">\n"], ["\n</parameter>\n"]);
const call: Part[] = ["<function=", name, ">\n", parameters, "</function>"];

/**
 * A function in a tag, each parameter in its own tag. Models sometimes omit the outer tag, so reading does not require
 * it.
 *
 * @example
 * // <tool_call>
 * // <function=add>
 * // <parameter=a>
 * // 2
 * // </parameter>
 * // </function>
 * // </tool_call>
 */
export const qwen3Coder = defineProtocol({
  name: "qwen3-coder",
  about: {
    models:
      "Qwen3-Coder, Qwen 3.5 to 3.8, Step 3.5 to 3.7, Nemotron 3, Trinity Large Thinking, Intern-S2, IQuest-Coder V1, " +
      "INTELLECT-3",
    source: "the chat template of Qwen/Qwen3-Coder-30B-A3B-Instruct",
  },
  bodies: [jsonBody, elementsBody],
  syntax: {
    parallel: true,
    call: ["<tool_call>\n", ...call, "\n</tool_call>"],
    also: [
      { call },
      // Some models put the name between the tags of a function, or use another tag.
      { call: ["<tool_call>\n<function>", name, "</function>\n", parameters, "</function>\n</tool_call>"] },
      { call: ["<tool_call>\n<function=", name, ">\n", { body: "json" }, "</function>\n</tool_call>"] },
      ...["call", "tool", "invoke"].map(
        (tag): Form => ({
          call: [`<tool_call>\n<${tag}=`, name, ">\n", parameters, `</${tag}>\n</tool_call>`],
        }),
      ),
    ],
    spans: [think, { open: "<tool_response>", close: "</tool_response>", as: "dropped" }],
    stop: ["<tool_response>"],
  },
  renderTools(tools, context) {
    return [
      "# Tools",
      "",
      "You have access to the following functions:",
      "",
      "<tools>",
      functionElements(tools, context),
      "</tools>",
      "",
      "If you choose to call a function ONLY reply in the following format with NO suffix:",
      "",
      "<tool_call>",
      "<function=example_function_name>",
      "<parameter=example_parameter_1>",
      "value_1",
      "</parameter>",
      "<parameter=example_parameter_2>",
      "This is the value for the second parameter",
      "that can span",
      "multiple lines",
      "</parameter>",
      "</function>",
      "</tool_call>",
      "",
      "<IMPORTANT>",
      "Reminder:",
      "- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags",
      "- Required parameters MUST be specified",
      "- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after",
      "- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls",
      "</IMPORTANT>",
    ].join("\n");
  },
  renderResults: resultsBetween("<tool_response>\n", "\n</tool_response>"),
});

/** The tools as elements, in the `native` style. */
export const functionElements = (tools: readonly ToolDefinition[], { style, listTools }: ToolPromptContext): string =>
  style === "native" ? tools.map(toolElement).join("\n") : listTools(tools, style);

/** Renders a tool as elements: first those of the template, then every other keyword under its own name. */
function toolElement(tool: ToolDefinition): string {
  const schema = tool.parameters === undefined ? {} : withoutDialect(tool.parameters);
  const keywords = typeof schema === "object" ? schema : {};
  const parameters = Object.entries((keywords.properties ?? {}) as Record<string, unknown>).map(([parameter, fields]) =>
    [
      "<parameter>",
      element("name", parameter),
      ...elements(fields, ["type", "description"], ["name"]),
      "</parameter>",
    ].join("\n"),
  );
  return [
    "<function>",
    element("name", tool.name),
    ...(tool.description ? [element("description", tool.description.trim())] : []),
    "<parameters>",
    ...parameters,
    ...elements(keywords, [], ["type", "properties"]),
    "</parameters>",
    "</function>",
  ].join("\n");
}

/** The keywords of a schema as elements: those in `first` come first, those in `without` are omitted. */
function elements(schema: unknown, first: readonly string[], without: readonly string[]): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const keywords = schema as Record<string, unknown>;
  const others = Object.keys(keywords).filter((keyword) => !first.includes(keyword) && !without.includes(keyword));
  return [...first.filter((keyword) => Object.hasOwn(keywords, keyword)), ...others].map((keyword) =>
    element(keyword, keywords[keyword]),
  );
}

const element = (tag: string, value: unknown) =>
  `<${tag}>${typeof value === "string" ? value.trim() : renderJson(value)}</${tag}>`;
