import { isObject } from "../../common/plain-object.js";
import type { JsonObject } from "../../schema/json.js";
import { join } from "../../schema/json.js";
import type { SchemaInput } from "../../schema/to-json-schema.js";
import type { ChatMessage, ImageContent, ToolCall, ToolChoice, ToolDefinition, ToolResult } from "../../types.js";
import { pastArguments, reportRepairs } from "../common/call-arguments.js";
import { withCommonLosses } from "../common/common-losses.js";
import { listAt, objectAt, optionalText, ProviderFormatError, textAt, withRoles } from "../common/expect.js";
import type { GivenPart } from "../common/given.js";
import { imageData, UserParts, userContent, withoutImages } from "../common/images.js";
import { BUILT_IN, converted, Losses } from "../common/losses.js";
import { type NameRule, Names } from "../common/names.js";
import { type AssistantMessage, hasFields, unchangedParts } from "../common/original.js";
import { type ObjectSchema, plainObjectSchema, readParameters } from "../common/parameters.js";
import { conversionsOf, readTools, writeTools } from "../common/pieces.js";
import { plainArguments } from "../common/plain-data.js";
import { readEnd } from "../common/reply.js";
import { textOf, textOfPart } from "../common/text.js";
import { type SpokenMessage, type Turn, turnsOf } from "../common/turns.js";
import type {
  Conversation,
  ProviderFormat,
  ReadOptions,
  ReadReply,
  WritableConversation,
  WritableTool,
} from "../common/types.js";
import type {
  AnthropicImageBlock,
  AnthropicMessage,
  AnthropicRequest,
  AnthropicTextBlock,
  AnthropicThought,
  AnthropicTool,
  AnthropicToolChoice,
  AnthropicToolResult,
  AnthropicToolUse,
  GivenAnthropicRequest,
  GivenAnthropicResponse,
} from "./anthropic-messages.js";

// Anthropic's Messages: https://docs.anthropic.com/en/api/messages

interface Shapes {
  tools: AnthropicTool[];
  givenTools: readonly object[];
  choice: AnthropicToolChoice;
  givenChoice: GivenPart;
  calls: AnthropicToolUse[];
  givenCalls: readonly GivenPart[];
  results: AnthropicToolResult[];
  givenResults: readonly GivenPart[];
  request: AnthropicRequest;
  givenRequest: GivenAnthropicRequest;
  givenResponse: GivenAnthropicResponse;
  schema: ObjectSchema;
}

const nameRule: NameRule = { forbidden: /[^a-zA-Z0-9_-]/g, max: 128 };
const idRule: NameRule = { forbidden: /[^a-zA-Z0-9_-]/g, max: 128 };
const namesFor = (options?: ReadOptions) => new Names(nameRule, idRule, options);

const pieces = { namesFor, writeTool, readTool, writeChoice, readChoice, writeCall, readCall, writeResult, readResult };

/**
 * Anthropic's Messages. Consecutive results share one user message, as the API requires. Reasoning is read, but not
 * written, because the API accepts only reasoning that it signed. An answer with signed reasoning keeps its blocks as
 * `original`, and these are written as long as its text and its calls are unchanged.
 *
 * @example
 * anthropic.toCalls([{ id: "1", name: "now", arguments: {} }]).value; // [{ type: "tool_use", id: "1", name: "now", input: {} }]
 */
export const anthropic: ProviderFormat<Shapes> = withCommonLosses<Shapes>(
  {
    name: "anthropic",
    ...conversionsOf(pieces),
    formatSchema: (schema) => converted((losses) => inputSchema(schema, "", losses)),
    toRequest: (conversation: WritableConversation) =>
      converted((losses): AnthropicRequest => {
        const names = namesFor();
        const turns = turnsOf(withRoles(conversation.messages), (message, path) => says(message, path, losses), losses);
        const isSystem = (turn: Turn) => "message" in turn && turn.message.role === "system";
        const first = turns.findIndex((turn) => !isSystem(turn));
        const leading = turns.slice(0, first < 0 ? turns.length : first);
        return {
          ...systemOf(leading.map((turn) => ("message" in turn ? turn.message.content : ""))),
          messages: turns.slice(leading.length).map((turn) => writeTurn(turn, names, losses)),
          ...writeTools(conversation, pieces, names, losses),
        };
      }),
    fromRequest: (request, options) =>
      converted((losses): Conversation => {
        const names = namesFor(options);
        const given = objectAt(request, "", "a request: { messages, … }");
        const { system, messages } = given;
        const keepsImages = options?.images ?? false;
        const read = (message: unknown, i: number) =>
          readMessage(message, join("/messages", i), { names, losses, keepsImages });
        return {
          messages: [...readSystem(system, losses), ...listAt(messages, "/messages").flatMap(read)],
          ...readTools(given, pieces, names, losses),
        };
      }),
    fromResponse: (response, options) =>
      converted((losses): ReadReply => {
        const given = objectAt(response, "", "a message: { content, stop_reason }");
        const content = listAt(given.content, "/content", "the blocks of a message");
        return {
          messages: [readAssistant(content, "/content", namesFor(options), losses)],
          ...readEnd(given, given.usage, tokenNames),
        };
      }),
  },
  ["messages", "system", "tools", "tool_choice"],
);

const tokenNames = {
  input: ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
  output: ["output_tokens"],
  cacheRead: "cache_read_input_tokens",
  cacheWrite: "cache_creation_input_tokens",
} as const;

function writeTool(tool: WritableTool, path: string, names: Names, losses: Losses): AnthropicTool {
  const { name, description, strict } = tool;
  const parameters = tool.parameters ?? { type: "object", properties: {} };
  return {
    name: names.write(name, join(path, "name"), losses),
    ...(description !== undefined && { description }),
    input_schema: inputSchema(parameters, join(path, "parameters"), losses),
    ...(strict && { strict }),
  };
}

/** The property names that the API accepts. */
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

function inputSchema(parameters: SchemaInput, path: string, losses: Losses): ObjectSchema {
  const schema = plainObjectSchema(parameters, path, losses);
  for (const name of Object.keys(isObject(schema.properties) ? schema.properties : {})) {
    if (propertyName.test(name)) continue;
    const why = "the API refuses the name: it takes at most 64 letters, digits, `_`, `.` and `-`";
    losses.add(join(path, "properties", name), "name", why);
  }
  return schema;
}

function readTool(given: unknown, path: string, losses: Losses): ToolDefinition[] {
  const tool = objectAt(given, path, "a tool: { name, description, input_schema }");
  if (tool.type != null && tool.type !== "custom") {
    losses.add(path, String(tool.type), BUILT_IN);
    return [];
  }
  losses.rest(tool, ["type", "name", "description", "input_schema", "strict"], path);
  return [
    {
      name: textAt(tool.name, join(path, "name"), "the tool's name"),
      ...optionalText(tool, "description", path),
      ...readParameters(tool.input_schema, join(path, "input_schema")),
      ...(tool.strict === true && { strict: true }),
    },
  ];
}

function writeChoice(choice: ToolChoice, path: string, names: Names, losses: Losses): AnthropicToolChoice {
  if (typeof choice === "object") return { type: "tool", name: names.write(choice.name, join(path, "name"), losses) };
  return { type: choice === "required" ? "any" : choice };
}

function readChoice(given: unknown, path: string, names: Names, losses: Losses): ToolChoice {
  const expected = '{ type: "auto" }, { type: "any" }, { type: "none" } or { type: "tool", name }';
  const choice = objectAt(given, path, expected);
  losses.rest(choice, ["type", "name"], path);
  if (choice.type === "tool") return { name: names.read(textAt(choice.name, join(path, "name"), "the tool's name")) };
  if (choice.type === "any") return "required";
  if (choice.type === "auto" || choice.type === "none") return choice.type;
  throw new ProviderFormatError(join(path, "type"), '"auto", "any", "none" or "tool"', choice.type);
}

function writeCall(call: ToolCall, path: string, names: Names, losses: Losses): AnthropicToolUse {
  reportRepairs(call, path, losses);
  names.remember(call);
  return {
    type: "tool_use",
    id: names.writeId(call.id, join(path, "id"), losses),
    name: names.write(call.name, join(path, "name"), losses),
    input: plainArguments(call, path, losses),
  };
}

function readCall(block: JsonObject, path: string, names: Names, losses: Losses): ToolCall {
  const { caller, ...said } = block;
  losses.rest(said, ["type", "id", "name", "input"], path);
  // The model itself, which is the default.
  const isDirect = isObject(caller) && caller.type === "direct";
  if (!isDirect) losses.rest({ caller }, [], path);
  const read = {
    name: names.read(textAt(block.name, join(path, "name"), "the tool's name")),
    arguments: pastArguments(block.input, join(path, "input"), losses),
  };
  return names.readCall(block.id, read, join(path, "id"), losses);
}

function writeResult(result: ToolResult, path: string, names: Names, losses: Losses): AnthropicToolResult {
  // The API refuses an error without content.
  const says = !isEmpty(result.content) || !result.isError;
  if (!says)
    losses.add(join(path, "content"), "content", 'the API refuses an error without content: written as "error"');
  const content = says ? result.content : "error";
  return {
    type: "tool_result",
    tool_use_id: names.writeId(result.toolCallId, join(path, "toolCallId"), losses),
    ...(content !== "" && { content }),
    ...(result.isError && { is_error: true }),
  };
}

function readResult(block: JsonObject, path: string, names: Names, losses: Losses): ToolResult {
  losses.rest(block, ["type", "tool_use_id", "content", "is_error"], path);
  return {
    ...names.answered(block.tool_use_id, join(path, "tool_use_id"), losses),
    content: textOf(block.content, "\n", join(path, "content"), losses),
    ...(block.is_error === true && { isError: true }),
  };
}

const isEmpty = (text: string) => text.trim() === "";

/** Whether a message has content: the API refuses messages and texts that are empty or only white space. */
function says(message: ChatMessage, path: string, losses: Losses): boolean {
  if (message.role === "tool" || !isEmpty(message.content)) return true;
  if (message.role === "user" && message.images?.length) return true;
  if (message.role === "assistant" && message.toolCalls?.length) return true;
  losses.add(path, "empty", "the API refuses a message without text and calls: omitted");
  return false;
}

function systemOf(texts: readonly string[]): Pick<AnthropicRequest, "system"> {
  const [only, other] = texts;
  if (only === undefined) return {};
  return { system: other === undefined ? only : texts.map((text) => ({ type: "text", text })) };
}

function readSystem(system: unknown, losses: Losses): ChatMessage[] {
  if (typeof system === "string") return [{ role: "system", content: system }];
  return listAt(system ?? [], "/system", "a text or a list of text blocks").flatMap((block, i) => {
    const content = textOfPart(block, join("/system", i), losses);
    return content === undefined ? [] : [{ role: "system", content }];
  });
}

function writeTurn(turn: Turn, names: Names, losses: Losses): AnthropicMessage {
  if ("message" in turn) return writeMessage(turn.message, turn.path, names, losses);
  const content = turn.results.map(({ result, path }) => {
    names.checkResult(result, join(path, "name"), losses);
    return writeResult(result, path, names, losses);
  });
  return { role: "user", content };
}

const textBlock = (text: string): AnthropicTextBlock => ({ type: "text", text });

const mediaTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

function imageBlock(image: ImageContent, path: string, losses: Losses): AnthropicImageBlock | undefined {
  if (image.detail !== undefined)
    losses.add(join(path, "detail"), "detail", "the API has no setting for the detail of an image");
  const inline = imageData(image);
  if (!inline) return { type: "image", source: { type: "url", url: image.url } };
  const mediaType = mediaTypes.find((one) => one === inline.mediaType);
  if (mediaType) return { type: "image", source: { type: "base64", media_type: mediaType, data: inline.data } };
  losses.add(
    path,
    "image",
    `the API accepts images of the types ${mediaTypes.join(", ")}, not ${inline.mediaType}: omitted`,
  );
  return undefined;
}

function writeMessage(message: SpokenMessage, path: string, names: Names, losses: Losses): AnthropicMessage {
  const { role, content } = message;
  if (role === "user") return { role, content: userContent(message, path, losses, imageBlock, textBlock) };
  if (role !== "assistant") return { role, content };
  const { toolCalls = [], reasoning } = message;
  const signed = signedBlocks(message, names);
  if (signed) {
    for (const [i, call] of toolCalls.entries()) writeCall(call, join(path, "toolCalls", i), names, losses);
    return { role, content: signed };
  }
  if (reasoning) losses.add(join(path, "reasoning"), "reasoning", "the API accepts only thoughts that it signed");
  if (toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map((call, i) => writeCall(call, join(path, "toolCalls", i), names, losses));
  if (!isEmpty(content)) return { role, content: [textBlock(content), ...calls] };
  if (content !== "")
    losses.add(join(path, "content"), "content", "the API refuses texts of white space only: omitted");
  return { role, content: calls };
}

interface MessageContext {
  names: Names;
  losses: Losses;
  keepsImages: boolean;
}

function readMessage(given: unknown, path: string, context: MessageContext): ChatMessage[] {
  const { names, losses } = context;
  const message = objectAt(given, path, "a message: { role, content }");
  const { role, content } = message;
  losses.rest(message, ["role", "content"], path);
  switch (role) {
    case "system":
      return [{ role, content: textOf(content, "\n", join(path, "content"), losses) }];
    case "user":
      return readUser(content, join(path, "content"), context);
    case "assistant":
      return [readAssistant(content, join(path, "content"), names, losses)];
    default:
      throw new ProviderFormatError(join(path, "role"), '"user", "assistant" or "system"', role);
  }
}

/** Reads a user message. Results become separate messages; the texts between them keep their position. */
function readUser(content: unknown, path: string, { names, losses, keepsImages }: MessageContext): ChatMessage[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const messages: ChatMessage[] = [];
  let parts = new UserParts(path, losses, keepsImages);
  /** The images of the results before. */
  let images: ImageContent[] = [];
  const flush = () => {
    messages.push(...[parts.message() ?? []].flat());
    parts = new UserParts(path, losses, keepsImages);
  };
  const addImages = () => {
    parts.addImages(images);
    images = [];
  };
  listAt(content, path, "a text or a list of blocks").forEach((block, i) => {
    const at = join(path, i);
    if (isObject(block) && block.type === "tool_result") {
      flush();
      const read = keepsImages ? withoutImages(block.content, join(at, "content"), losses) : undefined;
      images.push(...(read?.images ?? []));
      messages.push({
        role: "tool",
        ...readResult({ ...block, ...(read && { content: read.content }) }, at, names, losses),
      });
      return;
    }
    addImages();
    parts.add(block, at);
  });
  addImages();
  flush();
  return messages.length > 0 ? messages : [{ role: "user", content: "" }];
}

function readAssistant(content: unknown, path: string, names: Names, losses: Losses): AssistantMessage {
  if (typeof content === "string") return { role: "assistant", content };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const toolCalls: ToolCall[] = [];
  const isKept = Array.isArray(content) && content.every(isOwnBlock) && content.some(isThought);
  names.nextTurn();
  listAt(content, path, "a text or a list of blocks").forEach((given, i) => {
    const at = join(path, i);
    const block = objectAt(given, at, "a block: { type, … }");
    if (block.type === "tool_use") {
      toolCalls.push(readCall(block, at, names, losses));
    } else if (block.type === "thinking") {
      losses.rest(block, ["type", "thinking", ...(isKept ? ["signature"] : [])], at);
      thoughts.push(textAt(block.thinking, join(at, "thinking")));
    } else if (!(isKept && block.type === "redacted_thinking")) {
      const text = textOfPart(block, at, losses);
      if (text !== undefined && toolCalls.length > 0) losses.add(at, "text", "moved before the calls");
      if (text !== undefined) texts.push(text);
    }
  });
  if (texts.length > 1) losses.add(path, "parts", `a message is one text here: ${texts.length} texts were joined`);
  if (thoughts.length > 1) losses.add(path, "thinking", `${thoughts.length} thoughts were joined`);
  return {
    role: "assistant",
    content: texts.join(""),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(thoughts.length > 0 && { reasoning: thoughts.join("\n") }),
    ...(isKept && { original: { format: "anthropic", parts: content as unknown[] } }),
  };
}

type SignedBlocks = (AnthropicThought | AnthropicTextBlock | AnthropicToolUse)[];

/** The original blocks of the message, if some are signed and all can be written. */
const signedBlocks = (message: AssistantMessage, names: Names): SignedBlocks | undefined =>
  unchangedParts(
    message,
    {
      format: "anthropic",
      isOwn: isOwnBlock,
      read: (parts) => readAssistant(parts, "", namesFor(), new Losses()),
    },
    names,
  )?.slice() as SignedBlocks | undefined;

const isThought = (block: unknown) => isObject(block) && /^(?:redacted_)?thinking$/.test(String(block.type));

/** Whether the API accepts the block unchanged. */
const isOwnBlock = hasFields({
  text: ["text"],
  tool_use: ["id", "name", "input"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
});
