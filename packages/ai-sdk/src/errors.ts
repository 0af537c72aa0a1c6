import { ToolinguaError } from "@toolingua/core";

/**
 * The wrapped object is not a language model of `ai` 6 or 7 (`not-a-model`), or no backend is known that enforces a
 * constraint for it (`no-constraint`).
 *
 * @example
 * try { withToolCalling(model, { constraint: "required" }); }
 * catch (error) { if (error instanceof ModelError && error.code === "no-constraint") console.error(error.message); }
 */
export class ModelError extends ToolinguaError {
  static override readonly name: string = "ModelError";
}

/**
 * A tool, or a choice of tools, that cannot be given to the model or converted. Codes: `bad-tool-name` (the protocol cannot
 * write it), `unknown-tool-choice`, `built-in-tool`. A tool that is wrong by itself is a `ToolDefinitionError`, as everywhere.
 *
 * @example
 * try { await generateText({ model, tools, prompt }); }
 * catch (error) { if (error instanceof ToolBindingError && error.code === "bad-tool-name")
 * console.error(error.message); }
 */
export class ToolBindingError extends ToolinguaError {
  static override readonly name: string = "ToolBindingError";
}

/**
 * A message of an unknown or unsupported kind. Code `unsupported-message`.
 *
 * @example
 * try { await generateText({ model, messages }); }
 * catch (error) { if (error instanceof MessageError) console.error(error.message); }
 */
export class MessageError extends ToolinguaError {
  static override readonly name: string = "MessageError";
}
