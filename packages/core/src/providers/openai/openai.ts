import type { JsonObject } from "../../schema/json.js";
import { join } from "../../schema/json.js";
import type { ChatMessage, ImageContent, ToolCall, ToolChoice, ToolResult } from "../../types.js";
import { reportRepairs } from "../common/call-arguments.js";
import { withCommonLosses } from "../common/common-losses.js";
import { withRoles } from "../common/expect.js";
import type { GivenMessage, GivenPart } from "../common/given.js";
import { openAIDetail, userContent } from "../common/images.js";
import { converted, type Losses } from "../common/losses.js";
import type { Names } from "../common/names.js";
import { type ObjectSchema, plainObjectSchema } from "../common/parameters.js";
import { conversionsOf, writeTools } from "../common/pieces.js";
import { plainArguments } from "../common/plain-data.js";
import type { Given, ProviderFormat, WritableConversation, WritableTool } from "../common/types.js";
import {
  openAINames,
  readCall,
  readChoice,
  readOpenAIRequest,
  readOpenAIResponse,
  readResult,
  readTool,
} from "./read-openai.js";
import { strictSchema } from "./strict-schema.js";

// OpenAI's Chat Completions: https://platform.openai.com/docs/api-reference/chat/create

/** A function in OpenAI's API, in `tools` and in the deprecated `functions`. */
export interface OpenAIFunction {
  name: string;
  description?: string;
  parameters?: JsonObject;
  /** Whether the server constrains calls to the schema. Default: it does not. */
  strict?: true;
}

export interface OpenAITool {
  type: "function";
  function: OpenAIFunction;
}

export type OpenAIToolChoice = "auto" | "none" | "required" | { type: "function"; function: { name: string } };

export interface OpenAIToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface OpenAIToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

export interface OpenAIImagePart {
  type: "image_url";
  image_url: { url: string; detail?: "auto" | "low" | "high" };
}

/** A user's text, or images and text. */
export type OpenAIUserContent = string | (OpenAIImagePart | { type: "text"; text: string })[];

export type OpenAIMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: OpenAIUserContent }
  | { role: "assistant"; content: string | null; tool_calls?: OpenAIToolCall[] }
  | OpenAIToolMessage;

export interface OpenAIRequest {
  messages: OpenAIMessage[];
  tools?: OpenAITool[];
  tool_choice?: OpenAIToolChoice;
}

/** A request to read, in any form that the API accepts. */
export type GivenOpenAIRequest = Given<{
  readonly messages: readonly GivenMessage[];
  readonly tools?: readonly GivenPart[] | null | undefined;
  readonly tool_choice?: string | GivenPart | null | undefined;
  readonly functions?: readonly { readonly name: string }[] | null | undefined;
  readonly function_call?: string | { readonly name: string } | null | undefined;
}>;

/** A completion; only the first choice is read. */
export type GivenOpenAIResponse = Given<{
  readonly choices: readonly { readonly message: GivenMessage }[];
}>;

interface Shapes {
  tools: OpenAITool[];
  givenTools: readonly GivenPart[];
  choice: OpenAIToolChoice;
  givenChoice: string | GivenPart;
  calls: OpenAIToolCall[];
  givenCalls: readonly GivenPart[];
  results: OpenAIToolMessage[];
  givenResults: readonly GivenMessage[];
  request: OpenAIRequest;
  givenRequest: GivenOpenAIRequest;
  givenResponse: GivenOpenAIResponse;
  schema: ObjectSchema;
}

const pieces = {
  namesFor: openAINames,
  writeTool,
  readTool,
  writeChoice,
  readChoice,
  writeCall,
  readCall,
  writeResult,
  readResult,
};

/**
 * OpenAI's Chat Completions, as of OpenAI and most other servers. The deprecated `functions` and `function_call`
 * are read too; `openaiFunctions` writes them.
 *
 * @example openai.toTools([{ name: "now" }]).value; // [{ type: "function", function: { name: "now" } }]
 */
export const openai: ProviderFormat<Shapes> = withCommonLosses<Shapes>(
  {
    name: "openai",
    ...conversionsOf(pieces),
    toRequest: (conversation: WritableConversation) =>
      converted((losses): OpenAIRequest => {
        const names = openAINames();
        const write = (message: ChatMessage, i: number) => writeMessage(message, join("/messages", i), names, losses);
        return {
          messages: withRoles(conversation.messages).map(write),
          ...writeTools(conversation, pieces, names, losses),
        };
      }),
    fromRequest: (request, options) => readOpenAIRequest(request, options),
    fromResponse: (response, options) => readOpenAIResponse(response, options),
  },
  ["messages", "tools", "tool_choice", "functions", "function_call"],
);

/** A function in OpenAI's shape. */
export function writeFunction(tool: WritableTool, path: string, names: Names, losses: Losses): OpenAIFunction {
  const { name, description } = tool;
  const { schema, isStrict } = openAIParameters(tool, path, losses);
  return {
    name: names.write(name, join(path, "name"), losses),
    ...(description !== undefined && { description }),
    ...(schema && { parameters: schema }),
    ...(isStrict && { strict: true }),
  };
}

/** The parameters of a tool, if any; in strict mode if the tool requests it and the mode can express them. */
export function openAIParameters(
  { parameters, strict = false }: WritableTool,
  path: string,
  losses: Losses,
): { schema?: ObjectSchema; isStrict: boolean } {
  if (parameters == null) return { isStrict: strict };
  const at = join(path, "parameters");
  const schema = plainObjectSchema(parameters, at, losses);
  const converted = strict ? strictSchema(schema, at, losses) : undefined;
  return { schema: converted ?? schema, isStrict: converted !== undefined };
}

function writeTool(tool: WritableTool, path: string, names: Names, losses: Losses): OpenAITool {
  return { type: "function", function: writeFunction(tool, path, names, losses) };
}

function writeChoice(choice: ToolChoice, path: string, names: Names, losses: Losses): OpenAIToolChoice {
  if (typeof choice === "string") return choice;
  return { type: "function", function: { name: names.write(choice.name, join(path, "name"), losses) } };
}

function writeCall(call: ToolCall, path: string, names: Names, losses: Losses): OpenAIToolCall {
  reportRepairs(call, path, losses);
  names.remember(call);
  return {
    id: names.writeId(call.id, join(path, "id"), losses),
    type: "function",
    function: {
      name: names.write(call.name, join(path, "name"), losses),
      arguments: JSON.stringify(plainArguments(call, path, losses)),
    },
  };
}

function writeResult(result: ToolResult, path: string, names: Names, losses: Losses): OpenAIToolMessage {
  if (result.isError) losses.add(join(path, "isError"), "isError", "results cannot be marked as errors");
  return {
    role: "tool",
    tool_call_id: names.writeId(result.toolCallId, join(path, "toolCallId"), losses),
    content: result.content,
  };
}

/** A user's content in the form of Chat Completions. */
export const openAIUserContent = (
  message: Extract<ChatMessage, { role: "user" }>,
  path: string,
  losses: Losses,
): OpenAIUserContent => userContent(message, path, losses, writeImage, (text) => ({ type: "text" as const, text }));

function writeImage(image: ImageContent, path: string, losses: Losses): OpenAIImagePart {
  const detail = openAIDetail(image, path, losses);
  return { type: "image_url", image_url: { url: image.url, ...(detail && { detail }) } };
}

function writeMessage(message: ChatMessage, path: string, names: Names, losses: Losses): OpenAIMessage {
  if (message.role === "tool") {
    names.checkResult(message, join(path, "name"), losses);
    return writeResult(message, path, names, losses);
  }
  if (message.role === "user") return { role: "user", content: openAIUserContent(message, path, losses) };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  const { content, toolCalls = [], reasoning } = message;
  if (reasoning) losses.add(join(path, "reasoning"), "reasoning", "there is no field for it");
  if (toolCalls.length === 0) return { role: "assistant", content };
  const write = (call: ToolCall, i: number) => writeCall(call, join(path, "toolCalls", i), names, losses);
  return { role: "assistant", content: content || null, tool_calls: toolCalls.map(write) };
}
