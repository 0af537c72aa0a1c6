import { tokenBytes } from "./token-bytes.js";
import type { Vocabulary } from "./vocabulary.js";

/**
 * The tokens of a vocabulary as a tree of their bytes. Its nodes are numbered depth first, so what is below a node are the
 * numbers that follow it. Made once for a vocabulary: 17 bytes for each node, of which there are about two for a token.
 */
export interface TokenTrie {
  /** The number of tokens, including those that are not in the tree. */
  readonly vocabularySize: number;
  /** The byte that leads to a node. Node 0 is the root. */
  readonly byteOf: Uint8Array;
  /** The number of bytes that lead to a node. */
  readonly depthOf: Uint32Array;
  /** The next node that is not below a node. */
  readonly afterNode: Uint32Array;
  /** Where the tokens at and below a node begin in `tokens`; they end where those of `afterNode` begin. */
  readonly firstToken: Uint32Array;
  /** The ids of the tokens in the tree, by node. */
  readonly tokens: Uint32Array;
  /** The ids of the tokens that are not in it, because they stand for no text. */
  readonly others: readonly number[];
  /** The kinds of bytes that occur below a node, a bit for each: see {@link byteKind}. */
  readonly kindsBelow: Uint32Array;
}

/** `excluded`: tokens that do not stand for text, such as end tokens. */
export function tokenTrie({ tokens, type }: Vocabulary, excluded: ReadonlySet<number>): TokenTrie {
  const idsOf = new Map<string, number[]>();
  const others: number[] = [];
  let total = 1;
  for (const [id, token] of tokens.entries()) {
    const bytes = excluded.has(id) ? "" : tokenBytes(token, type);
    const ids = bytes === "" ? others : idsOf.get(bytes);
    if (ids) ids.push(id);
    else {
      idsOf.set(bytes, [id]);
      total += bytes.length;
    }
  }
  const trie = new TrieBuilder(total, tokens.length, others);
  for (const bytes of [...idsOf.keys()].sort()) trie.add(bytes, idsOf.get(bytes) ?? []);
  return trie.finish();
}

/**
 * A number from 0 to 31 for bytes that grammars mostly treat alike: letters, digits, controls, bytes beyond ASCII, and the
 * punctuation of JSON and its like one by one. Which bytes share a kind makes a difference to time only.
 */
export function byteKind(byte: number): number {
  const char = String.fromCharCode(byte);
  const at = PUNCTUATION.indexOf(char);
  if (at >= 0) return at;
  if (byte >= 0x80) return 31;
  if (/[A-Za-z]/.test(char)) return 30;
  if (/[0-9]/.test(char)) return 29;
  return byte < 0x20 || byte === 0x7f ? 28 : 27;
}

const PUNCTUATION = " \"'\\,:;.-_/<>(){}[]=+*#|\n";

const KINDS = Uint32Array.from({ length: 256 }, (_, byte) => 1 << byteKind(byte));

class TrieBuilder {
  private size = 1;
  private placed = 0;
  /** The nodes from the root to the last token. */
  private readonly open: number[] = [0];
  private last = "";
  private readonly byteOf: Uint8Array;
  private readonly depthOf: Uint32Array;
  private readonly afterNode: Uint32Array;
  private readonly firstToken: Uint32Array;
  private readonly tokens: Uint32Array;
  private readonly kindsBelow: Uint32Array;

  constructor(
    mostNodes: number,
    private readonly vocabularySize: number,
    private readonly others: readonly number[],
  ) {
    this.byteOf = new Uint8Array(mostNodes);
    this.depthOf = new Uint32Array(mostNodes);
    this.afterNode = new Uint32Array(mostNodes);
    this.firstToken = new Uint32Array(mostNodes + 1);
    this.tokens = new Uint32Array(vocabularySize);
    this.kindsBelow = new Uint32Array(mostNodes);
  }

  /** Adds the tokens with these bytes. They come in the order of their bytes. */
  add(bytes: string, ids: readonly number[]): void {
    let depth = 0;
    while (depth < this.last.length && bytes.charCodeAt(depth) === this.last.charCodeAt(depth)) depth++;
    this.close(depth);
    for (; depth < bytes.length; depth++) {
      const node = this.size++;
      this.byteOf[node] = bytes.charCodeAt(depth);
      this.depthOf[node] = depth + 1;
      this.firstToken[node] = this.placed;
      this.open.push(node);
    }
    for (const id of ids) this.tokens[this.placed++] = id;
    this.last = bytes;
  }

  /** Ends the nodes that are deeper than that. */
  private close(depth: number): void {
    while (this.open.length > depth + 1) {
      const node = this.open.pop() ?? 0;
      const parent = this.open.at(-1) ?? 0;
      this.afterNode[node] = this.size;
      const kinds = (KINDS[this.byteOf[node] ?? 0] ?? 0) | (this.kindsBelow[node] ?? 0);
      this.kindsBelow[parent] = (this.kindsBelow[parent] ?? 0) | kinds;
    }
  }

  finish(): TokenTrie {
    this.close(0);
    const { size, vocabularySize, others } = this;
    this.afterNode[0] = size;
    this.firstToken[size] = this.placed;
    return {
      vocabularySize,
      byteOf: this.byteOf.slice(0, size),
      depthOf: this.depthOf.slice(0, size),
      afterNode: this.afterNode.slice(0, size),
      firstToken: this.firstToken.slice(0, size + 1),
      tokens: this.tokens.slice(0, this.placed),
      others,
      kindsBelow: this.kindsBelow.slice(0, size),
    };
  }
}
