import { RenderError } from "../errors.js";
import { afterBody } from "../reply/forms/match-token.js";
import type { BodyKind } from "../reply/readers/body-kind.js";
import { MarkedReader } from "../reply/readers/marked-reader.js";
import { holdsRemains } from "../reply/readers/marked-tag.js";
import { markedElements } from "../syntax/parts.js";
import type { MarkedElementsBody } from "../syntax/syntax.js";
import { elementsNotes, renderElements } from "./elements.js";

/** One element per argument, with a mark before each tag: see {@link MarkedElementsBody}. */
export const markedElementsBody: BodyKind<MarkedElementsBody> = {
  kind: "marked-elements",
  render(body, call, { plan, closers }) {
    const text = renderElements(markedElements(body), call.arguments, plan, [body.mark]);
    // No text contains the mark, so it is an element's.
    const closer = closers.find((tag) => text.includes(tag));
    for (const [, name = "", value = ""] of text.split(body.mark).map((part) => /^<([^>]+)>(.*)$/s.exec(part) ?? [])) {
      if (!holdsRemains(value, name)) continue;
      const where = `The argument ${JSON.stringify(name)} contains`;
      throw new RenderError("unwritable-value", `${where} a tag with a part of ${body.mark} before it.`);
    }
    if (closer === undefined) return text;
    throw new RenderError("unwritable-key", `An argument's closing tag would be ${closer}, which ends the call.`);
  },
  starts: ({ mark }, { text }, at) => text.charAt(at) === "<" || text.charAt(at) === mark.charAt(0),
  reader({ mark }, { node, host, repaired }) {
    const call = host.currentCall();
    const notes = elementsNotes(host, repaired);
    return new MarkedReader(mark, { emitter: call.argumentEmitter(), plan: call.plan, notes, after: afterBody(node) });
  },
};
