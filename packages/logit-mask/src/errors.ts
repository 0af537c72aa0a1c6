import { ToolinguaError } from "@toolingua/core";

/**
 * An error of masking. Codes: `vocabulary` (the tokenizer is of an unknown kind), `grammar` (xgrammar cannot enforce
 * it), `refused` (a token came that the mask had excluded), `disposed`, `engine` (xgrammar did not start), `batch` (the
 * number of replies differs from the processor's), `reused` (the processor was already used for a reply).
 *
 * @example
 * try { await masks.compile(grammar); }
 * catch (error) { if (error instanceof LogitMaskError && error.code === "grammar") console.error(error.message); }
 */
export class LogitMaskError extends ToolinguaError {}
