import { describeValue } from "./common/describe-value.js";
import { OptionsError } from "./errors.js";
import { parseReply as parse, createReplyParser as parserOf, type ReplyParserOptions } from "./full/index.js";
import { checkOptionNames } from "./options/option-names.js";
import {
  aBoolean,
  aFunction,
  aString,
  checkedElsewhere,
  checkOptionValues,
  type OptionRules,
  oneOf,
  strings,
} from "./options/option-rules.js";
import { preparedTools } from "./schema/prepared-tools.js";
import type { ToolCallOf } from "./schema/tool-call-of.js";
import { type AnyTool, checkToolList } from "./schema/tool-shapes.js";
import type { FinishReason, ParsedReply, ReplyParser, ToolDefinition } from "./types.js";

// The public entry to the reply parser: checks the options, and accepts tools of any shape.

/** Options for reading a reply. Tools may have any shape that `normalizeTools` accepts. */
export interface ReadingOptions<T extends readonly AnyTool[] = readonly AnyTool[]>
  extends Omit<ReplyParserOptions, "tools"> {
  /** The available tools. undefined: unknown, so names and arguments pass unchecked. []: there are no calls. */
  tools?: T | undefined;
}

const rules: OptionRules<ReadingOptions> = {
  // These two have errors of their own.
  tools: checkedElsewhere,
  protocol: checkedElsewhere,
  accept: oneOf("any", "own"),
  prefill: aString,
  untrusted: strings,
  deltas: aBoolean,
  sources: aBoolean,
  generateId: aFunction,
};
const endRules: OptionRules<{ finish?: FinishReason }> = { finish: oneOf("stop", "length", "content-filter") };
const wholeRules: OptionRules<ReadingOptions & { finish?: FinishReason }> = {
  ...rules,
  ...endRules,
};

function reading<T extends ReadingOptions>(options: T, known: OptionRules<T>, where: string) {
  checkOptionNames(known, options, where);
  checkOptionValues(known, options);
  return { ...options, tools: options.tools && toolsOf(options.tools) };
}

/** The prepared tools of a list, and the items that it had. */
const prepared = new WeakMap<object, { items: readonly AnyTool[]; tools: readonly ToolDefinition[] }>();

/** The tools of a list: the same list is prepared once, unless its items change. */
function toolsOf(given: readonly AnyTool[]): readonly ToolDefinition[] {
  checkToolList(given);
  const before = prepared.get(given);
  if (before?.items.length === given.length && before.items.every((tool, i) => tool === given[i])) return before.tools;
  const tools = preparedTools(given);
  prepared.set(given, { items: [...given], tools });
  return tools;
}

/**
 * Reads a whole reply: the same as pushing it into {@link createReplyParser} and ending it. Calls are typed by the
 * tools: their names and, where a schema is a literal or one of zod, their arguments.
 *
 * Errors: `OptionsError` (`bad-option`) for an unknown option, for a wrong value of one, and for a reply that is not a
 * string; `ToolDefinitionError` for a tool of unknown shape; `ProtocolError` (`unknown-protocol`). The content of the
 * reply never causes an error.
 *
 * @example
 * parseReply('<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>', { tools }).toolCalls[0]?.name; // "add"
 */
export function parseReply<const T extends readonly AnyTool[] = readonly AnyTool[]>(
  text: string,
  options?: ReadingOptions<T> & { finish?: FinishReason | undefined },
): ParsedReply<ToolCallOf<T[number]>>;
export function parseReply(
  text: string,
  options: ReadingOptions & { finish?: FinishReason | undefined } = {},
): ParsedReply {
  if (typeof text !== "string") {
    const message = `A reply must be a string, the text that the model wrote; this is ${describeValue(text)}.`;
    throw new OptionsError("bad-option", message);
  }
  return parse(text, reading(options, wholeRules, "the options of parseReply"));
}

/**
 * A parser for one reply. Text, reasoning and the strings of marked calls are emitted as they arrive; at any moment
 * they lag by at most the longest marker and 64 characters. Three things are buffered: calls without a marker, until
 * the reply has ended; values that are not plain strings, until they are complete; and the calls of formats that
 * require it (YAML, `json-action` in strict mode). A call that begins like `untrusted` text is buffered until it
 * differs.
 *
 * Errors: `ProtocolError` for an unknown protocol, `OptionsError` (`bad-option`), `ToolDefinitionError` for a tool of
 * unknown shape. The reply itself never makes it throw: broken calls are events.
 *
 * @example
 * const parser = createReplyParser({ protocol: "hermes", tools });
 * for await (const chunk of stream) for (const event of parser.push(chunk)) handle(event);
 * for (const event of parser.end()) handle(event);
 */
export function createReplyParser<const T extends readonly AnyTool[] = readonly AnyTool[]>(
  options?: ReadingOptions<T>,
): ReplyParser<ToolCallOf<T[number]>>;
export function createReplyParser(options: ReadingOptions = {}): ReplyParser {
  const parser = parserOf(reading(options, rules, "the options of createReplyParser"));
  return {
    push: (chunk) => parser.push(chunk),
    end(how = {}) {
      checkOptionNames(endRules, how, "the options of end");
      checkOptionValues(endRules, how);
      return parser.end(how);
    },
  };
}
