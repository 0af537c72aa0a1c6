import { ToolinguaError } from "@toolingua/core";

/**
 * What goes wrong in masking. Codes: `vocabulary` (the tokenizer is of a kind that is not known), `grammar` (xgrammar
 * cannot hold it), `refused` (a token came that the mask had left out), `disposed`, `engine` (xgrammar broke off),
 * `batch` (there are more or fewer replies than the processor was made for).
 */
export class LogitMaskError extends ToolinguaError {}
