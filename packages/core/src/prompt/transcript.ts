import type { ChatMessage } from "../types.js";

/** A conversation as one text for the model. */
export interface Transcript {
  /** Instructions for reading the text, part of the system message. They must not change from turn to turn. */
  rules: string;
  /** The text of the user's one message. */
  content: string;
}

/** The context of a {@link TranscriptRenderer}. */
export interface TranscriptContext {
  /**
   * Breaks the markers of protocols and chat templates. Apply it to all text of users, tools and models, but not to the
   * renderer's own text around it.
   */
  escape(text: string): string;
}

/**
 * Renders the conversation after the first system messages as one text. Text of users, tools and models must go through
 * `escape`, and must not be able to end the element that contains it. Example: `pmlTranscript` of `@toolingua/pml`.
 *
 * @example
 * const transcript = (messages, { escape }) => ({ rules: "Answer the last line.", content: escape(messages.map(lineOf).join("\n")) });
 */
export type TranscriptRenderer = (messages: readonly ChatMessage[], context: TranscriptContext) => Transcript;
