import { callTool } from "@llamaindex/core/agent";
import type {
  BaseTool,
  ChatMessage,
  ChatResponse,
  ChatResponseChunk,
  LLMChatParamsBase,
  ToolCall,
  ToolCallLLMMessageOptions,
} from "@llamaindex/core/llms";
import { isZodSchema } from "@llamaindex/core/zod";
import { ToolChoiceError } from "@toolingua/core";
import { ExecError } from "./errors.js";
import { resultText, textOf } from "./messages.js";
import { FORMAT_OUTPUT, OutputTool } from "./structured-output.js";

type Message = ChatMessage<ToolCallLLMMessageOptions>;
type Chunk = ChatResponseChunk<ToolCallLLMMessageOptions>;
type Params = LLMChatParamsBase<object, ToolCallLLMMessageOptions>;

/** The result of `exec`. `toolCalls`: the calls that were made and have run; if empty, the turn is the answer. */
export interface Executed<T> {
  newMessages: Message[];
  toolCalls: ToolCall[];
  /** The structured answer, if the model gave it. */
  object?: T | undefined;
}

/** The streamed result of `exec`. With tools, they have already run, and `stream` has the text in one chunk. */
export interface ExecutedStream<T> extends Omit<Executed<T>, "newMessages"> {
  stream: AsyncIterable<Chunk>;
  /** Errors: `ExecError` (`stream-unread`) before the stream was read to its end. */
  newMessages(): Message[];
}

/** The part of the LLM that `exec` uses. */
interface Chat {
  chat(params: Params & { stream: true }): Promise<AsyncIterable<Chunk>>;
  chat(params: Params & { stream?: false }): Promise<ChatResponse<ToolCallLLMMessageOptions>>;
}

/** Asks once, runs the calls, and returns the messages of both. */
export async function execute<T>(llm: Chat, params: Params): Promise<Executed<T>> {
  const { responseFormat } = params;
  const output = isZodSchema(responseFormat) ? new OutputTool(responseFormat) : undefined;
  const given = output && givenObject(params.messages);
  if (given) return { newMessages: [said(resultText(given.object))], toolCalls: [], object: given.object as T };
  const message = await ask(llm, params, output);
  const toolCalls = callsOf(message).slice();
  const results = await run(toolCalls, offered(params.tools, output), params, output);
  return { newMessages: [message, ...results], toolCalls, object: output?.object as T | undefined };
}

/** The same as a stream: live without tools, otherwise after the calls are known. */
export async function executeStream<T>(llm: Chat, params: Params): Promise<ExecutedStream<T>> {
  if (params.tools?.length || isZodSchema(params.responseFormat)) {
    const { newMessages, ...done } = await execute<T>(llm, params);
    const delta = textOf(newMessages[0]!.content);
    const stream = async function* (): AsyncGenerator<Chunk> {
      if (delta !== "") yield { delta, raw: null };
    };
    return { ...done, stream: stream(), newMessages: () => newMessages };
  }
  const chunks = await llm.chat({ ...params, stream: true });
  let text: string | undefined;
  async function* watched(): AsyncGenerator<Chunk> {
    let read = "";
    for await (const chunk of chunks) {
      read += chunk.delta;
      yield chunk;
    }
    text = read;
  }
  return {
    stream: watched(),
    toolCalls: [],
    newMessages() {
      if (text === undefined) {
        const message = "The new messages are available after the stream has been read to its end.";
        throw new ExecError("stream-unread", message);
      }
      return text === "" ? [] : [said(text)];
    },
  };
}

const callsOf = ({ options }: Message): ToolCall[] =>
  (options as { toolCall?: ToolCall[] } | undefined)?.toolCall ?? [];

const said = (content: string): Message => ({ role: "assistant", content });

const offered = (tools: readonly BaseTool[] = [], output: OutputTool | undefined): BaseTool[] =>
  output ? [...tools.filter(({ metadata }) => metadata.name !== FORMAT_OUTPUT), output.tool] : [...tools];

/** Asks the model for the next message; for a structured answer a call, unless the model refuses to make one. */
async function ask(llm: Chat, params: Params, output: OutputTool | undefined): Promise<Message> {
  const { responseFormat: _, ...rest } = params;
  const { message } = output ? await askFor(llm, rest, output) : await llm.chat({ ...params, stream: false });
  return message;
}

async function askFor(llm: Chat, params: Params, output: OutputTool): Promise<{ message: Message }> {
  const { messages, additionalChatOptions } = params;
  const tools = offered(params.tools, output);
  const tool_choice = tools.length > 1 ? "required" : { name: FORMAT_OUTPUT };
  // LlamaIndex's agents send only the answer that is to be converted to an object.
  const open = messages.at(-1)?.role === "assistant";
  const wish: Message = { role: "user", content: `Give that answer by calling ${FORMAT_OUTPUT}.` };
  try {
    const answer = await llm.chat({
      ...params,
      stream: false,
      tools,
      messages: open ? [...messages, wish] : messages,
      additionalChatOptions: { tool_choice, ...additionalChatOptions },
    });
    if (callsOf(answer.message).length === 0) output.takeFrom(textOf(answer.message.content));
    return answer;
  } catch (error) {
    // Thrown in an agent, it would end the process.
    if (!(error instanceof ToolChoiceError)) throw error;
    output.takeFrom(error.raw);
    return { message: said(error.raw) };
  }
}

/** The object of the previous turn, which ends the conversation. */
function givenObject(messages: readonly Message[]): { object: unknown } | undefined {
  const { toolResult } = (messages.at(-1)?.options ?? {}) as {
    toolResult?: { name?: string; result: unknown; isError: boolean };
  };
  return toolResult?.name === FORMAT_OUTPUT && !toolResult.isError ? { object: toolResult.result } : undefined;
}

const quiet = { log() {}, warn() {}, error() {} };

async function run(
  calls: readonly ToolCall[],
  tools: readonly BaseTool[],
  { logger = quiet }: Params,
  output: OutputTool | undefined,
): Promise<Message[]> {
  const results: Message[] = [];
  for (const call of calls) {
    const { id, name } = call;
    const tool = tools.find(({ metadata }) => metadata.name === name);
    const { output: value, isError } = await callTool(tool, call, logger);
    const result: unknown = tool === output?.tool && !isError ? output?.object : value;
    const toolResult = { id, name, result, isError };
    results.push({ role: "user", content: resultText(value), options: { toolResult } });
  }
  return results;
}
