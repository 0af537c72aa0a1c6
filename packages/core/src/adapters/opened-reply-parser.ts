import { createReplyParser, parseReply, type ReplyParserOptions } from "../full/index.js";
import type { Protocol } from "../protocol.js";
import { reasoningOpener } from "../turn/reasoning-opener.js";
import type { FinishReason, ParsedReply, ReplyEvent, ReplyParser } from "../types.js";

/** The options of a parser whose replies may begin inside the reasoning. */
export interface OpenedReplyOptions extends Omit<ReplyParserOptions, "prefill" | "protocol"> {
  protocol: Protocol;
  startWithReasoning?: boolean | undefined;
}

/**
 * Reads a whole reply as `startWithReasoning` says. `reasoning`: what the server separated; if there is any, the text has none.
 *
 * Errors: those of `parseReply`.
 *
 * @example parseOpenedReply("Hm.</think>Hi", "", { protocol: protocols.hermes, startWithReasoning: true }).text; // "Hi"
 */
export function parseOpenedReply(
  text: string,
  reasoning: string,
  { startWithReasoning, ...how }: OpenedReplyOptions & { finish?: FinishReason | undefined },
): ParsedReply {
  return parseReply(text, {
    ...how,
    prefill: startWithReasoning && reasoning === "" ? prefillOf(text, how) : undefined,
  });
}

const prefillOf = (text: string, { protocol }: Pick<OpenedReplyOptions, "protocol">) => {
  const opener = reasoningOpener(protocol);
  return opener.isMissingIn(text) ? opener.marker : undefined;
};

/** The same for a reply in pieces: the first characters are buffered while they may be the opening marker. */
export class OpenedReplyParser implements ReplyParser {
  readonly #how: Omit<ReplyParserOptions, "protocol"> & { protocol: Protocol };
  #parser: ReplyParser | undefined;
  #buffered = "";

  /** Errors: those of `createReplyParser`. */
  constructor({ startWithReasoning, ...how }: OpenedReplyOptions) {
    this.#how = how;
    if (!startWithReasoning) this.#parser = createReplyParser(how);
  }

  /** The server separates the reasoning: a reply that has not begun has none. */
  separated(): void {
    this.#parser ??= createReplyParser(this.#how);
  }

  push(chunk: string): ReplyEvent[] {
    if (this.#parser && this.#buffered === "") return this.#parser.push(chunk);
    this.#buffered += chunk;
    if (!this.#parser && reasoningOpener(this.#how.protocol).isMissingIn(this.#buffered) === undefined) return [];
    return this.#begin();
  }

  end(how?: { finish?: FinishReason | undefined }): ReplyEvent[] {
    return [...this.#begin(), ...(this.#parser?.end(how) ?? [])];
  }

  #begin(): ReplyEvent[] {
    const text = this.#buffered;
    this.#buffered = "";
    this.#parser ??= createReplyParser({ ...this.#how, prefill: prefillOf(text, this.#how) });
    return text === "" ? [] : this.#parser.push(text);
  }
}
