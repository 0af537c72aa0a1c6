import { readGbnf } from "@toolingua/core/grammar";
import { byteStates } from "./byte-states.js";
import { LogitMaskError } from "./errors.js";
import { type LogitsProcessor, logitsProcessor } from "./logits-processor.js";
import { MaskedReply, type ReplyGrammar } from "./masked-reply.js";
import { checkBatchSize, checkMaskOptions, type LogitMasksOptions } from "./options.js";
import { Positions } from "./positions.js";
import { tokenBytes } from "./token-bytes.js";
import { TokenMasks } from "./token-masks.js";
import { type TokenTrie, tokenTrie } from "./token-trie.js";
import { checkVocabulary, type Vocabulary } from "./vocabulary.js";

/**
 * Constrains a model in this process by a grammar, for engines without grammars: transformers.js, ONNX Runtime and any
 * other that exposes logits.
 *
 * To make one takes about 0.1 s and 2 MB for 50,000 tokens, so keep it. Errors: `OptionsError` (`bad-option`);
 * {@link LogitMaskError} `vocabulary` for an end token that is not in the vocabulary, a token that is no text, and more than
 * 1,048,576 tokens.
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
  readonly #logitsNeeded: number;

  constructor(options: LogitMasksOptions) {
    checkMaskOptions(options);
    const { vocabulary, endTokens } = options;
    checkVocabulary(vocabulary);
    const ends = typeof endTokens === "number" ? [endTokens] : [...endTokens];
    const strange = ends.find((id) => !(id in vocabulary.tokens));
    if (strange !== undefined || ends.length === 0) {
      const have = `The vocabulary has the tokens 0 to ${vocabulary.tokens.length - 1}`;
      throw new LogitMaskError("vocabulary", `${have}, and the end token is ${strange ?? "missing"}.`);
    }
    this.#vocabulary = vocabulary;
    this.#endTokens = ends;
    this.#trie = tokenTrie(vocabulary, new Set(ends));
    // A tokenizer may have control tokens at the end that its model has no logits for.
    const lastText = vocabulary.tokens.findLastIndex((token) => token !== "");
    this.#logitsNeeded = 1 + ends.reduce((last, id) => Math.max(last, id), lastText);
  }

  /**
   * Compiles a grammar in GBNF, as `readGbnf` of the core reads it, in some milliseconds. Masks are made when a reply gets to
   * them, and kept for other replies: up to 8 MB for each grammar, and 20,000 positions of about 0.6 KB. Beyond 8 MB the
   * oldest mask is forgotten, beyond 20,000 positions all of them with their masks, and what is needed is made again.
   *
   * Errors: `GrammarError` (`bad-grammar`) for a text that is not such a grammar; {@link LogitMaskError} `grammar` for
   * what is not a text, a rule that begins with itself or has a literal or class that no text matches (a lone
   * surrogate), and for counts that need more than 250,000 states.
   *
   * @example masks.compile(jsonSchemaToGbnf({ enum: ["yes", "no"] }).grammar);
   */
  compile(gbnf: string): MaskedGrammar {
    if (typeof gbnf !== "string") {
      const given = "grammar" in Object(gbnf) ? "an object: give its `grammar`" : String(gbnf);
      throw new LogitMaskError("grammar", `A grammar is a text in GBNF, not ${given}.`);
    }
    const { tokens, type } = this.#vocabulary;
    const positions = new Positions(byteStates(readGbnf(gbnf)));
    return new MaskedGrammar({
      positions,
      masks: new TokenMasks(positions, this.#trie, this.#endTokens),
      bytesOf: (token) => tokenBytes(tokens[token] ?? "", type),
      endTokens: this.#endTokens,
      logitsNeeded: this.#logitsNeeded,
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
   * next to `-Infinity`. Its first input is the prompt. `batchSize`: the number of replies generated together,
   * from 1 to 65,536. Errors: `OptionsError` (`bad-option`) for another number.
   *
   * @example await generator(prompt, { logits_processor: [grammar.processor()] });
   */
  processor(batchSize = 1): LogitsProcessor {
    checkBatchSize(batchSize);
    const replies = Array.from({ length: batchSize }, () => new MaskedReply(this.#grammar));
    return logitsProcessor(replies, this.#grammar.logitsNeeded);
  }
}
