import type { ProtocolName } from "@toolingua/core";

/** A reply with calls: the requested format, and the actual one. */
export interface WrittenReply {
  asked: ProtocolName;
  wrote: ProtocolName;
}

/** A format that a model wrote when another was requested. */
export interface UnaskedFormat {
  protocol: ProtocolName;
  /** The number of replies in this format, */
  replies: number;
  /** of the replies with calls for which another format was requested. */
  of: number;
}

/** Fewer replies than this do not show a habit. */
const HABIT = 5;

/**
 * The formats that a model wrote when others were requested, the most frequent first.
 *
 * @example unaskedFormats([{ asked: "xml", wrote: "hermes" }]); // [{ protocol: "hermes", replies: 1, of: 1 }]
 */
export function unaskedFormats(written: readonly WrittenReply[]): UnaskedFormat[] {
  const unasked = written.filter(({ asked, wrote }) => asked !== wrote);
  return [...new Set(unasked.map(({ wrote }) => wrote))]
    .map((protocol) => ({
      protocol,
      replies: unasked.filter(({ wrote }) => wrote === protocol).length,
      of: written.filter(({ asked }) => asked !== protocol).length,
    }))
    .sort((one, other) => other.replies - one.replies);
}

/** The format that a model writes whatever is requested: that of most calls for which others were requested. */
export function spokenFormat(written: readonly WrittenReply[]): ProtocolName | undefined {
  const [most] = unaskedFormats(written);
  return most && most.replies >= HABIT && most.replies * 2 > most.of ? most.protocol : undefined;
}
