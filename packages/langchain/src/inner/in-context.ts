import type { RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { IterableReadableStream } from "@langchain/core/utils/stream";

/** What an iterator gives, piece by piece; `return` is for who leaves early. */
export interface Pieces<T> {
  next(): Promise<IteratorResult<T>>;
  return(): Promise<unknown>;
}

/**
 * What `open` gives, every step of it in the context of this config, as LangChain runs a child: what is called there
 * inherits this config and no other. LangChain's streams set the context up anew for each step, which costs more than
 * most steps do.
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

/** The same as the stream that a runnable's `stream` gives: what fails before the first piece fails before it. */
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
