import { parserOf } from "../reply/create-reply-parser.js";
import type { ReplyParser } from "../reply/reply-parser.js";
import { type ReplyParserOptions, sourcesOf } from "./reply-parser-options.js";

/** A parser that knows every registered protocol. */
export const createReplyParser = (options: ReplyParserOptions = {}): ReplyParser =>
  parserOf(options, options.deltas ?? true, sourcesOf(options));
