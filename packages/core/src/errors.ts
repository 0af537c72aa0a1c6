import { CLASS_NAMES, classNames, inEitherCopy } from "./two-copies.js";

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

  get [CLASS_NAMES](): string[] {
    return classNames(this, ToolinguaError);
  }

  /** An error of the same package loaded as CommonJS beside the ES module, or the other way round, is one of its class. */
  static override readonly [Symbol.hasInstance] = inEitherCopy(() => ToolinguaError);
}

/**
 * A value that a wire format cannot hold, so that rendering it would change it.
 * Codes: `unwritable-name`, `unwritable-key`, `unwritable-value`.
 *
 * @example
 * try { protocol.renderCalls(calls, { tools }); }
 * catch (error) { if (error instanceof RenderError && error.code === "unwritable-value") console.error(error.message); }
 */
export class RenderError extends ToolinguaError {}

/**
 * A conversation with a message that cannot be shown. Code: `bad-message`.
 *
 * @example
 * try { renderPrompt({ messages: JSON.parse(stored) }); }
 * catch (error) { if (error instanceof ConversationError && error.code === "bad-message") console.error(error.message); }
 */
export class ConversationError extends ToolinguaError {}

/**
 * A protocol that does not exist (`unknown-protocol`), is declared wrongly (`bad-syntax`), or has a body that nothing reads
 * (`unknown-body`).
 *
 * @example
 * try { getProtocol("xlm" as never); }
 * catch (error) { if (error instanceof ProtocolError && error.code === "unknown-protocol") console.error(error.message); }
 */
export class ProtocolError extends ToolinguaError {}
