import { isObject } from "../../common/plain-object.js";
import type { ToolDefinition } from "../../types.js";

/**
 * The tools that OpenAI's tool choice allows: `allowed_tools` names some of them, any other choice allows all. In Chat
 * Completions they are under another `allowed_tools`, and each under its type.
 */
export function allowedTools(tools: ToolDefinition[], choice: unknown): ToolDefinition[] {
  if (!isObject(choice) || choice.type !== "allowed_tools") return tools;
  const { tools: allowed } = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  if (!Array.isArray(allowed)) return tools;
  const names = new Set(allowed.map(nameOf));
  return tools.filter(({ name }) => names.has(name));
}

function nameOf(tool: unknown): unknown {
  if (!isObject(tool)) return undefined;
  const inner = tool.function ?? tool.custom;
  return isObject(inner) ? inner.name : tool.name;
}
