import { checkedMessages } from "../check-messages.js";
import { didYouMean } from "../common/nearest-name.js";
import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";
import { checkOptions } from "../options/check-options.js";
import { checkMisspelt, checkOptionNames } from "../options/option-names.js";
import {
  aBoolean,
  aDuration,
  aFunction,
  anObject,
  aSignal,
  aString,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
  oneOf,
  wholeFrom,
  withMethods,
} from "../options/option-rules.js";
import { offeredTools } from "../prompt/offered-tools.js";
import { aliasesFor } from "../schema/aliases-for.js";
import { explainInvalidArguments } from "../schema/explain.js";
import { libraryReader } from "../schema/library-reader.js";
import { checkToolList, definitionOf, readTool, SCHEMA_KEYS } from "../schema/tool-shapes.js";
import { refuseUnwritable } from "../schema/unwritable.js";
import { knownToTurns, turnRules } from "../turn/turn-rules.js";
import type { Tool } from "../types.js";
import { budgetRules, costRules } from "./budget.js";
import { checkAliases } from "./check-aliases.js";
import { FeedbackError } from "./execution.js";
import type { HistoryBudget } from "./history.js";
import type {
  CheckedOptions,
  ConversationOptions,
  ConversationTool,
  ConversationToolInput,
  SendOptions,
} from "./types.js";

/** All options of a conversation, including those that go to `generateWithTools`. */
const conversationRules: OptionRules<ConversationOptions> = {
  ...turnRules,
  instructions: aString,
  budget: { ...anObject, words: "an object such as { steps: 10 }" },
  concurrency: wholeFrom(1, true),
  needsApproval: aFunction,
  maxIdenticalCalls: wholeFrom(1, true),
  triggers: oneOf("off", "prompt", "direct"),
  aliases: anObject,
  errorDetail: {
    takes: (value) => typeof value === "function" || ["message", "full", "hidden"].includes(value as string),
    words: '"message", "full", "hidden" or a function',
  },
  history: { ...anObject, words: "an object such as { tokens: 8000 }" },
  eagerReadOnly: aBoolean,
  store: withMethods("a store with `append` and `read`", "append", "read"),
  conversationId: { takes: (value) => typeof value === "string" && value !== "", words: "a string that is not empty" },
};

const toolRules: OptionRules<Tool> = {
  name: aString,
  description: aString,
  parameters: { takes: (value) => isObject(value) || typeof value === "boolean", words: "a JSON schema" },
  execute: aFunction,
  resultAsAnswer: aBoolean,
  needsApproval: {
    takes: (value) => typeof value === "boolean" || typeof value === "function",
    words: "true, false or a function",
  },
  timeout: aDuration,
  strict: aBoolean,
  exclusive: aBoolean,
  readOnly: aBoolean,
  onCrash: oneOf("ask", "rerun", "fail"),
};

const historyRules: OptionRules<HistoryBudget> = {
  tokens: { takes: (value) => typeof value === "number" && value > 0, words: "a number above 0" },
  keep: {
    takes: (value) => typeof value === "number" && value >= 0 && value <= 1,
    words: "a number from 0 to 1",
  },
  countTokens: aFunction,
  summarise: aFunction,
};

const refuse = (message: string): never => {
  throw new OptionsError("bad-option", message);
};

/**
 * Checks all options of a conversation before they are used, including those of its tools, budget and history.
 *
 * Errors: {@link OptionsError}; `ProtocolError` (`unknown-protocol`); `ConversationError` (`bad-message`);
 * `AliasError`; `ToolDefinitionError`; those of {@link offeredTools}.
 *
 * @returns the same options, with JSON Schemas for the tools.
 */
export function checkConversationOptions(options: ConversationOptions): CheckedOptions {
  checkOptions(conversationRules, options, "the options of a conversation", ["model"], knownToTurns);
  const { toolChoice = "auto", messages, aliases, budget, history } = options;
  checkToolList(options.tools ?? []);
  const tools = Array.from(options.tools ?? [], withJsonSchema);
  offeredTools(tools, toolChoice);
  for (const tool of tools) checkTool(tool);
  if (aliases) {
    checkAliases(aliases);
    aliasesFor(tools, aliases, "name");
  }
  if (budget) {
    if (isObject(budget.cost)) checkGiven(costRules, budget.cost, "budget.cost");
    checkGiven(budgetRules, budget, "budget");
    checkToolNames(Object.keys(budget.callsPerTool ?? {}), tools);
  }
  if (history) {
    checkGiven(historyRules, history, "history");
    if (history.tokens === undefined) refuse("`history.tokens` is missing: how many tokens of the history are shown.");
  }
  return { ...options, tools: options.tools && tools, messages: messages && checkedMessages(messages) };
}

/**
 * The tool with a JSON Schema. `execute` gets its arguments as a schema of zod or another library reads them.
 *
 * Errors: `ToolDefinitionError`.
 */
function withJsonSchema(tool: ConversationToolInput, index: number): ConversationTool {
  const { parameters } = definitionOf(tool, `#${index + 1}`);
  refuseUnwritable(tool.name, parameters);
  if (tool.parameters === parameters) return tool as ConversationTool;
  // It may be an instance of a class, with accessors and private fields: its methods stay those of the tool itself.
  const known = Object.keys(toolRules).flatMap((key) => {
    // A schema may be a function without `bind`, as ArkType's are.
    const value = key === "parameters" ? undefined : Reflect.get(tool, key);
    return value === undefined ? [] : [[key, typeof value === "function" ? value.bind(tool) : value]];
  });
  const own: ConversationTool = { ...tool, ...Object.fromEntries(known), parameters };
  const read = libraryReader(readTool(tool, `#${index + 1}`).given);
  const { name, execute } = own;
  if (!read || typeof execute !== "function") return own;
  return {
    ...own,
    execute: async (input, context) => {
      const checked = await read(input);
      if ("value" in checked) return execute(checked.value as typeof input, context);
      const wrong = { name, arguments: input, issues: checked.issues, schema: parameters };
      throw new FeedbackError(explainInvalidArguments(wrong).feedback);
    },
  };
}

/** Rules for the options of the methods. */
export const forkRules: OptionRules<Pick<ConversationOptions, "store">> = { store: conversationRules.store };
export const sendRules: OptionRules<SendOptions> = { trusted: aBoolean, signal: aSignal };
export const submitRules: OptionRules<Pick<SendOptions, "signal">> = { signal: aSignal };
export const decideRules = { argumentsHash: aString };

function checkGiven(rules: Readonly<Record<string, OptionRule>>, given: object, name: string): void {
  checkOptionNames(rules, given, `\`${name}\``);
  checkOptionValues(rules, given, `${name}.`);
}

/**
 * Checks a tool. Applications may add fields to a tool, so only a name that looks like a misspelt option is refused.
 */
function checkTool(tool: ConversationTool): void {
  const where = `the tool ${JSON.stringify(tool.name)}`;
  checkMisspelt(toolRules, tool, where);
  // Without `execute`, the calls would wait for the application.
  const given: Readonly<Record<string, unknown>> = { ...tool };
  const isMisplaced = (key: string) =>
    typeof given[key] === "function" && !Object.hasOwn(toolRules, key) && !SCHEMA_KEYS.includes(key);
  const misplaced = tool.execute === undefined ? Object.keys(given).find(isMisplaced) : undefined;
  if (misplaced !== undefined) refuse(`There is no option "${misplaced}" of ${where}. Did you mean "execute"?`);
  checkOptionValues(toolRules, tool, `${tool.name}.`);
}

function checkToolNames(names: readonly string[], tools: readonly ConversationTool[]): void {
  const known = tools.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  refuse(`\`budget.callsPerTool\` names "${unknown}", which is not a tool. ${didYouMean(unknown, known)}`);
}
