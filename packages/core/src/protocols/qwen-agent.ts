import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { resultsBetween } from "./parts.js";

/**
 * Labels in the name's and the arguments' lines, with a mark that text does not have.
 *
 * @example
 * // ✿FUNCTION✿: add
 * // ✿ARGS✿: {"a": 2, "b": 3}
 */
export const qwenAgent = defineProtocol({
  name: "qwen-agent",
  about: {
    models: "Qwen 1.5, 2 and 2.5 through Qwen-Agent",
    source: "the `qwen` function calling prompt of Qwen-Agent",
  },
  bodies: [jsonBody],
  syntax: {
    parallel: true,
    block: { open: "", separator: "\n", close: "" },
    call: ["✿FUNCTION✿: ", name, "\n✿ARGS✿: ", { body: "json" }],
    // After Chinese text the colons are wide.
    also: [
      {
        block: { open: "", separator: "\n", close: "" },
        call: ["✿FUNCTION✿：", name, "\n✿ARGS✿：", { body: "json" }],
      },
    ],
    spans: [{ open: "✿RESULT✿", as: "dropped" }],
    noise: ["✿RETURN✿:", "✿RETURN✿："],
    stop: ["✿RESULT✿"],
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      "## You have access to the following tools:",
      "",
      nativeTools(tools, context, definitionJson),
      "",
      "## To call a tool, insert these two lines in your reply, as often as you need:",
      "",
      "✿FUNCTION✿: the name of the tool",
      "✿ARGS✿: its arguments, as a JSON object",
      "",
      "The result then comes after ✿RESULT✿. Reply to it after ✿RETURN✿.",
    ].join("\n"),
  renderResults: resultsBetween("✿RESULT✿: ", ""),
});
