import { ToolinguaError } from "@toolingua/core";

/**
 * The wrapped object is not an LLM of LlamaIndex (`not-a-model`).
 *
 * @example
 * try { withToolCalling(llm); }
 * catch (error) { if (error instanceof ModelError && error.code === "not-a-model") console.error(error.message); }
 */
export class ModelError extends ToolinguaError {
  static override readonly name: string = "ModelError";
}

/**
 * A tool, or a choice of tools, that cannot be given to the model. Codes `bad-tool-name`, `unknown-tool-choice`.
 *
 * @example
 * try { await llm.chat({ messages, tools }); }
 * catch (error) { if (error instanceof ToolBindingError && error.code === "bad-tool-name")
 * console.error(error.message); }
 */
export class ToolBindingError extends ToolinguaError {
  static override readonly name: string = "ToolBindingError";
}

/**
 * A result of `exec` or `streamExec` that is not available yet. Code `stream-unread`: the messages of an answer are known when
 * its stream has been read to its end.
 *
 * @example
 * try { messages.push(...newMessages()); }
 * catch (error) { if (error instanceof ExecError && error.code === "stream-unread") console.error(error.message); }
 */
export class ExecError extends ToolinguaError {
  static override readonly name: string = "ExecError";
}
