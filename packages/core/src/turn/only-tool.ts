import { lineBetween } from "../common/line-between.js";
import type { ReplyEvent } from "../types.js";

/**
 * Passes only the calls of one tool, for a `toolChoice` that names it. A broken call without a name passes too, as an
 * attempt at this tool. The indices of the passed calls start at 0.
 */
export function onlyTool(name: string): (event: ReplyEvent) => ReplyEvent[] {
  /** The new index of each call that passes. */
  const indices = new Map<number, number>();
  const renumbered = (index: number) => {
    const known = indices.get(index) ?? indices.size;
    indices.set(index, known);
    return known;
  };
  return (event) => {
    switch (event.type) {
      case "call-start":
        return event.name === name ? [{ ...event, index: renumbered(event.index) }] : [];
      case "call-delta":
        return indices.has(event.index) ? [{ ...event, index: renumbered(event.index) }] : [];
      case "call-end":
        if (event.call.name !== name)
          return [dropped(event.source ?? JSON.stringify({ name: event.call.name, arguments: event.call.arguments }))];
        return [{ type: "call-end", index: renumbered(event.index), call: event.call }];
      case "call-invalid":
        if ((event.call.name ?? name) === name) return [{ ...event, index: renumbered(event.index) }];
        return [dropped(event.call.raw)];
      default:
        return [event];
    }
  };
}

/** Whether a call of another tool was dropped: the reply is that call, and no arguments of the tool that was asked for. */
export const hasOtherCall = (events: readonly ReplyEvent[]): boolean =>
  events.some((event) => event.type === "dropped" && event.reason === OTHER_TOOL);

/**
 * The events with the dropped calls of other tools as text, each on lines of its own, for a reply without the call that was
 * asked for which is the answer anyway.
 */
export function otherCallsAsText(events: readonly ReplyEvent[]): ReplyEvent[] {
  let before = "";
  let isAfterCall = false;
  return events.map((event) => {
    const isCall = event.type === "dropped" && event.reason === OTHER_TOOL;
    if (event.type !== "text" && !isCall) return event;
    const text = isCall || isAfterCall ? lineBetween(before, event.text) : event.text;
    before = text || before;
    isAfterCall = isCall;
    return isCall ? { type: "text", text } : { ...event, text };
  });
}

const OTHER_TOOL = "a call of a tool that was not asked for";

const dropped = (text: string): ReplyEvent => ({ type: "dropped", text, reason: OTHER_TOOL });
