import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join } from "../../schema/json.js";
import type { SchemaInput } from "../../schema/to-json-schema.js";
import { describeJson } from "../../schema/words.js";
import type { ChatMessage, ImageContent, ToolCall, ToolChoice, ToolDefinition, ToolResult } from "../../types.js";
import { reportRepairs } from "../common/call-arguments.js";
import { withCommonLosses } from "../common/common-losses.js";
import { listAt, objectAt, optionalText, textAt, withRoles } from "../common/expect.js";
import { imageData, userContent } from "../common/images.js";
import { converted, convertedEach, convertedFlat, Losses } from "../common/losses.js";
import { type NameRule, Names } from "../common/names.js";
import { type AssistantMessage, unchangedParts } from "../common/original.js";
import { objectSchema, plainObjectSchema, readParameters } from "../common/parameters.js";
import { plainArguments } from "../common/plain-data.js";
import { readEnd } from "../common/reply.js";
import { turnsOf } from "../common/turns.js";
import type {
  Conversation,
  Converted,
  Given,
  GivenConversation,
  GivenTool,
  OwnFormat,
  ProviderFormat,
  ReadOptions,
  ReadReply,
  ReadRequestOptions,
  WritableTool,
  WriteOptions,
} from "../common/types.js";
import { UnansweredCalls } from "../common/unanswered-calls.js";
import { GeminiReader, isCallPart, isSignable, readCallPart, readResultPart } from "./gemini-contents.js";
import { geminiJsonSchema } from "./gemini-json-schema.js";
import type { GeminiSchema, GeminiType } from "./gemini-schema.js";
import { readGeminiSchema } from "./read-gemini-schema.js";
import { inEitherSpelling } from "./spelling.js";
import { writeGeminiSchema } from "./write-gemini-schema.js";

// Google's Gemini: https://ai.google.dev/api/generate-content

export interface GeminiFunctionDeclaration<Type extends string = GeminiType> {
  name: string;
  description?: string;
  parameters?: GeminiSchema<Type>;
  /** JSON Schema instead of Gemini's own, under `{ jsonSchema: true }`. */
  parametersJsonSchema?: JsonObject;
}

export interface GeminiTool<Type extends string = GeminiType> {
  functionDeclarations: GeminiFunctionDeclaration<Type>[];
}

export interface GeminiToolConfig<Mode extends string = "AUTO" | "ANY" | "NONE"> {
  functionCallingConfig: { mode: Mode; allowedFunctionNames?: string[] };
}

export interface GeminiCallPart {
  functionCall: { id: string; name: string; args: Record<string, unknown> };
}

export interface GeminiResultPart {
  functionResponse: { id: string; name: string; response: { output: string } | { error: string } };
}

export type GeminiImagePart =
  | { inlineData: { mimeType: string; data: string } }
  | { fileData: { fileUri: string; mimeType?: string } };

export type GeminiPart =
  | { text: string; thought?: boolean; thoughtSignature?: string }
  | (GeminiCallPart & { thoughtSignature?: string })
  | GeminiImagePart
  | GeminiResultPart;

export interface GeminiContent {
  role: "user" | "model";
  parts: GeminiPart[];
}

/** The SDK's request. In an HTTP request, the fields of `config` are next to `contents`. */
export interface GeminiRequest<Type extends string = GeminiType, Mode extends string = "AUTO" | "ANY" | "NONE"> {
  contents: GeminiContent[];
  config: {
    systemInstruction?: { parts: { text: string }[] };
    tools?: GeminiTool<Type>[];
    toolConfig?: GeminiToolConfig<Mode>;
  };
}

/** Contents and parts to read: a text, an object of either kind, a list. */
export type GivenContents = string | object | readonly (string | object)[];
export type GivenGeminiRequest = Given<{
  readonly contents: GivenContents;
  readonly config?: GivenGeminiConfig | undefined;
  readonly systemInstruction?: GivenContents | undefined;
  readonly tools?: readonly object[] | undefined;
  readonly toolConfig?: object | undefined;
}>;
export type GivenGeminiConfig = Given<{
  readonly systemInstruction?: GivenContents | undefined;
  readonly tools?: readonly object[] | undefined;
  readonly toolConfig?: object | undefined;
}>;

/** A response of `generateContent`; only the first candidate is read. */
export type GivenGeminiResponse = Given<{
  readonly candidates?: readonly object[] | undefined;
}>;

interface Shapes {
  tools: GeminiTool[];
  givenTools: readonly object[];
  choice: GeminiToolConfig;
  givenChoice: object;
  calls: GeminiCallPart[];
  givenCalls: readonly object[];
  results: GeminiResultPart[];
  givenResults: readonly object[];
  request: GeminiRequest;
  givenRequest: GivenGeminiRequest;
  givenResponse: GivenGeminiResponse;
  schema: GeminiSchema;
}

/** Overloads for `@google/genai`, whose enums do not accept strings: its `Type` and `FunctionCallingConfigMode`. */
interface ForSdk {
  toTools<Type extends string = GeminiType>(
    tools: readonly GivenTool[],
    options?: WriteOptions,
  ): Converted<GeminiTool<Type>[]>;
  toToolChoice<Mode extends string = "AUTO" | "ANY" | "NONE">(choice: ToolChoice): Converted<GeminiToolConfig<Mode>>;
  toRequest<Type extends string = GeminiType, Mode extends string = "AUTO" | "ANY" | "NONE">(
    conversation: GivenConversation,
    options?: WriteOptions,
  ): Converted<GeminiRequest<Type, Mode>>;
  formatSchema<Type extends string = GeminiType>(schema: SchemaInput): Converted<GeminiSchema<Type>>;
}

const nameRule: NameRule = { forbidden: /[^a-zA-Z0-9_.:-]/g, max: 64, start: /^[a-zA-Z_]/ };
const idRule: NameRule = { forbidden: /[^\s\S]/g, max: Number.POSITIVE_INFINITY };
const namesFor = (options?: ReadOptions) => new Names(nameRule, idRule, options);

const format: OwnFormat<Shapes> = {
  name: "gemini",
  toTools: (tools, options) => converted((losses) => writeTools(tools, "", options, namesFor(), losses)),
  fromTools: inEitherSpelling((tools) => convertedFlat(tools, readTool)),
  toToolChoice: (choice) => converted((losses) => writeChoice(choice, "", namesFor(), losses)),
  fromToolChoice: inEitherSpelling((config, options) =>
    converted((losses) => readChoice(config, "", namesFor(options), losses)),
  ),
  toCalls: (calls) => convertedEach(calls, (call, path, losses) => writeCall(call, path, namesFor(), losses)),
  fromCalls: inEitherSpelling((parts, options) =>
    convertedEach(parts, (part, path, losses) => {
      const id = `function${path.replace("/", "_")}`;
      return readCallPart(objectAt(part, path), path, id, namesFor(options), losses);
    }),
  ),
  toResults: (results) =>
    convertedEach(results, (result, path, losses) => writeResult(result, path, namesFor(), losses)),
  fromResults: inEitherSpelling((parts, options) => {
    const open = new UnansweredCalls(options?.calls);
    return convertedEach(parts, (part, path, losses) => {
      const madeUp = `function${path.replace("/", "_")}`;
      return readResultPart(objectAt(part, path), path, { open, madeUp }, namesFor(options), losses);
    });
  }),
  toRequest: ({ messages, tools, toolChoice }, options) =>
    converted((losses): GeminiRequest => {
      const names = namesFor();
      const checked = withRoles(messages);
      const system = systemTexts(checked, losses);
      return {
        contents: writeContents(checked, names, losses),
        config: {
          ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
          ...(tools && { tools: writeTools(tools, "/tools", options, names, losses) }),
          ...(toolChoice && { toolConfig: writeChoice(toolChoice, "/toolChoice", names, losses) }),
        },
      };
    }),
  fromRequest: inEitherSpelling((given, options) => converted((losses) => readRequest(given, options, losses))),
  fromResponse: inEitherSpelling((response, options) => converted((losses) => readResponse(response, options, losses))),
  formatSchema: (schema) => converted((losses) => writeGeminiSchema(objectSchema(schema, "", losses), "", losses)),
};

/**
 * Google's Gemini. Its schemas are a subset, see `formatSchema`; its models' thoughts are kept as parts. A call without
 * an id gets one from its position. An answer with signed parts (`thoughtSignature`) keeps its parts as `original`, and
 * these are written as long as its text and its calls are unchanged.
 *
 * With the SDK `@google/genai`: `gemini.toTools<Type>(tools)`,
 * `gemini.toToolChoice<FunctionCallingConfigMode>(choice)`, `gemini.toRequest<Type,
 * FunctionCallingConfigMode>(conversation)`, because its enums do not accept strings.
 *
 * @example gemini.toTools([{ name: "now" }]).value; // [{ functionDeclarations: [{ name: "now" }] }]
 */
export const gemini = withCommonLosses<Shapes>(format, [
  "contents",
  "config",
  "systemInstruction",
  "system_instruction",
  "tools",
  "toolConfig",
  "tool_config",
]) as ProviderFormat<Shapes> & ForSdk;

function writeTools(
  tools: readonly WritableTool[],
  at: string,
  { jsonSchema = false }: WriteOptions = {},
  names: Names,
  losses: Losses,
): GeminiTool[] {
  if (tools.length === 0) return [];
  const writeParameters = jsonSchema ? jsonSchemaParameters : ownParameters;
  const functionDeclarations = tools.map((tool, i): GeminiFunctionDeclaration => {
    const path = join(at, i);
    if (tool.strict) losses.add(join(path, "strict"), "strict", "there is no strict mode here");
    return {
      name: names.write(tool.name, join(path, "name"), losses),
      ...(tool.description !== undefined && { description: tool.description }),
      ...writeParameters(tool.parameters, join(path, "parameters"), losses),
    };
  });
  return [{ functionDeclarations }];
}

function jsonSchemaParameters(given: SchemaInput | null | undefined, path: string, losses: Losses) {
  if (given == null) return {};
  return { parametersJsonSchema: geminiJsonSchema(plainObjectSchema(given, path, losses), path, losses) };
}

function ownParameters(given: SchemaInput | null | undefined, path: string, losses: Losses) {
  const schema = writeGeminiSchema(objectSchema(given ?? true, path, losses), path, losses);
  // The API refuses objects without properties, so a tool without arguments has no parameters.
  const isObject = schema.type === "OBJECT" && schema.properties !== undefined;
  if (!isObject) reportDropped(schema, path, losses);
  return isObject ? { parameters: without(schema) } : {};
}

/** Arguments are never null. */
const without = ({ nullable: _, ...schema }: GeminiSchema): GeminiSchema => schema;

/** Reports the annotations of parameters that are left out. */
function reportDropped(schema: GeminiSchema, path: string, losses: Losses): void {
  const { type, required, ...said } = readGeminiSchema(without(schema), "", losses);
  if (type !== "object") losses.add(path, "parameters", "are not an object with properties: omitted");
  for (const key of Object.keys(said)) losses.add(join(path, key), key, "a tool without properties has no parameters");
}

function readRequest(given: unknown, options: ReadRequestOptions | undefined, losses: Losses): Conversation {
  const names = namesFor(options);
  const request = objectAt(given, "", "a request: { contents, config }");
  const config = objectAt(request.config ?? {}, "/config");
  /** A setting, which is under `config` in the SDK and next to `contents` in an HTTP request. */
  const setting = (key: string) => {
    const isInside = config[key] != null;
    if (isInside && request[key] != null) losses.add(`/${key}`, key, "the one under `config` is read instead");
    return { given: isInside ? config[key] : request[key], at: `${isInside ? "/config" : ""}/${key}` };
  };
  const [system, tools, toolConfig] = [setting("systemInstruction"), setting("tools"), setting("toolConfig")];
  const reader = new GeminiReader(names, losses, options?.images);
  if (system.given != null) reader.system(system.given, system.at);
  reader.contents(request.contents, "/contents");
  const cached = setting("cachedContent");
  if (cached.given != null)
    losses.add(cached.at, "cachedContent", "holds messages that only the provider's server knows");
  const readTools = () => listAt(tools.given, tools.at).flatMap((tool, i) => readTool(tool, join(tools.at, i), losses));
  return {
    messages: reader.messages,
    ...(tools.given != null && { tools: readTools() }),
    ...(toolConfig.given != null && { toolChoice: readChoice(toolConfig.given, toolConfig.at, names, losses) }),
  };
}

const tokenNames = {
  input: ["promptTokenCount", "toolUsePromptTokenCount"],
  output: ["candidatesTokenCount", "thoughtsTokenCount"],
  cacheRead: "cachedContentTokenCount",
  reasoning: "thoughtsTokenCount",
} as const;

function readResponse(response: unknown, options: ReadOptions | undefined, losses: Losses): ReadReply {
  const given = objectAt(response, "", "a response: { candidates, … }");
  const [first, ...others] = listAt(given.candidates, "/candidates", "the candidates of a response");
  if (others.length > 0)
    losses.add("/candidates/1", "candidates", `the first of ${others.length + 1} candidates is read`);
  const candidate = objectAt(first, "/candidates/0", "a candidate: { content, finishReason }");
  const reader = new GeminiReader(namesFor(options), losses);
  // A candidate is the model's, whether or not it says so. One that was blocked has no content.
  const content = objectAt(candidate.content ?? {}, "/candidates/0/content", "a content: { role, parts }");
  reader.contents({ ...content, role: "model" }, "/candidates/0/content");
  return {
    messages: reader.messages.filter((message) => message.role === "assistant"),
    ...readEnd(candidate, given.usageMetadata, tokenNames),
  };
}

function readTool(given: unknown, path: string, losses: Losses): ToolDefinition[] {
  const tool = objectAt(given, path, "a tool: { functionDeclarations: [ … ] }");
  losses.rest(tool, ["functionDeclarations"], path);
  const at = join(path, "functionDeclarations");
  return listAt(tool.functionDeclarations ?? [], at).map((one, i) => readDeclaration(one, join(at, i), losses));
}

function readDeclaration(given: unknown, path: string, losses: Losses): ToolDefinition {
  const declaration = objectAt(given, path, "a function: { name, description, parameters }");
  const { name, parameters, parametersJsonSchema } = declaration;
  losses.rest(declaration, ["name", "description", "parameters", "parametersJsonSchema"], path);
  const schema = () => ({ parameters: readGeminiSchema(parameters, join(path, "parameters"), losses) });
  return {
    name: textAt(name, join(path, "name"), "the function's name"),
    ...optionalText(declaration, "description", path),
    ...(parameters == null ? readParameters(parametersJsonSchema, join(path, "parametersJsonSchema")) : schema()),
  };
}

function writeChoice(choice: ToolChoice, path: string, names: Names, losses: Losses): GeminiToolConfig {
  if (typeof choice === "object") {
    const allowedFunctionNames = [names.write(choice.name, join(path, "name"), losses)];
    return { functionCallingConfig: { mode: "ANY", allowedFunctionNames } };
  }
  const mode = choice === "required" ? "ANY" : choice === "none" ? "NONE" : "AUTO";
  return { functionCallingConfig: { mode } };
}

function readChoice(given: unknown, path: string, names: Names, losses: Losses): ToolChoice {
  const config = objectAt(given, path, "{ functionCallingConfig: { mode } }");
  losses.rest(config, ["functionCallingConfig"], path);
  const at = join(path, "functionCallingConfig");
  const calling = objectAt(config.functionCallingConfig ?? {}, at);
  losses.rest(calling, ["mode", "allowedFunctionNames"], at);
  const allowed = listAt(calling.allowedFunctionNames ?? [], join(at, "allowedFunctionNames"));
  const { mode } = calling;
  if (mode === "ANY" && allowed.length === 1) {
    return { name: names.read(textAt(allowed[0], join(at, "allowedFunctionNames", 0))) };
  }
  if (allowed.length > 0) {
    const why = "a choice cannot be limited to some of the tools here";
    losses.add(join(at, "allowedFunctionNames"), "allowedFunctionNames", why);
  }
  if (mode === "ANY") return "required";
  if (mode === "NONE") return "none";
  if (mode !== "AUTO" && mode !== undefined && mode !== "MODE_UNSPECIFIED") {
    losses.add(join(at, "mode"), "mode", `became "auto": there is no ${describeJson(mode)}`);
  }
  return "auto";
}

function writeCall(call: ToolCall, path: string, names: Names, losses: Losses): GeminiCallPart {
  reportRepairs(call, path, losses);
  const name = names.write(call.name, join(path, "name"), losses);
  return { functionCall: { id: call.id, name, args: plainArguments(call, path, losses) } };
}

function writeResult(result: ToolResult, path: string, names: Names, losses: Losses): GeminiResultPart {
  const { toolCallId: id, content, isError } = result;
  const name = names.write(result.name, join(path, "name"), losses);
  return { functionResponse: { id, name, response: isError ? { error: content } : { output: content } } };
}

/** The texts of all system messages; later ones are moved to the beginning. */
function systemTexts(messages: readonly ChatMessage[], losses: Losses): string[] {
  const first = messages.findIndex((message) => message.role !== "system");
  return messages.flatMap((message, i) => {
    if (message.role !== "system") return [];
    if (first >= 0 && i > first) losses.add(join("/messages", i), "system", "moved to the start: its place is lost");
    return [message.content];
  });
}

function writeContents(messages: readonly ChatMessage[], names: Names, losses: Losses): GeminiContent[] {
  return turnsOf(messages, ({ role }) => role !== "system", losses).flatMap((turn): GeminiContent[] => {
    if ("results" in turn) {
      return [
        { role: "user", parts: turn.results.map(({ result, path }) => writeResult(result, path, names, losses)) },
      ];
    }
    const { message, path } = turn;
    if (message.role === "user") {
      const parts = userContent(message, path, losses, writeImage, (text) => ({ text }));
      return [{ role: "user", parts: typeof parts === "string" ? [{ text: parts }] : parts }];
    }
    if (message.role !== "assistant") return [];
    return [{ role: "model", parts: signedParts(message, names) ?? writeParts(message, path, names, losses) }];
  });
}

function writeImage(image: ImageContent, path: string, losses: Losses): GeminiImagePart {
  if (image.detail !== undefined)
    losses.add(join(path, "detail"), "detail", "the API has no setting for the detail of an image");
  const inline = imageData(image);
  return inline
    ? { inlineData: { mimeType: inline.mediaType, data: inline.data } }
    : { fileData: { fileUri: image.url } };
}

/** The original parts of the message, if some are signed; calls have the ids that their results name. */
function signedParts(message: AssistantMessage, names: Names): GeminiPart[] | undefined {
  const ids = (message.toolCalls ?? []).map(({ id }) => id);
  const parts = unchangedParts(
    message,
    {
      format: "gemini",
      isOwn: isSignable,
      read: (given) => {
        const reader = new GeminiReader(namesFor(), new Losses());
        reader.contents({ role: "model", parts: withIds(given, ids) }, "");
        const [read] = reader.messages;
        return read?.role === "assistant" ? read : { content: "" };
      },
    },
    names,
  );
  return parts && (withIds(parts, ids) as GeminiPart[]);
}

/** Adds `ids`, in the order of the calls, to calls without an id. */
function withIds(parts: readonly unknown[], ids: readonly string[]): unknown[] {
  let call = 0;
  return parts.map((part) => {
    if (!isCallPart(part) || !isObject(part.functionCall)) return part;
    const id = part.functionCall.id ?? ids[call];
    call += 1;
    return { ...part, functionCall: { ...part.functionCall, id } };
  });
}

function writeParts(
  { content, reasoning, toolCalls = [] }: Extract<ChatMessage, { role: "assistant" }>,
  path: string,
  names: Names,
  losses: Losses,
): GeminiPart[] {
  const calls = toolCalls.map((call, i) => writeCall(call, join(path, "toolCalls", i), names, losses));
  const thought = reasoning ? [{ text: reasoning, thought: true }] : [];
  return [...thought, ...(content === "" && calls.length > 0 ? [] : [{ text: content }]), ...calls];
}
