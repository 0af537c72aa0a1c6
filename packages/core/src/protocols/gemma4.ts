import { jsonBody } from "../bodies/json.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { resultText } from "../tool-text/error-text.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { gemmaCalls } from "./parts.js";

const QUOTE = '<|"|>';

/**
 * Arguments with bare keys and strings between tokens of their own.
 *
 * @example
 * // <|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>
 */
export const gemma4 = defineProtocol({
  name: "gemma4",
  about: { models: "Gemma 4, DiffusionGemma", source: "the chat template of google/gemma-4-31B-it" },
  bodies: [jsonBody, pythonArgumentsBody],
  syntax: {
    parallel: true,
    ...gemmaCalls("<|tool_call>", "<tool_call|>", QUOTE),
    spans: [
      { open: "<|channel>thought", close: "<channel|>", as: "reasoning" },
      { open: "<|channel>", close: "<channel|>", as: "reasoning" },
      { open: "<|tool_response>", close: "<tool_response|>", as: "dropped" },
    ],
    stop: ["<|tool_response>"],
  },
  renderTools(tools, { style, listTools }) {
    return style === "native" ? tools.map(declaration).join("") : listTools(tools, style);
  },
  renderResults(results) {
    return results
      .map(
        (result) =>
          `<|tool_response>response:${result.name}{value:${QUOTE}${resultText(result)}${QUOTE}}<tool_response|>`,
      )
      .join("");
  },
});

function declaration({ name, description = "", parameters }: ToolDefinition): string {
  const schema = parameters === undefined ? "" : `,parameters:${renderSchema(parameters)}`;
  return `<|tool>declaration:${name}{description:${QUOTE}${description}${QUOTE}${schema}}<tool|>`;
}

/** Renders a schema in the format's own notation: types in capitals, its own keywords first. */
function renderSchema(schema: JsonSchema): string {
  const { type, ...keywords } = typeof schema === "object" ? schema : {};
  const types =
    typeof type === "string"
      ? type.toUpperCase()
      : Array.isArray(type)
        ? type.map((t) => String(t).toUpperCase())
        : "ANY";
  const parts = Object.entries(keywords).flatMap(([keyword, value]) => {
    if (keyword === "properties" && typeof value === "object" && value !== null) {
      const properties = Object.entries(value).map(([key, part]) => `${key}:${renderSchema(part as JsonSchema)}`);
      return [`properties:{${properties.join(",")}}`];
    }
    if (keyword === "items") return [`items:${renderSchema(value as JsonSchema)}`];
    return ["description", "enum", "required", "nullable"].includes(keyword) ? [`${keyword}:${text(value)}`] : [];
  });
  return `{${[...parts, `type:${text(types)}`].join(",")}}`;
}

const text = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(text).join(",")}]`
    : typeof value === "string"
      ? QUOTE + value + QUOTE
      : JSON.stringify(value);
