import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { nativeTools, plainDefinition } from "../tool-text/index.js";
import { callList, namedResults, think } from "./parts.js";

/**
 * All calls as a JSON list in a tag, one per line.
 *
 * @example
 * // <tool_calls>[
 * //     {"name": "add", "arguments": {"a": 2, "b": 3}}
 * // ]</tool_calls>
 */
export const jamba = defineProtocol({
  name: "jamba",
  about: { models: "Jamba 1.5, 1.6, 1.7", source: "the chat template of ai21labs/AI21-Jamba-Large-1.6" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...callList("<tool_calls>", "</tool_calls>"),
    block: { open: "<tool_calls>[\n    ", separator: ",\n    ", close: "\n]</tool_calls>" },
    spans: [think, namedResults.span],
    turns: ["user", "tool", "system"].map((role) => `<|bom|><|${role}|>`),
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "<tool_definitions>",
      "# Tools",
      "",
      "## Functions",
      "",
      nativeTools(tools, context, (tool) => JSON.stringify(plainDefinition(tool), null, 2), "\n\n"),
      "</tool_definitions>",
      "",
      "To call functions, write:",
      '<tool_calls>[\n    {"name": "function name", "arguments": {"argument": "value"}}\n]</tool_calls>',
    ].join("\n"),
  renderResults: namedResults.render,
});
