import { byteAlphabet, escapeRegExp } from "@toolingua/core/adapters";

/** Tokens for whole words of markup. `control` tokens are never text; `markup` tokens are. */
export interface SpecialTokens {
  control: readonly string[];
  markup: readonly string[];
}

/** A byte-level BPE vocabulary, in the form that GGUF stores ("gpt2"). */
interface Bpe {
  /** Token texts by id, with bytes as GPT-2's printable characters. */
  tokens: string[];
  /** "left right", in the order learned. */
  merges: string[];
  /** Whether a token is only a part of a UTF-8 character. */
  isPartial(id: number): boolean;
  encode(text: string): number[];
}

// GPT-2's split of text into words before merging: https://github.com/openai/gpt-2/blob/master/src/encoder.py
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

const BYTES = new Map(byteAlphabet.map((character, byte) => [character, byte]));

const spell = (word: string) => Array.from(Buffer.from(word, "utf8"), (byte) => byteAlphabet[byte]!);

/** Merges each pair of `left` and `right` in a word, from left to right. */
function merge(symbols: string[], left: string, right: string): string[] {
  const merged: string[] = [];
  for (let i = 0; i < symbols.length; i++) {
    if (symbols[i] === left && symbols[i + 1] === right) {
      merged.push(left + right);
      i++;
    } else merged.push(symbols[i]!);
  }
  return merged;
}

/**
 * The most frequent adjacent pair that occurs at least twice; of equally frequent ones, the first in code unit order.
 */
function mostFrequentPair(words: readonly { symbols: string[]; count: number }[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { symbols, count } of words) {
    for (let i = 0; i + 1 < symbols.length; i++) {
      const pair = `${symbols[i]} ${symbols[i + 1]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  let best: string | undefined;
  let most = 2;
  for (const [pair, count] of counts) {
    if (count > most || (count === most && (best === undefined || pair < best))) [best, most] = [pair, count];
  }
  return best;
}

/** Learns a vocabulary of at most `size` tokens (every byte, the merges, the special tokens) from the texts. */
export function learnBpe(texts: readonly string[], size: number, special: SpecialTokens): Bpe {
  const specials = [...special.control, ...special.markup];
  const splitter = new RegExp(`(${specials.map(escapeRegExp).join("|")})`);
  const frequencies = new Map<string, number>();
  for (const text of texts) {
    for (const piece of text.split(splitter)) {
      if (specials.includes(piece)) continue;
      for (const word of piece.match(WORDS) ?? []) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    }
  }

  let words = [...frequencies].map(([word, count]) => ({ symbols: spell(word), count }));
  const merges: string[] = [];
  while (merges.length < size - byteAlphabet.length - specials.length) {
    const pair = mostFrequentPair(words);
    if (pair === undefined) break;
    merges.push(pair);
    const [left, right] = pair.split(" ") as [string, string];
    words = words.map(({ symbols, count }) => ({ symbols: merge(symbols, left, right), count }));
  }

  const tokens = [...byteAlphabet, ...merges.map((pair) => pair.replace(" ", "")), ...specials];
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const strict = new TextDecoder("utf-8", { fatal: true });

  const encodeWord = (word: string): number[] => {
    let symbols = spell(word);
    for (;;) {
      let first: { rank: number; at: number } | undefined;
      for (let i = 0; i + 1 < symbols.length; i++) {
        const rank = ranks.get(`${symbols[i]} ${symbols[i + 1]}`);
        if (rank !== undefined && (first === undefined || rank < first.rank)) first = { rank, at: i };
      }
      if (first === undefined) return symbols.map((symbol) => ids.get(symbol)!);
      symbols = merge(symbols, symbols[first.at]!, symbols[first.at + 1]!);
    }
  };

  return {
    tokens,
    merges,
    isPartial(id) {
      if (id >= byteAlphabet.length + merges.length) return false;
      try {
        strict.decode(Uint8Array.from(tokens[id]!, (character) => BYTES.get(character)!));
        return false;
      } catch {
        return true;
      }
    },
    encode: (text) =>
      text
        .split(splitter)
        .flatMap((piece) =>
          specials.includes(piece) ? [ids.get(piece)!] : (piece.match(WORDS) ?? []).flatMap(encodeWord),
        ),
  };
}
