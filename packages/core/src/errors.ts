import { CLASS_NAMES, classNames, inEitherCopy } from "./common/two-copies.js";

/**
 * The base of all errors that this library throws: a class and a `code` for programs, a message for people.
 *
 * @example
 * try { getProtocol("xlm" as never); }
 * catch (error) { if (error instanceof ToolinguaError && error.code === "unknown-protocol")
 * console.error(error.message); }
 */
export class ToolinguaError extends Error {
  static override readonly name: string = "ToolinguaError";

  /** The error within its class; the documentation of each class lists its codes. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }

  get [CLASS_NAMES](): string[] {
    return classNames(this, ToolinguaError);
  }

  /** `instanceof` also accepts errors of the same package's other copy (CommonJS and ES module). */
  static override readonly [Symbol.hasInstance] = inEitherCopy(() => ToolinguaError);
}

/**
 * An unknown option, or an option with an invalid value (`bad-option`).
 *
 * @example
 * try { withToolCalling(model, { maxToolRounds: 0 }); }
 * catch (error) { if (error instanceof OptionsError) console.error(error.message); }
 */
export class OptionsError extends ToolinguaError {
  static override readonly name: string = "OptionsError";
}

/**
 * A value that a wire format cannot represent, so that rendering would change it.
 * Codes: `unwritable-name`, `unwritable-key`, `unwritable-value`.
 *
 * @example
 * try { protocol.renderCalls(calls, { tools }); }
 * catch (error) { if (error instanceof RenderError && error.code === "unwritable-value") console.error(error.message);
 * }
 */
export class RenderError extends ToolinguaError {
  static override readonly name: string = "RenderError";
}

/**
 * A conversation with a message that cannot be rendered. Code: `bad-message`.
 *
 * @example
 * try { renderPrompt({ messages: JSON.parse(stored) }); }
 * catch (error) { if (error instanceof ConversationError && error.code === "bad-message") console.error(error.message);
 * }
 */
export class ConversationError extends ToolinguaError {
  static override readonly name: string = "ConversationError";
}

/**
 * A protocol that does not exist (`unknown-protocol`), has an invalid declaration (`bad-declaration`), or has a body of an
 * unknown kind (`unknown-body`).
 *
 * @example
 * try { getProtocol("xlm" as never); }
 * catch (error) { if (error instanceof ProtocolError && error.code === "unknown-protocol")
 * console.error(error.message); }
 */
export class ProtocolError extends ToolinguaError {
  static override readonly name: string = "ProtocolError";
}
