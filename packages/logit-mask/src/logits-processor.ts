import { LogitMaskError } from "./errors.js";
import type { MaskedReply } from "./masked-reply.js";

/** The logits of the next token, for all replies of a batch in sequence; a `Tensor` of transformers.js is one. */
export interface Logits {
  readonly data: Float32Array | ArrayLike<unknown>;
}

/**
 * Has the signature of transformers.js: `inputIds` are all tokens of each reply so far, including its prompt. Changes
 * the logits in place and returns them. Throws LogitMaskError: `refused` for a token that it had excluded, `batch` for
 * a number of replies other than `batchSize`, `reused` if it is passed to a second call of `generate`.
 */
export type LogitsProcessor = <T extends Logits>(inputIds: ArrayLike<ArrayLike<number | bigint>>, logits: T) => T;

export function logitsProcessor(replies: readonly MaskedReply[]): LogitsProcessor {
  /** How many tokens of each reply were processed; undefined before the prompt. */
  const known: (number | undefined)[] = [];
  return <T extends Logits>(inputIds: ArrayLike<ArrayLike<number | bigint>>, logits: T): T => {
    const data = logits.data as Float32Array;
    const size = data.length / inputIds.length;
    if (inputIds.length !== replies.length) {
      const message = `The processor was made for ${replies.length} replies at once, not ${inputIds.length}.`;
      throw new LogitMaskError("batch", message);
    }
    for (const [i, reply] of replies.entries()) {
      const tokens = inputIds[i]!;
      if (tokens.length < (known[i] ?? 0)) {
        throw new LogitMaskError("reused", "A processor serves one reply, and this is another: create one for each.");
      }
      for (let at = known[i] ?? tokens.length; at < tokens.length; at++) reply.accept(Number(tokens[at]));
      known[i] = tokens.length;
      reply.mask(data.subarray(i * size, (i + 1) * size));
    }
    return logits;
  };
}
