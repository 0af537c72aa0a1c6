import { ToolinguaError } from "@toolingua/core";

/**
 * A tool, or a choice of tools, that cannot be given to the model. Thrown by `bindTools`, before anything is sent.
 * Codes: `built-in-tool`, `unknown-tool-shape`, `bad-tool-name`, `bad-tool-schema`, `duplicate-name`,
 * `unknown-tool-choice`; `no-tools` for format instructions of none.
 *
 * @example
 * try { model.bindTools(tools); }
 * catch (error) { if (error instanceof ToolBindingError && error.code === "built-in-tool") console.error(error.message); }
 */
export class ToolBindingError extends ToolinguaError {}

/**
 * A message that has no form as text. Codes: `unsupported-content` (an image, a sound, a file), `unsupported-message`.
 *
 * @example
 * try { await model.invoke(messages); }
 * catch (error) { if (error instanceof MessageError && error.code === "unsupported-content") console.error(error.message); }
 */
export class MessageError extends ToolinguaError {}

/**
 * A runnable that is no language model was wrapped (`not-a-model`; of some, only a call shows it), or one that takes no
 * constraint (`no-constraint`) or has tools of its own bound to it (`tools-bound`).
 *
 * @example
 * try { withToolCalling(model, { constraint: "required" }); }
 * catch (error) { if (error instanceof ModelError && error.code === "no-constraint") console.error(error.message); }
 */
export class ModelError extends ToolinguaError {}
