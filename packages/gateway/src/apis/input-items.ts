import { didYouMean, isObject, nearestNames } from "@toolingua/core/adapters";
import { ProviderFormatError } from "@toolingua/core/providers";
import { Failure } from "../failure.js";
import { placeAt } from "../place.js";

// The types of input items: https://platform.openai.com/docs/api-reference/responses/create#responses-create-input

/** The types that the provider format reads. */
const READ: readonly string[] = [
  ...["message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"],
];

/** What an item contains that the model must read: nothing, these fields, or the whole item. */
type Content = "nothing" | "all" | readonly string[];

/** The items that cannot be shown to the model. Without content they are left out; with it they are refused. */
const NOT_SHOWN: Readonly<Record<string, Content>> = {
  // Calls and records of tools that a provider runs. Their results are other items, or in the answer that follows.
  apply_patch_call: "nothing",
  computer_call: "nothing",
  local_shell_call: "nothing",
  mcp_approval_request: "nothing",
  mcp_list_tools: "nothing",
  program: "nothing",
  shell_call: "nothing",
  tool_search_call: "nothing",
  web_search_call: "nothing",
  // Tools are those of the request.
  additional_tools: "nothing",
  tool_search_output: "nothing",
  // Only the server that wrote them can read them.
  compaction: "nothing",
  compaction_summary: "nothing",
  compaction_trigger: "nothing",
  context_compaction: "nothing",
  // Codex's own record of the files.
  ghost_snapshot: "nothing",

  code_interpreter_call: ["outputs"],
  file_search_call: ["results"],
  image_generation_call: ["result"],
  mcp_call: ["output", "error"],

  apply_patch_call_output: "all",
  computer_call_output: "all",
  local_shell_call_output: "all",
  mcp_approval_response: "all",
  program_output: "all",
  shell_call_output: "all",
};

const REFERENCE = "item_reference";

const TYPES = [...READ, ...Object.keys(NOT_SHOWN), REFERENCE];

/**
 * Refuses items that would be left out although the model must read them: those of an unknown type, and the results of tools
 * that a provider runs. `at`: the path of the list.
 *
 * Errors: {@link Failure} `invalid`, `ProviderFormatError`.
 */
export function refuseUnreadItems(items: readonly unknown[], at: string): void {
  for (const [i, item] of items.entries()) if (isObject(item)) refuseUnreadItem(item, `${at}/${i}`);
}

function refuseUnreadItem(item: Record<string, unknown>, at: string): void {
  const { type } = item;
  // The provider format refuses an item without a type that is no message.
  if (type == null || READ.includes(type as string)) return;
  const param = placeAt(at);
  if (type === REFERENCE)
    throw new Failure("invalid", "Items cannot be referred to by their ids: send them whole (`store: false`).", {
      code: "unsupported_parameter",
      param,
    });
  if (typeof type !== "string") throw new ProviderFormatError(`${at}/type`, "the type of an item", type);
  if (!Object.hasOwn(NOT_SHOWN, type)) {
    const hint = didYouMean(type, nearestNames(type, TYPES).meant === undefined ? READ : TYPES);
    const message = `\`${param}.type\`: there are no items of the type ${JSON.stringify(type.slice(0, 100))}. ${hint}`;
    throw new Failure("invalid", message, { code: "unsupported_content", param: `${param}.type` });
  }
  const content = NOT_SHOWN[type]!;
  const isLost = content === "all" || (content !== "nothing" && content.some((field) => !isEmpty(item[field])));
  if (!isLost) return;
  const message = `\`${param}\`: this model cannot be shown "${type}", the result of a tool that a provider runs. Send it as "function_call_output", or as a message.`;
  throw new Failure("invalid", message, { code: "unsupported_content", param });
}

const isEmpty = (value: unknown) => value == null || value === "" || (Array.isArray(value) && value.length === 0);
