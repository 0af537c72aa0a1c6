import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { functionJson, nativeList } from "../tool-text/index.js";
import { callList, resultsBetween, think } from "./parts.js";

const format =
  '<tool_calls>[{"name": "func_name1", "arguments": {"argument1": "value1", "argument2": "value2"}},...]</tool_calls>';

/**
 * All calls as a JSON list in a tag; tools in the Chinese wording of the template.
 *
 * @example
 * // <tool_calls>[{"name": "add", "arguments": {"a": 2, "b": 3}}]</tool_calls>
 */
export const hunyuanA13b = defineProtocol({
  name: "hunyuan-a13b",
  about: { models: "Hunyuan A13B", source: "the chat template of tencent/Hunyuan-A13B-Instruct" },
  bodies: [jsonCallBody],
  syntax: {
    parallel: true,
    ...callList("<tool_calls>", "</tool_calls>"),
    spans: [think, { open: "<tool_response>", close: "</tool_response>", as: "dropped" }],
    noise: ["<answer>", "</answer>"],
    turns: ["<|startoftext|>"],
    stop: ["<tool_response>"],
  },
  renderTools: (tools, context) =>
    [
      "你是一位函数组合专家。你会得到一个问题和一组可能的函数。根据问题，你需要进行一个或多个函数/工具调用以实现目的。",
      "如果没有一个函数可以使用，请直接使用自然语言回复用户。",
      "如果给定的问题缺少函数所需的参数，请使用自然语言进行提问，向用户询问必要信息。",
      "如果调用结果已经足够回答用户问题，请对历史结果进行总结，使用自然语言回复用户。",
      `你应该只在工具调用部分返回函数调用。如果你决定调用任何函数，你必须将其格式化为${format}。你不应该在回复中包含任何其他文本。以下是你可以调用的函数列表，格式为JSON。`,
      "",
      nativeList(tools, context, functionJson),
    ].join("\n"),
  renderResults: resultsBetween("<tool_response>", "</tool_response>"),
});
