import type { ToolPromptContext } from "../protocol.js";
import { jsonCall, name } from "../syntax/parts.js";
import type { ElementsBody, Form, JsonCallBody, Part, Span } from "../syntax/syntax.js";
import { resultText, withoutStack } from "../tool-text/error-text.js";
import { functionJson, nativeTools } from "../tool-text/index.js";
import { xmlAttribute } from "../tool-text/xml-text.js";
import type { ToolDefinition, ToolResult } from "../types.js";

// Shared parts of several declarations.

/** `{"name": "add", "parameters": {…}}` */
export const parametersCall: JsonCallBody = { body: "json-call", name: "name", arguments: "parameters" };

export const think: Span = { open: "<think>", close: "</think>", as: "reasoning" };

/** A call whose outer markers are missing, which counts only where the reply begins: see `Form.at`. */
export const atStart = (...call: Part[]): Form => ({
  at: "start",
  block: { open: "", separator: "", close: "" },
  call,
});

/**
 * The calls of Gemma's models.
 *
 * @example
 * // <|tool_call>call:add{a:2}<tool_call|>
 */
export function gemmaCalls(open: string, close: string, quote: string): Form & { also: Form[] } {
  const form = (word: string, body: "json" | "python-arguments"): Form => ({
    block: { open: "", separator: "", close: "" },
    call: [open + word, name, { body, quote }, close],
  });
  return {
    ...form("call:", "json"),
    also: [
      // Some servers drop all tokens.
      atStart("call:", name, { body: "json", quote }),
      // Models leave out the word, and write the arguments as in Python.
      form("", "json"),
      form("call:", "python-arguments"),
      form("", "python-arguments"),
    ],
  };
}

/** A list of calls between markers; without the brackets, calls are read as well. */
export function callList(open: string, close: string, call: JsonCallBody = jsonCall): Form & { also: [Form] } {
  return {
    block: { open: `${open}[`, separator: ", ", close: `]${close}` },
    call: [call],
    also: [{ block: { open, separator: ", ", close }, call: [call] }],
  };
}

/** The prompt for calls as a JSON list between two tokens. */
export const listPrompt = (
  open: string,
  close: string,
  tools: readonly ToolDefinition[],
  context: ToolPromptContext,
): string =>
  [
    "# Tools",
    "",
    "<tools>",
    nativeTools(tools, context, functionJson),
    "</tools>",
    "",
    "To call functions, write a JSON list of the calls between the two tokens:",
    `${open}[{"name": <function name>, "arguments": <args json object>}]${close}`,
  ].join("\n");

/**
 * Calls as JSON, which models write between the markers of their own format: between those of a call, and of the block.
 *
 * @example
 * // <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{"name": "add", "arguments": {"a": 2}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */
export const jsonBetween = (open: string, close: string, block: NonNullable<Form["block"]>): Form[] => [
  { block, call: [open, jsonCall, close] },
  { block, call: [jsonCall] },
];

/** Each argument between a tag with its key and a closing tag; as text if only text is allowed, otherwise as JSON. */
export const textElements = (open: ElementsBody["open"], close: ElementsBody["close"]): ElementsBody => ({
  body: "elements",
  open,
  close,
  leaf: "text",
});

/** Results, each between two markers. */
export const resultsBetween =
  (open: string, close: string, separator = "\n") =>
  (results: readonly ToolResult[]): string =>
    results.map((result) => open + resultText(result) + close).join(separator);

/** A result with its tool's name, for formats that define no results inside a user's message. */
export const namedResults = {
  render: (results: readonly ToolResult[]): string =>
    results
      .map(({ name, content, isError }) => {
        const status = isError ? ' status="error"' : "";
        const text = isError ? withoutStack(content) : content;
        return `<tool_result name="${xmlAttribute(name)}"${status}>\n${text}\n</tool_result>`;
      })
      .join("\n"),
  span: { open: "<tool_result", close: "</tool_result>", as: "dropped" } satisfies Span,
  stop: ["<tool_result"],
};

/** The section in which the Hermes family of chat templates shows functions; how to call them follows it. */
export const functionsInTags = (tools: readonly ToolDefinition[], context: ToolPromptContext): string =>
  [
    "# Tools",
    "",
    "You may call one or more functions to assist with the user query.",
    "",
    "You are provided with function signatures within <tools></tools> XML tags:",
    "<tools>",
    nativeTools(tools, context, functionJson),
    "</tools>",
  ].join("\n");
