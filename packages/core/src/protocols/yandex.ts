import { jsonBody } from "../bodies/json.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { defineProtocol } from "../define-protocol.js";
import { jsonCall, name } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { definitionJson, nativeTools } from "../tool-text/index.js";

/**
 * A marker and the name, then the arguments on the next line. A reply has one call.
 *
 * @example
 * // [TOOL_CALL_START]add
 * // {"a": 2, "b": 3}
 */
export const yandex = defineProtocol({
  name: "yandex",
  about: { models: "YandexGPT 5 Lite", source: "the chat template of yandex/YandexGPT-5-Lite-8B-instruct" },
  bodies: [jsonBody, jsonCallBody],
  syntax: {
    parallel: false,
    call: ["[TOOL_CALL_START]", name, "\n", { body: "json" }],
    also: [{ call: ["[TOOL_CALL_START]", jsonCall] }],
    noise: ["[TOOL_CALL_END]"],
    turns: ["<s>user\n", "<s> Пользователь:"],
  },
  renderTools: (tools, context) =>
    [
      "Тебе доступны следующие функции:",
      nativeTools(tools, context, (tool) => `function ${definitionJson(tool)}`),
      "",
      "Чтобы вызвать функцию, напиши её имя после [TOOL_CALL_START], а на следующей строке аргументы в JSON:",
      "[TOOL_CALL_START]имя функции",
      '{"аргумент": "значение"}',
    ].join("\n"),
  renderResults: (results) =>
    results.map((result) => `Результат вызова ${result.name}: ${resultText(result)}`).join("\n\n"),
});
