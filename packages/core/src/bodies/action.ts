import { ActionRouter } from "../reply/readers/action-router.js";
import { type BodyKind, startsWithOneOf } from "../reply/readers/body-kind.js";
import type { ActionBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { CheckedParser } from "./checked-parser.js";
import { callReaderOf } from "./json-reader-of.js";
import { actionError } from "./strict-action.js";

/** One JSON object that is the whole message: see {@link ActionBody}. */
export const actionBody: BodyKind<ActionBody> = {
  kind: "action",
  render: (body, call) => renderJson({ [body.action]: { [body.name]: call.name, [body.arguments]: call.arguments } }),
  starts: startsWithOneOf("{"),
  reader: (body, place) => callReaderOf(new ActionRouter(body, place.host, place.answers), place),
  check({ strict, ...body }) {
    if (!strict) return undefined;
    const error = (reply: string) => actionError(reply, body, strict.maxThought);
    return (parser, generateId, prefill) => new CheckedParser(parser, error, generateId, prefill);
  },
};
