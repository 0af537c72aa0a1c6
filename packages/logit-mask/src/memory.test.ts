import { readGbnf } from "@toolingua/core/grammar";
import { describe, expect, it } from "vitest";
import { byteStates } from "./byte-states.js";
import { MaskedReply } from "./masked-reply.js";
import { MAX_POSITIONS, type Position, Positions } from "./positions.js";
import { MAX_MASK_BYTES, TokenMasks } from "./token-masks.js";
import { tokenTrie } from "./token-trie.js";

const GRAMMAR = 'root ::= "[" root "]" | "a" | "x" [0-9a-f]{3} [02468ace]\n';

/** A grammar where every token leads to a new position. `words`: tokens of which every second one is admitted. */
function nested(words: readonly string[]) {
  const tokens = ["[", "]", "a", ...words, ""];
  const end = tokens.length - 1;
  const positions = new Positions(byteStates(readGbnf(GRAMMAR)));
  const masks = new TokenMasks(positions, tokenTrie({ tokens, type: "raw" }, new Set([end])), [end]);
  const reply = new MaskedReply({
    positions,
    masks,
    bytesOf: (token) => tokens[token] ?? "",
    endTokens: [end],
    logitsNeeded: tokens.length,
  });
  const admitted = () => {
    const data = new Float32Array(tokens.length);
    reply.mask(data);
    return [0, 1, 2, 3, 4, end].filter((token) => data[token] === 0);
  };
  return { positions, masks, reply, admitted, end };
}

/** The number of positions that a position keeps in memory. */
function reachable(from: Position): number {
  const found = new Set([from]);
  for (const { next } of found) for (const to of next) if (to) found.add(to);
  return found.size;
}

describe("what a grammar keeps is bounded, and what it forgets it makes again", () => {
  it("positions", () => {
    const { positions, masks, reply, admitted, end } = nested(["?", "!"]);
    const depth = 2 * MAX_POSITIONS;
    let most = 0;
    for (let i = 0; i < depth; i++) {
      reply.accept(0);
      expect(admitted()).toEqual([0, 2]);
      most = Math.max(most, positions.size, masks.size);
    }
    expect(most).toBeGreaterThan(MAX_POSITIONS / 2);
    expect(most).toBeLessThan(MAX_POSITIONS + 100);
    reply.accept(2);
    for (let i = 0; i < depth; i++) {
      expect(admitted()).toEqual([1]);
      reply.accept(1);
    }
    expect(admitted()).toEqual([end]);
    expect(positions.size).toBeLessThan(MAX_POSITIONS + 100);
  });

  it("positions after those where other replies stay", () => {
    const { positions, masks } = nested(["?", "!"]);
    const bracket = positions.classOf["[".charCodeAt(0)] ?? 0;
    const stays: Position[] = [];
    let at: Position | null = positions.start;
    for (let i = 0; at && i < 3 * MAX_POSITIONS; i++) {
      stays.push(at);
      masks.apply(at, new Float32Array(6));
      at = positions.after(at, bracket);
    }
    expect(stays).toHaveLength(3 * MAX_POSITIONS);
    for (let i = 0; i < stays.length; i += 5000) {
      const stay = stays[i] ?? positions.start;
      expect(reachable(stay)).toBeLessThan(MAX_POSITIONS);
      // One that the grammar has forgotten still leads on.
      expect(positions.after(stay, bracket)?.canEnd).toBe(false);
    }
  });

  it("masks", () => {
    const words = Array.from({ length: 65_536 }, (_, i) => `x${i.toString(16).padStart(4, "0")}`);
    const { masks, reply, admitted, end } = nested(words);
    let most = 0;
    for (let i = 0; i < 50; i++) {
      reply.accept(0);
      expect(admitted()).toEqual([0, 2, 3]);
      most = Math.max(most, masks.bytes);
    }
    expect(most).toBeGreaterThan(MAX_MASK_BYTES / 2);
    expect(most).toBeLessThanOrEqual(MAX_MASK_BYTES);
    reply.accept(2);
    for (let i = 0; i < 50; i++) {
      expect(admitted()).toEqual([1]);
      reply.accept(1);
    }
    expect(admitted()).toEqual([end]);
  });
});
