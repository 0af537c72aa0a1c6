import { parseReply as parse } from "../reply/parse-reply.js";
import type { FinishReason, ParsedReply } from "../types.js";
import { type ReplyParserOptions, withAllProtocols } from "./reply-parser-options.js";

/** Reads a whole reply with a parser that knows every registered protocol. */
export const parseReply = (
  text: string,
  options: ReplyParserOptions & { finish?: FinishReason | undefined } = {},
): ParsedReply => parse(text, withAllProtocols(options));
