import { didYouMean, isObject } from "@toolingua/core/adapters";
import type { Conversation } from "@toolingua/core/providers";
import { Failure } from "../failure.js";

/**
 * Refuses a tool choice that no call could meet, because the client would wait for a call that never comes, and one that
 * names an unknown tool.
 *
 * Errors: {@link Failure} `invalid`, with the place.
 */
export function refuseChoice({ tools = [], toolChoice }: Conversation, request: object): void {
  const asked = request as { tools?: unknown; tool_choice?: unknown };
  const param = asked.tool_choice == null ? "function_call" : "tool_choice";
  const names = tools.map(({ name }) => name);
  const allowed = allowedBy(asked.tool_choice);
  for (const { name, at } of allowed ?? [])
    if (name !== undefined && !names.includes(name)) throw unknownTool(name, at, namesIn(asked.tools));
  // Tools that a provider runs are not passed on; an answer without a call is the best there is.
  const hasHosted = allowed
    ? allowed.some(({ name }) => name === undefined)
    : Array.isArray(asked.tools) && asked.tools.length > names.length;
  if (toolChoice === "required" && names.length === 0 && !hasHosted)
    throw new Failure(
      "invalid",
      `\`${param}\` requires a call, but there is no tool to call. Give tools, or leave it out.`,
      { param, code: "missing_tools" },
    );
  if (typeof toolChoice === "object" && !names.includes(toolChoice.name))
    throw unknownTool(toolChoice.name, param, names);
}

/** Matches the date that the type of a hosted tool may have: `web_search_preview_2025_03_11`. */
const DATE = /_\d{4}_\d\d_\d\d$/;

/** The types of choices of Responses that name no hosted tool. */
const CHOICES: readonly unknown[] = ["function", "custom", "allowed_tools"];

/**
 * Refuses a choice of Responses with the type of no tool. With that of a hosted tool, the answer has no call.
 *
 * Errors: {@link Failure} `invalid`.
 */
export function refuseUnknownType(choice: unknown, tools: unknown): void {
  if (!isObject(choice) || typeof choice.type !== "string" || CHOICES.includes(choice.type)) return;
  const { type } = choice;
  const param = "tool_choice";
  const types = (Array.isArray(tools) ? tools : []).flatMap((tool) =>
    typeof tool?.type === "string" ? [tool.type] : [],
  );
  if (types.some((one) => one === type || one.replace(DATE, "") === type)) return;
  const message = `\`${param}\` has the type ${JSON.stringify(type.slice(0, 100))}, which none of the tools has. ${didYouMean(type, types)}`;
  throw new Failure("invalid", message.trim(), { param, code: "unknown_tool" });
}

/** The tools of a choice among some, and where they are; those that a provider runs have no name. */
function allowedBy(choice: unknown): { name: string | undefined; at: string }[] | undefined {
  if (!isObject(choice) || choice.type !== "allowed_tools") return undefined;
  const [list, at] = isObject(choice.allowed_tools)
    ? [choice.allowed_tools.tools, "tool_choice.allowed_tools.tools"]
    : [choice.tools, "tool_choice.tools"];
  return Array.isArray(list) ? list.map((tool, i) => ({ name: nameIn(tool), at: `${at}[${i}]` })) : undefined;
}

/** The name of a tool of the client in any shape. */
function nameIn(tool: unknown): string | undefined {
  if (!isObject(tool) || (tool.type !== "function" && tool.type !== "custom")) return undefined;
  const { name } = isObject(tool[tool.type]) ? (tool[tool.type] as { name?: unknown }) : tool;
  return typeof name === "string" ? name : undefined;
}

const namesIn = (tools: unknown) => (Array.isArray(tools) ? tools.flatMap((tool) => nameIn(tool) ?? []) : []);

const unknownTool = (name: string, param: string, names: readonly string[]) =>
  new Failure(
    "invalid",
    `\`${param}\` names ${JSON.stringify(name)}, which is none of the tools. ${didYouMean(name, names)}`,
    { param, code: "unknown_tool" },
  );
