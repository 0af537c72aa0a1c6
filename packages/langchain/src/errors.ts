import { ToolinguaError } from "@toolingua/core";

/**
 * A tool, or a choice of tools, that cannot be given to the model. Thrown by `bindTools`, before anything is sent.
 * Codes: `built-in-tool`, `bad-tool-name` (the protocol cannot write it), `unknown-tool-choice`; `no-tools` for format
 * instructions without tools. A tool that is wrong by itself is a `ToolDefinitionError`, as everywhere.
 *
 * @example
 * try { model.bindTools(tools); }
 * catch (error) { if (error instanceof ToolBindingError && error.code === "built-in-tool")
 * console.error(error.message); }
 */
export class ToolBindingError extends ToolinguaError {
  static override readonly name: string = "ToolBindingError";
}

/**
 * A message that cannot be written as text. Codes: `unsupported-content` (an image, audio, a file),
 * `unsupported-message`.
 *
 * @example
 * try { await model.invoke(messages); }
 * catch (error) { if (error instanceof MessageError && error.code === "unsupported-content")
 * console.error(error.message); }
 */
export class MessageError extends ToolinguaError {
  static override readonly name: string = "MessageError";
}

/**
 * The wrapped runnable is not a language model (`not-a-model`; sometimes only a call reveals it), does not support
 * constraints (`no-constraint`), or already has tools bound to it (`tools-bound`).
 *
 * @example
 * try { withToolCalling(model, { constraint: "required" }); }
 * catch (error) { if (error instanceof ModelError && error.code === "no-constraint") console.error(error.message); }
 */
export class ModelError extends ToolinguaError {
  static override readonly name: string = "ModelError";
}
