import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { name, toolName } from "../syntax/parts.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";
import { atStart, namedResults } from "./parts.js";

/**
 * The name in the tag, the arguments as JSON inside it. Version 3.2 writes `>>>name` and the arguments on the next
 * line; that is read as well.
 *
 * @example
 * // <function=add>{"a": 2, "b": 3}</function>
 */
export const functionary = defineProtocol({
  name: "functionary",
  about: {
    models: "Functionary 3.1, 3.2",
    source: "the chat templates of meetkai/functionary-medium-v3.1 and -v3.2",
  },
  bodies: [jsonBody],
  syntax: {
    parallel: true,
    block: { open: "", separator: "", close: "" },
    call: ["<function=", name, ">", { body: "json" }, "</function>"],
    also: [
      { at: "line", call: [">>>", name, "\n", { body: "json" }] },
      // Directly after text.
      { call: [">>>", toolName, "\n", { body: "json" }] },
      // The prompt ends with the first mark. A word and an object in an answer are no call.
      atStart(toolName, "\n", { body: "json" }),
    ],
    noise: [">>>all\n", "all\n", "<|eom_id|>", "<|eot_id|>"],
    spans: [namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "You have access to the following functions:",
      "",
      nativeTools(
        tools,
        context,
        (tool) => `Use the function '${tool.name}' to '${tool.description ?? ""}'\n${definitionJson(tool)}`,
        "\n\n",
      ),
      "",
      "Think very carefully before calling functions.",
      "If a you choose to call a function ONLY reply in the following format:",
      "<{start_tag}={function_name}>{parameters}{end_tag}",
      "where",
      "",
      "start_tag => `<function`",
      "parameters => a JSON dict with the function argument name as key and function argument value as value.",
      "end_tag => `</function>`",
      "",
      "Here is an example,",
      '<function=example_function_name>{"example_name": "example_value"}</function>',
      "",
      "Reminder:",
      "- Function calls MUST follow the specified format, start with <function= and end with </function>",
      "- Required parameters MUST be specified",
      "- Put the entire function call reply on one line",
    ].join("\n"),
  renderResults: namedResults.render,
});
