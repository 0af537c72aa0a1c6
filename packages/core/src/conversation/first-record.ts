import { checkArgument } from "../check-argument.js";
import { randomId } from "../common/random-id.js";
import { aString, checkedElsewhere, checkOptionValues, type OptionRules } from "../options/option-rules.js";
import { checkToolList, readTool, schemaOfTool } from "../schema/tool-shapes.js";
import type { ToolDefinition } from "../types.js";
import { type ConversationRecord, LOG_VERSION, toolHashes } from "./records.js";
import type { ConversationOptions, ConversationToolInput } from "./types.js";

const rules: OptionRules<Parameters<typeof firstRecord>[0]> = {
  tools: checkedElsewhere,
  instructions: aString,
  messages: { takes: Array.isArray, words: "a list of messages" },
  conversationId: aString,
};

/**
 * The first record of a new conversation. Alone in a log, it is the state of a conversation with these `messages` and
 * no others. Other options of the conversation have no effect.
 *
 * Errors: `OptionsError` (`bad-option`); `ToolDefinitionError`.
 *
 * @example ToolConversation.fromJSON({ version: LOG_VERSION, log: [firstRecord({ messages })] }, { model, tools });
 */
export function firstRecord(
  options: Pick<ConversationOptions, "tools" | "instructions" | "messages" | "conversationId">,
): ConversationRecord {
  checkArgument("options", "object", options);
  checkOptionValues(rules, options);
  checkToolList(options.tools ?? []);
  const { tools = [], instructions, messages = [], conversationId } = options;
  return {
    at: Date.now(),
    type: "begin",
    version: LOG_VERSION,
    id: conversationId ?? randomId().replace("call", "conv"),
    messages: [...(instructions ? [{ role: "system" as const, content: instructions }] : []), ...messages],
    tools: toolHashes(tools.map(recordedTool)),
  };
}

/** The tool as its conversation knows it. Its parameters may be no object: a log is not refused for that. */
function recordedTool(tool: ConversationToolInput, index: number): ToolDefinition {
  const { name, given } = readTool(tool, `#${index + 1}`);
  return given === undefined ? { name } : { name, parameters: schemaOfTool(name, given) };
}
