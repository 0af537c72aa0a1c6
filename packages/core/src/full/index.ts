import { everyBody } from "../bodies/index.js";
import { defineProtocol as define } from "../define-protocol.js";
import type { Protocol, ProtocolDeclaration } from "../protocol.js";
import { type ProtocolName, protocols } from "../protocols/index.js";
import { parserOf } from "../reply/create-reply-parser.js";
import { readWhole } from "../reply/parse-reply.js";
import type { ReplyParserOptions as Options, ReplySettings } from "../reply/reply-parser-options.js";
import { untrustedTexts } from "../reply/untrusted/untrusted-texts.js";
import type { FinishReason, ParsedReply, ReplyParser } from "../types.js";

// The reply parser with every protocol, every kind of body and the search for copies.

/** Options for reading a reply. */
export interface ReplyParserOptions extends Omit<Options<ProtocolName>, "registry" | "untrusted"> {
  /**
   * Texts of this conversation that neither the application nor the model wrote, before escaping: user messages, tool
   * results, documents, in order. A call whose source occurs in them, ignoring white space and escapes, also across two
   * consecutive texts, is a copy and not a call: it becomes `text` with the reason `copied-call`. Default: none.
   * `generateWithTools` sets them itself.
   */
  untrusted?: readonly string[] | undefined;
}

/** The settings of a parser that knows every registered protocol. */
const settingsOf = ({ untrusted, deltas, sources }: ReplyParserOptions): ReplySettings => ({
  registry: protocols,
  untrusted: untrustedTexts(untrusted),
  deltas,
  sources,
});

/** A parser that knows every registered protocol. */
export const createReplyParser = (options: ReplyParserOptions = {}): ReplyParser =>
  parserOf(options, settingsOf(options));

/** Reads a whole reply with a parser that knows every registered protocol. */
export const parseReply = (
  text: string,
  options: ReplyParserOptions & { finish?: FinishReason | undefined } = {},
): ParsedReply => readWhole(text, options, settingsOf(options));

/**
 * Creates a protocol from its declaration: rendering, parsing and grammars all follow from `syntax`.
 *
 * Errors: {@link ProtocolError} with code `bad-declaration` for a part that is missing or of another type.
 *
 * @example
 * const brackets = defineProtocol({
 *   name: "brackets",
 *   about: { models: "any", source: "own" },
 *   syntax: { parallel: true, call: ["[CALL]", { slot: "name" }, "[ARGS]", { body: "json" }, "[END]"] },
 *   renderTools: (tools) => JSON.stringify(tools),
 *   renderResults: (results) => results.map((result) => `[RESULT]${result.content}[/RESULT]`).join("\n"),
 * });
 */
export const defineProtocol = (declaration: ProtocolDeclaration): Protocol =>
  define({ ...declaration, bodies: everyBody });
