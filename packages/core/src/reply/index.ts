export { collectReply, parseReply } from "./parse-reply.js";
export { createReplyParser, type ReplyParser, type ReplyParserOptions } from "./parser.js";
