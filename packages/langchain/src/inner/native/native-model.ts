import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { LanguageModelLike } from "@langchain/core/language_models/base";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { refusalsOf } from "@toolingua/core/adapters";
import { messageFields } from "../../messages/message-fields.js";
import { isForced, toChoice, toToolDefinitions } from "../../tools/tools.js";
import { childConfig, forwardedNatively } from "../child-config.js";
import type { Pieces } from "../in-context.js";
import { madeModel, modelName, replaceModels } from "../inner-runnable.js";
import { openStream, type Piece } from "../open-stream.js";
import { GivenCalls, toCallChunks, withSoundCalls } from "./given-calls.js";

type Fields = Record<string, unknown>;
type Messages = BaseMessage[];

/**
 * A model's native tool calling. A refusal is remembered for the model and logged once with `console.warn`; from then
 * on the methods return `undefined`, and the caller prompts the model instead.
 */
export class NativeModel {
  constructor(private readonly inner: LanguageModelLike) {}

  /** The whole answer, or `undefined` if the model refuses tools (or this `tool_choice`). */
  async invoke(
    messages: Messages,
    tools: readonly BindToolsInput[],
    options: Fields,
    runManager: CallbackManagerForLLMRun | undefined,
  ): Promise<BaseMessage | undefined> {
    return this.#unlessRefused(tools, options, runManager, async (bound, config) =>
      withSoundCalls((await bound.invoke(messages, config)) as BaseMessage),
    );
  }

  /** The answer in pieces, or `undefined`. A refusal comes before the first piece. */
  async stream(
    messages: Messages,
    tools: readonly BindToolsInput[],
    options: Fields,
    runManager: CallbackManagerForLLMRun | undefined,
  ): Promise<AsyncIterable<AIMessageChunk> | undefined> {
    return this.#unlessRefused(tools, options, runManager, async (bound, config) => {
      const pieces = await openStream(bound, messages, config, false);
      return chunks(await pieces.next(), pieces);
    });
  }

  async #unlessRefused<T>(
    tools: readonly BindToolsInput[],
    options: Fields,
    runManager: CallbackManagerForLLMRun | undefined,
    ask: (bound: LanguageModelLike, config: RunnableConfig) => Promise<T>,
  ): Promise<T | undefined> {
    const { binding, call } = forwardedNatively(options);
    const config = childConfig(call, runManager);
    const model = (await madeModel(this.inner, config)) ?? this.inner;
    const { tool_choice: asked, ...others } = binding;
    const choice = asked === undefined || asked === null ? undefined : choiceOf(asked, tools);
    if (refusalsOf(model).refuses(choice?.forced ?? false)) return undefined;
    const how = { ...choice?.options, ...others };
    try {
      const bound = replaceModels(this.inner, (model) => model.bindTools?.([...tools], how));
      return bound && (await ask(bound, config));
    } catch (error) {
      if (!refusalsOf(model).rememberError(error, modelName(model))) throw error;
      return undefined;
    }
  }
}

/** A tool choice in the form that every provider's `bindTools` accepts, in addition to the form of its own API. */
function choiceOf(asked: unknown, tools: readonly BindToolsInput[]): { forced: boolean; options: Fields } {
  const { toolChoice, parallel } = toChoice({ tool_choice: asked as Fields }, toToolDefinitions(tools));
  const tool_choice = typeof toolChoice === "object" ? toolChoice.name : toolChoice === "required" ? "any" : toolChoice;
  return {
    forced: isForced(toolChoice),
    options: { tool_choice, ...(parallel !== undefined && { parallel_tool_calls: parallel }) },
  };
}

async function* chunks(first: IteratorResult<Piece>, pieces: Pieces<Piece>): AsyncGenerator<AIMessageChunk> {
  const given = new GivenCalls();
  let next = first;
  try {
    while (!next.done) {
      const piece = next.value;
      const chunk = typeof piece === "string" || !AIMessageChunk.isInstance(piece) ? asChunk(piece) : piece;
      given.add(chunk);
      yield chunk;
      next = await pieces.next();
    }
    const tool_call_chunks = given.endings();
    if (tool_call_chunks.length > 0) yield new AIMessageChunk({ content: "", tool_call_chunks });
  } finally {
    if (!next.done) await pieces.return();
  }
}

/** A whole message as a chunk. */
function asChunk(message: BaseMessage | string): AIMessageChunk {
  if (typeof message === "string") return new AIMessageChunk(message);
  const tool_call_chunks = toCallChunks(new GivenCalls().add(message).calls());
  return new AIMessageChunk({ ...messageFields(message), content: message.content, tool_call_chunks });
}
