import { jsonBody } from "../bodies/json.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { resultText } from "../tool-text/error-text.js";
import { plainDefinition } from "../tool-text/json.js";
import { renderJson } from "../tool-text/render-json.js";
import { gemmaCalls } from "./parts.js";

/**
 * Arguments with bare keys and strings between `<escape>` tokens.
 *
 * @example
 * // <start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>
 */
export const functiongemma = defineProtocol({
  name: "functiongemma",
  about: { models: "FunctionGemma", source: "the model card and chat template of google/functiongemma-270m-it" },
  bodies: [jsonBody, pythonArgumentsBody],
  syntax: {
    parallel: true,
    ...gemmaCalls("<start_function_call>", "<end_function_call>", "<escape>"),
    spans: [{ open: "<start_function_response>", close: "<end_function_response>", as: "dropped" }],
    stop: ["<start_function_response>"],
  },
  renderTools(tools, { style, listTools }) {
    const list =
      style === "native"
        ? tools
            .map((tool) => {
              const { name, description = "", parameters } = plainDefinition(tool);
              return `Function: ${name}\nDescription: ${description}\nParameters: ${renderJson(parameters)}`;
            })
            .join("\n\n")
        : listTools(tools, style);
    return `Available functions:\n\n${list}`;
  },
  renderResults(results) {
    return results
      .map(
        (result) =>
          `<start_function_response>response:${result.name}{value:<escape>${resultText(result)}<escape>}<end_function_response>`,
      )
      .join("");
  },
});
