import { checkArgument } from "../check-argument.js";
import { isObject } from "../common/plain-object.js";
import type { ToolChoice, ToolDefinition } from "../types.js";

const MODES: Readonly<Record<string, Exclude<ToolChoice, object>>> = {
  auto: "auto",
  none: "none",
  any: "required",
  required: "required",
};

/**
 * Reads a tool choice in any provider's form: `"auto"`, `"any"`, `"required"`, `"none"`, a tool's name,
 * `{ name }`, OpenAI's `{ type: "function", function: { name } }`, Anthropic's `{ type: "tool", name }`,
 * `{ type: "any" }`, Amazon's `{ tool: { name } }` and `{ any: {} }`, OpenAI's `{ type: "allowed_tools", mode, tools }`
 * and Google's `{ function_calling_config: { mode, allowed_function_names } }`, and `true` for a required call.
 *
 * `undefined` if it is none of these, names none of the tools, or allows several but not all tools. No choice means
 * `auto`; so does a required call without tools.
 *
 * @example readToolChoice({ type: "function", function: { name: "add" } }, tools); // { name: "add" }
 */
export function readToolChoice(asked: unknown, tools: readonly ToolDefinition[]): ToolChoice | undefined {
  checkArgument("tools", "list", tools);
  if (asked === undefined || asked === null) return "auto";
  const { tool, mode } = spelling(asked, tools);
  if (tool !== undefined && tools.some(({ name }) => name === tool)) return { name: tool };
  if (tool !== undefined || mode === undefined || !Object.hasOwn(MODES, mode)) return undefined;
  const choice = MODES[mode];
  return choice === "required" && tools.length === 0 ? "auto" : choice;
}

interface Spelling {
  tool?: string;
  mode?: string;
}

function spelling(asked: unknown, tools: readonly ToolDefinition[]): Spelling {
  if (typeof asked === "boolean") return { mode: asked ? "required" : "auto" };
  if (typeof asked === "string") return spelled(asked);
  if (!isObject(asked)) return {};
  const google = asked.function_calling_config ?? asked.functionCallingConfig;
  if (isObject(google))
    return allowing(google.mode, google.allowed_function_names ?? google.allowedFunctionNames, tools);
  if (asked.type !== "allowed_tools") return described(asked);
  const { mode, tools: allowed } = isObject(asked.allowed_tools) ? asked.allowed_tools : asked;
  return allowing(mode, Array.isArray(allowed) ? allowed.map((one) => nameOf(one)) : undefined, tools);
}

/** Reads a mode with the names of allowed tools. A turn does not support a subset of several tools. */
function allowing(mode: unknown, names: unknown, tools: readonly ToolDefinition[]): Spelling {
  if (typeof mode !== "string") return {};
  const named: unknown[] = Array.isArray(names) ? names : [];
  const choice = mode.toLowerCase();
  if (named.length === 0 || tools.every(({ name }) => named.includes(name))) return { mode: choice };
  const [only] = named;
  const isOne = named.length === 1 && typeof only === "string" && (choice === "any" || choice === "required");
  return isOne ? { tool: only } : {};
}

const spelled = (word: string): Spelling => (Object.hasOwn(MODES, word) ? { mode: word } : { tool: word });

function described(choice: Record<string, unknown>): Spelling {
  const tool = nameOf(choice);
  const mode = choice.type ?? Object.keys(choice)[0];
  return { ...(typeof tool === "string" && { tool }), ...(typeof mode === "string" && { mode }) };
}

function nameOf(choice: unknown): unknown {
  if (!isObject(choice)) return undefined;
  const inner = choice.function ?? choice.tool;
  return choice.name ?? (isObject(inner) ? inner.name : undefined);
}
