import type { Protocol, ToolPromptContext } from "../protocol.js";
import { exampleArguments, exampleTool } from "../tool-text/example-arguments.js";
import type { ToolDefinition } from "../types.js";

// The tool section of the system prompt, for formats that no model was trained on.

/** An example call of the tool that shows the format best; empty when there are no tools. */
export function exampleCall({ renderCalls }: Pick<Protocol, "renderCalls">, tools: readonly ToolDefinition[]): string {
  const tool = exampleTool(tools);
  return tool ? renderCalls([{ name: tool.name, arguments: exampleArguments(tool) }], { tools }) : "";
}

/** The list of tools, by default as signatures, followed by how to call them. */
export function toolSection(
  tools: readonly ToolDefinition[],
  { style, listTools }: ToolPromptContext,
  instructions: readonly (string | readonly string[])[],
): string {
  const list = listTools(tools, style === "native" ? "signature" : style);
  return ["# Tools", "", list, "", ...instructions.flat()].join("\n");
}

/** When to call a tool, and what follows a call, for formats with results in a `<tool_result>`. */
export const whenToCall = (parallel: boolean, several = "one after the other"): string[] => [
  "Call a tool when it helps with the user's message; otherwise answer in plain text.",
  parallel ? `You may write several calls, ${several}.` : "Write one call at a time.",
  "After a call, stop. The result comes in the next message, in a <tool_result>; use it to answer.",
];
