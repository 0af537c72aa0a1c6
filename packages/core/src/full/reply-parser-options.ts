import type { ProtocolName } from "../protocols/index.js";
import type { ReplyParserOptions as Options } from "../reply/reply-parser.js";

/** Options for reading a reply. */
export interface ReplyParserOptions extends Omit<Options<ProtocolName>, "registry"> {}
