// The keys of a call's object in all formats.

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

/** Keys next to the name that do not show whether an object is a call. */
export const ASIDE_KEYS: ReadonlySet<string> = new Set(["id", "type", "index", "tool_call_id", "thought", "reason"]);

/** Keys that the object of a call may begin with, in any format. */
export const CALL_KEYS: ReadonlySet<string> = new Set([...NAME_KEYS, ...ARGUMENT_KEYS, ...WRAPPER_KEYS, ...LIST_KEYS]);
