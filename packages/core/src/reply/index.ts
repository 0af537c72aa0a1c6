export { createReplyParser } from "./create-reply-parser.js";
export { collectReply, parseReply } from "./parse-reply.js";
export type { ReplyParser, ReplyParserOptions } from "./reply-parser.js";
export { MADE_UP_RESULT } from "./span-reader.js";
