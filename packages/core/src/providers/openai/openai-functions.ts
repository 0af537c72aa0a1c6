import { oneCallATurn } from "../../common/one-call-a-turn.js";
import type { JsonObject } from "../../schema/json.js";
import { join } from "../../schema/json.js";
import type { SchemaInput } from "../../schema/to-json-schema.js";
import type { ChatMessage, ToolCall, ToolChoice } from "../../types.js";
import { pastArguments, reportRepairs } from "../common/call-arguments.js";
import { withCommonLosses } from "../common/common-losses.js";
import { objectAt, textAt, withRoles } from "../common/expect.js";
import type { GivenMessage } from "../common/given.js";
import { converted, convertedEach, Losses } from "../common/losses.js";
import type { Names } from "../common/names.js";
import { type ObjectSchema, plainObjectSchema } from "../common/parameters.js";
import { plainArguments } from "../common/plain-data.js";
import { textOf } from "../common/text.js";
import type { ProviderFormat, WritableConversation, WritableTool } from "../common/types.js";
import { noCall, UnansweredCalls } from "../common/unanswered-calls.js";
import {
  type GivenOpenAIRequest,
  type GivenOpenAIResponse,
  type OpenAIFunction,
  type OpenAIUserContent,
  openAIUserContent,
  writeFunction,
} from "./openai.js";
import {
  openAINames,
  readDeprecatedChoice,
  readFunction,
  readOpenAIRequest,
  readOpenAIResponse,
} from "./read-openai.js";

// The deprecated half of OpenAI's Chat Completions: `functions`, `function_call` and messages of the role `function`.

export type OpenAIFunctionChoice = "auto" | "none" | { name: string };

export interface OpenAIFunctionCall {
  name: string;
  arguments: string;
}

export interface OpenAIFunctionMessage {
  role: "function";
  name: string;
  content: string;
}

export type OpenAIFunctionsMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: OpenAIUserContent }
  | { role: "assistant"; content: string | null; function_call?: OpenAIFunctionCall }
  | OpenAIFunctionMessage;

export interface OpenAIFunctionsRequest {
  messages: OpenAIFunctionsMessage[];
  functions?: OpenAIFunction[];
  function_call?: OpenAIFunctionChoice;
}

interface Shapes {
  tools: OpenAIFunction[];
  givenTools: readonly { readonly name: string }[];
  choice: OpenAIFunctionChoice;
  givenChoice: string | { readonly name: string };
  calls: OpenAIFunctionCall[];
  givenCalls: readonly { readonly name: string; readonly arguments: string }[];
  results: OpenAIFunctionMessage[];
  givenResults: readonly GivenMessage[];
  request: OpenAIFunctionsRequest;
  givenRequest: GivenOpenAIRequest;
  givenResponse: GivenOpenAIResponse;
  schema: ObjectSchema;
}

/**
 * The deprecated `functions` of Chat Completions: one call per message, without an id. Parallel calls are written one
 * after the other; a call that is read gets the id `function_<position>`.
 *
 * @example openaiFunctions.toToolChoice({ name: "now" }).value; // { name: "now" }
 */
export const openaiFunctions: ProviderFormat<Shapes> = withCommonLosses<Shapes>(
  {
    name: "openai-functions",
    toTools: (tools) =>
      convertedEach(tools, (tool, path, losses) => writeWithoutStrict(tool, path, openAINames(), losses)),
    fromTools: (tools) => convertedEach(tools, readFunction),
    toToolChoice: (choice) => converted((losses) => writeChoice(choice, "", openAINames(), losses)),
    fromToolChoice: (choice, options) =>
      converted((losses) => readDeprecatedChoice(choice, "", openAINames(options), losses)),
    toCalls: (calls) =>
      convertedEach(calls, (call, path, losses) => {
        reportCall(call, path, losses);
        return writeCall(call, path, openAINames(), losses);
      }),
    fromCalls: (calls, options) =>
      convertedEach(calls, (given, path, losses) => {
        const call = objectAt(given, path, "a call: { name, arguments }");
        const { name, arguments: args } = call;
        losses.rest(call, ["name", "arguments"], path);
        return {
          id: `function${path.replace("/", "_")}`,
          name: openAINames(options).read(textAt(name, join(path, "name"), "the function's name")),
          arguments: pastArguments(args, join(path, "arguments"), losses),
        };
      }),
    toResults: (results) =>
      convertedEach(results, (result, path, losses) => {
        losses.add(join(path, "toolCallId"), "toolCallId", noIds);
        if (result.isError) losses.add(join(path, "isError"), "isError", noErrors);
        const name = openAINames().write(result.name, join(path, "name"), losses);
        return { role: "function", name, content: result.content };
      }),
    fromResults: (results, options) => {
      const open = new UnansweredCalls(options?.calls);
      return convertedEach(results, (given, path, losses) => {
        const message: JsonObject = objectAt(given, path, "a message: { role, name, content }");
        const name = openAINames(options).read(textAt(message.name, join(path, "name"), "the function's name"));
        const madeUp = `function${path.replace("/", "_")}`;
        const id = open.answer(name);
        if (id === undefined) losses.add(path, "id", noCall(name, madeUp));
        const content = textOf(message.content, "\n", join(path, "content"), losses);
        return { toolCallId: id ?? madeUp, name, content };
      });
    },
    toRequest: ({ messages, tools, toolChoice }: WritableConversation) =>
      converted((losses): OpenAIFunctionsRequest => {
        const names = openAINames();
        for (const [i, message] of withRoles(messages).entries())
          reportMessage(message, join("/messages", i), names, losses);
        // The positions have changed, and the losses of these messages are already reported.
        const write = (message: ChatMessage) => writeMessage(message, names, new Losses());
        return {
          messages: oneCallATurn(messages).map(write),
          ...(tools && {
            functions: tools.map((tool, i) => writeWithoutStrict(tool, join("/tools", i), names, losses)),
          }),
          ...(toolChoice && { function_call: writeChoice(toolChoice, "/toolChoice", names, losses) }),
        };
      }),
    fromRequest: (request, options) => readOpenAIRequest(request, options),
    fromResponse: (response, options) => readOpenAIResponse(response, options),
    formatSchema: (schema: SchemaInput) => converted((losses) => plainObjectSchema(schema, "", losses)),
  },
  ["messages", "tools", "tool_choice", "functions", "function_call"],
);

const noIds = "calls have no ids here: results follow their calls";
const noErrors = "results cannot be marked as errors";

function writeChoice(choice: ToolChoice, path: string, names: Names, losses: Losses): OpenAIFunctionChoice {
  if (typeof choice === "object") return { name: names.write(choice.name, join(path, "name"), losses) };
  if (choice !== "required") return choice;
  losses.add(path, "required", 'a call cannot be required here: written as "auto"');
  return "auto";
}

/** The deprecated form has no strict mode. */
function writeWithoutStrict(
  { strict, ...tool }: WritableTool,
  path: string,
  names: Names,
  losses: Losses,
): OpenAIFunction {
  if (strict) losses.add(join(path, "strict"), "strict", "there is no strict mode here");
  return writeFunction(tool, path, names, losses);
}

const writeCall = (call: ToolCall, path: string, names: Names, losses: Losses): OpenAIFunctionCall => ({
  name: names.write(call.name, join(path, "name"), losses),
  arguments: JSON.stringify(plainArguments(call, path, losses)),
});

function reportCall(call: ToolCall, path: string, losses: Losses): void {
  losses.add(join(path, "id"), "id", noIds);
  reportRepairs(call, path, losses);
}

function reportMessage(message: ChatMessage, path: string, names: Names, losses: Losses): void {
  if (message.role === "tool") {
    losses.add(join(path, "toolCallId"), "toolCallId", noIds);
    if (message.isError) losses.add(join(path, "isError"), "isError", noErrors);
    names.write(message.name, join(path, "name"), losses);
  }
  if (message.role === "user") openAIUserContent(message, path, losses);
  if (message.role !== "assistant") return;
  const { toolCalls = [], reasoning } = message;
  if (reasoning) losses.add(join(path, "reasoning"), "reasoning", "there is no field for it");
  for (const [i, call] of toolCalls.entries()) {
    const at = join(path, "toolCalls", i);
    reportCall(call, at, losses);
    writeCall(call, at, names, losses);
  }
  if (toolCalls.length < 2) return;
  losses.add(join(path, "toolCalls"), "toolCalls", "a message has one call here: each was written with its result");
}

function writeMessage(message: ChatMessage, names: Names, losses: Losses): OpenAIFunctionsMessage {
  if (message.role === "tool") {
    return { role: "function", name: names.write(message.name, "", losses), content: message.content };
  }
  if (message.role === "user") return { role: "user", content: openAIUserContent(message, "", losses) };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  const call = message.toolCalls?.[0];
  if (!call) return { role: "assistant", content: message.content };
  return { role: "assistant", content: message.content || null, function_call: writeCall(call, "", names, losses) };
}
