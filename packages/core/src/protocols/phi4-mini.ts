import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { toolName } from "../syntax/parts.js";
import { phiTurns } from "../syntax/turn-tokens.js";
import { indentedFunctionJson, nativeTools } from "../tool-text/index.js";
import { callList, namedResults } from "./parts.js";

const list = callList("functools", "");

/**
 * A word, then all calls as a JSON list.
 *
 * @example
 * // functools[{"name": "add", "arguments": {"a": 2, "b": 3}}]
 */
export const phi4Mini = defineProtocol({
  name: "phi4-mini",
  about: {
    models: "Phi-4 mini",
    source:
      "the function-calling guide of microsoft/Phi-4-mini-instruct; its model card has the tokens <|tool_call|> instead",
  },
  bodies: [jsonCallBody, pythonArgumentsBody],
  syntax: {
    parallel: true,
    block: list.block!,
    call: list.call,
    also: [
      { block: { open: "<|tool_call|>[", separator: ",", close: "]<|/tool_call|>" }, call: list.call },
      // Models write a space after the word, and calls as in Python.
      { block: { open: "functools [", separator: ",", close: "]" }, call: list.call },
      { block: { open: "functools[", separator: ",", close: "]" }, call: [toolName, { body: "python-arguments" }] },
      // Without the brackets, only where the reply begins: the word is also that of a Python module.
      { at: "start", block: { open: "functools", separator: ",", close: "" }, call: list.call },
    ],
    spans: [namedResults.span],
    turns: phiTurns,
    stop: namedResults.stop,
  },
  renderTools: (tools, context) =>
    [
      "In addition to plain text responses, you can choose to call one or more of the provided functions.",
      "",
      "Use the following rule to decide when to call a function:",
      '  * if the response can be generated from your internal knowledge (e.g., as in the case of queries like "What is the capital of Poland?"), do so',
      "  * if you need external information that can be obtained by calling one or more of the provided functions, generate a function calls",
      "",
      "If you decide to call functions:",
      "  * prefix function calls with functools marker (no closing marker required)",
      '  * all function calls should be generated in a single JSON list formatted as functools[{"name": [function name], "arguments": [function arguments as JSON]}, ...]',
      "  * follow the provided JSON schema. Do not hallucinate arguments or values. Do not blindly copy values from the provided samples",
      "  * respect the argument type formatting. E.g., if the type is number and format is float, write value 7 as 7.0",
      "  * make sure you pick the right functions that match the user intent",
      "",
      nativeTools(tools, context, indentedFunctionJson, "\n\n"),
    ].join("\n"),
  renderResults: namedResults.render,
});
