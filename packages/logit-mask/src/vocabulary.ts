import { LogitMaskError } from "./errors.js";

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
 * Errors: {@link LogitMaskError} `vocabulary`.
 *
 * @example readVocabulary(JSON.parse(await readFile("tokenizer.json", "utf8")));
 */
export function readVocabulary(tokenizer: TokenizerJson): Vocabulary {
  const { model, added_tokens = [], decoder } = tokenizer;
  const tokens: string[] = [];
  const { vocab } = model ?? {};
  if (Array.isArray(vocab)) for (const [id, [token]] of vocab.entries()) tokens[id] = token;
  else if (vocab) for (const [token, id] of Object.entries(vocab)) tokens[id] = token;
  if (tokens.length === 0) throw new LogitMaskError("vocabulary", "The tokenizer has no `model.vocab`.");
  for (const { id, content, special } of added_tokens) tokens[id] = special ? "" : content;
  const decoders = [decoder, ...(decoder?.decoders ?? [])].map((one) => one?.type);
  const fallsBack = model.byte_fallback === true || decoders.includes("ByteFallback");
  const type = decoders.includes("ByteLevel") ? "byte_level" : fallsBack ? "byte_fallback" : undefined;
  if (!type) {
    throw new LogitMaskError(
      "vocabulary",
      "The tokenizer has neither byte-level tokens (ByteLevel) nor a byte fallback.",
    );
  }
  return { tokens: Array.from(tokens, (token) => token ?? ""), type };
}
