import { isObject } from "../common/plain-object.js";
import { RenderError } from "../errors.js";
import type { Lookahead } from "../notation/lookahead.js";
import { type BodyKind, startsWithOneOf } from "../reply/readers/body-kind.js";
import { PLAIN_NAME } from "../schema/names.js";
import type { JsonBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { jsonWithoutMarkup } from "../tool-text/xml-text.js";
import { jsonReaderOf } from "./json-reader-of.js";

/** One JSON object: see {@link JsonBody}. */
export const jsonBody: BodyKind<JsonBody> = {
  kind: "json",
  render(body, call) {
    if (body.quote !== undefined) return renderQuoted(call.arguments, body.quote);
    return body.escape === "markup" ? jsonWithoutMarkup(renderJson(call.arguments)) : renderJson(call.arguments);
  },
  starts: (body, look, at) => startsWithBracket(body, look, at, undefined) || isNull(look, at),
  reader({ quote }, place) {
    const call = place.host.currentCall();
    return jsonReaderOf(call.argumentSink(), place, { keys: call, quote });
  },
};

const startsWithBracket = startsWithOneOf('{["');

/** Whether the null of JSON or Python is in place of an object without arguments. */
const isNull = (look: Lookahead, at: number): boolean =>
  ["null", "None"].some((word) => look.has(word, at) && !/[\p{L}\p{N}_]/u.test(look.charAt(at + word.length)));

/** Renders JSON with bare keys, strings between the format's own marks, and no space. */
function renderQuoted(value: unknown, quote: string): string {
  if (typeof value === "string") {
    if (value.includes(quote))
      throw new RenderError("unwritable-value", `A string contains its own delimiter ${quote}.`);
    return quote + value + quote;
  }
  if (Array.isArray(value)) return `[${value.map((item) => renderQuoted(item, quote)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).map(([key, part]) => {
    if (!PLAIN_NAME.test(key)) {
      throw new RenderError(
        "unwritable-key",
        `The key ${JSON.stringify(key)} cannot be written without quotation marks.`,
      );
    }
    return `${key}:${renderQuoted(part, quote)}`;
  });
  return `{${entries.join(",")}}`;
}
