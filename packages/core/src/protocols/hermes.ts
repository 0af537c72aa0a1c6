import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, name } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { functionsInTags, think } from "./parts.js";

/**
 * A JSON object between `<tool_call>` tags, as Hermes 2 Pro and 3, Qwen 2.5, Qwen 3 and SmolLM 3 were trained on it.
 * With the `native` style the system section is word for word what Qwen 2.5's chat template shows.
 *
 * @example
 * // <tool_call>
 * // {"name": "add", "arguments": {"a": 2, "b": 3}}
 * // </tool_call>
 */
export const hermes = defineProtocol({
  name: "hermes",
  about: {
    models:
      "Hermes 2 Pro, Hermes 3, Qwen 2.5, Qwen 3, QwQ, SmolLM, MiMo 7B, Trinity, Ling 2, Intern-S1-Pro, " +
      "Youtu-LLM, Nanbeige 4, Mellum 2",
    source: "NousResearch/Hermes-Function-Calling; the chat template of Qwen/Qwen2.5-7B-Instruct",
  },
  bodies: [jsonBody, jsonCallBody, pythonArgumentsBody],
  syntax: {
    parallel: true,
    call: ["<tool_call>\n", jsonCall, "\n</tool_call>"],
    also: [
      // Hermes 2 Theta writes the token that begins a turn instead of the tag.
      { call: ["<|im_start|>\n", jsonCall] },
      // What LM Studio asks models without a format of their own to write.
      { call: ["[TOOL_REQUEST]", jsonCall, "[END_TOOL_REQUEST]"] },
      // Some models write the arguments after the name.
      { call: ["<tool_call>\n", name, { body: "json" }, "\n</tool_call>"] },
    ],
    spans: [think, { open: "<tool_response>", close: "</tool_response>", as: "dropped" }],
    stop: ["<tool_response>"],
  },
  renderTools(tools, context) {
    return [
      functionsInTags(tools, context),
      "",
      "For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:",
      "<tool_call>",
      '{"name": <function-name>, "arguments": <args-json-object>}',
      "</tool_call>",
    ].join("\n");
  },
  renderResults: (results) =>
    results.map((result) => `<tool_response>\n${resultText(result)}\n</tool_response>`).join("\n"),
});
