import { renderJson } from "../render-json.js";
import { KeyedCallSink } from "../reply/bodies/keyed-call-sink.js";
import type { BodyKind } from "../reply/body-kind.js";
import type { KeyedCallBody } from "../syntax/syntax.js";
import { jsonReaderOf } from "./json-reader-of.js";

/** One JSON object whose key is the tool's name: see {@link KeyedCallBody}. */
export const keyedCallBody: BodyKind<KeyedCallBody> = {
  kind: "keyed-call",
  render: (_, call) => renderJson({ [call.name]: call.arguments }),
  reader: (_, place) => jsonReaderOf(new KeyedCallSink(place.host), place, true),
};
