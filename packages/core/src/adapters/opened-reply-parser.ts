import { createReplyParser, type ReplyParserOptions } from "../full/index.js";
import type { Protocol } from "../protocol.js";
import type { OpenedReplyOptions } from "../turn/opened-reply.js";
import { openedPrefill, reasoningOpener } from "../turn/reasoning-opener.js";
import { unescapedEvents } from "../turn/unescape-events.js";
import type { FinishReason, ReplyEvent, ReplyParser } from "../types.js";

/**
 * Reads a reply in pieces as `parseOpenedReply` does: the first characters are buffered while they may be the opening marker.
 */
export class OpenedReplyParser implements ReplyParser {
  readonly #how: Omit<ReplyParserOptions, "protocol"> & { protocol: Protocol };
  #parser: ReplyParser | undefined;
  #buffered = "";
  /** Whether the buffered text is white space, which decides nothing. */
  #isBlank = true;

  readonly #shown: (event: ReplyEvent) => ReplyEvent;

  /**
   * `isEscaped`: the model was shown escaped text, and may repeat it, so that the escaping is undone. Errors: those of
   * `createReplyParser`.
   */
  constructor({ startWithReasoning, isEscaped, ...how }: OpenedReplyOptions & { isEscaped?: boolean }) {
    this.#how = how;
    this.#shown = isEscaped ? unescapedEvents() : (event) => event;
    if (!startWithReasoning) this.#parser = createReplyParser(how);
  }

  /** The server separates the reasoning: a reply that has not begun has none. */
  separated(): void {
    this.#parser ??= createReplyParser(this.#how);
  }

  push(chunk: string): ReplyEvent[] {
    return this.#read(chunk, false);
  }

  end(how?: { finish?: FinishReason | undefined }): ReplyEvent[] {
    return [...this.#read("", true), ...(this.#parser?.end(how) ?? []).map(this.#shown)];
  }

  #read(chunk: string, isWhole: boolean): ReplyEvent[] {
    const text = this.#buffered + chunk;
    this.#isBlank &&= chunk.trim() === "";
    if (!this.#parser && (isWhole || !this.#isBlank)) {
      const prefill = openedPrefill(reasoningOpener(this.#how.protocol), text, isWhole);
      if (prefill !== undefined) this.#parser = createReplyParser({ ...this.#how, prefill });
    }
    this.#buffered = this.#parser ? "" : text;
    return this.#parser && text !== "" ? this.#parser.push(text).map(this.#shown) : [];
  }
}
