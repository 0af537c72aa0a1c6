import type { ProtocolName } from "@toolingua/core";

/** A reply with calls: the format that was asked for, and the one that they are in. */
export interface WrittenReply {
  asked: ProtocolName;
  wrote: ProtocolName;
}

/** A format that a model wrote though another was asked for. */
export interface UnaskedFormat {
  protocol: ProtocolName;
  /** In so many replies, */
  replies: number;
  /** of so many with calls that asked for another. */
  of: number;
}

/** Fewer replies than this show no habit. */
const HABIT = 5;

/**
 * The formats that a model wrote though others were asked for, the most frequent first.
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

/** The format that a model writes whatever it is asked for: most of the calls that were asked for in others are in it. */
export function spokenFormat(written: readonly WrittenReply[]): ProtocolName | undefined {
  const [most] = unaskedFormats(written);
  return most && most.replies >= HABIT && most.replies * 2 > most.of ? most.protocol : undefined;
}
