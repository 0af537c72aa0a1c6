import type { JsonObject } from "../../schema/json.js";
import { join } from "../../schema/json.js";
import type { ChatMessage, ImageContent, ToolCall, ToolChoice, ToolDefinition, ToolResult } from "../../types.js";
import { customArguments, pastArguments, reportRepairs } from "../common/call-arguments.js";
import { withCommonLosses } from "../common/common-losses.js";
import { contentAt, listAt, missingField, objectAt, ProviderFormatError, textAt, withRoles } from "../common/expect.js";
import type { GivenPart } from "../common/given.js";
import { openAIDetail, userContent, userMessage, withoutImages } from "../common/images.js";
import { BUILT_IN, converted, Losses } from "../common/losses.js";
import { type NameRule, Names } from "../common/names.js";
import { type AssistantMessage, hasFields, unchangedParts } from "../common/original.js";
import type { ObjectSchema } from "../common/parameters.js";
import { conversionsOf, readTools, writeTools } from "../common/pieces.js";
import { plainArguments } from "../common/plain-data.js";
import { readEnd } from "../common/reply.js";
import { textOf } from "../common/text.js";
import type {
  Conversation,
  Given,
  ProviderFormat,
  ReadOptions,
  ReadReply,
  WritableConversation,
  WritableTool,
} from "../common/types.js";
import { openAIParameters } from "./openai.js";
import { readAllowed, readCustomTool, readFunction, readMode } from "./read-openai.js";

// OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses/create

export interface ResponsesTool {
  type: "function";
  name: string;
  description?: string;
  parameters: JsonObject | null;
  /**
   * Whether the server constrains calls to the schema. Always written, because the default, true, changes the schema.
   */
  strict: boolean;
}

export type ResponsesToolChoice = "auto" | "none" | "required" | { type: "function"; name: string };

export interface ResponsesCall {
  type: "function_call";
  call_id: string;
  name: string;
  arguments: string;
}

export interface ResponsesResult {
  type: "function_call_output";
  call_id: string;
  output: string;
}

export interface ResponsesImage {
  type: "input_image";
  image_url: string;
  detail: "auto" | "low" | "high";
}

/** Reasoning, encrypted by the server, which accepts it again. */
export interface ResponsesReasoning {
  type: "reasoning";
  id: string;
  summary: { type: "summary_text"; text: string }[];
  encrypted_content?: string | null;
}

export type ResponsesItem =
  | { type: "message"; role: "system" | "assistant"; content: string }
  | { type: "message"; role: "user"; content: string | (ResponsesImage | { type: "input_text"; text: string })[] }
  | ResponsesReasoning
  | ResponsesCall
  | ResponsesResult;

export interface ResponsesRequest {
  input: ResponsesItem[];
  tools?: ResponsesTool[];
  tool_choice?: ResponsesToolChoice;
}

/** An item of the input or of a response's output. */
export type GivenItem = Given<{
  readonly type?: string | null | undefined;
}>;
export type GivenResponsesRequest = Given<{
  readonly input?: string | readonly GivenItem[] | undefined;
  readonly instructions?: string | readonly GivenItem[] | null | undefined;
  readonly tools?: readonly GivenPart[] | null | undefined;
  readonly tool_choice?: string | GivenPart | null | undefined;
}>;

/** The API's response. */
export type GivenResponsesResponse = Given<{
  readonly output: readonly GivenItem[];
}>;

interface Shapes {
  tools: ResponsesTool[];
  givenTools: readonly GivenPart[];
  choice: ResponsesToolChoice;
  givenChoice: string | GivenPart;
  calls: ResponsesCall[];
  givenCalls: readonly GivenItem[];
  results: ResponsesResult[];
  givenResults: readonly GivenItem[];
  request: ResponsesRequest;
  givenRequest: GivenResponsesRequest;
  givenResponse: GivenResponsesResponse;
  schema: ObjectSchema;
}

const nameRule: NameRule = { forbidden: /[^a-zA-Z0-9_-]/g, max: 64 };
const idRule: NameRule = { forbidden: /[^a-zA-Z0-9_-]/g, max: 64 };
const namesFor = (options?: ReadOptions) => new Names(nameRule, idRule, options);

const pieces = { namesFor, writeTool, readTool, writeChoice, readChoice, writeCall, readCall, writeResult, readResult };

/**
 * OpenAI's Responses API. Reasoning is read, but not written, because only the server can create reasoning items. A
 * turn with encrypted reasoning (`include: ["reasoning.encrypted_content"]`) keeps its items as `original`, and these
 * are written as long as its text and its calls are unchanged.
 *
 * @example openaiResponses.toRequest({ messages: [{ role: "user", content: "Hi" }] }).value.input;
 * // [{ type: "message", role: "user", content: "Hi" }]
 */
export const openaiResponses: ProviderFormat<Shapes> = withCommonLosses<Shapes>(
  {
    name: "openai-responses",
    ...conversionsOf(pieces),
    toRequest: (conversation: WritableConversation) =>
      converted((losses): ResponsesRequest => {
        const names = namesFor();
        const messages = withRoles(conversation.messages);
        const write = (message: ChatMessage, i: number) =>
          writeMessage(message, messages[i - 1], join("/messages", i), names, losses);
        return {
          input: messages.flatMap(write),
          ...writeTools(conversation, pieces, names, losses),
        };
      }),
    fromRequest: (request, options) =>
      converted((losses): Conversation => {
        const names = namesFor(options);
        const given = objectAt(request, "", "a request: { input, … }");
        const { input, instructions } = given;
        const remote = ["previous_response_id", "conversation", "prompt"].filter((key) => given[key] != null);
        for (const key of remote)
          losses.add(join("", key), key, "holds messages that only the provider's server knows");
        if (input == null && remote.length === 0)
          throw missingField(given, "input", "", "a text or a list of items", ["messages"]);
        const reader = new ItemReader(names, losses, options?.images ?? false);
        if (typeof instructions === "string") reader.messages.push({ role: "system", content: instructions });
        else if (instructions != null)
          reader.read(listAt(instructions, "/instructions", "a string or a list of items"), "/instructions");
        if (typeof input === "string") reader.messages.push({ role: "user", content: input });
        else reader.read(listAt(input ?? [], "/input"), "/input");
        return {
          messages: reader.messages,
          ...readTools(given, pieces, names, losses),
        };
      }),
    fromResponse: (response, options) =>
      converted((losses): ReadReply => {
        const given = objectAt(response, "", "a response: { output, … }");
        const reader = new ItemReader(namesFor(options), losses, false);
        reader.read(listAt(given.output, "/output", "the items of a response"), "/output");
        return {
          messages: reader.messages.filter((message) => message.role === "assistant"),
          // Only truncated responses have a finish reason.
          ...readEnd(
            { incomplete_details: given.incomplete_details ?? (given.status === "completed" && { reason: "stop" }) },
            given.usage,
            { input: ["input_tokens"], output: ["output_tokens"] },
          ),
        };
      }),
  },
  ["input", "instructions", "tools", "tool_choice"],
);

function writeTool(tool: WritableTool, path: string, names: Names, losses: Losses): ResponsesTool {
  const { name, description } = tool;
  const { schema = null, isStrict } = openAIParameters(tool, path, losses);
  return {
    type: "function",
    name: names.write(name, join(path, "name"), losses),
    ...(description !== undefined && { description }),
    parameters: schema,
    strict: isStrict,
  };
}

function readTool(given: unknown, path: string, losses: Losses): ToolDefinition[] {
  const tool = objectAt(given, path, 'a tool: { type: "function", name, … }');
  if (tool.type === "function") return [readFunction(tool, path, losses)];
  if (tool.type === "custom") return [readCustomTool(tool, path, losses)];
  if (tool.type === "namespace") {
    losses.add(path, "namespace", "tools have no namespaces here: those in it became tools like others");
    const tools = listAt(tool.tools, join(path, "tools"));
    return tools.flatMap((one, i) => readTool(one, join(path, "tools", i), losses));
  }
  const expected = 'the type of the tool: "function" with { name, … }, or another one';
  losses.add(path, textAt(tool.type, join(path, "type"), expected), BUILT_IN);
  return [];
}

function writeChoice(choice: ToolChoice, path: string, names: Names, losses: Losses): ResponsesToolChoice {
  if (typeof choice === "string") return choice;
  return { type: "function", name: names.write(choice.name, join(path, "name"), losses) };
}

function readChoice(given: unknown, path: string, names: Names, losses: Losses): ToolChoice {
  if (typeof given === "string") return readMode(given, path);
  const choice = objectAt(given, path, '"auto", "none", "required" or { type: "function", name }');
  if (choice.type === "allowed_tools") return readAllowed(choice, path, losses);
  if (choice.type === "function" || choice.type === "custom") {
    return { name: names.read(textAt(choice.name, join(path, "name"), "the tool's name")) };
  }
  const type = textAt(
    choice.type,
    join(path, "type"),
    '"function", "custom", "allowed_tools" or that of a hosted tool',
  );
  // None of the other tools is wanted.
  losses.add(path, type, 'a tool of the provider\'s server cannot be chosen here: read as "none"');
  return "none";
}

function writeCall(call: ToolCall, path: string, names: Names, losses: Losses): ResponsesCall {
  reportRepairs(call, path, losses);
  names.remember(call);
  return {
    type: "function_call",
    call_id: names.writeId(call.id, join(path, "id"), losses),
    name: names.write(call.name, join(path, "name"), losses),
    arguments: JSON.stringify(plainArguments(call, path, losses)),
  };
}

function readCall(item: JsonObject, path: string, names: Names, losses: Losses): ToolCall {
  losses.rest(item, ["type", "call_id", "name", "arguments", "input"], path);
  const { name, input, arguments: args } = item;
  const read = {
    name: names.read(textAt(name, join(path, "name"), "the tool's name")),
    arguments:
      item.type === "custom_tool_call"
        ? customArguments(input, join(path, "input"), losses)
        : pastArguments(args, join(path, "arguments"), losses),
  };
  return names.readCall(item.call_id, read, join(path, "call_id"), losses);
}

function writeResult(result: ToolResult, path: string, names: Names, losses: Losses): ResponsesResult {
  if (result.isError) losses.add(join(path, "isError"), "isError", "results cannot be marked as errors");
  const id = names.writeId(result.toolCallId, join(path, "toolCallId"), losses);
  return { type: "function_call_output", call_id: id, output: result.content };
}

function readResult(item: JsonObject, path: string, names: Names, losses: Losses): ToolResult {
  losses.rest(item, ["type", "call_id", "output"], path);
  return {
    ...names.answered(item.call_id, join(path, "call_id"), losses),
    content: textOf(item.output, "\n", join(path, "output"), losses),
  };
}

function writeMessage(
  message: ChatMessage,
  before: ChatMessage | undefined,
  path: string,
  names: Names,
  losses: Losses,
): ResponsesItem[] {
  if (message.role === "tool") {
    names.checkResult(message, join(path, "name"), losses);
    return [writeResult(message, path, names, losses)];
  }
  const { role, content } = message;
  if (role === "user") {
    const inputText = (text: string) => ({ type: "input_text" as const, text });
    return [{ type: "message", role, content: userContent(message, path, losses, writeImage, inputText) }];
  }
  const text: ResponsesItem = { type: "message", role, content };
  if (role !== "assistant") return [text];
  const { toolCalls = [], reasoning } = message;
  const kept = unchangedParts(message, { format: "openai-responses", isOwn, read: readTurn }, names);
  if (kept) {
    for (const [i, call] of toolCalls.entries()) writeCall(call, join(path, "toolCalls", i), names, losses);
    return [...kept] as ResponsesItem[];
  }
  if (reasoning) {
    losses.add(join(path, "reasoning"), "reasoning", "reasoning items are the server's own, by id or encrypted");
  }
  const calls = toolCalls.map((call, i) => writeCall(call, join(path, "toolCalls", i), names, losses));
  // Calls belong to the text before them; without one they would belong to the turn before.
  const isOnlyCalls = content === "" && calls.length > 0 && before?.role !== "assistant";
  return isOnlyCalls ? calls : [text, ...calls];
}

function writeImage(image: ImageContent, path: string, losses: Losses): ResponsesImage {
  return { type: "input_image", image_url: image.url, detail: openAIDetail(image, path, losses) ?? "auto" };
}

/** Whether the server, which returned the item, accepts it. */
const isOwn = hasFields({
  reasoning: ["id", "summary"],
  message: ["role", "content"],
  function_call: ["call_id", "name", "arguments"],
  custom_tool_call: ["call_id", "name", "input"],
});

/** Reads the items of one turn as a message. */
function readTurn(items: readonly unknown[]): Pick<AssistantMessage, "content" | "toolCalls"> {
  const reader = new ItemReader(namesFor(), new Losses(), false);
  reader.read(items, "");
  const [turn, other] = reader.messages;
  return turn?.role === "assistant" && other === undefined ? turn : { content: "", toolCalls: [] };
}

const isResult = ({ type }: JsonObject) => type === "function_call_output" || type === "custom_tool_call_output";

/** Combines items to messages: this API has separate items for reasoning, text and calls. */
class ItemReader {
  readonly messages: ChatMessage[] = [];
  /** The images of the results before. */
  #images: ImageContent[] = [];
  /** The items of each turn that begins with reasoning. */
  readonly #turns = new Map<ChatMessage, JsonObject[]>();

  constructor(
    private readonly names: Names,
    private readonly losses: Losses,
    private readonly keepsImages: boolean,
  ) {}

  read(items: readonly unknown[], at: string): void {
    items.forEach((given, i) => {
      const path = join(at, i);
      const item = objectAt(given, path, "an item: { type, … }");
      if (!isResult(item)) this.#showImages();
      this.item(item, path);
    });
    this.#showImages();
  }

  #showImages(): void {
    if (this.#images.length > 0) this.messages.push({ role: "user", content: "", images: this.#images });
    this.#images = [];
  }

  /** A result, without its images if these are kept. */
  #result(item: JsonObject, path: string): ToolResult {
    if (!this.keepsImages) return readResult(item, path, this.names, this.losses);
    const { content: output, images } = withoutImages(item.output, join(path, "output"), this.losses);
    this.#images.push(...images);
    return readResult({ ...item, output }, path, this.names, this.losses);
  }

  /** Whether the item belongs to a turn with encrypted reasoning, which keeps its items; if so, stores the item. */
  private isKept(item: JsonObject, turn: ChatMessage | undefined): boolean {
    const items = turn && this.#turns.get(turn);
    if (turn?.role !== "assistant" || typeof items?.[0]?.encrypted_content !== "string" || !isOwn(item)) return false;
    if (item !== items[0]) items.push(item);
    turn.original = { format: "openai-responses", parts: items };
    return true;
  }

  private item(item: JsonObject, path: string): void {
    switch (item.type ?? "message") {
      case "message":
        return this.message(item, path);
      case "function_call":
      case "custom_tool_call": {
        if (this.messages.at(-1)?.role !== "assistant") this.names.nextTurn();
        const turn = this.turn();
        const losses = this.isKept(item, turn) ? new Losses() : this.losses;
        turn.toolCalls ??= [];
        turn.toolCalls.push(readCall(item, path, this.names, losses));
        return;
      }
      case "function_call_output":
      case "custom_tool_call_output":
        this.messages.push({ role: "tool", ...this.#result(item, path) });
        return;
      case "reasoning":
        return this.reasoning(item, path);
      default:
        this.losses.add(path, String(item.type), "has no counterpart here");
    }
  }

  private message(item: JsonObject, path: string): void {
    const { role } = item;
    if (role === "assistant") return this.answer(item, path);
    this.losses.rest(item, ["type", "role", "content", "status"], path);
    if (role === "user") {
      this.messages.push(userMessage(contentAt(item, path), join(path, "content"), this.losses, this.keepsImages));
      return;
    }
    const content = textOf(contentAt(item, path), "\n", join(path, "content"), this.losses);
    if (role === "system" || role === "developer") {
      if (role === "developer") this.losses.add(join(path, "role"), "developer", "became a system message");
      this.messages.push({ role: "system", content });
    } else throw new ProviderFormatError(join(path, "role"), '"system", "developer", "user" or "assistant"', role);
  }

  private answer(item: JsonObject, path: string): void {
    const last = this.messages.at(-1);
    const isBegun = last !== undefined && this.#turns.get(last)?.length === 1;
    const losses = isBegun && this.isKept(item, last) ? new Losses() : this.losses;
    losses.rest(item, ["type", "role", "content", "status"], path);
    const content = textOf(item.content, "", join(path, "content"), losses);
    if (isBegun && last.role === "assistant" && last.content === "" && !last.toolCalls) last.content = content;
    else this.messages.push({ role: "assistant", content });
  }

  private reasoning(item: JsonObject, path: string): void {
    const isEncrypted = typeof item.encrypted_content === "string" && isOwn(item);
    if (!isEncrypted) this.losses.rest(item, ["type", "summary", "content"], path);
    const said = textOf(item.content, "", join(path, "content"), this.losses);
    const summary = textOf(item.summary, "\n\n", join(path, "summary"), this.losses);
    if (said && summary) this.losses.add(join(path, "summary"), "summary", "the full reasoning is kept instead");
    const reasoning = said || summary;
    if (!reasoning && !isEncrypted) return;
    const turn: AssistantMessage = { role: "assistant", content: "", ...(reasoning && { reasoning }) };
    this.messages.push(turn);
    this.#turns.set(turn, [item]);
    this.isKept(item, turn);
  }

  /** The model's turn that a call belongs to. */
  private turn(): AssistantMessage {
    const last = this.messages.at(-1);
    if (last?.role === "assistant") return last;
    const turn = { role: "assistant" as const, content: "" };
    this.messages.push(turn);
    return turn;
  }
}
