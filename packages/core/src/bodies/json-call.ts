import { LOOKAHEAD, spaceEnd } from "../notation/input.js";
import type { Lookahead } from "../notation/lookahead.js";
import type { BodyKind } from "../reply/readers/body-kind.js";
import { CallRouter } from "../reply/readers/call-router.js";
import { wholeCall } from "../reply/readers/whole-object.js";
import type { JsonCallBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { callReaderOf, listStarts } from "./json-reader-of.js";

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
  starts(_, look, at) {
    const char = look.text.charAt(at);
    if (char === '"') return startsQuotedCall(look, at);
    // The first item of a tuple is a string.
    if (char === "(") return /["']/.test(look.charAt(spaceEnd(look.text, at + 1)));
    return char === "{" || listStarts(look, at);
  },
};

/** Whether a quote begins a call's object without its first bracket, or one that is encoded as a string. */
function startsQuotedCall(look: Lookahead, at: number): boolean {
  const window = look.text.slice(at, at + LOOKAHEAD);
  if (/^"\s*\{|^"[\w.]+"\s*:/.test(window)) return true;
  if (/^"\s*$|^"[\w.]+"?\s*$/.test(window) && window.length < LOOKAHEAD) look.atEnd();
  return false;
}
