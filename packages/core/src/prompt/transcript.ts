import type { ChatMessage } from "../types.js";

/** What was said, as one text for the model. */
export interface Transcript {
  /** How the model is to read it. Stands in the system message, and does not change from turn to turn. */
  rules: string;
  /** The text of the user's one message. */
  content: string;
}

/** What a {@link TranscriptRenderer} is given besides the messages. */
export interface TranscriptContext {
  /**
   * Breaks the markers of protocols and chat templates. Everything that users, tools and models said goes through it; what the renderer itself writes
   * around it does not.
   */
  escape(text: string): string;
}

/**
 * Writes what was said after the first system messages as one text, in place of messages in turn. Text that it did not
 * write itself must go through `escape`, and must not be able to end what it stands in. `pmlTranscript` of `@toolingua/pml` makes one.
 *
 * @example const transcript = (messages, { escape }) => ({ rules: "Answer the last line.", content: escape(messages.map(lineOf).join("\n")) });
 */
export type TranscriptRenderer = (messages: readonly ChatMessage[], context: TranscriptContext) => Transcript;
