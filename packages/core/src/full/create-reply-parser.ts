import { createReplyParser as create } from "../reply/create-reply-parser.js";
import type { ReplyParser } from "../reply/reply-parser.js";
import { type ReplyParserOptions, withAllProtocols } from "./reply-parser-options.js";

/** A parser that knows every registered protocol. */
export const createReplyParser = (options: ReplyParserOptions = {}): ReplyParser => create(withAllProtocols(options));
