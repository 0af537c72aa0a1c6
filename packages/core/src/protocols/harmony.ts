import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { nativeTools, typescriptOf } from "../tool-text/index.js";

/**
 * Messages on channels: `analysis` is reasoning, `commentary` with a recipient is a call and without one is text for
 * the user, as is `final`. Models put recipient and content type in several places of the header; all are read.
 *
 * @example
 * // <|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 2, "b": 3}<|call|>
 */
export const harmony = defineProtocol({
  name: "harmony",
  about: {
    models: "gpt-oss 20B and 120B, gpt-oss-safeguard",
    source: "the guide to the OpenAI harmony response format; the chat template of openai/gpt-oss-120b",
  },
  bodies: [jsonBody],
  syntax: {
    parallel: true,
    block: { open: "", separator: "<|start|>assistant", close: "" },
    call: ["<|channel|>commentary to=functions.", name, " <|constrain|>json<|message|>", { body: "json" }, "<|call|>"],
    messages: {
      open: ["<|start|>", "<|channel|>"],
      role: "<|start|>",
      text: "<|message|>",
      close: ["<|call|>", "<|end|>", "<|return|>"],
      reasoning: ["analysis"],
    },
    stop: ["<|call|>", "<|return|>"],
  },
  renderTools: (tools, context) =>
    [
      "# Tools",
      "",
      "## functions",
      "",
      "namespace functions {",
      "",
      nativeTools(tools, context, (tool) => typescriptOf(tool), "\n\n"),
      "",
      "} // namespace functions",
      "",
      "Calls to these tools must go to the commentary channel: 'functions'.",
    ].join("\n"),
  renderResults: (results) =>
    results
      .map(
        (result) =>
          `<|start|>functions.${result.name} to=assistant<|channel|>commentary<|message|>${resultText(result)}<|end|>`,
      )
      .join(""),
});
