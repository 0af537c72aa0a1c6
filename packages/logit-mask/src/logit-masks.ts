import type { CompiledGrammar, GrammarCompiler, TokenizerInfo } from "@mlc-ai/web-xgrammar";
import { toEbnf } from "@toolingua/core/grammar";
import { LogitMaskError } from "./errors.js";
import { type LogitsProcessor, logitsProcessor } from "./logits-processor.js";
import { MaskedReply } from "./masked-reply.js";
import { Owned } from "./owned.js";
import type { Vocabulary } from "./vocabulary.js";
import { loadXGrammar, type XGrammar } from "./xgrammar.js";

export interface LogitMasksOptions {
  vocabulary: Vocabulary;
  /** The tokens that end a reply. */
  endTokens: number | readonly number[];
}

/**
 * Constrains a model in this process by a grammar, for engines without grammars: transformers.js, ONNX Runtime and any
 * other that exposes logits. Runs xgrammar, compiled to WebAssembly.
 *
 * @example
 * const masks = await LogitMasks.load({ vocabulary: readVocabulary(tokenizerJson), endTokens: 2 });
 * const grammar = await masks.compile(toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" }).grammar);
 * const reply = await generator(prompt, { logits_processor: [await grammar.processor()] });
 */
export class LogitMasks {
  readonly #xgrammar: XGrammar;
  readonly #tokens: Owned<TokenizerInfo>;
  readonly #compiler: Owned<GrammarCompiler>;
  readonly #endTokens: readonly number[];

  private constructor(
    xgrammar: XGrammar,
    tokens: TokenizerInfo,
    compiler: GrammarCompiler,
    endTokens: readonly number[],
  ) {
    this.#xgrammar = xgrammar;
    this.#tokens = new Owned(tokens, "The vocabulary");
    this.#compiler = new Owned(compiler, "The vocabulary");
    this.#endTokens = endTokens;
  }

  /**
   * Loads a vocabulary: about 0.1 s for 32,000 tokens, so keep the result.
   *
   * Errors: {@link LogitMaskError} `engine`; `vocabulary` for an end token that is not in the vocabulary.
   */
  static async load({ vocabulary, endTokens }: LogitMasksOptions): Promise<LogitMasks> {
    const ends = typeof endTokens === "number" ? [endTokens] : [...endTokens];
    const strange = ends.find((id) => !(id in vocabulary.tokens));
    if (strange !== undefined || ends.length === 0) {
      const have = `The vocabulary has the tokens 0 to ${vocabulary.tokens.length - 1}`;
      throw new LogitMaskError("vocabulary", `${have}, and the end token is ${strange ?? "missing"}.`);
    }
    const xgrammar = await loadXGrammar();
    const { TokenizerInfo, GrammarCompiler } = xgrammar.script;
    const size = vocabulary.tokens.length;
    const tokens = await TokenizerInfo.createTokenizerInfo(vocabulary.tokens, vocabulary.type, false, size, ends);
    return new LogitMasks(xgrammar, tokens, await GrammarCompiler.createGrammarCompiler(tokens, false), ends);
  }

  /**
   * Compiles a grammar in GBNF, as this library writes it: some tenths of a second for a large vocabulary, so keep the
   * result as long as the tools are the same.
   *
   * Errors: {@link LogitMaskError} `grammar` for character classes beyond ASCII, which this version of xgrammar reads
   * wrongly (a pattern such as `[à-ÿ]`, and markers such as those of `deepseek-v3` in tool choice `auto`); `disposed`.
   */
  async compile(gbnf: string): Promise<MaskedGrammar> {
    const compiler = this.#compiler.get();
    const ebnf = toEbnf(gbnf);
    const wide = (ebnf.match(/\[[^\]]*\]/g) ?? []).find((signs) => /\\U|\\u(?!00[0-7])/.test(signs));
    if (wide !== undefined) {
      const why = "xgrammar 0.1 reads classes beyond ASCII wrongly";
      throw new LogitMaskError("grammar", `${why}, and the grammar has ${wide}. Leave out the pattern or the format.`);
    }
    return new MaskedGrammar(this.#xgrammar, await compiler.compileGrammar(ebnf), this.#endTokens);
  }

  /** Frees the memory of the vocabulary. Grammars compiled from it are freed separately. */
  dispose(): void {
    this.#compiler.dispose();
    this.#tokens.dispose();
  }
}

/**
 * A grammar compiled for a vocabulary.
 *
 * @example const processor = await (await masks.compile(grammar)).processor();
 */
export class MaskedGrammar {
  readonly #xgrammar: XGrammar;
  readonly #compiled: Owned<CompiledGrammar>;
  readonly #endTokens: readonly number[];

  /** @internal */
  constructor(xgrammar: XGrammar, compiled: CompiledGrammar, endTokens: readonly number[]) {
    this.#xgrammar = xgrammar;
    this.#compiled = new Owned(compiled, "The grammar");
    this.#endTokens = endTokens;
  }

  /**
   * Creates a logits processor for one call of `generate`: it sets the logits of tokens that the grammar does not allow
   * next to `-Infinity`. Its first input is the prompt. `batchSize`: the number of replies generated together. Errors:
   * {@link LogitMaskError} `disposed`.
   */
  async processor(batchSize = 1): Promise<LogitsProcessor> {
    const { GrammarMatcher } = this.#xgrammar.script;
    const compiled = this.#compiled.get();
    const ways = Array.from({ length: batchSize }, () =>
      GrammarMatcher.createGrammarMatcher(compiled, undefined, false, 0),
    );
    const matchers = await Promise.all(ways);
    return logitsProcessor(matchers.map((matcher) => new MaskedReply(matcher, this.#xgrammar.memory, this.#endTokens)));
  }

  /** Frees the memory of the grammar. */
  dispose(): void {
    this.#compiled.dispose();
  }
}
