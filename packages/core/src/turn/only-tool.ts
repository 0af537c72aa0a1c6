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
        if (event.call.name === name) return [{ ...event, index: renumbered(event.index) }];
        return [dropped(JSON.stringify({ name: event.call.name, arguments: event.call.arguments }))];
      case "call-invalid":
        if ((event.call.name ?? name) === name) return [{ ...event, index: renumbered(event.index) }];
        return [dropped(event.call.raw)];
      default:
        return [event];
    }
  };
}

const dropped = (text: string): ReplyEvent => ({
  type: "dropped",
  text,
  reason: "a call of a tool that was not asked for",
});
