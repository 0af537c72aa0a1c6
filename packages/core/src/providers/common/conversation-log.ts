import { parseDocument, stringify } from "yaml";
import { isObject } from "../../common/plain-object.js";
import { messageOf } from "../../common/result-text.js";
import { checkOptions } from "../../options/check-options.js";
import { wholeFrom } from "../../options/option-rules.js";
import { type JsonObject, join } from "../../schema/json.js";
import { toJsonSchema } from "../../schema/to-json-schema.js";
import type {
  ChatMessage,
  OriginalMessage,
  Repair,
  RepairCode,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from "../../types.js";
import { listAt, objectAt, optionalText, ProviderFormatError, textAt } from "./expect.js";
import { imagesAt } from "./images.js";
import { converted, type Losses } from "./losses.js";
import { plainData } from "./plain-data.js";
import type { Conversation, Converted, GivenConversation } from "./types.js";
import { writableTools } from "./writable-tools.js";

/**
 * A conversation as JSON, for a log. Values that JSON lacks (NaN, a Date, a function in arguments) are reported.
 *
 * Errors: {@link ProviderFormatError} if data contains itself, or is more than 1,000 levels deep; `OptionsError`
 * (`bad-option`).
 *
 * @example
 * conversationToJson({ messages: [{ role: "user", content: "Hi" }] }).value; // '{"messages":[{"role":"user","content":"Hi"}]}'
 */
export function conversationToJson(conversation: GivenConversation, options: { indent?: number | undefined } = {}) {
  checkOptions({ indent: wholeFrom(0) }, options, "the options of conversationToJson");
  return converted((losses) =>
    JSON.stringify(plainData(withJsonSchemas(conversation), "", losses), undefined, options.indent),
  );
}

/**
 * A conversation as YAML 1.2, for a log that people read: texts of several lines are written as such. Errors as of
 * {@link conversationToJson}.
 *
 * @example
 * conversationToYaml({ messages: [{ role: "user", content: "Hi" }] }).value; // "messages:\n  - role: user\n    content: Hi\n"
 */
export function conversationToYaml(conversation: GivenConversation): Converted<string> {
  return converted((losses) => {
    const data = plainData(withJsonSchemas(conversation), "", losses);
    const yaml = stringify(data, { lineWidth: 0, aliasDuplicateObjects: false });
    // YAML's block strings do not preserve every text; JSON is valid YAML.
    const json = JSON.stringify(data);
    const read = parseDocument(yaml, { schema: "core", logLevel: "silent" });
    const isSame = read.errors.length === 0 && JSON.stringify(read.toJS()) === json;
    return isSame ? yaml : `${JSON.stringify(data, undefined, 2)}\n`;
  });
}

/** The same conversation, in which schemas of libraries are JSON Schema. */
function withJsonSchemas(conversation: GivenConversation): GivenConversation {
  if (!isObject(conversation) || !Array.isArray(conversation.tools)) return conversation;
  const tools = writableTools(conversation.tools, "/tools").map((tool) => {
    const given = tool.parameters;
    return given !== null && typeof given === "object" && "~standard" in given
      ? { ...tool, parameters: toJsonSchema(given) }
      : tool;
  });
  return { ...conversation, tools };
}

/**
 * Reads a conversation that `conversationToJson` wrote. Unknown fields are reported.
 *
 * Errors: {@link ProviderFormatError} with the place, if the text is not JSON or not a conversation.
 *
 * @example conversationFromJson('{"messages":[]}').value; // { messages: [] }
 */
export function conversationFromJson(text: string): Converted<Conversation> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new ProviderFormatError("", `the JSON of a conversation (${(cause as Error).message})`, text, { cause });
  }
  return converted((losses) => readConversation(data, losses));
}

/**
 * Reads a conversation that `conversationToYaml` wrote, or one written by hand.
 *
 * Errors: {@link ProviderFormatError} with the place, if the text is not YAML or not a conversation.
 *
 * @example
 * conversationFromYaml("messages:\n  - { role: user, content: Hi }").value; // { messages: [{ role: "user", content: "Hi" }] }
 */
export function conversationFromYaml(text: string): Converted<Conversation> {
  const data = readYaml(text);
  return converted((losses) => readConversation(data, losses));
}

function readYaml(text: string): unknown {
  try {
    // "silent" would accept several documents and read the first.
    const document = parseDocument(text, { schema: "core", logLevel: "error" });
    const [error] = document.errors;
    if (error) throw error;
    // Only this finds unknown aliases, and aliases that expand without limit.
    return document.toJS();
  } catch (cause) {
    const why = messageOf(cause);
    throw new ProviderFormatError("", `the YAML of a conversation (${why})`, text, { cause });
  }
}

function readConversation(data: unknown, losses: Losses): Conversation {
  const conversation = objectAt(data, "", "a conversation: { messages, tools, toolChoice }");
  const { messages, tools, toolChoice } = conversation;
  losses.rest(conversation, ["messages", "tools", "toolChoice"], "");
  return {
    messages: listAt(messages, "/messages").map((message, i) => readMessage(message, join("/messages", i), losses)),
    ...(tools != null && {
      tools: listAt(tools, "/tools").map((tool, i) => readTool(tool, join("/tools", i), losses)),
    }),
    ...(toolChoice != null && { toolChoice: readChoice(toolChoice) }),
  };
}

function originalAt(given: unknown, path: string): { original?: OriginalMessage } {
  if (given === undefined || given === null) return {};
  const { format, parts } = objectAt(given, path, "an answer as it was: { format, parts }");
  return { original: { format: textAt(format, join(path, "format")), parts: listAt(parts, join(path, "parts")) } };
}

function readMessage(given: unknown, path: string, losses: Losses): ChatMessage {
  const message = objectAt(given, path, "a message: { role, content }");
  const { role } = message;
  const content = textAt(message.content, join(path, "content"));
  switch (role) {
    case "user":
      losses.rest(message, ["role", "content", "images"], path);
      return { role, content, ...imagesAt(message.images, join(path, "images")) };
    case "system":
      losses.rest(message, ["role", "content"], path);
      return { role, content };
    case "assistant":
      losses.rest(message, ["role", "content", "toolCalls", "reasoning", "original"], path);
      return {
        role,
        content,
        ...readCalls(message, path, losses),
        ...optionalText(message, "reasoning", path),
        ...originalAt(message.original, join(path, "original")),
      };
    case "tool": {
      losses.rest(message, ["role", "toolCallId", "name", "content", "isError"], path);
      const toolCallId = textAt(message.toolCallId, join(path, "toolCallId"));
      const name = textAt(message.name, join(path, "name"));
      return {
        role,
        toolCallId,
        name,
        content,
        ...(typeof message.isError === "boolean" && { isError: message.isError }),
      };
    }
    default:
      throw new ProviderFormatError(join(path, "role"), '"system", "user", "assistant" or "tool"', role);
  }
}

function readCalls({ toolCalls }: JsonObject, path: string, losses: Losses): { toolCalls?: ToolCall[] } {
  if (toolCalls == null) return {};
  const at = join(path, "toolCalls");
  return { toolCalls: listAt(toolCalls, at).map((call, i) => readCall(call, join(at, i), losses)) };
}

function readCall(given: unknown, path: string, losses: Losses): ToolCall {
  const call = objectAt(given, path, "a call: { id, name, arguments }");
  losses.rest(call, ["id", "name", "arguments", "repairs"], path);
  const { repairs } = call;
  const at = join(path, "repairs");
  return {
    id: textAt(call.id, join(path, "id")),
    name: textAt(call.name, join(path, "name")),
    arguments: objectAt(call.arguments, join(path, "arguments")),
    ...(repairs != null && { repairs: listAt(repairs, at).map((repair, i) => readRepair(repair, join(at, i))) }),
  };
}

function readRepair(given: unknown, path: string): Repair {
  const repair = objectAt(given, path, "a repair: { code, path }");
  // A log of another version may contain others.
  const code = textAt(repair.code, join(path, "code")) as RepairCode;
  return { code, ...optionalText(repair, "path", path) };
}

function readTool(given: unknown, path: string, losses: Losses): ToolDefinition {
  const tool = objectAt(given, path, "a tool: { name, description, parameters }");
  losses.rest(tool, ["name", "description", "parameters", "strict"], path);
  const { parameters, strict } = tool;
  if (parameters !== undefined && typeof parameters !== "boolean") objectAt(parameters, join(path, "parameters"));
  return {
    name: textAt(tool.name, join(path, "name")),
    ...optionalText(tool, "description", path),
    ...((typeof parameters === "boolean" || isObject(parameters)) && { parameters }),
    ...(typeof strict === "boolean" && { strict }),
  };
}

function readChoice(choice: unknown): ToolChoice {
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  if (isObject(choice) && typeof choice.name === "string") return { name: choice.name };
  throw new ProviderFormatError("/toolChoice", '"auto", "none", "required" or { name }', choice);
}
