import { type ProtocolName, protocols } from "../protocols/index.js";
import type { ReplyParserOptions as Options, ReplySources } from "../reply/reply-parser.js";
import { untrustedTexts } from "../reply/untrusted/untrusted-texts.js";

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

/** The sources of a parser that knows every registered protocol. */
export const sourcesOf = ({ untrusted }: ReplyParserOptions): ReplySources => ({
  registry: protocols,
  untrusted: untrustedTexts(untrusted),
});
