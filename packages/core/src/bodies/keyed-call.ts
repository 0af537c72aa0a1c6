import type { BodyKind } from "../reply/readers/body-kind.js";
import { KeyedCallRouter } from "../reply/readers/keyed-call-router.js";
import type { KeyedCallBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { callReaderOf, listStarts } from "./json-reader-of.js";

/** One JSON object whose key is the tool's name: see {@link KeyedCallBody}. */
export const keyedCallBody: BodyKind<KeyedCallBody> = {
  kind: "keyed-call",
  render: (_, call) => renderJson({ [call.name]: call.arguments }),
  starts: (_, look, at) => look.text.charAt(at) === "{" || listStarts(look, at),
  reader: (_, place) => callReaderOf(new KeyedCallRouter(place.host), place),
};
