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
  /** How many logits a model has at least: one for each token up to the last that has text or ends a reply. */
  readonly logitsNeeded: number;
}

/** A reply in progress, and its position in the grammar. */
export class MaskedReply {
  private position: Position;
  private ended = false;

  constructor(private readonly grammar: ReplyGrammar) {
    this.position = grammar.positions.start;
  }

  /** Whether an end token was accepted. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** Advances by a token that the model wrote; after the end, does nothing. Throws LogitMaskError `refused`. */
  accept(token: number): void {
    if (this.ended) return;
    const { positions, bytesOf, endTokens } = this.grammar;
    if (endTokens.includes(token)) {
      if (!this.position.canEnd) throw refusal(token);
      this.ended = true;
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
    if (this.ended) masks.applyEnd(logits);
    else masks.apply(this.position, logits);
  }
}

function refusal(token: number): LogitMaskError {
  const message = `The grammar does not allow the token ${token}, which the mask had excluded.`;
  return new LogitMaskError("refused", `${message} A processor serves one reply: create one for each.`);
}
