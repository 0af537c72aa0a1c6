export { collectReply, parseReply } from "./parse-reply.js";
export { createReplyParser, MADE_UP_RESULT, type ReplyParser, type ReplyParserOptions } from "./parser.js";
