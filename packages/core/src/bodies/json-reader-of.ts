import type { ValueSink } from "../reply/arguments/value-sink.js";
import { JsonReader } from "../reply/bodies/json-reader.js";
import { type BodyPlace, closesAt, rejecting } from "../reply/body-kind.js";
import { afterBody } from "../reply/opening/token-fit.js";

/** What reads JSON in the place of a body. `siblings`: keys beside the arguments' are the call's. */
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

/** What says where a body in brackets ends before they do; without a marker nothing does. */
export function closesOf({ node }: BodyPlace): ReturnType<typeof closesAt> | undefined {
  const { markers } = afterBody(node);
  return markers.length > 0 ? closesAt(markers) : undefined;
}
