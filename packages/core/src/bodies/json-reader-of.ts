import type { ValueSink } from "../reply/arguments/value-sink.js";
import { JsonReader } from "../reply/bodies/json-reader.js";
import type { ReadingPlace } from "../reply/body-kind.js";

/** What reads JSON in the place of a body. `siblings`: keys beside the arguments' are the call's. */
export const jsonReaderOf = (
  sink: ValueSink,
  { repaired, rejected, closes, after, around }: ReadingPlace,
  { siblings = false, quote }: { siblings?: boolean; quote?: string | undefined } = {},
): JsonReader =>
  new JsonReader(sink, {
    repaired,
    rejected,
    closes: endsWith(after, closes),
    isObject: true,
    siblings,
    quote,
    around,
  });

/** Without a marker nothing ends a body but itself. */
export const endsWith = <Closes>({ markers }: ReadingPlace["after"], closes: Closes): Closes | undefined =>
  markers.length > 0 ? closes : undefined;
