// The keys of a call's object, whatever the format calls them.

/** Keys whose value names the tool. */
export const NAME_KEYS = [
  "name",
  "tool",
  "tool_name",
  "toolName",
  "function",
  "function_name",
  "function.name",
  "action",
];

/** Keys whose value is the arguments. */
export const ARGUMENT_KEYS: ReadonlySet<string> = new Set([
  "arguments",
  "function.arguments",
  "parameters",
  "args",
  "input",
  "params",
  "tool_input",
  "action_input",
  "kwargs",
]);

/** Keys of an object around a call. */
export const WRAPPER_KEYS = ["function", "tool_call", "action", "function_call", "functionCall", "tool_use", "toolUse"];

/** Keys of an object around a list of calls. */
export const LIST_KEYS = ["tool_calls", "function_calls", "calls"];

/** Keys beside the name that say nothing about whether an object is a call. */
export const ASIDE_KEYS: ReadonlySet<string> = new Set(["id", "type", "index", "tool_call_id", "thought", "reason"]);

/** Keys a call's object may begin with, whatever the format calls them. */
export const CALL_KEYS: ReadonlySet<string> = new Set([...NAME_KEYS, ...ARGUMENT_KEYS, ...WRAPPER_KEYS, ...LIST_KEYS]);
