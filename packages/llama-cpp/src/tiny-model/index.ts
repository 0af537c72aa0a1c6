import { rename, rm, writeFile } from "node:fs/promises";
import { learnBpe, type SpecialTokens } from "./bpe.js";
import { toolCallCorpus } from "./corpus.js";
import { encodeGguf, type GgufValue } from "./gguf.js";
import { bigramWeights, randomWeights, type Weights } from "./weights.js";

export interface TinyModelOptions {
  /**
   * `bigram` (the default) writes text that resembles tool calls and is mostly malformed; `random` is a two-layer
   * transformer with random weights that writes noise.
   */
  kind?: "bigram" | "random" | undefined;
  /** The same options and seed give the same file, byte for byte. Default 1. */
  seed?: number | undefined;
  /** The context length that the file declares, in tokens. Default 4096. */
  contextSize?: number | undefined;
  /** The most tokens, not counting padding. At least 300. Default 768. */
  vocabularySize?: number | undefined;
  /**
   * Whether the model may write tokens that are only a part of a UTF-8 character, as real models may. Off by default:
   * with llama.cpp's grammars such a model can write invalid characters.
   */
  partialCharacters?: boolean | undefined;
  /** The Jinja chat template; `null` for a model without one. Default ChatML. */
  chatTemplate?: string | null | undefined;
  /** The texts from which the vocabulary and the bigrams are learned. */
  corpus?: readonly string[] | undefined;
}

const SPECIAL: SpecialTokens = {
  control: ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
  markup: ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"],
};
const TOKEN_TYPE = { normal: 1, control: 3, userDefined: 4 };

const CHATML = `{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`;

/**
 * Writes a tiny, deterministic GGUF: a real model file that loads and runs like any other, but knows nothing. It is for
 * tests and demonstrations without real weights. Takes about 0.2 s for 1 to 5 MB, and downloads nothing. It has a
 * byte-level BPE vocabulary learned from tool calls (so tokens cross the boundaries of grammar rules), ChatML, and
 * `<tool_call>` as a single token.
 *
 * @example
 * await writeTinyModel("tiny.gguf", { kind: "random", seed: 7 });
 * const engine = await LlamaCppEngine.load({ modelPath: "tiny.gguf" });
 */
export async function writeTinyModel(path: string, options: TinyModelOptions = {}): Promise<void> {
  const bytes = tinyModelBytes(options);
  const unfinished = `${path}.${process.pid}.part`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function tinyModelBytes(options: TinyModelOptions): Buffer {
  const { kind = "bigram", seed = 1, contextSize = 4096, vocabularySize = 768, partialCharacters = false } = options;
  const corpus = options.corpus ?? toolCallCorpus(seed);
  const bpe = learnBpe(corpus, vocabularySize, SPECIAL);
  const tokens = [...bpe.tokens];
  while (tokens.length % 32 !== 0) tokens.push(`<|unused_${tokens.length}|>`);
  const id = (token: string) => tokens.indexOf(token);
  const types = tokens.map((token, index) => {
    if (index >= bpe.tokens.length || SPECIAL.control.includes(token)) return TOKEN_TYPE.control;
    return SPECIAL.markup.includes(token) ? TOKEN_TYPE.userDefined : TOKEN_TYPE.normal;
  });

  const suppressed = tokens.map(
    (_, index) => index >= bpe.tokens.length || (!partialCharacters && bpe.isPartial(index)),
  );
  const reply = (text: string) => bpe.encode(`<|im_start|>assistant\n${text}<|im_end|>`);
  const weights = kind === "random" ? randomWeights(suppressed, seed) : bigramWeights(suppressed, corpus.map(reply));

  const template = options.chatTemplate === undefined ? CHATML : options.chatTemplate;
  return encodeGguf(
    {
      ...architecture(weights, contextSize, kind),
      "tokenizer.ggml.model": { type: "string", value: "gpt2" },
      "tokenizer.ggml.pre": { type: "string", value: "gpt-2" },
      "tokenizer.ggml.tokens": { type: "string", value: tokens },
      "tokenizer.ggml.token_type": { type: "i32", value: types },
      "tokenizer.ggml.merges": { type: "string", value: bpe.merges },
      "tokenizer.ggml.bos_token_id": { type: "u32", value: id("<|endoftext|>") },
      "tokenizer.ggml.eos_token_id": { type: "u32", value: id("<|im_end|>") },
      "tokenizer.ggml.padding_token_id": { type: "u32", value: id("<|endoftext|>") },
      "tokenizer.ggml.add_bos_token": { type: "bool", value: false },
      "tokenizer.ggml.add_space_prefix": { type: "bool", value: false },
      ...(template === null ? {} : { "tokenizer.chat_template": { type: "string" as const, value: template } }),
    },
    weights.tensors,
  );
}

function architecture({ shape }: Weights, contextSize: number, kind: string): Record<string, GgufValue> {
  return {
    "general.architecture": { type: "string", value: "llama" },
    "general.name": { type: "string", value: `toolingua-tiny-${kind}` },
    "general.file_type": { type: "u32", value: 0 },
    "general.alignment": { type: "u32", value: 32 },
    "llama.vocab_size": { type: "u32", value: shape.vocabulary },
    "llama.context_length": { type: "u32", value: contextSize },
    "llama.embedding_length": { type: "u32", value: shape.embedding },
    "llama.block_count": { type: "u32", value: shape.layers },
    "llama.feed_forward_length": { type: "u32", value: shape.feedForward },
    "llama.attention.head_count": { type: "u32", value: shape.heads },
    "llama.attention.head_count_kv": { type: "u32", value: shape.heads },
    "llama.attention.key_length": { type: "u32", value: shape.headSize },
    "llama.attention.value_length": { type: "u32", value: shape.headSize },
    "llama.attention.layer_norm_rms_epsilon": { type: "f32", value: 1e-6 },
    "llama.rope.dimension_count": { type: "u32", value: shape.headSize },
  };
}
