import { describeValue } from "@toolingua/core/adapters";
import { LogitMaskError } from "./errors.js";
import type { MaskedReply } from "./masked-reply.js";

/** The logits of the next token, for all replies of a batch in sequence; a `Tensor` of transformers.js is one. */
export interface Logits {
  readonly data: Float32Array | ArrayLike<unknown>;
}

type Ids = ArrayLike<number | bigint>;

/**
 * Has the signature of transformers.js: `inputIds` are all tokens of each reply so far, including its prompt. Changes
 * the logits in place and returns them. Throws LogitMaskError: `refused` for a token that it had excluded, `batch` for
 * a number of replies other than `batchSize`, `logits` for logits of another type or fewer than the vocabulary needs,
 * `reused` if it is passed to a second call of `generate`.
 */
export type LogitsProcessor = <T extends Logits>(inputIds: ArrayLike<Ids>, logits: T) => T;

/** `logitsNeeded`: the number of logits that a reply has at least. */
export function logitsProcessor(replies: readonly MaskedReply[], logitsNeeded: number): LogitsProcessor {
  /** The tokens of each reply that were processed; none before the prompt. */
  const known: (number[] | undefined)[] = replies.map(() => undefined);
  return <T extends Logits>(inputIds: ArrayLike<Ids>, logits: T): T => {
    checkBatch(inputIds, replies.length);
    const data = checkedLogits(logits, replies.length, logitsNeeded);
    const size = data.length / replies.length;
    for (const [i, reply] of replies.entries()) {
      known[i] = advanced(reply, known[i], inputIds[i] ?? []);
      reply.mask(data.subarray(i * size, (i + 1) * size));
    }
    return logits;
  };
}

/** Advances a reply by the tokens after those that are known, and returns all that are known then. */
function advanced(reply: MaskedReply, known: number[] | undefined, ids: Ids): number[] {
  if (!known) return Array.from(ids, Number);
  if (ids.length < known.length) throw reused();
  for (const [at, id] of known.entries()) if (Number(ids[at]) !== id) throw reused();
  const isOne = ids.length - known.length === 1;
  for (let at = known.length; at < ids.length; at++) {
    // One token after the end is padding in a batch. Several are a prompt that goes on from the reply.
    if (reply.hasEnded && !isOne) throw reused();
    const id = Number(ids[at]);
    reply.accept(id);
    known.push(id);
  }
  return known;
}

const reused = () =>
  new LogitMaskError("reused", "A processor serves one reply, and this is another: create one for each.");

function checkBatch(inputIds: ArrayLike<Ids>, replies: number): void {
  const count: unknown = inputIds?.length;
  if (typeof count !== "number") {
    const message = `\`inputIds\` has a list of token ids for each reply, and is ${describeValue(inputIds)}.`;
    throw new LogitMaskError("batch", message);
  }
  if (count !== replies) {
    const message = `The processor was made for ${replies} ${replies === 1 ? "reply" : "replies"} at once, not ${count}.`;
    throw new LogitMaskError("batch", message);
  }
  for (let i = 0; i < replies; i++) {
    if (typeof inputIds[i] === "object" && inputIds[i] !== null) continue;
    const message = `\`inputIds\` has a list of token ids for each reply, and number ${i} is ${String(inputIds[i])}.`;
    throw new LogitMaskError("batch", message);
  }
}

function checkedLogits(logits: Logits, replies: number, needed: number): Float32Array {
  const data: unknown = logits?.data;
  // Of any realm. In an array of whole numbers, `-Infinity` would become 0.
  const kind = Object.prototype.toString.call(data).slice("[object ".length, -1);
  if (kind !== "Float32Array") {
    const given = typeof data === "object" && data !== null ? `an ${kind}` : describeValue(data);
    throw new LogitMaskError("logits", `The logits are { data: a Float32Array }, and \`data\` is ${given}.`);
  }
  const floats = data as Float32Array;
  const each = floats.length / replies;
  if (each < needed || !Number.isInteger(each)) {
    const message = `There are ${each} logits for a reply, and the vocabulary needs ${needed}: it is of another model.`;
    throw new LogitMaskError("logits", message);
  }
  return floats;
}
