import type { ReplyEvent } from "../../types.js";

export const REQUEST_OPEN = "<am:request_tools>";
export const REQUEST_CLOSE = "</am:request_tools>";

/** The opener without its end, because the request may also be in attributes. */
const OPENER = REQUEST_OPEN.slice(0, -1);
/** The maximum length of a request; longer text without an end is not a request. */
const LONGEST = 2000;

/**
 * Finds a model's request for more tools in the events of a reply: `<am:request_tools>names or
 * words</am:request_tools>` in its text, or a call of a tool that it was not shown. The request is removed from the
 * reply, and the text after it is not read. The parser must know the hidden tools, because some protocols write a call
 * as a tag with the tool's name.
 */
export class RequestReader {
  /** The text of the request; `undefined` if there is none so far. */
  request: string | undefined;
  /** The request is complete, so the rest of the reply need not be read. */
  done = false;
  /** Buffered text: an incomplete request, or possibly the beginning of one. */
  #buffered = "";

  /** `hidden`: whether a tool of this name exists and is not shown. */
  constructor(private readonly hidden: (name: string) => boolean) {}

  on(event: ReplyEvent): ReplyEvent[] {
    if (this.done) return [];
    // Copied text is not a request.
    if (event.type === "text" && !event.reason) return this.#text(event.text);
    const called = calledTool(event);
    if (called !== undefined && this.hidden(called)) {
      const before = this.#buffered.trim() === "" ? [] : this.end();
      return this.done ? before : [...before, ...this.#found(called, called)];
    }
    // Reasoning may come between two pieces of a text.
    return event.type === "reasoning" ? [event] : [...this.end(), event];
  }

  /**
   * The buffered text, at the end of the reply or before a call. A request may lack its end, if it is a stop sequence.
   */
  end(): ReplyEvent[] {
    const buffered = this.#buffered;
    this.#buffered = "";
    if (buffered.startsWith(OPENER)) return this.#found(buffered.slice(OPENER.length), buffered);
    return buffered === "" ? [] : [{ type: "text", text: buffered }];
  }

  #text(piece: string): ReplyEvent[] {
    const text = this.#buffered + piece;
    const at = text.indexOf(OPENER);
    // Space before a request is layout, so trailing space is buffered.
    const said = text.slice(0, at === -1 ? text.length - begun(text, OPENER) : at).trimEnd();
    const before: ReplyEvent[] = said === "" ? [] : [{ type: "text", text: said }];
    this.#buffered = text.slice(at === -1 ? said.length : at);
    if (at === -1) return before;
    const close = this.#buffered.indexOf(REQUEST_CLOSE);
    const alone = /^[^<>]*\/>/.exec(this.#buffered.slice(1))?.[0];
    if (alone === undefined && close === -1 && this.#buffered.length < LONGEST) return before;
    const end = alone !== undefined ? alone.length + 1 : close === -1 ? this.#buffered.length : close;
    const request = this.#buffered.slice(OPENER.length, end);
    this.#buffered = "";
    return [...before, ...this.#found(request, request)];
  }

  #found(request: string, raw: string): ReplyEvent[] {
    this.request = request.replace(/\b\w+\s*=\s*"|<[^<>]*>?|[">/]/g, " ").trim();
    this.done = true;
    return [{ type: "dropped", text: raw, reason: "a request for tools" }];
  }
}

/** The tool whose call an event begins or refuses. */
function calledTool(event: ReplyEvent): string | undefined {
  if (event.type === "call-start") return event.name;
  return event.type === "call-invalid" ? event.call.name : undefined;
}

/** The number of characters at the end of the text that may be the beginning of the marker. */
function begun(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (marker.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}

const requestMarkers: readonly string[] = [REQUEST_OPEN, REQUEST_CLOSE];
const guarding = new WeakMap<readonly string[], readonly string[]>();

/** The markers that untrusted text must not contain, including those of requests; cached by the list. */
export function guardingRequests(markers: readonly string[] = requestMarkers): readonly string[] {
  if (markers === requestMarkers) return requestMarkers;
  const known = guarding.get(markers) ?? [...markers, ...requestMarkers];
  guarding.set(markers, known);
  return known;
}
