import { isDeepStrictEqual } from "node:util";
import { collectReply, type ReplyEvent } from "../../src/index.js";
import { fitsSchema } from "./ajv.js";
import { uncovered } from "./coverage.js";
import type { Reply } from "./reply.js";

/** The laws of every reply: the broken law, or undefined. */
export type Law = (reply: Reply) => string | undefined;

const shown = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === "number" && !Number.isFinite(part) ? String(part) : part));

/** Events with those joined that only chunking parted. */
function joined(list: readonly ReplyEvent[]): ReplyEvent[] {
  const result: ReplyEvent[] = [];
  for (const event of list) {
    const last = result.at(-1);
    if (last && "text" in last && "text" in event && last.type === event.type) {
      last.text += event.text;
      if (last.type === "text" && "value" in event) last.value = event.value;
    } else if (last?.type === "call-delta" && event.type === "call-delta" && last.index === event.index) {
      last.argumentsDelta += event.argumentsDelta;
    } else result.push({ ...event });
  }
  return result;
}

/** Where two lists of events part. */
function difference(expected: readonly ReplyEvent[], found: readonly ReplyEvent[]): string | undefined {
  const [a, b] = [joined(expected), joined(found)];
  if (isDeepStrictEqual(a, b)) return undefined;
  const at = a.findIndex((event, i) => !isDeepStrictEqual(event, b[i]));
  const i = at < 0 ? a.length : at;
  return `event ${i}: whole ${shown(a[i])}, streamed ${shown(b[i])}`;
}

/** The laws of single replies, by name. */
export const laws: Record<string, Law> = {
  "streamed in chunks it reads as in one": (reply) => difference(reply.whole, reply.chunks),

  "streamed by characters it reads as in one": (reply) => difference(reply.whole, reply.characters),

  "read without deltas it is the same": (reply) => {
    const [events, parsed] = [collectReply(reply.whole), reply.parsed()];
    return isDeepStrictEqual(events, parsed) ? undefined : `events ${shown(events)}, parseReply ${shown(parsed)}`;
  },

  "the deltas are the arguments": ({ chunks }) => {
    const texts = new Map<number, string>();
    for (const event of chunks) {
      if (event.type === "call-delta") texts.set(event.index, (texts.get(event.index) ?? "") + event.argumentsDelta);
      if (event.type !== "call-end") continue;
      const text = texts.get(event.index) ?? "";
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return `deltas are no JSON: ${text}`;
      }
      if (!isDeepStrictEqual(value, event.call.arguments))
        return `deltas ${text}, arguments ${shown(event.call.arguments)}`;
    }
    return undefined;
  },

  "every character is in one event": (reply) => uncovered(reply),

  "calls come one after the other": ({ chunks }) => {
    let next = 0;
    let open: { index: number; id: string; name: string } | undefined;
    for (const event of chunks) {
      if (event.type === "call-start") {
        if (open) return `call ${event.index} starts inside call ${open.index}`;
        if (event.index !== next) return `call ${event.index} starts, expected ${next}`;
        open = event;
      } else if (event.type === "call-delta") {
        if (event.index !== open?.index) return `a delta of call ${event.index}, which is not open`;
        if (event.argumentsDelta === "") return "an empty delta";
      } else if (event.type === "call-end" || event.type === "call-invalid") {
        if (event.index !== next++) return `call ${event.index} ends, expected ${next - 1}`;
        if (event.type === "call-end" && !open) return `call ${event.index} ends without a start`;
        if (open && (event.call.id !== open.id || event.call.name !== open.name)) {
          return `${shown(open)} ends as ${shown(event.call)}`;
        }
        open = undefined;
      } else if (event.text === "") return `an empty ${event.type}`;
    }
    return open && `call ${open.index} never ends`;
  },

  "no surrogate pair is split": ({ characters }) => {
    let last = { type: "", text: "" };
    for (const event of characters) {
      const { type } = event;
      const text = type === "call-delta" ? event.argumentsDelta : "text" in event ? event.text : "";
      // Markers may occur between events of two types, and a reply may contain half a surrogate pair next to them.
      const isSplit = type === last.type && /[\ud800-\udbff]$/.test(last.text) && /^[\udc00-\udfff]/.test(text);
      if (isSplit) return shown(event);
      last = { type, text };
    }
    return undefined;
  },

  "only tools that there are get called": ({ whole, options: { tools } }) => {
    if (!tools) return undefined;
    const names = new Set(tools.map((tool) => tool.name));
    const calls = whole.filter((event) => event.type === "call-start" || event.type === "call-end");
    const wrong = calls.find((event) => !names.has("call" in event ? event.call.name : event.name));
    return wrong && `a call of ${shown(wrong)}`;
  },

  "without tools nothing is a call": ({ whole, options: { tools } }) => {
    const call = tools?.length === 0 && whole.find((event) => event.type.startsWith("call"));
    return call ? shown(call) : undefined;
  },

  "arguments fit the tool's schema": ({ whole, options: { tools = [] } }) => {
    for (const event of whole) {
      const tool = event.type === "call-end" && tools.find(({ name }) => name === event.call.name);
      if (event.type !== "call-end" || !tool) continue;
      const wrong = fitsSchema(event.call.arguments, tool.parameters ?? true);
      if (wrong) return `${shown(event.call)}: ${wrong}`;
    }
    return undefined;
  },
};
