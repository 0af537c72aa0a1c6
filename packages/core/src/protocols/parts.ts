import { resultText } from "../prompt/error-text.js";
import type { ElementsBody, Form, JsonCallBody, Slot, Span } from "../protocol.js";
import type { ToolResult } from "../types.js";

// What several declarations are made of.

export const name: Slot = { slot: "name" };
export const key: Slot = { slot: "key" };

/** `{"name": "add", "arguments": {…}}`, the most common shape. */
export const jsonCall: JsonCallBody = { body: "json-call", name: "name", arguments: "arguments" };
export const parametersCall: JsonCallBody = { body: "json-call", name: "name", arguments: "parameters" };

export const think: Span = { open: "<think>", close: "</think>", as: "reasoning" };

/** A list of calls between markers; and, understood only, one call between them without the brackets. */
export function callList(open: string, close: string, call: JsonCallBody = jsonCall): Form & { also: [Form] } {
  return {
    block: { open: `${open}[`, separator: ", ", close: `]${close}` },
    call: [call],
    also: [{ call: close === "" ? [open, call] : [open, call, close] }],
  };
}

/** Each argument between a tag with its key and a closing tag, as text where it can only be text, else as JSON. */
export const textElements = (open: ElementsBody["open"], close: ElementsBody["close"]): ElementsBody => ({
  body: "elements",
  open,
  close,
  leaf: "text",
});

/** Results between two markers, one after the other. */
export const resultsBetween =
  (open: string, close: string, separator = "\n") =>
  (results: readonly ToolResult[]): string =>
    results.map((result) => open + resultText(result) + close).join(separator);

/** Results for a model that has them in a message of their own, where a user's message must say what they are. */
export const resultsByName = (results: readonly ToolResult[]): string =>
  results.map((result) => `Result of ${result.name}:\n${resultText(result)}`).join("\n\n");
