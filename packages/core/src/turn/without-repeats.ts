import type { ReplyEvent } from "../types.js";

/**
 * Leaves out what an earlier attempt already said. A model that is told of a wrong call writes its whole answer again,
 * words and all, and the words of the first attempt have been sent. Where it says something else, that follows after an
 * empty line.
 */
export function withoutRepeats(said: string): (event: ReplyEvent) => ReplyEvent[] {
  const before = said.trim();
  /** How much of it was repeated so far; at its end, or at the first difference, the rest passes as it is. */
  let repeated = 0;
  let over = before === "";
  let layout = "";
  return (event) => {
    if (over) return [event];
    if (event.type !== "text") {
      over = event.type.startsWith("call-");
      return over && repeated > 0 ? [dropped(before.slice(0, repeated)), event] : [event];
    }
    const { reason } = event;
    const said = (text: string): ReplyEvent => ({ type: "text", text, ...(reason && { reason }) });
    let text = event.text;
    if (repeated === 0) {
      text = (layout + text).trimStart();
      layout = text === "" ? layout + event.text : "";
    }
    const ahead = before.length - repeated;
    if (before.startsWith(text, repeated)) {
      repeated += text.length;
      over = repeated === before.length;
      return over ? [dropped(before)] : [];
    }
    over = true;
    if (ahead <= text.length && text.startsWith(before.slice(repeated))) {
      return [dropped(before), said(text.slice(ahead))];
    }
    return [said(`\n\n${before.slice(0, repeated)}${text}`)];
  };
}

const dropped = (text: string): ReplyEvent => ({ type: "dropped", text, reason: "said before" });
