/**
 * Base of every error this library throws: a class and a `code` to act on, a message for people.
 *
 * @example
 * try { getProtocol("xlm" as never); }
 * catch (error) { if (error instanceof ToolinguaError && error.code === "unknown-protocol") console.error(error.message); }
 */
export class ToolinguaError extends Error {
  /** Which of the class's errors it is: the class's docs list them. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/**
 * A value that a wire format cannot hold, so that rendering it would change it.
 * Codes: `unwritable-name`, `unwritable-key`, `unwritable-value`.
 */
export class RenderError extends ToolinguaError {}

/** A conversation with a message that cannot be shown. Code: `bad-message`. */
export class ConversationError extends ToolinguaError {}

/** A protocol that does not exist (`unknown-protocol`) or is declared wrongly (`bad-syntax`). */
export class ProtocolError extends ToolinguaError {}
