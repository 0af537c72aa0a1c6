import { readWhole } from "../reply/parse-reply.js";
import type { FinishReason, ParsedReply } from "../types.js";
import { type ReplyParserOptions, sourcesOf } from "./reply-parser-options.js";

/** Reads a whole reply with a parser that knows every registered protocol. */
export const parseReply = (
  text: string,
  options: ReplyParserOptions & { finish?: FinishReason | undefined } = {},
): ParsedReply => readWhole(text, options, sourcesOf(options));
