import { partial } from "../../reply/input.js";
import type { ReplyEvent } from "../../types.js";

export const REQUEST_OPEN = "<am:request_tools>";
export const REQUEST_CLOSE = "</am:request_tools>";

/** The opener without its end, because the request may also be in attributes. */
const OPENER = REQUEST_OPEN.slice(0, -1);
/** The maximum length of a request; a longer one ends there. */
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
  #begun = "";
  /** The buffered white space before it, which is layout if a request follows. */
  #space = "";

  /** `hidden`: whether a tool of this name exists and is not shown. */
  constructor(private readonly hidden: (name: string) => boolean) {}

  on(event: ReplyEvent): ReplyEvent[] {
    if (this.done) return [];
    // Copied text is not a request.
    if (event.type === "text" && !event.reason) return this.#text(event.text);
    const called = calledTool(event);
    if (called !== undefined && this.hidden(called)) {
      const before = this.#begun === "" ? [] : this.end();
      return this.done ? before : [...before, ...this.#found(called, called)];
    }
    // Reasoning may come between two pieces of a text.
    return event.type === "reasoning" ? [event] : [...this.end(), event];
  }

  /**
   * The buffered text, at the end of the reply or before a call. A request may lack its end, if it is a stop sequence.
   */
  end(): ReplyEvent[] {
    const [space, begun] = [this.#space, this.#begun];
    this.#space = this.#begun = "";
    if (begun.startsWith(OPENER)) return this.#found(begun.slice(OPENER.length), begun);
    return space + begun === "" ? [] : [{ type: "text", text: space + begun }];
  }

  /** Only `#begun`, which is short, is read again with the next piece, so that the time is linear in the text. */
  #text(piece: string): ReplyEvent[] {
    const text = this.#begun + piece;
    const at = text.indexOf(OPENER);
    const until = at === -1 ? text.length - partial(text, 0, OPENER) : at;
    const said = text.slice(0, until).trimEnd();
    const before: ReplyEvent[] = said === "" ? [] : [{ type: "text", text: this.#space + said }];
    this.#space = (said === "" ? this.#space : "") + text.slice(said.length, until);
    this.#begun = text.slice(until);
    if (at === -1) return before;
    const whole = this.#begun.slice(0, LONGEST);
    const close = whole.indexOf(REQUEST_CLOSE);
    const alone = /^<[^<>]*\/>/.exec(whole)?.[0].length;
    if (alone === undefined && close === -1 && whole.length < LONGEST) return before;
    const request = whole.slice(OPENER.length, alone ?? (close === -1 ? LONGEST : close));
    return [...before, ...this.#found(request, request)];
  }

  #found(request: string, raw: string): ReplyEvent[] {
    this.request = request.replace(/\b\w+\s*=\s*"|<[^<>]*>?|[">/]/g, " ").trim();
    this.done = true;
    this.#space = this.#begun = "";
    return [{ type: "dropped", text: raw, reason: "a request for tools" }];
  }
}

/** The tool whose call an event begins or refuses. */
function calledTool(event: ReplyEvent): string | undefined {
  if (event.type === "call-start") return event.name;
  return event.type === "call-invalid" ? event.call.name : undefined;
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
