import type { ProtocolName } from "../protocols/index.js";
import type { ReplyParserOptions as Options } from "../reply/index.js";

/** How a reply is to be read. */
export interface ReplyParserOptions extends Omit<Options<ProtocolName>, "registry"> {}
