import type { RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { IterableReadableStream } from "@langchain/core/utils/stream";

/** An iterator over pieces; callers that stop early call `return`. */
export interface Pieces<T> {
  next(): Promise<IteratorResult<T>>;
  return(): Promise<unknown>;
}

/**
 * Runs `open`, and every step of the iterator it returns, in the context of this config, as LangChain runs a child:
 * runnables called inside inherit this config. LangChain's own streams set up the context for each step, which costs
 * more than most steps.
 */
export async function inContext<T>(
  config: RunnableConfig,
  open: () => AsyncIterator<T> | Promise<AsyncIterator<T>>,
): Promise<Pieces<T>> {
  const storage = AsyncLocalStorageProviderSingleton.getInstance();
  let context: unknown;
  const pieces = await AsyncLocalStorageProviderSingleton.runWithConfig(
    config,
    async () => {
      context = storage.getStore();
      return open();
    },
    true,
  );
  const next = pieces.next.bind(pieces);
  return { next: () => storage.run(context, next), return: async () => pieces.return?.() };
}

/** The same, as the stream that `stream` returns: an error before the first piece rejects the promise. */
export async function streamInContext<T>(
  config: RunnableConfig,
  open: () => AsyncIterator<T>,
): Promise<IterableReadableStream<T>> {
  const pieces = await inContext(config, open);
  let first: IteratorResult<T> | undefined = await pieces.next();
  const source = {
    next() {
      const next = first ? Promise.resolve(first) : pieces.next();
      first = undefined;
      return next;
    },
    return: pieces.return,
  };
  return IterableReadableStream.fromAsyncGenerator(source as unknown as AsyncGenerator<T>);
}
