import { oncePer } from "../common/once-per.js";
import { reasoningSpansOf } from "../prompt/markers.js";
import type { Protocol } from "../protocol.js";
import { everyProtocol } from "../protocols/index.js";

/**
 * The marker that a model's chat template writes at the end of the prompt, so that a reply begins inside the reasoning:
 * that of the protocol, or the most common one. Made by {@link reasoningOpener}.
 */
export interface ReasoningOpener {
  marker: string;
  /**
   * Whether the reply lacks the marker. Some servers put it back, also another protocol's. `undefined` while the
   * reply is too short to decide, and for one without text.
   */
  isMissingIn(reply: string): boolean | undefined;
}

/** The spans of reasoning that a reply may contain, those of the protocol first. */
const spansFor = /* @__PURE__ */ oncePer((protocol: Protocol) => reasoningSpansOf([protocol, ...everyProtocol]));

/**
 * The opener for replies of models that are prompted in this protocol.
 *
 * Errors: none.
 *
 * @example reasoningOpener(protocols.hermes).isMissingIn("I could"); // true
 */
export const reasoningOpener: (protocol: Protocol) => ReasoningOpener = /* @__PURE__ */ oncePer((protocol) => {
  const [own] = reasoningSpansOf([protocol]);
  const markers = spansFor(protocol).map(({ open }) => open);
  return {
    marker: own?.open ?? "<think>",
    isMissingIn(reply) {
      const text = reply.trimStart();
      if (markers.some((marker) => text.startsWith(marker))) return false;
      return markers.some((marker) => marker.startsWith(text)) ? undefined : true;
    },
  };
});

/**
 * The prefill for the parser of a reply that may begin inside the reasoning: the marker if the reply lacks it, otherwise
 * nothing. Undefined while the reply, unless it is `isWhole`, is too short to decide.
 *
 * Errors: none.
 *
 * @example openedPrefill(reasoningOpener(protocols.hermes), "Hm.", false); // "<think>"
 */
export function openedPrefill(opener: ReasoningOpener, reply: string, isWhole: boolean): string | undefined {
  const isMissing = opener.isMissingIn(reply);
  if (isMissing === undefined && !isWhole) return undefined;
  return isMissing ? opener.marker : "";
}

const closers = /* @__PURE__ */ reasoningSpansOf(everyProtocol).map(({ close }) => close);

/**
 * Whether a reply has a marker that ends reasoning.
 *
 * Errors: none.
 *
 * @example endsReasoning("Is it 5?</think>It is 6."); // true
 */
export const endsReasoning = (reply: string): boolean => closers.some((close) => reply.includes(close));

/**
 * The same for replies that may be JSON as a whole, because the server constrains them or the model answers at once.
 *
 * Errors: none.
 *
 * @example orJson(reasoningOpener(protocols.hermes)).isMissingIn('{"city": "Oslo"}'); // false
 */
export const orJson = ({ marker, isMissingIn }: ReasoningOpener): ReasoningOpener => ({
  marker,
  isMissingIn: (reply) => !/^\s*[{[]/.test(reply) && isMissingIn(reply),
});
