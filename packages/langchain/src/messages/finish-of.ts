import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { type FinishReason, readFinishReason } from "@toolingua/core";

type Metadata = Readonly<Record<string, unknown>>;

/** Whether this is a piece of a stream, and not a whole message. */
export const isPiece = (message: BaseMessage): boolean => AIMessageChunk.isInstance(message);

/**
 * Why the model stopped, by the metadata of its whole reply. `isStreamed`: the reply came in pieces.
 *
 * A stream of OpenAI's APIs ends with a finish reason, or with a status in the Responses API. One without it was cut off, as
 * at the token limit: a call without its end is incomplete.
 */
export function finishOf(metadata: Metadata, isStreamed: boolean): FinishReason | undefined {
  const reason = readFinishReason(metadata);
  const isCutOff = isStreamed && metadata.model_provider === "openai" && metadata.status === undefined;
  return reason ?? (isCutOff ? "length" : undefined);
}
