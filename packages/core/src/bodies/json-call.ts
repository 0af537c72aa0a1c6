import type { BodyKind } from "../reply/readers/body-kind.js";
import { CallRouter } from "../reply/readers/call-router.js";
import { wholeCall } from "../reply/readers/whole-object.js";
import type { JsonCallBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { callReaderOf } from "./json-reader-of.js";

/** One JSON object with the name and the arguments: see {@link JsonCallBody}. */
export const jsonCallBody: BodyKind<JsonCallBody> = {
  kind: "json-call",
  render: (body, call, { index }) =>
    renderJson({
      ...(body.index === undefined ? {} : { [body.index]: String(index) }),
      [body.name]: call.name,
      [body.arguments]: call.arguments,
    }),
  reader: (body, place) => callReaderOf(new CallRouter(body, place.host), place),
  whole: wholeCall,
};
