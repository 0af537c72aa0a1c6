import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import { ensureConfig, Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { inContext, type Pieces } from "./in-context.js";
import { recordedRuns, type StreamedRuns } from "./open-runs.js";

/** A piece of a stream: a message of a chat model, or text of a completion model. */
export type Piece = BaseMessage | string;

/**
 * Opens the answer of a model as a stream of pieces. `whole`: one piece, by `invoke`.
 *
 * LangChain's wrapping of each piece costs more than all work of this package, so models with LangChain's own `stream`
 * are read without it, and without a run if nothing observes it. Observed runs also end if the reader leaves early.
 */
export async function openStream(
  model: LanguageModelLike,
  messages: BaseMessage[],
  given: RunnableConfig,
  whole: boolean,
): Promise<Pieces<Piece>> {
  const { config, runs } = recordedRuns(given, model);
  const pieces = await inContext(config, async (): Promise<AsyncIterator<Piece>> => {
    if (whole) return once((await model.invoke(messages, config)) as Piece);
    if (model instanceof Runnable && model.stream === Runnable.prototype.stream) {
      if (!runs && streamsPlainly(model)) return asItWrites(model, messages, config);
      return model._streamIterator(messages, ensureConfig(config)) as AsyncIterator<Piece>;
    }
    return ((await model.stream(messages, config)) as AsyncIterable<Piece>)[Symbol.asyncIterator]();
  });
  return runs ? recorded(pieces, runs) : pieces;
}

/** The same pieces, each noted for the runs. An asynchronous function for each would cost a promise more. */
function recorded(pieces: Pieces<Piece>, runs: StreamedRuns): Pieces<Piece> {
  const noted = (next: IteratorResult<Piece>) => {
    if (next.done) runs.close();
    else runs.add(next.value);
    return next;
  };
  const failed = (error: unknown) => {
    runs.close();
    throw error;
  };
  return {
    next: () => pieces.next().then(noted, failed),
    async return() {
      await pieces.return();
      await runs.end();
    },
  };
}

async function* once(piece: Piece): AsyncGenerator<Piece> {
  yield piece;
}

/** Whether this is a chat model with LangChain's own `stream`. */
export function streamsPlainly(model: object): model is BaseChatModel {
  const { _streamIterator, _streamResponseChunks } = BaseChatModel.prototype;
  if (!(model instanceof BaseChatModel) || model.disableStreaming) return false;
  return model._streamIterator === _streamIterator && model._streamResponseChunks !== _streamResponseChunks;
}

/** LangChain's stream without its run. */
function asItWrites(model: BaseChatModel, messages: BaseMessage[], config: RunnableConfig): AsyncIterator<Piece> {
  const { callbacks: _, tags: __, metadata: ___, configurable: ____, ...options } = config;
  return messagesOf(model._streamResponseChunks(messages, options));
}

/** The messages of a model's chunks. */
export function messagesOf(chunks: AsyncGenerator<ChatGenerationChunk>): AsyncIterator<AIMessageChunk> {
  return {
    next: () => chunks.next().then(toMessage),
    return: () => chunks.return(undefined).then(toMessage),
  };
}

function toMessage(next: IteratorResult<ChatGenerationChunk>): IteratorResult<AIMessageChunk> {
  if (next.done) return { done: true, value: undefined };
  const { message, generationInfo } = next.value;
  if (generationInfo) message.response_metadata = { ...generationInfo, ...message.response_metadata };
  return { done: false, value: message as AIMessageChunk };
}
