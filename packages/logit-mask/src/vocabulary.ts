import { describeValue, isObject } from "@toolingua/core/adapters";
import { LogitMaskError } from "./errors.js";

/** The tokens of a vocabulary at most: four times as many as the largest models have. */
const MAX_TOKENS = 2 ** 20;

/** The parts of a Hugging Face `tokenizer.json` that are needed here. */
export interface TokenizerJson {
  model: {
    type?: string;
    vocab: Record<string, number> | readonly (readonly [string, number])[];
    byte_fallback?: boolean;
  };
  added_tokens?: readonly { id: number; content: string; special?: boolean }[];
  decoder?: { type?: string; decoders?: readonly { type?: string }[] } | null;
}

/** The tokens of a model, as its tokenizer spells them. */
export interface Vocabulary {
  /** By id. Empty: tokens that a constrained model never writes, such as control tokens. */
  tokens: string[];
  /**
   * `byte_level`: bytes as GPT-2's printable characters; `byte_fallback`: `<0x0A>`, and `▁` for a space; `raw`: plain
   * text.
   */
  type: "byte_level" | "byte_fallback" | "raw";
}

/**
 * Reads the vocabulary of a `tokenizer.json`. Control tokens are excluded. Markers that are not control tokens, such as
 * Qwen's `<tool_call>`, are included.
 *
 * Errors: {@link LogitMaskError} `vocabulary` for an object of another form, a tokenizer of another kind, and ids beyond
 * 1,048,575.
 *
 * @example readVocabulary(JSON.parse(await readFile("tokenizer.json", "utf8")));
 */
export function readVocabulary(tokenizer: TokenizerJson): Vocabulary {
  if (!isObject(tokenizer)) {
    const given = typeof tokenizer === "string" ? "a text: read it with JSON.parse" : describeValue(tokenizer);
    throw new LogitMaskError("vocabulary", `readVocabulary takes the object of a tokenizer.json, not ${given}.`);
  }
  const { model, added_tokens, decoder } = tokenizer;
  const tokens: string[] = [];
  const { vocab } = model ?? {};
  if (Array.isArray(vocab))
    for (const [id, entry] of vocab.entries()) tokens[checkedId(id)] = Array.isArray(entry) ? entry[0] : undefined;
  else if (vocab) for (const [token, id] of Object.entries(vocab)) tokens[checkedId(id, token)] = token;
  if (tokens.length === 0) throw new LogitMaskError("vocabulary", "The tokenizer has no `model.vocab`.");
  const added: TokenizerJson["added_tokens"] = added_tokens ?? [];
  if (!Array.isArray(added_tokens ?? []))
    throw new LogitMaskError("vocabulary", "The `added_tokens` of the tokenizer are a list of { id, content }.");
  for (const [i, token] of added.entries()) {
    if (!isObject(token)) {
      const message = `\`added_tokens[${i}]\` of the tokenizer is { id, content }, not ${describeValue(token)}.`;
      throw new LogitMaskError("vocabulary", message);
    }
    const { id, content, special } = token;
    tokens[checkedId(id, content)] = special ? "" : content;
  }
  if (decoder?.decoders && !Array.isArray(decoder.decoders))
    throw new LogitMaskError("vocabulary", "The `decoder.decoders` of the tokenizer is a list of { type }.");
  const decoders = [decoder, ...(decoder?.decoders ?? [])].map((one) => one?.type);
  const fallsBack = model.byte_fallback === true || decoders.includes("ByteFallback");
  const type = decoders.includes("ByteLevel") ? "byte_level" : fallsBack ? "byte_fallback" : undefined;
  if (!type) {
    throw new LogitMaskError(
      "vocabulary",
      "The tokenizer has neither byte-level tokens (ByteLevel) nor a byte fallback.",
    );
  }
  // An id between others that no token has stands for no text.
  const vocabulary: Vocabulary = { tokens: Array.from(tokens, (token, id) => (id in tokens ? token : "")), type };
  checkVocabulary(vocabulary);
  return vocabulary;
}

/**
 * Checks the tokens of a vocabulary. Errors: {@link LogitMaskError} `vocabulary` for a token that is no text, and for more
 * than 1,048,576 tokens.
 *
 * @example checkVocabulary({ tokens: ["a", 1], type: "raw" }); // throws: The token 1 of the vocabulary is 1, not a text.
 */
export function checkVocabulary({ tokens }: Vocabulary): void {
  if (tokens.length > MAX_TOKENS)
    throw new LogitMaskError("vocabulary", `The vocabulary has ${tokens.length} tokens, more than ${MAX_TOKENS}.`);
  const strange = tokens.findIndex((token) => typeof token !== "string");
  if (strange < 0) return;
  const message = `The token ${strange} of the vocabulary is ${describeValue(tokens[strange])}, not a text.`;
  throw new LogitMaskError("vocabulary", message);
}

/** Refuses an id before a list is made that is as long. */
function checkedId(id: number, token?: string): number {
  if (Number.isInteger(id) && id >= 0 && id < MAX_TOKENS) return id;
  const whose = token === undefined ? "a token" : `the token ${JSON.stringify(token)}`;
  const message = `The id of ${whose} is ${describeValue(id)}; it is a whole number from 0 to ${MAX_TOKENS - 1}.`;
  throw new LogitMaskError("vocabulary", message);
}
