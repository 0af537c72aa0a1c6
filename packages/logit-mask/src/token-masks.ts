import type { Position, Positions } from "./positions.js";
import { byteKind, type TokenTrie } from "./token-trie.js";

/** How many bytes the masks of a grammar take at most. Beyond it the oldest is forgotten, and made again when needed. */
export const MAX_MASK_BYTES = 8 * 2 ** 20;

/**
 * The tokens that can come next in a grammar, by position, each mask made when a reply gets there. One walk through the
 * tree of the vocabulary follows every token at once; a branch ends where its first bytes are not admitted, and a branch
 * all of whose bytes lead back to the position that it begins at, as in the text of a string, is admitted whole.
 *
 * That tokens are sorted by their bytes and share the work for equal beginnings is from XGrammar (Dong et al. 2024,
 * https://arxiv.org/abs/2411.15100), that a walk of the tree under a lazily made automaton is fast enough to precompute
 * nothing from llguidance (https://github.com/guidance-ai/llguidance/blob/main/docs/optimizations.md).
 */
export class TokenMasks {
  /** Positions with a mask, the oldest first. */
  private readonly masked = new Set<Position>();
  /** What the masks that are kept take. */
  bytes = 0;
  /** The bytes of each kind, as classes of the grammar. */
  private readonly classesOfKind: readonly (readonly number[])[];
  /** The positions on the way to a node. */
  private readonly path: Position[] = [];
  /** Room for the ranges of a mask, and for the logits that it keeps. */
  private ranges = new Uint32Array(64);
  private kept = new Float32Array(64);

  constructor(
    private readonly positions: Positions,
    private readonly trie: TokenTrie,
    private readonly endTokens: readonly number[],
  ) {
    const kinds = Array.from({ length: 32 }, () => new Set<number>());
    for (let byte = 0; byte < 256; byte++) kinds[byteKind(byte)]?.add(positions.classOf[byte] ?? 0);
    this.classesOfKind = kinds.map((classes) => [...classes]);
  }

  /**
   * Sets the logits of tokens that cannot come at a position to `-Infinity`. A model may have more logits than its
   * vocabulary has tokens.
   */
  apply(position: Position, logits: Float32Array): void {
    const ranges = this.at(position);
    const { tokens, others, vocabularySize } = this.trie;
    let admitted = 0;
    for (let i = 0; i < ranges.length; i += 2) admitted += (ranges[i + 1] ?? 0) - (ranges[i] ?? 0);
    const ends = position.canEnd ? this.endTokens.map((token) => logits[token] ?? Number.NEGATIVE_INFINITY) : [];
    if (2 * admitted < tokens.length) this.keep(ranges, admitted, logits);
    else {
      let at = 0;
      for (let i = 0; i <= ranges.length; i += 2) {
        const gapEnds = ranges[i] ?? tokens.length;
        for (; at < gapEnds; at++) logits[tokens[at] ?? 0] = Number.NEGATIVE_INFINITY;
        at = ranges[i + 1] ?? at;
      }
      for (const token of others) logits[token] = Number.NEGATIVE_INFINITY;
      logits.fill(Number.NEGATIVE_INFINITY, vocabularySize);
    }
    for (const [i, logit] of ends.entries()) logits[this.endTokens[i] ?? 0] = logit;
  }

  /** Sets all logits but those of the end tokens to `-Infinity`. */
  applyEnd(logits: Float32Array): void {
    const ends = this.endTokens.map((token) => logits[token] ?? Number.NEGATIVE_INFINITY);
    logits.fill(Number.NEGATIVE_INFINITY);
    for (const [i, logit] of ends.entries()) logits[this.endTokens[i] ?? 0] = logit;
  }

  /** Where few tokens are admitted, their logits are put aside while all are filled. */
  private keep(ranges: Uint32Array, admitted: number, logits: Float32Array): void {
    const { tokens } = this.trie;
    if (this.kept.length < admitted) this.kept = new Float32Array(2 * admitted);
    const { kept } = this;
    let count = 0;
    for (let i = 0; i < ranges.length; i += 2) {
      const end = ranges[i + 1] ?? 0;
      for (let at = ranges[i] ?? 0; at < end; at++) kept[count++] = logits[tokens[at] ?? 0] ?? 0;
    }
    logits.fill(Number.NEGATIVE_INFINITY);
    count = 0;
    for (let i = 0; i < ranges.length; i += 2) {
      const end = ranges[i + 1] ?? 0;
      for (let at = ranges[i] ?? 0; at < end; at++) logits[tokens[at] ?? 0] = kept[count++] ?? 0;
    }
  }

  /** The number of positions with a mask. */
  get size(): number {
    return this.masked.size;
  }

  /** The tokens admitted at a position: ranges of the tree's tokens, for each where it begins and ends. */
  private at(position: Position): Uint32Array {
    if (position.mask) return position.mask;
    if (this.positions.trim()) {
      this.masked.clear();
      this.bytes = 0;
    }
    const mask = this.walked(position);
    position.mask = mask;
    this.masked.add(position);
    this.bytes += mask.byteLength;
    for (const oldest of this.masked) {
      if (this.bytes <= MAX_MASK_BYTES || oldest === position) break;
      this.bytes -= oldest.mask?.byteLength ?? 0;
      oldest.mask = undefined;
      this.masked.delete(oldest);
    }
    return mask;
  }

  private walked(position: Position): Uint32Array {
    const { byteOf, depthOf, afterNode, firstToken, kindsBelow } = this.trie;
    const { positions, path } = this;
    const { classOf } = positions;
    const end = byteOf.length;
    let { ranges } = this;
    let length = 0;
    /** The position that was last found to lead back to itself, and the kinds of bytes that do not. */
    let looping: Position | undefined;
    let leaving = -1;
    path[0] = position;
    for (let node = 1; node < end; ) {
      const depth = depthOf[node] ?? 0;
      const before = path[depth - 1] ?? position;
      const byteClass = classOf[byteOf[node] ?? 0] ?? 0;
      let next = before.next[byteClass];
      if (next === undefined) next = positions.after(before, byteClass);
      if (next === null) {
        node = afterNode[node] ?? end;
        continue;
      }
      let last = node + 1;
      if (next === before) {
        if (looping !== before) {
          looping = before;
          leaving = this.kindsThatLeave(before);
        }
        if (((kindsBelow[node] ?? 0) & leaving) === 0) last = afterNode[node] ?? end;
      }
      const from = firstToken[node] ?? 0;
      const to = firstToken[last] ?? 0;
      if (from < to) {
        if (length > 0 && ranges[length - 1] === from) ranges[length - 1] = to;
        else {
          if (length === ranges.length) {
            ranges = new Uint32Array(2 * length);
            ranges.set(this.ranges);
            this.ranges = ranges;
          }
          ranges[length++] = from;
          ranges[length++] = to;
        }
      }
      path[depth] = next;
      node = last;
    }
    path.length = 0;
    return ranges.slice(0, length);
  }

  /** The kinds of bytes that do not all lead from a position back to it. */
  private kindsThatLeave(position: Position): number {
    let leaving = 0;
    for (const [kind, classes] of this.classesOfKind.entries()) {
      if (!classes.every((one) => this.positions.after(position, one) === position)) leaving |= 1 << kind;
    }
    return leaving;
  }
}
