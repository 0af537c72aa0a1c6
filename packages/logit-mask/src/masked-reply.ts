import { LogitMaskError } from "./errors.js";
import type { Position, Positions } from "./positions.js";
import type { TokenMasks } from "./token-masks.js";

/** What the replies under a grammar have in common. */
export interface ReplyGrammar {
  readonly positions: Positions;
  readonly masks: TokenMasks;
  /** The bytes of a token, a character for each; empty for tokens that stand for no text. */
  readonly bytesOf: (token: number) => string;
  readonly endTokens: readonly number[];
}

/** A reply in progress, and its position in the grammar. */
export class MaskedReply {
  private position: Position;
  private hasEnded = false;

  constructor(private readonly grammar: ReplyGrammar) {
    this.position = grammar.positions.start;
  }

  /** Advances by a token that the model wrote; after the end, does nothing. Throws LogitMaskError `refused`. */
  accept(token: number): void {
    if (this.hasEnded) return;
    const { positions, bytesOf, endTokens } = this.grammar;
    if (endTokens.includes(token)) {
      if (!this.position.canEnd) throw refusal(token);
      this.hasEnded = true;
      return;
    }
    const bytes = bytesOf(token);
    if (bytes === "") throw refusal(token);
    let position = this.position;
    for (let at = 0; at < bytes.length; at++) {
      const next = positions.after(position, positions.classOf[bytes.charCodeAt(at)] ?? 0);
      if (!next) throw refusal(token);
      position = next;
    }
    this.position = position;
  }

  /** Sets disallowed tokens to `-Infinity`; after the end, all but the end tokens. */
  mask(logits: Float32Array): void {
    const { masks } = this.grammar;
    if (this.hasEnded) masks.applyEnd(logits);
    else masks.apply(this.position, logits);
  }
}

function refusal(token: number): LogitMaskError {
  return new LogitMaskError("refused", `The grammar does not allow the token ${token}, which the mask had excluded.`);
}
