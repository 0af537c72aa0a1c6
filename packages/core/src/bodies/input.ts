import { growingPattern } from "../notation/growing-pattern.js";
import { LOOKAHEAD } from "../notation/input.js";
import type { Lookahead } from "../notation/lookahead.js";
import { type BodyKind, rejecting } from "../reply/readers/body-kind.js";
import { InputReader } from "../reply/readers/input-reader.js";
import type { InputBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";

/** The bracket of an object and its first key, or its end; and the beginning of these. */
const OBJECT = growingPattern([["\\{", "\\s{0,64}", "[\"'“}]"]]);

function objectBegins(look: Lookahead, at: number): boolean {
  const window = look.text.slice(at, at + LOOKAHEAD);
  if (OBJECT.part.test(window) && !OBJECT.whole.test(window)) look.endsAt(at + window.length);
  return OBJECT.whole.test(window);
}

/** The rest of the message up to a label: see {@link InputBody}. */
export const inputBody: BodyKind<InputBody> = {
  kind: "input",
  render: (_, call) => renderJson(call.arguments),
  starts: ({ isObject }, look, at) => !isObject || objectBegins(look, at),
  reader(body, { host, repaired }) {
    const call = host.currentCall();
    return new InputReader(body, call.argumentEmitter(), call.plan, repaired, rejecting(host));
  },
};
