// The reply parser with every protocol and every kind of body.
export { createReplyParser } from "./create-reply-parser.js";
export { defineProtocol } from "./define-protocol.js";
export { parseReply } from "./parse-reply.js";
export type { ReplyParserOptions } from "./reply-parser-options.js";
