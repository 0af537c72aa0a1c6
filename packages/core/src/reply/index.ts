export { collectReply, parseReply } from "./parse-reply.js";
export { createReplyParser } from "./parser.js";
export type { ReplyParser, ReplyParserOptions } from "./reply-parser.js";
export { MADE_UP_RESULT } from "./span-reader.js";
