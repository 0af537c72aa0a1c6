import { jsonBody } from "../bodies/json.js";
import { defineProtocol } from "../define-protocol.js";
import { name } from "../syntax/parts.js";
import { glmTurns } from "../syntax/turn-tokens.js";
import { nativeTools, plainDefinition } from "../tool-text/index.js";
import { namedResults, think } from "./parts.js";

/**
 * The name on a line, the arguments on the next, and no other markup.
 *
 * @example
 * // add
 * // {"a": 2, "b": 3}
 */
export const glm4 = defineProtocol({
  name: "glm4",
  about: { models: "GLM 4 9B, GLM 4 32B", source: "the chat template of zai-org/glm-4-9b-chat" },
  bodies: [jsonBody],
  syntax: {
    at: "reply",
    parallel: false,
    call: [name, "\n", { body: "json" }],
    spans: [think, namedResults.span],
    turns: glmTurns,
    stop: [...namedResults.stop, "<|observation|>"],
  },
  renderTools: (tools, context) =>
    [
      "# 可用工具",
      "",
      nativeTools(
        tools,
        context,
        (tool) =>
          `## ${tool.name}\n\n${JSON.stringify(plainDefinition(tool), null, 4)}\n在调用上述函数时，请使用 Json 格式表示调用的参数。`,
        "\n\n",
      ),
    ].join("\n"),
  renderResults: namedResults.render,
});
