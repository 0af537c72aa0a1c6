import { spaceEnd } from "../notation/input.js";
import type { JsonReaderOptions } from "../notation/json/json-options.js";
import { JsonReader } from "../notation/json/json-reader.js";
import type { Lookahead } from "../notation/lookahead.js";
import type { ValueSink } from "../notation/value-sink.js";
import { type AfterBody, afterBody, closesList } from "../reply/forms/match-token.js";
import { type BodyPlace, rejecting } from "../reply/readers/body-kind.js";
import type { RoutingSink } from "../reply/readers/routing-sink.js";

/** The JSON reader of a body. */
export const jsonReaderOf = (
  sink: ValueSink,
  place: BodyPlace,
  { keys, quote, siblings }: Pick<JsonReaderOptions, "keys" | "quote" | "siblings">,
): JsonReader =>
  new JsonReader(sink, {
    keys,
    quote,
    siblings,
    isListItem: closesList(place.node.block?.close ?? []),
    repaired: place.repaired,
    rejected: rejecting(place.host),
    closes: closesOf(place),
    nextOpener: place.node.nextOpener,
    isObject: true,
    mayBeEscaped: quote === undefined && !place.host.mayBeQuoted,
    around: place.around,
  });

/** The JSON reader of a body that contains the names of its calls. */
export const callReaderOf = (router: RoutingSink, place: BodyPlace): JsonReader =>
  jsonReaderOf(router, place, { keys: router, siblings: true });

/** Whether a list of calls begins at an index; a word in brackets is a marker of another format. */
export const listStarts = (look: Lookahead, at: number): boolean =>
  look.text.charAt(at) === "[" && !/\p{L}/u.test(look.charAt(spaceEnd(look.text, at + 1)));

/** The test for the end of a body whose brackets are incomplete; undefined for calls without a closing marker. */
export function closesOf({ node }: BodyPlace): AfterBody["closes"] | undefined {
  const { markers, closes } = afterBody(node);
  return markers.length > 0 ? closes : undefined;
}
