import type { JsonObject } from "../../schema/json.js";
import { join } from "../../schema/json.js";
import type { ChatMessage, ToolCall, ToolChoice, ToolDefinition, ToolResult } from "../../types.js";
import { allowedTools } from "../common/allowed-tools.js";
import { customArguments, pastArguments } from "../common/call-arguments.js";
import { contentAt, listAt, objectAt, optionalText, ProviderFormatError, textAt, wordAt } from "../common/expect.js";
import { userMessage } from "../common/images.js";
import { BUILT_IN, converted, type Losses } from "../common/losses.js";
import { type NameRule, Names } from "../common/names.js";
import type { AssistantMessage } from "../common/original.js";
import { readParameters } from "../common/parameters.js";
import { readEnd } from "../common/reply.js";
import { textOf } from "../common/text.js";
import type { Conversation, Converted, ReadOptions, ReadReply, ReadRequestOptions } from "../common/types.js";
import { noCall, UnansweredCalls } from "../common/unanswered-calls.js";

// Reads OpenAI's Chat Completions, including the deprecated `functions`.

const nameRule: NameRule = { forbidden: /[^a-zA-Z0-9_-]/g, max: 64 };
/** Ids may have any characters, up to 40 UTF-16 units. */
const idRule: NameRule = { forbidden: /[^\s\S]/g, max: 40 };
export const openAINames = (options?: ReadOptions) => new Names(nameRule, idRule, options);

/** A function of OpenAI's as a definition. */
export function readFunction(given: unknown, path: string, losses: Losses): ToolDefinition {
  const fields = objectAt(given, path, "a function: { name, description, parameters }");
  const { name, parameters, strict } = fields;
  losses.rest(fields, ["type", "name", "description", "parameters", "strict"], path);
  return {
    name: textAt(name, join(path, "name"), "the function's name"),
    ...optionalText(fields, "description", path),
    ...readParameters(parameters, join(path, "parameters")),
    ...(strict === true && { strict }),
  };
}

export function readTool(given: unknown, path: string, losses: Losses): ToolDefinition[] {
  const tool = objectAt(given, path, 'a tool: { type: "function", function: { name, … } }');
  if (tool.type === "function" || tool.type === "custom") losses.rest(tool, ["type", tool.type], path);
  if (tool.type === "function") return [readFunction(tool.function, join(path, "function"), losses)];
  if (tool.type === "custom") return [readCustomTool(tool.custom, join(path, "custom"), losses)];
  const expected = 'the type of the tool: "function" with { function: { name, … } }, or another one';
  losses.add(path, textAt(tool.type, join(path, "type"), expected), BUILT_IN);
  return [];
}

/** A tool with free text as its input, as a tool with the argument `input`. */
export function readCustomTool(given: unknown, path: string, losses: Losses): ToolDefinition {
  const { format, ...fields } = objectAt(given, path, "a custom tool: { name, description }");
  losses.add(path, "custom", "a tool that takes free text became one with the argument `input`");
  const parameters = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };
  const tool = readFunction({ ...fields, parameters }, path, losses);
  const grammar = format == null ? "" : readGrammar(format, join(path, "format"), losses);
  return grammar === "" ? tool : { ...tool, description: `${tool.description ?? ""}${grammar}`.trimStart() };
}

/** The words for the model about the grammar of free text, if it has one. */
function readGrammar(given: unknown, path: string, losses: Losses): string {
  const { type, grammar, ...format } = objectAt(given, path, 'a format: { type: "text" } or { type: "grammar", … }');
  if (wordAt(type, join(path, "type"), ["text", "grammar"]) === "text") return "";
  // Responses has the grammar beside the type.
  const at = grammar == null ? path : join(path, "grammar");
  const { syntax, definition } = objectAt(grammar ?? format, at, "a grammar: { syntax, definition }");
  const kind =
    wordAt(syntax, join(at, "syntax"), ["lark", "regex"]) === "lark" ? "grammar, in Lark" : "regular expression";
  const text = textAt(definition, join(at, "definition"), "the grammar");
  if (text.trim() === "") throw new ProviderFormatError(join(at, "definition"), "a grammar that is not empty", text);
  losses.add(path, "grammar", "the grammar of the text is shown to the model, and nothing enforces it");
  return `\n\n\`input\` is text that matches this ${kind}:\n${text}`;
}

/** A tool choice given as a string, as in all of OpenAI's APIs. */
export function readMode(mode: unknown, path: string): Exclude<ToolChoice, object> {
  return wordAt(mode, path, ["auto", "none", "required"], "a named tool");
}

export function readChoice(given: unknown, path: string, names: Names, losses: Losses): ToolChoice {
  if (typeof given === "string") return readMode(given, path);
  const choice = objectAt(given, path, '"auto", "none", "required" or { type: "function", function: { name } }');
  if (choice.type === "allowed_tools") return readAllowed(choice.allowed_tools, join(path, "allowed_tools"), losses);
  const { type = "function" } = choice;
  if (type !== "function" && type !== "custom")
    throw new ProviderFormatError(join(path, "type"), '"function", "custom" or "allowed_tools"', type);
  return readNamed(choice[type], join(path, type), names, losses);
}

/** The deprecated choice: a mode or `{ name }`. */
export function readDeprecatedChoice(given: unknown, path: string, names: Names, losses: Losses): ToolChoice {
  return typeof given === "string" ? readMode(given, path) : readNamed(given, path, names, losses);
}

function readNamed(given: unknown, path: string, names: Names, losses: Losses): ToolChoice {
  const called = objectAt(given, path, "the tool that must be called: { name }");
  losses.rest(called, ["name"], path);
  return { name: names.read(textAt(called.name, join(path, "name"), "the tool's name")) };
}

/** OpenAI's choice among some of the tools. */
export function readAllowed(given: unknown, path: string, losses: Losses): ToolChoice {
  const { mode } = objectAt(given, path, "{ mode, tools }");
  losses.add(
    join(path, "tools"),
    "allowed_tools",
    "a choice limited to some tools has no counterpart here; the other tools are left out",
  );
  return readMode(mode, join(path, "mode"));
}

export function readCall(call: JsonObject, path: string, names: Names, losses: Losses): ToolCall {
  losses.rest(call, ["id", "type", "function", "custom", "index"], path);
  const kind = call.type === "custom" ? "custom" : "function";
  const at = join(path, kind);
  const said = objectAt(call[kind], at, "the call's name and arguments");
  const { name, arguments: args, input } = said;
  losses.rest(said, ["name", kind === "custom" ? "input" : "arguments"], at);
  const read = {
    name: names.read(textAt(name, join(at, "name"), "the tool's name")),
    arguments:
      kind === "custom"
        ? customArguments(input, join(at, "input"), losses)
        : pastArguments(args, join(at, "arguments"), losses),
  };
  return names.readCall(call.id, read, join(path, "id"), losses);
}

export function readResult(message: JsonObject, path: string, names: Names, losses: Losses): ToolResult {
  losses.rest(message, ["role", "tool_call_id", "name", "content"], path);
  const name = typeof message.name === "string" ? names.read(message.name) : undefined;
  return {
    ...names.answered(message.tool_call_id, join(path, "tool_call_id"), losses, name),
    content: textOf(message.content, "\n", join(path, "content"), losses),
  };
}

/** A request's messages, tools and choice, also in the deprecated forms; other settings are ignored. */
export function readOpenAIRequest(request: unknown, options?: ReadRequestOptions): Converted<Conversation> {
  return converted((losses) => {
    const names = openAINames(options);
    const given = objectAt(request, "", "a request: { messages, … }");
    const { messages, tools, functions, tool_choice: choice, function_call: before } = given;
    if (choice != null) losses.rest({ function_call: before }, [], "");
    const definitions = [
      ...listAt(tools ?? [], "/tools").flatMap((tool, i) => readTool(tool, join("/tools", i), losses)),
      ...listAt(functions ?? [], "/functions").map((one, i) => readFunction(one, join("/functions", i), losses)),
    ];
    return {
      messages: new MessageReader(names, losses, options?.images ?? false).read(listAt(messages, "/messages")),
      ...((tools ?? functions) != null && { tools: allowedTools(definitions, choice) }),
      ...(choice != null
        ? { toolChoice: readChoice(choice, "/tool_choice", names, losses) }
        : before != null && { toolChoice: readDeprecatedChoice(before, "/function_call", names, losses) }),
    };
  });
}

/** The first choice of a completion. */
export function readOpenAIResponse(response: unknown, options?: ReadOptions): Converted<ReadReply> {
  return converted((losses) => {
    const { choices, usage } = objectAt(response, "", "a completion: { choices, … }");
    const [first, ...others] = listAt(choices, "/choices", "the choices of a completion");
    if (others.length > 0) losses.add("/choices/1", "choices", `the first of ${others.length + 1} choices is read`);
    const choice = objectAt(first, "/choices/0", "a choice: { message, finish_reason }");
    const at = "/choices/0/message";
    const message = objectAt(choice.message, at, "a message: { role, content }");
    return {
      messages: [new MessageReader(openAINames(options), losses, false).assistant(message, at, 0)],
      ...readEnd(choice, usage, { input: ["prompt_tokens"], output: ["completion_tokens"] }),
    };
  });
}

class MessageReader {
  /** The last call in the deprecated form, until it is answered. */
  private readonly open = new UnansweredCalls();

  constructor(
    private readonly names: Names,
    private readonly losses: Losses,
    private readonly keepsImages: boolean,
  ) {}

  read(messages: readonly unknown[]): ChatMessage[] {
    return messages.map((message, i) => {
      const path = join("/messages", i);
      return this.message(objectAt(message, path, "a message: { role, content }"), path, i);
    });
  }

  private message(message: JsonObject, path: string, position: number): ChatMessage {
    const { role } = message;
    switch (role) {
      case "assistant":
        return this.assistant(message, path, position);
      case "tool":
        return { role, ...readResult(message, path, this.names, this.losses) };
      case "function":
        return this.functionResult(message, path, position);
      case "developer":
        this.losses.add(join(path, "role"), "developer", "became a system message");
        return this.prompt("system", message, path);
      case "system":
      case "user":
        return this.prompt(role, message, path);
      default:
        throw new ProviderFormatError(
          join(path, "role"),
          '"system", "developer", "user", "assistant", "tool" or "function"',
          role,
        );
    }
  }

  private prompt(role: "system" | "user", message: JsonObject, path: string): ChatMessage {
    this.losses.rest(message, ["role", "content"], path);
    const content = contentAt(message, path);
    const at = join(path, "content");
    if (role === "user") return userMessage(content, at, this.losses, this.keepsImages);
    return { role, content: textOf(content, "\n", at, this.losses) };
  }

  assistant(message: JsonObject, path: string, position: number): AssistantMessage {
    const { content, refusal, tool_calls: calls, function_call: call } = message;
    // Not OpenAI's own field: servers of open models write it, and clients send it back.
    const thought = message.reasoning_content ?? message.reasoning;
    const known = ["role", "content", "refusal", "tool_calls", "function_call", "reasoning_content", "reasoning"];
    this.losses.rest(message, known, path);
    const texts = [textOf(content, "", join(path, "content"), this.losses)];
    if (typeof refusal === "string") {
      this.losses.add(join(path, "refusal"), "refusal", "became a part of the message's text");
      texts.push(refusal);
    }
    if (calls != null) this.names.nextTurn();
    const toolCalls = listAt(calls ?? [], join(path, "tool_calls")).map((one, i) =>
      this.call(one, join(path, "tool_calls", i)),
    );
    if (call != null) toolCalls.push(this.functionCall(call, join(path, "function_call"), position));
    return {
      role: "assistant",
      content: texts.join(""),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(typeof thought === "string" && thought !== "" && { reasoning: thought }),
    };
  }

  private call(given: unknown, path: string): ToolCall {
    const call = objectAt(given, path, 'a call: { id, type: "function", function: { name, arguments } }');
    return readCall(call, path, this.names, this.losses);
  }

  private functionCall(given: unknown, path: string, position: number): ToolCall {
    const call = objectAt(given, path, "a call: { name, arguments }");
    const { name, arguments: args } = call;
    this.losses.rest(call, ["name", "arguments"], path);
    const called = this.names.read(textAt(name, join(path, "name"), "the function's name"));
    const read = {
      id: `function_${position}`,
      name: called,
      arguments: pastArguments(args, join(path, "arguments"), this.losses),
    };
    // One call per message: an earlier call without a result stays without one.
    this.open.close();
    this.open.add(read);
    return read;
  }

  private functionResult(message: JsonObject, path: string, position: number): ChatMessage {
    this.losses.rest(message, ["role", "name", "content"], path);
    const name = this.names.read(textAt(message.name, join(path, "name"), "the function's name"));
    const madeUp = `function_${position}`;
    const id = this.open.answer(name);
    if (id === undefined) this.losses.add(path, "id", noCall(name, madeUp));
    return {
      role: "tool",
      toolCallId: id ?? madeUp,
      name,
      content: textOf(message.content, "\n", join(path, "content"), this.losses),
    };
  }
}
