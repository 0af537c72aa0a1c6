import type { GrammarMatcher } from "@mlc-ai/web-xgrammar";
import { LogitMaskError } from "./errors.js";
import { Owned } from "./owned.js";

/** xgrammar's internal handle behind its JavaScript object, whose methods are synchronous. */
interface Handle {
  GetNextTokenBitmask(vocabularySize: number): { $$: { ptr: number }; delete(): void };
}

/** A reply in progress, and its position in the grammar. */
export class MaskedReply {
  private readonly handle: Handle;
  private readonly vocabularySize: number;
  private readonly matcher: Owned<GrammarMatcher>;

  constructor(
    matcher: GrammarMatcher,
    private readonly memory: WebAssembly.Memory,
    private readonly endTokens: readonly number[],
  ) {
    // A private field, but the only synchronous access.
    const inside = matcher as unknown as { handle: Handle; vocab_size: number };
    this.handle = inside.handle;
    this.vocabularySize = inside.vocab_size;
    this.matcher = new Owned(matcher, "The processor");
  }

  /** Advances by a token that the model wrote. Throws LogitMaskError `refused`, `disposed`. */
  accept(token: number): void {
    const matcher = this.matcher.get();
    if (matcher.isTerminated() || matcher.acceptToken(token)) return;
    throw new LogitMaskError("refused", `The grammar does not allow the token ${token}, which the mask had excluded.`);
  }

  /** Sets disallowed tokens to `-Infinity`; after the end, all but the end tokens. Throws LogitMaskError `disposed`. */
  mask(logits: LogitData): void {
    if (this.matcher.get().isTerminated()) {
      const ends = this.endTokens.map((token) => logits[token]!);
      logits.fill(Number.NEGATIVE_INFINITY);
      for (const [i, token] of this.endTokens.entries()) logits[token] = ends[i]!;
      return;
    }
    const vector = this.handle.GetNextTokenBitmask(this.vocabularySize);
    const words = Math.ceil(this.vocabularySize / 32);
    // A std::vector<int32_t> begins with the address of its elements.
    const [start] = new Uint32Array(this.memory.buffer, vector.$$.ptr, 1);
    keepAdmitted(logits, new Int32Array(this.memory.buffer, start, words), this.vocabularySize);
    vector.delete();
  }

  dispose(): void {
    this.matcher.dispose();
  }
}

/** The logits of one reply. */
export type LogitData = Float32Array;

/** `bits`: one bit for each token, the lowest first. A model may have more logits than its vocabulary has tokens. */
function keepAdmitted(logits: LogitData, bits: Int32Array, size: number): void {
  for (let word = 0; word < bits.length; word++) {
    const admitted = bits[word]!;
    const from = word * 32;
    if (admitted === 0) logits.fill(Number.NEGATIVE_INFINITY, from, from + 32);
    else if (admitted !== -1) {
      for (let bit = 0; bit < 32 && from + bit < size; bit++) {
        if (((admitted >>> bit) & 1) === 0) logits[from + bit] = Number.NEGATIVE_INFINITY;
      }
    }
  }
  logits.fill(Number.NEGATIVE_INFINITY, size);
}
