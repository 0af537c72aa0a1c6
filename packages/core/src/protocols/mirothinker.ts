import { elementsBody } from "../bodies/elements.js";
import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { children, jsonCall, name } from "../syntax/parts.js";
import type { Part } from "../syntax/syntax.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { namedResults, think } from "./parts.js";

/** The server of every tool that the template does not know. */
const SERVER = "generic-extras";

const tool: Part[] = ["<tool_name>", name, "</tool_name>\n"];
const values: Part[] = ["<arguments>\n", { body: "json" }, "\n</arguments>"];
/** Models leave out the tags around the arguments, and write each one as an element. */
const others: Part[][] = [["<arguments>\n", children, "\n</arguments>"], [{ body: "json" }], [children]];
/** Any server: when read, any text may be in the place of the number. */
const anyServer: Part[] = ["<server_name>", { slot: "index" }, "</server_name>\n"];
const rendered: Part[] = [`<server_name>${SERVER}</server_name>\n`, ...tool];
/** A model may name any server, also after the tool, or none. */
const servers: Part[][] = [[...anyServer, ...tool], [...tool, ...anyServer], tool];

/** A call with the server and the tool in these parts. */
const callOf = (parts: Part[], given = values): Part[] => ["<use_mcp_tool>\n", ...parts, ...given, "\n</use_mcp_tool>"];

/**
 * A call of a tool on an MCP server, with its arguments as JSON. Coding agents such as Cline ask for this form too.
 *
 * @example
 * // <use_mcp_tool>
 * // <server_name>generic-extras</server_name>
 * // <tool_name>add</tool_name>
 * // <arguments>
 * // {"a": 2, "b": 3}
 * // </arguments>
 * // </use_mcp_tool>
 */
export const mirothinker = defineProtocol({
  name: "mirothinker",
  about: { models: "MiroThinker", source: "the chat template MiroThinker-v1 of llama.cpp" },
  bodies: [jsonBody, jsonCallBody, elementsBody],
  syntax: {
    parallel: false,
    call: callOf(rendered),
    also: [
      ...[rendered, ...servers].flatMap((parts) =>
        [values, ...others].map((given) => ({ call: callOf(parts, given) })),
      ),
      { call: ["<use_mcp_tool>\n", jsonCall, "\n</use_mcp_tool>"] },
    ],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "In this environment you have access to a set of tools you can use to answer the user's question.",
      "",
      "You only have access to the tools provided below. You can only use one tool per message, and will receive the result of that tool in the user's next response. You use tools step-by-step to accomplish a given task, with each tool-use informed by the result of the previous tool-use.",
      "",
      "# Tool-Use Formatting Instructions",
      "",
      "Tool-use is formatted using XML-style tags. The tool-use is enclosed in <use_mcp_tool></use_mcp_tool> and each parameter is similarly enclosed within its own set of tags.",
      "",
      "Parameters:",
      "- server_name: (required) The name of the MCP server providing the tool",
      "- tool_name: (required) The name of the tool to execute",
      "- arguments: (required) A JSON object containing the tool's input parameters, following the tool's input schema, quotes within string must be properly escaped, ensure it's valid JSON",
      "",
      "Usage:",
      "<use_mcp_tool>",
      "<server_name>server name here</server_name>",
      "<tool_name>tool name here</tool_name>",
      "<arguments>",
      "{",
      '"param1": "value1",',
      '"param2": "value2 \\"escaped string\\""',
      "}",
      "</arguments>",
      "</use_mcp_tool>",
      "",
      "Important Notes:",
      "- Tool-use must be placed **at the end** of your response, **top-level**, and not nested within other tags.",
      "- Always adhere to this format for the tool use to ensure proper parsing and execution.",
      "",
      "Here are the functions available in JSONSchema format:",
      "",
      `## Server name: ${SERVER}`,
      nativeTools(tools, context, definitionJson),
    ].join("\n"),
  renderResults: namedResults.render,
});
