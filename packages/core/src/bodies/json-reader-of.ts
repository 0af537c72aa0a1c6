import type { ValueSink } from "../reply/arguments/value-sink.js";
import { JsonReader } from "../reply/bodies/json-reader.js";
import { type BodyPlace, closesAt, rejecting } from "../reply/body-kind.js";
import { afterBody } from "../reply/opening/token-fit.js";

/** The JSON reader of a body. `siblings`: keys next to the arguments belong to the call. */
export const jsonReaderOf = (sink: ValueSink, place: BodyPlace, siblings: boolean, quote?: string): JsonReader =>
  new JsonReader(sink, {
    repaired: place.repaired,
    rejected: rejecting(place.host),
    closes: closesOf(place),
    isObject: true,
    siblings,
    quote,
    around: place.around,
  });

/** The test for the end of a body whose brackets are incomplete; undefined for calls without a closing marker. */
export function closesOf({ node }: BodyPlace): ReturnType<typeof closesAt> | undefined {
  const { markers } = afterBody(node);
  return markers.length > 0 ? closesAt(markers) : undefined;
}
