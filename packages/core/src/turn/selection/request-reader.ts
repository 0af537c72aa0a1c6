import type { ReplyEvent } from "../../types.js";

export const REQUEST_OPEN = "<am:request_tools>";
export const REQUEST_CLOSE = "</am:request_tools>";

/** The opener without its end: what is asked for may also stand in attributes. */
const OPENER = REQUEST_OPEN.slice(0, -1);
/** A request that has not ended by then is not going to. */
const LONGEST = 2000;

/**
 * Finds a model's request for more tools in the events of a reply: `<am:request_tools>names or words</am:request_tools>`
 * in its text, or a call of a tool that it was not shown. The request is taken out of the reply, in which all that comes
 * after it is left unread.
 */
export class RequestReader {
  /** What the model asks for, as it wrote it; `undefined` while it asks for nothing. */
  request: string | undefined;
  /** The request is complete, so the rest of the reply need not be read. */
  done = false;
  /** Text that may be the beginning of a request, or is one that is not complete yet. */
  #held = "";

  /** `hidden`: whether a tool of that name is there to be asked for. */
  constructor(private readonly hidden: (name: string) => boolean) {}

  on(event: ReplyEvent): ReplyEvent[] {
    if (this.done) return [];
    // What is copied asks for nothing.
    if (event.type === "text" && !event.reason) return this.#text(event.text);
    if (
      event.type === "call-invalid" &&
      event.call.error.code === "unknown-tool" &&
      this.hidden(event.call.name ?? "")
    ) {
      return this.#found(event.call.name ?? "", event.call.raw);
    }
    // Reasoning may come between two pieces of a text.
    return event.type === "reasoning" ? [event] : [...this.end(), event];
  }

  /** What was held back, at the end of the reply or before a call. A request may lack its end: a stop sequence takes it. */
  end(): ReplyEvent[] {
    const held = this.#held;
    this.#held = "";
    if (held.startsWith(OPENER)) return this.#found(held.slice(OPENER.length), held);
    return held === "" ? [] : [{ type: "text", text: held }];
  }

  #text(piece: string): ReplyEvent[] {
    const text = this.#held + piece;
    const at = text.indexOf(OPENER);
    // Space before a request is layout; whether it stands there shows later.
    const said = text.slice(0, at === -1 ? text.length - begun(text, OPENER) : at).trimEnd();
    const before: ReplyEvent[] = said === "" ? [] : [{ type: "text", text: said }];
    this.#held = text.slice(at === -1 ? said.length : at);
    if (at === -1) return before;
    const close = this.#held.indexOf(REQUEST_CLOSE);
    const alone = /^[^<>]*\/>/.exec(this.#held.slice(1))?.[0];
    if (alone === undefined && close === -1 && this.#held.length < LONGEST) return before;
    const end = alone !== undefined ? alone.length + 1 : close === -1 ? this.#held.length : close;
    const request = this.#held.slice(OPENER.length, end);
    this.#held = "";
    return [...before, ...this.#found(request, request)];
  }

  #found(request: string, raw: string): ReplyEvent[] {
    this.request = request.replace(/\b\w+\s*=\s*"|<[^<>]*>?|[">/]/g, " ").trim();
    this.done = true;
    return [{ type: "dropped", text: raw, reason: "a request for tools" }];
  }
}

/** How many characters at the end of the text may be the beginning of the marker. */
function begun(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (marker.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}

const requestMarkers: readonly string[] = [REQUEST_OPEN, REQUEST_CLOSE];
const guarding = new WeakMap<readonly string[], readonly string[]>();

/** Markers that untrusted text must not hold, those of requests among them; the same list for the same markers. */
export function guardingRequests(markers: readonly string[] = requestMarkers): readonly string[] {
  if (markers === requestMarkers) return requestMarkers;
  const known = guarding.get(markers) ?? [...markers, ...requestMarkers];
  guarding.set(markers, known);
  return known;
}
