import { checkArgument } from "../check-argument.js";
import { parseReply } from "../full/index.js";
import type { Protocol } from "../protocol.js";
import { preparedTools } from "../schema/prepared-tools.js";
import type { AnyTool } from "../schema/tool-shapes.js";
import type { ParsedReply, ToolDefinition } from "../types.js";

/** Text that looks like a call, with the reason why it is not one. */
export interface TextReason {
  text: string;
  reason: string;
}

/** The options with which the reply was parsed. */
export interface WhyTextOptions {
  /** Tools of any shape that `normalizeTools` accepts. */
  tools: readonly AnyTool[];
  protocol: Protocol | "auto";
  accept?: "any" | "own" | undefined;
  /** The model's reasoning. */
  reasoning: string;
  /** Text from which a call may be copied. */
  untrusted?: readonly string[] | undefined;
}

const FENCE = /^[ \t]*(?:```|~~~)[^\n]*$/gm;
/** The mark of a block quote or comment, also in an item of a list. */
const QUOTE = /^(?:[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t])?[ \t]*(?:>|\/\/|#(?!#))/gm;

/**
 * Explains why a reply that seems to contain calls has none: a call in another format, of an unknown tool, in a code
 * block, a block quote or a comment, in the reasoning, or copied. For traces only, because it parses the reply several times.
 *
 * Errors: `OptionsError` (`bad-option`); `ToolDefinitionError`.
 *
 * @example
 * whyText('<tool_call>{"name": "add", "arguments": {}}</tool_call>', { tools: [], protocol: hermes, reasoning: "" });
 * // [{ reason: 'a call of "add", but there are no tools', … }]
 */
export function whyText(raw: string, options: WhyTextOptions): TextReason[] {
  checkArgument("options", "object", options);
  checkArgument("raw", "string", raw);
  checkArgument("reasoning", "string", options.reasoning);
  checkArgument("tools", "list", options.tools);
  const { reasoning, untrusted, ...given } = options;
  const { protocol, accept } = given;
  const tools = preparedTools(given.tools);
  const how = { ...given, tools };
  const reasons: TextReason[] = [];
  const made = parseReply(raw, how);
  if (
    made.toolCalls.length + made.invalidToolCalls.length > 0 &&
    parseReply(raw, { ...how, untrusted }).toolCalls.length === 0
  )
    return [
      { text: raw, reason: `a call of ${namesIn(made)} that is copied from a message of a user or from a result` },
    ];
  const look = (text: string, reason: (names: string) => string) => {
    const reply = parseReply(text, { protocol: "auto" });
    const found = [...reply.toolCalls, ...reply.invalidToolCalls];
    if (found.length > 0) reasons.push({ text, reason: reason(namesIn(reply)) });
    return found.length > 0;
  };
  const unfenced = raw.replace(FENCE, "");
  const inReply = look(raw, (names) => {
    if (tools.length === 0) return `a call of ${names}, but there are no tools`;
    if (parseReply(raw, { tools, protocol: "auto" }).toolCalls.length > 0 && accept === "own")
      return `a call of ${names} in another format than ${typeof protocol === "string" ? protocol : protocol.name}; only that is understood (accept: "own")`;
    return `a call of ${names}, where no call is expected or which is not a tool; the tools are ${listed(tools)}`;
  });
  const inFence =
    !inReply && unfenced !== raw && look(unfenced, (names) => `a call of ${names} quoted in a code block`);
  const unquoted = raw.replace(QUOTE, "");
  if (!inReply && !inFence && unquoted !== raw)
    look(unquoted, (names) => `a call of ${names} in a block quote or a comment`);
  if (reasoning !== "") look(reasoning, (names) => `a call of ${names} in the reasoning`);
  return reasons;
}

const namesIn = ({ toolCalls, invalidToolCalls }: ParsedReply) =>
  [...new Set([...toolCalls, ...invalidToolCalls].map(({ name }) => JSON.stringify(name ?? "?")))].join(", ");

const listed = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name).join(", ");
