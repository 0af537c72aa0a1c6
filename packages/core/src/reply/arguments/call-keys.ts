import { bareSpelling } from "../../schema/spelling.js";

// The keys of a call's object in all formats, in any case and with any punctuation: `toolName`, `tool_name`, `Tool-Name`.

/** A set of keys in any spelling. */
class Keys {
  private readonly spellings: ReadonlySet<string>;

  constructor(...spellings: string[]) {
    this.spellings = new Set(spellings);
  }

  has(key: string): boolean {
    return this.spellings.has(key) || this.spellings.has(bareSpelling(key));
  }
}

const names = ["name", "tool", "toolname", "function", "functionname", "action", "recipientname"];
const args = ["arguments", "argument", "parameters", "args", "input", "params", "kwargs"].flatMap((word) => [
  word,
  `tool${word}`,
  `function${word}`,
]);
const wrappers = ["function", "toolcall", "action", "functioncall", "tooluse"];
const asides = ["id", "type", "index", "toolcallid", "callid", "thought", "reason", "step", "jsonrpc"];
const lists = ["toolcalls", "functioncalls", "calls", "tooluses", "actions"];

/** Keys whose value names the tool. */
export const NAME_KEYS = new Keys(...names);

/** Keys whose value is the arguments. */
export const ARGUMENT_KEYS = new Keys(...args, "actioninput");

/** Keys of an object around a call. */
export const WRAPPER_KEYS = new Keys(...wrappers);

/** Keys of a call between markers, where no format has them: of the tool's name beside its arguments, or of the whole call. */
export const UNKNOWN_KEYS = new Keys("method", "command", "call", "tool");

/** Keys of an object around a list of calls. */
export const LIST_KEYS = new Keys(...lists);

/** Keys next to the name that do not show whether an object is a call. */
export const ASIDE_KEYS = new Keys(...asides);

/** Keys before the name, or before a list of calls, with which models explain a call first. */
export const LEAD_KEYS = new Keys(
  ...asides,
  ...["thoughts", "thinking", "reasoning", "explanation", "rationale", "analysis", "plan"],
);

/** Keys before a list of calls whose text a model says to the user. */
export const SAID_KEYS = new Keys("content", "message", "response", "text", "answer");

/** Keys of a record of a call that was made, next to its name and arguments. */
export const RESULT_KEYS = new Keys(
  ...["result", "results", "output", "response", "observation", "error"].flatMap((word) => [word, `tool${word}`]),
);

/** Keys that the object of a call may begin with, in any format. */
export const CALL_KEYS = new Keys(...names, ...args, "actioninput", ...wrappers, ...lists);
