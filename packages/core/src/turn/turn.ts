import type { ReplyEvent, ToolCall } from "../types.js";
import type { TurnResult } from "./turn-result.js";

/**
 * One turn of the assistant. The model is asked once, when the turn is first read or its result is requested: read the events
 * with one `for await`, and get the result with `await` or `result()`. For both, ask for the iterator first: `result()` keeps
 * the events that its reader has not read yet. Without a reader it keeps none; a reader that comes later is an error
 * (`turn-read`). An `async` function that returns a turn delivers its result, as with every object that can be awaited; to
 * deliver the turn, return `{ turn }`.
 */
export interface Turn<Call = ToolCall, Value = unknown>
  extends AsyncIterable<ReplyEvent<Call>>,
    Promise<TurnResult<Call, Value>> {
  /**
   * The same events in batches of those that arrive together. For adapters, because one step of an asynchronous
   * iterator costs more than an event. Read a turn either by batches or by events. Errors: `turn-read` if the events went
   * to `result()` or `whole()` before.
   */
  batches(): AsyncIterable<ReplyEvent<Call>[]>;
  /**
   * Reads the turn to its end. `take` receives the same batches, each as soon as it arrives. For adapters; read a turn
   * either by this, by batches or by events. Rejects with the error of the turn, or `turn-read` if there is or was another
   * reader.
   */
  whole(take: (events: ReplyEvent<Call>[]) => void): Promise<TurnResult<Call, Value>>;
  /**
   * The whole turn, as `await` gives it; reads it to the end if necessary, without waiting for a slower reader of its events.
   * Rejects with the error of the turn; `turn-stopped` if its reader stopped before the end.
   */
  result(): Promise<TurnResult<Call, Value>>;
}
