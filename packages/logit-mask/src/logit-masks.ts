import { readGbnf } from "@toolingua/core/grammar";
import { byteStates } from "./byte-states.js";
import { LogitMaskError } from "./errors.js";
import { type LogitsProcessor, logitsProcessor } from "./logits-processor.js";
import { MaskedReply, type ReplyGrammar } from "./masked-reply.js";
import { Positions } from "./positions.js";
import { tokenBytes } from "./token-bytes.js";
import { TokenMasks } from "./token-masks.js";
import { type TokenTrie, tokenTrie } from "./token-trie.js";
import type { Vocabulary } from "./vocabulary.js";

export interface LogitMasksOptions {
  vocabulary: Vocabulary;
  /** The tokens that end a reply. */
  endTokens: number | readonly number[];
}

/**
 * Constrains a model in this process by a grammar, for engines without grammars: transformers.js, ONNX Runtime and any
 * other that exposes logits.
 *
 * To make one takes about 0.1 s and 2 MB for 50,000 tokens, so keep it. Errors: {@link LogitMaskError} `vocabulary` for
 * an end token that is not in the vocabulary.
 *
 * @example
 * const masks = new LogitMasks({ vocabulary: readVocabulary(tokenizerJson), endTokens: 2 });
 * const grammar = masks.compile(toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" }).grammar);
 * const reply = await generator(prompt, { logits_processor: [grammar.processor()] });
 */
export class LogitMasks {
  readonly #vocabulary: Vocabulary;
  readonly #endTokens: readonly number[];
  readonly #trie: TokenTrie;

  constructor({ vocabulary, endTokens }: LogitMasksOptions) {
    const ends = typeof endTokens === "number" ? [endTokens] : [...endTokens];
    const strange = ends.find((id) => !(id in vocabulary.tokens));
    if (strange !== undefined || ends.length === 0) {
      const have = `The vocabulary has the tokens 0 to ${vocabulary.tokens.length - 1}`;
      throw new LogitMaskError("vocabulary", `${have}, and the end token is ${strange ?? "missing"}.`);
    }
    this.#vocabulary = vocabulary;
    this.#endTokens = ends;
    this.#trie = tokenTrie(vocabulary, ends);
  }

  /**
   * Compiles a grammar in GBNF, as this library writes it, in some milliseconds. Masks are made when a reply gets to
   * them, and kept for other replies: up to 8 MB for each grammar, and 20,000 positions of about 0.6 KB.
   *
   * Errors: `GrammarError` (`bad-grammar`) for a text that is not such a grammar; {@link LogitMaskError} `grammar` for a
   * rule that is missing or begins with itself, and for counts of millions.
   *
   * @example masks.compile(jsonSchemaToGbnf({ enum: ["yes", "no"] }).grammar);
   */
  compile(gbnf: string): MaskedGrammar {
    const { tokens, type } = this.#vocabulary;
    const positions = new Positions(byteStates(readGbnf(gbnf)));
    return new MaskedGrammar({
      positions,
      masks: new TokenMasks(positions, this.#trie, this.#endTokens),
      bytesOf: (token) => tokenBytes(tokens[token] ?? "", type),
      endTokens: this.#endTokens,
    });
  }
}

/**
 * A grammar compiled for a vocabulary.
 *
 * @example const processor = masks.compile(grammar).processor();
 */
export class MaskedGrammar {
  readonly #grammar: ReplyGrammar;

  /** @internal */
  constructor(grammar: ReplyGrammar) {
    this.#grammar = grammar;
  }

  /**
   * Creates a logits processor for one call of `generate`: it sets the logits of tokens that the grammar does not allow
   * next to `-Infinity`. Its first input is the prompt. `batchSize`: the number of replies generated together.
   *
   * @example await generator(prompt, { logits_processor: [grammar.processor()] });
   */
  processor(batchSize = 1): LogitsProcessor {
    return logitsProcessor(Array.from({ length: batchSize }, () => new MaskedReply(this.#grammar)));
  }
}
