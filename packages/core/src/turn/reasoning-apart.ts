import type { Rewrite } from "./attempt-events.js";

/** Separates the reasoning of a retry from that of earlier attempts, by an empty line. */
export function reasoningApart(): Rewrite {
  let isBegun = false;
  return (event) => {
    if (isBegun || event.type !== "reasoning") return event;
    const text = event.text.trimStart();
    if (text === "") return [];
    isBegun = true;
    return { ...event, text: `\n\n${text}` };
  };
}
