import { ToolinguaError } from "@toolingua/core";

/**
 * What goes wrong in masking. Codes: `vocabulary` (the tokenizer is of a kind that is not known), `grammar` (xgrammar
 * cannot hold it), `refused` (a token came that the mask had left out), `disposed`, `engine` (xgrammar did not start),
 * `batch` (there are more or fewer replies than the processor was made for), `reused` (it has held a reply before).
 *
 * @example
 * try { await masks.compile(grammar); }
 * catch (error) { if (error instanceof LogitMaskError && error.code === "grammar") console.error(error.message); }
 */
export class LogitMaskError extends ToolinguaError {}
