export { collectReply, parseReply } from "./parse-reply.js";
export { createReplyParser, MADE_UP_RESULT } from "./parser.js";
export type { ReplyParser, ReplyParserOptions } from "./reply-parser.js";
