import type { StreamPart } from "./sdk.js";

/** Batches of parts as a stream that reads no further than its reader does. */
export function partStream(
  next: () => Promise<IteratorResult<StreamPart[]>>,
  cancel: () => Promise<void>,
): ReadableStream<StreamPart> {
  return new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await next();
          if (done) return controller.close();
          for (const part of value) controller.enqueue(part);
          if (value.length > 0) return;
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}
