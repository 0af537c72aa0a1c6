import { parseReply, type ReplyParserOptions } from "../full/index.js";
import type { Protocol } from "../protocol.js";
import type { FinishReason, ParsedReply } from "../types.js";
import { openedPrefill, reasoningOpener } from "./reasoning-opener.js";

/** The options of a parser whose replies may begin inside the reasoning. */
export interface OpenedReplyOptions extends Omit<ReplyParserOptions, "prefill" | "protocol"> {
  protocol: Protocol;
  startWithReasoning?: boolean | undefined;
}

/**
 * Reads a whole reply as `startWithReasoning` says. `reasoning`: what the server separated; if there is any, the text has none.
 *
 * Errors: those of `parseReply`.
 *
 * @example parseOpenedReply("Hm.</think>Hi", "", { protocol: protocols.hermes, startWithReasoning: true }).text; // "Hi"
 */
export function parseOpenedReply(
  text: string,
  reasoning: string,
  { startWithReasoning, ...how }: OpenedReplyOptions & { finish?: FinishReason | undefined },
): ParsedReply {
  const isOpened = startWithReasoning && reasoning === "";
  const prefill = isOpened ? openedPrefill(reasoningOpener(how.protocol), text, true) : undefined;
  return parseReply(text, { ...how, prefill });
}
