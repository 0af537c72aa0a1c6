import type { ReplyEvent } from "../types.js";

/**
 * Drops text that an earlier attempt already sent. In a retry, a model writes its whole answer again, including the
 * text of the first attempt. Different text follows after an empty line.
 */
export function withoutSentText(said: string): (event: ReplyEvent) => ReplyEvent[] {
  const before = said.trim();
  /** The length repeated so far; after the end or the first difference, the rest passes unchanged. */
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
    const textEvent = (text: string): ReplyEvent => ({ type: "text", text, ...(reason && { reason }) });
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
      return [dropped(before), textEvent(text.slice(ahead))];
    }
    return [textEvent(`\n\n${before.slice(0, repeated)}${text}`)];
  };
}

const dropped = (text: string): ReplyEvent => ({ type: "dropped", text, reason: "said before" });
