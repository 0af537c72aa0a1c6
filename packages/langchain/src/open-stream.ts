import { CallbackManager } from "@langchain/core/callbacks/manager";
import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import { ensureConfig, Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { inContext, type Pieces } from "./in-context.js";

/** What a language model streams: messages, or text where it completes text. */
export type Piece = BaseMessage | string;

/**
 * The answer of a model, piece by piece. `whole`: in one, as `invoke` gives it.
 *
 * What LangChain puts around each piece of a stream costs more than everything done here, so a model that streams as
 * every runnable does is read without it, and as it writes where nobody watches its run.
 */
export function openStream(
  model: LanguageModelLike,
  messages: BaseMessage[],
  config: RunnableConfig,
  whole: boolean,
): Promise<Pieces<Piece>> {
  return inContext(config, async (): Promise<AsyncIterator<Piece>> => {
    if (whole) return once((await model.invoke(messages, config)) as Piece);
    if (model instanceof Runnable && model.stream === Runnable.prototype.stream) {
      if (isPlain(model) && !isWatched(model, config)) return asItWrites(model, messages, config);
      return model._streamIterator(messages, ensureConfig(config)) as AsyncIterator<Piece>;
    }
    return ((await model.stream(messages, config)) as AsyncIterable<Piece>)[Symbol.asyncIterator]();
  });
}

async function* once(piece: Piece): AsyncGenerator<Piece> {
  yield piece;
}

/** A chat model that leaves its streams to LangChain. */
function isPlain(model: Runnable): model is BaseChatModel {
  const { _streamIterator, _streamResponseChunks } = BaseChatModel.prototype;
  if (!(model instanceof BaseChatModel) || model.disableStreaming) return false;
  return model._streamIterator === _streamIterator && model._streamResponseChunks !== _streamResponseChunks;
}

/** Whether a run of the model would be reported to anyone: LangChain's own answer, tracing by environment included. */
function isWatched(model: BaseChatModel, { callbacks }: RunnableConfig): boolean {
  const options = { verbose: model.verbose };
  const manager = CallbackManager.configure(callbacks, model.callbacks, [], [], {}, {}, options);
  return (manager?.handlers.length ?? 0) > 0;
}

/** What LangChain's stream gives without the run that it reports. */
function asItWrites(model: BaseChatModel, messages: BaseMessage[], config: RunnableConfig): AsyncIterator<Piece> {
  const { callbacks: _, tags: __, metadata: ___, configurable: ____, ...options } = config;
  const chunks = model._streamResponseChunks(messages, options);
  return {
    async next() {
      const next = await chunks.next();
      return next.done ? { done: true, value: undefined } : { done: false, value: messageOf(next.value) };
    },
    async return() {
      await chunks.return(undefined);
      return { done: true, value: undefined };
    },
  };
}

function messageOf({ message, generationInfo }: ChatGenerationChunk): BaseMessage {
  if (generationInfo) message.response_metadata = { ...generationInfo, ...message.response_metadata };
  return message;
}
