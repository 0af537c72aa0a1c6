import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { namedResults, parametersCall } from "./parts.js";

/**
 * A list of Python calls that is the whole reply, as Llama 4, Llama 3.2 and ToolACE were trained on it.
 *
 * @example
 * // [add(a=2, b=3), now()]
 */
export const pythonic = defineProtocol({
  name: "pythonic",
  about: {
    models: "Llama 4, ToolACE",
    source: "the prompt format in the model card of meta-llama/Llama-4-Scout-17B-16E-Instruct",
  },
  bodies: [jsonCallBody, pythonArgumentsBody],
  syntax: {
    at: "reply",
    parallel: true,
    block: { open: "[", separator: ", ", close: "]" },
    call: [{ slot: "name" }, { body: "python-arguments" }],
    also: [
      { at: "reply", call: [{ slot: "name" }, { body: "python-arguments" }] },
      // Gemma prints the results of its calls.
      { at: "reply", call: ["print(", { slot: "name" }, { body: "python-arguments" }, ")"] },
      // Llama writes its own token before calls to built-in tools.
      {
        block: { open: "<|python_start|>[", separator: ", ", close: "]<|python_end|>" },
        call: [{ slot: "name" }, { body: "python-arguments" }],
      },
      { call: ["<|python_start|>", parametersCall, "<|python_end|>"] },
    ],
    spans: [namedResults.span],
    stop: namedResults.stop,
  },
  renderTools(tools, { style, listTools }) {
    return [
      "You can call functions. The functions, in JSON:",
      listTools(tools, style === "native" ? "json" : style),
      "",
      "When a function is needed, answer with nothing but a list of calls in the format",
      "[func_name1(param_name1=param_value1, param_name2=param_value2), func_name2(param=value)]",
      "with strings in quotes and no other text. When none is needed, or a parameter it requires is not given, answer in words.",
    ].join("\n");
  },
  renderResults: namedResults.render,
});
