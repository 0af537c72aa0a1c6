import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type ToolCall as MessageToolCall,
  mergeUsageMetadata,
  type UsageMetadata,
} from "@langchain/core/messages";
import { BaseTransformOutputParser, OutputParserException } from "@langchain/core/output_parsers";
import type { ChatGeneration, Generation } from "@langchain/core/outputs";
import type { InferInteropZodInput, InteropZodType } from "@langchain/core/utils/types";
import {
  collectReply,
  getProtocol,
  type InvalidToolCall,
  type ParsedReply,
  type Protocol,
  type ReplyEvent,
  readFinishReason,
  renderPrompt,
  type ToolDefinition,
} from "@toolingua/core";
import { OpenedReplyParser } from "@toolingua/core/adapters";
import type { AnswerEvent } from "./answer/answer.js";
import { ChunkWriter } from "./answer/chunks.js";
import { checkParserFields } from "./check-tool-calling-options.js";
import { ToolBindingError } from "./errors.js";
import { type CallsOfMessage, GivenCalls, toCallChunks } from "./inner/native/given-calls.js";
import { invalidToolCall } from "./messages/broken-call.js";
import { generatedMessage } from "./messages/generated-message.js";
import { messageFields, usageOf } from "./messages/message-fields.js";
import { readAnswer } from "./messages/messages.js";
import type { ToolCallParserFields } from "./options.js";
import { toToolDefinitions } from "./tools/tools.js";

/** A call in the shape of LangChain's tool parsers: `type` is the tool's name. */
export interface ParsedToolCall {
  type: string;
  args: Record<string, unknown>;
  id: string;
}

/** A call of one of these tools. `args` has the type of the schema of the tool `type`, if that is a zod schema. */
export type ParsedCallOf<T extends readonly BindToolsInput[]> = BindToolsInput extends T[number]
  ? ParsedToolCall
  : CallOf<T[number]>;

type CallOf<T> = T extends { name: infer N extends string; schema: infer S }
  ? { type: N; args: S extends InteropZodType ? InferInteropZodInput<S> : Record<string, unknown>; id: string }
  : ParsedToolCall;

abstract class ToolCallParser<T> extends BaseTransformOutputParser<T> {
  override lc_namespace = ["toolingua", "output_parsers"];
  protected readonly protocol: Protocol;
  protected readonly definitions: readonly ToolDefinition[] | undefined;

  /** Errors: `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`), `ToolBindingError`. */
  constructor(private readonly how: ToolCallParserFields = {}) {
    super();
    checkParserFields(how);
    this.protocol = getProtocol(how.protocol ?? "xml");
    this.definitions = how.tools && toToolDefinitions(how.tools);
  }

  /**
   * The instructions for the model: the tools, their texts escaped, and how to call them. Put them into the system message; in
   * a prompt template they must be a variable, because they contain braces.
   *
   * Errors: `ToolBindingError` (`no-tools`) for a parser without tools; `ToolDefinitionError` (`marker-in-definition`,
   * `limit`).
   */
  override getFormatInstructions(): string {
    if (!this.definitions?.length) {
      throw new ToolBindingError("no-tools", "The parser has no tools. Pass `tools`.");
    }
    const { definitions: tools, protocol } = this;
    const [instructions] = renderPrompt({ messages: [], tools, protocol, style: this.how.style }).messages;
    return instructions?.content ?? "";
  }

  protected read(message: BaseMessage): ParsedReply {
    const { text, reasoning } = readAnswer(message);
    const parser = this.replyParser();
    if (reasoning !== "") parser.separated();
    return collectReply([...parser.push(text), ...parser.end({ finish: readFinishReason(message.response_metadata) })]);
  }

  /** A parser of one reply to the instructions, whose texts are escaped. */
  protected replyParser(): OpenedReplyParser {
    const { startWithReasoning, generateId } = this.how;
    const { protocol, definitions: tools } = this;
    return new OpenedReplyParser({ protocol, tools, startWithReasoning, generateId, isEscaped: true });
  }
}

/**
 * Reads the calls from a model's text, for chains without `bindTools`. Replaces `JsonOutputToolsParser` (same output)
 * or `XMLOutputParser`. Streams a list of all complete calls so far, each time one is complete.
 *
 * Errors: `OutputParserException` for a call that must not run; its `observation` is written for the model.
 *
 * @example
 * const parser = new ToolCallOutputParser({ tools: [add] });
 * const prompt = ChatPromptTemplate.fromMessages([["system", "{tools}"], ["human", "{question}"]]);
 * const chain = (await prompt.partial({ tools: parser.getFormatInstructions() })).pipe(model).pipe(parser);
 * await chain.invoke({ question: "2 + 3?" }); // [{ type: "add", args: { a: 2, b: 3 }, id: "call_…" }]
 */
export class ToolCallOutputParser<
  const T extends readonly BindToolsInput[] = readonly BindToolsInput[],
> extends ToolCallParser<ParsedCallOf<T>[]> {
  constructor(fields: ToolCallParserFields<T> = {}) {
    super(fields);
  }

  static override lc_name(): string {
    return "ToolCallOutputParser";
  }

  override async parse(text: string): Promise<ParsedCallOf<T>[]> {
    return this.#calls(new AIMessage(text));
  }

  override async parseResult(generations: Generation[] | ChatGeneration[]): Promise<ParsedCallOf<T>[]> {
    return this.#calls(generatedMessage(generations[0]));
  }

  override async *_transform(inputs: AsyncGenerator<string | BaseMessage>): AsyncGenerator<ParsedCallOf<T>[]> {
    const calls: ParsedToolCall[] = [];
    const native = new GivenCalls();
    let text = "";
    for await (const { events, said } of replyOf(inputs, this.replyParser())) {
      text += said.text;
      if (said.message) native.add(said.message);
      for (const event of events) {
        if (event.type === "call-invalid") throw wrong(event.call, text);
        if (event.type !== "call-end") continue;
        calls.push({ type: event.call.name, args: event.call.arguments, id: event.call.id });
        yield typed([...calls]);
      }
    }
    if (native.given) yield typed([...calls, ...parsedCalls(native.calls())]);
    else if (calls.length === 0) yield [];
  }

  #calls(message: BaseMessage): ParsedCallOf<T>[] {
    const { toolCalls, invalidToolCalls } = this.read(message);
    if (invalidToolCalls[0]) throw wrong(invalidToolCalls[0], readAnswer(message).text);
    const written = toolCalls.map(({ name, arguments: args, id }) => ({ type: name, args, id }));
    return typed([...written, ...parsedCalls(new GivenCalls().add(message).calls())]);
  }
}

/** The parser has checked the calls against the tools' schemas. */
const typed = <C>(calls: ParsedToolCall[]): C[] => calls as unknown[] as C[];

function parsedCalls({ tool_calls, invalid_tool_calls }: CallsOfMessage): ParsedToolCall[] {
  const [broken] = invalid_tool_calls;
  if (broken) {
    const why = broken.error ?? "its arguments cannot be read";
    throw new OutputParserException(`The call of "${broken.name ?? ""}" cannot run: ${why}`, broken.args, why, true);
  }
  return tool_calls.map(({ name, args, id }) => ({ type: name, args, id: id ?? "" }));
}

/**
 * Reads the calls from a model's message and returns the message with `tool_calls` (and `invalid_tool_calls` for those
 * that must not run), so that `ToolNode`, `toolsCondition` or LangChain's own tool parsers can follow. Streams;
 * incomplete calls are never read as calls.
 *
 * @example
 * const chain = model.pipe(new ToolCallMessageParser({ tools: [add] }));
 * (await chain.invoke(messages)).tool_calls; // [{ name: "add", args: { a: 2, b: 3 }, id: "call_…", type: "tool_call"
 * }]
 */
export class ToolCallMessageParser extends ToolCallParser<AIMessage> {
  static override lc_name(): string {
    return "ToolCallMessageParser";
  }

  override async parse(text: string): Promise<AIMessage> {
    return this.#message(new AIMessage(text));
  }

  override async parseResult(generations: Generation[] | ChatGeneration[]): Promise<AIMessage> {
    return this.#message(generatedMessage(generations[0]));
  }

  override async *_transform(inputs: AsyncGenerator<string | BaseMessage>): AsyncGenerator<AIMessageChunk> {
    const writer = new ChunkWriter({ blocks: false, wholeCalls: false });
    const native = new GivenCalls();
    let usage: UsageMetadata | undefined;
    const metadata: Record<string, unknown> = {};
    let id: string | undefined;
    let name: string | undefined;
    const identified = (chunk: AIMessageChunk) => {
      if (id !== undefined) chunk.id = id;
      if (name !== undefined) chunk.name = name;
      return chunk;
    };
    let nextIndex = 1;
    const written = (event: AnswerEvent) => {
      if ("index" in event) nextIndex = Math.max(nextIndex, event.index + 2);
      return writer.write(event).map(({ message }) => identified(message as AIMessageChunk));
    };
    for await (const { events, said } of replyOf(inputs, this.replyParser())) {
      id ??= said.message?.id;
      name ??= said.message?.name;
      const { reasoning_content: _, ...rest } = said.message?.additional_kwargs ?? {};
      if (Object.keys(rest).length > 0) yield identified(new AIMessageChunk({ content: "", additional_kwargs: rest }));
      yield* written({ type: "reasoning", text: said.reasoning });
      for (const event of events) if (event.type !== "dropped") yield* written(event);
      const spent = usageOf(said.message);
      if (spent) usage = mergeUsageMetadata(usage, spent);
      Object.assign(metadata, said.message?.response_metadata);
      if (said.message) native.add(said.message);
    }
    if (native.given) {
      const content = "";
      yield identified(new AIMessageChunk({ content, tool_call_chunks: toCallChunks(native.calls(), nextIndex) }));
    }
    yield identified(writer.end({ usage, metadata, made: [] }).message as AIMessageChunk);
  }

  #message(message: BaseMessage): AIMessage {
    const reply = this.read(message);
    const thought = readAnswer(message).reasoning + reply.reasoning;
    const native = new GivenCalls().add(message).calls();
    const { additional_kwargs, ...fields } = messageFields(message);
    const written = reply.toolCalls.map(({ id, name, arguments: args }): MessageToolCall => {
      return { type: "tool_call", id, name, args };
    });
    return new AIMessage({
      ...fields,
      content: reply.text,
      tool_calls: [...written, ...native.tool_calls],
      invalid_tool_calls: [...reply.invalidToolCalls.map(invalidToolCall), ...native.invalid_tool_calls],
      additional_kwargs: { ...additional_kwargs, ...(thought && { reasoning_content: thought }) },
    });
  }
}

/** The content of a piece of a model's stream. */
interface Said {
  text: string;
  reasoning: string;
  message?: BaseMessage;
}

/** The events of a streamed reply, with the piece that each belongs to; the last events come at the end. */
async function* replyOf(
  inputs: AsyncIterable<string | BaseMessage>,
  parser: OpenedReplyParser,
): AsyncGenerator<{ events: ReplyEvent[]; said: Said }> {
  const metadata: Record<string, unknown> = {};
  for await (const input of inputs) {
    const said: Said =
      typeof input === "string" ? { text: input, reasoning: "" } : { ...readAnswer(input), message: input };
    Object.assign(metadata, said.message?.response_metadata);
    if (said.reasoning !== "") parser.separated();
    yield { events: parser.push(said.text), said };
  }
  yield { events: parser.end({ finish: readFinishReason(metadata) }), said: { text: "", reasoning: "" } };
}

const wrong = ({ error }: InvalidToolCall, text: string) =>
  new OutputParserException(error.message, text, error.feedback, true);
