import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { namedResults } from "./parts.js";

/**
 * Python calls, one per line, in a code fence between tokens; the model's reasoning comes before them.
 *
 * @example
 * // <|tool_call_start|>
 * // ```python
 * // add(a=2, b=3)
 * // ```
 * // <|tool_call_end|>
 */
export const minicpm3 = defineProtocol({
  name: "minicpm3",
  about: { models: "MiniCPM 3, MiniCPM 4", source: "the chat template of openbmb/MiniCPM3-4B" },
  bodies: [pythonArgumentsBody],
  syntax: {
    parallel: true,
    block: { open: "<|tool_call_start|>\n```python\n", separator: "\n", close: "\n```\n<|tool_call_end|>" },
    call: [name, { body: "python-arguments" }],
    also: [
      {
        block: { open: "<|tool_call_start|>\n```\n", separator: "\n", close: "\n```\n<|tool_call_end|>" },
        call: [name, { body: "python-arguments" }],
      },
    ],
    spans: [{ open: "<|thought_start|>", close: "<|thought_end|>", as: "reasoning" }, namedResults.span],
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "# Functions",
      "Here is a list of functions that you can invoke:",
      nativeTools(tools, context, functionJson),
      "",
      "To call functions, write them as in Python, one a line:",
      "<|tool_call_start|>",
      "```python",
      'name(parameter="value")',
      "```",
      "<|tool_call_end|>",
    ].join("\n"),
  renderResults: namedResults.render,
});
