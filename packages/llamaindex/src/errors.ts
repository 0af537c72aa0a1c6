import { ToolinguaError } from "@toolingua/core";

/** What was wrapped is no LLM of LlamaIndex (`not-a-model`). */
export class ModelError extends ToolinguaError {}

/** A tool, or a choice of tools, that cannot be given to the model. Codes `bad-tool-name`, `unknown-tool-choice`. */
export class ToolBindingError extends ToolinguaError {}
