import { isObject } from "../plain-object.js";
import type { ToolChoice, ToolDefinition } from "../types.js";

const MODES: Readonly<Record<string, Exclude<ToolChoice, object>>> = {
  auto: "auto",
  none: "none",
  any: "required",
  required: "required",
};

/**
 * A choice of tools in any spelling that providers taught people: `"auto"`, `"any"`, `"required"`, `"none"`, a tool's name,
 * `{ name }`, OpenAI's `{ type: "function", function: { name } }`, Anthropic's `{ type: "tool", name }`,
 * `{ type: "any" }`, Amazon's `{ tool: { name } }` and `{ any: {} }`.
 *
 * `undefined` where it is none of these, or names none of the tools. Nothing asked for is `auto`; so is a call that is
 * required where there are no tools.
 *
 * @example readToolChoice({ type: "function", function: { name: "add" } }, tools); // { name: "add" }
 */
export function readToolChoice(asked: unknown, tools: readonly ToolDefinition[]): ToolChoice | undefined {
  if (asked === undefined || asked === null) return "auto";
  const { tool, mode } = typeof asked === "string" ? spelled(asked) : isObject(asked) ? described(asked) : {};
  if (tool !== undefined && tools.some(({ name }) => name === tool)) return { name: tool };
  if (tool !== undefined || mode === undefined || !Object.hasOwn(MODES, mode)) return undefined;
  const choice = MODES[mode];
  return choice === "required" && tools.length === 0 ? "auto" : choice;
}

interface Spelling {
  tool?: string;
  mode?: string;
}

const spelled = (word: string): Spelling => (Object.hasOwn(MODES, word) ? { mode: word } : { tool: word });

function described(choice: Record<string, unknown>): Spelling {
  const inner = choice.function ?? choice.tool;
  const tool = choice.name ?? (isObject(inner) ? inner.name : undefined);
  const mode = choice.type ?? Object.keys(choice)[0];
  return { ...(typeof tool === "string" && { tool }), ...(typeof mode === "string" && { mode }) };
}
