import { objectBegins } from "../reply/forms/input-label.js";
import { type BodyKind, rejecting } from "../reply/readers/body-kind.js";
import { InputReader } from "../reply/readers/input-reader.js";
import type { InputBody } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";

/** The rest of the message up to a label: see {@link InputBody}. */
export const inputBody: BodyKind<InputBody> = {
  kind: "input",
  render: (_, call) => renderJson(call.arguments),
  starts: ({ isObject }, look, at) => !isObject || objectBegins(look, at),
  reader(body, { host, repaired }) {
    const call = host.currentCall();
    return new InputReader(body, call.argumentEmitter(), call.plan, {
      repaired,
      rejected: rejecting(host),
      mayBeEscaped: !host.mayBeQuoted,
    });
  },
};
