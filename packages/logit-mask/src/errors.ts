import { ToolinguaError } from "@toolingua/core";

/**
 * An error of masking. Codes: `vocabulary` (the tokenizer is of an unknown kind, or lacks the end token), `grammar` (what is
 * no text, a rule is missing, begins with itself or admits no character, or counts are too large), `refused` (a token came
 * that the mask had excluded), `batch` (the number of replies differs from the processor's), `logits` (they are of another
 * type, or fewer than the vocabulary needs), `reused` (the processor was already used for a reply).
 *
 * @example
 * try { masks.compile(grammar); }
 * catch (error) { if (error instanceof LogitMaskError && error.code === "grammar") console.error(error.message); }
 */
export class LogitMaskError extends ToolinguaError {
  static override readonly name: string = "LogitMaskError";
}
