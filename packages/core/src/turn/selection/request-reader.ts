import { oncePer } from "../../common/once-per.js";
import { partial } from "../../common/partial.js";
import { MarkdownCode } from "../../notation/markdown-code.js";
import type { ReplyEvent } from "../../types.js";

export const REQUEST_OPEN = "<am:request_tools>";
export const REQUEST_CLOSE = "</am:request_tools>";

/** The opener without its end, because the request may also be in attributes. */
const OPENER = REQUEST_OPEN.slice(0, -1);
/** The maximum length of a request in characters; a longer one ends there. */
const LONGEST = 2000;

/**
 * Finds a model's request for more tools in the events of a reply: `<am:request_tools>names or
 * words</am:request_tools>` in its text. The request is removed from the reply, and the text after it is not read. A
 * request in a code fence or in inline code is text, and so is one that the model copied.
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
  readonly #quotes = new CodeInPieces();

  /** `isCopied`: whether a text from outside contains this request. */
  constructor(private readonly isCopied: (request: string) => boolean) {}

  on(event: ReplyEvent): ReplyEvent[] {
    if (this.done) return [];
    // Copied text is not a request.
    if (event.type === "text" && !event.reason) return this.#text(event.text);
    // Reasoning may come between two pieces of a text.
    return event.type === "reasoning" ? [event] : [...this.end(), event];
  }

  /**
   * The buffered text, at the end of the reply or before a call. A request may lack its end, if it is a stop sequence.
   */
  end(): ReplyEvent[] {
    const begun = this.#begun;
    this.#begun = "";
    if (begun.startsWith(OPENER) && !this.isCopied(begun)) return this.#found(begun.slice(OPENER.length), begun);
    return this.#said(begun, true);
  }

  /** Only `#begun`, which is short, is read again with the next piece, so that the time is linear in the text. */
  #text(piece: string): ReplyEvent[] {
    const events: ReplyEvent[] = [];
    let text = this.#begun + piece;
    this.#begun = "";
    for (;;) {
      const at = text.indexOf(OPENER);
      const until = at === -1 ? text.length - partial(text, 0, OPENER) : at;
      events.push(...this.#said(text.slice(0, until)));
      const whole = text.slice(until, until + LONGEST);
      const { request, end } = requestIn(whole);
      if (at === -1 || (end === undefined && whole.length < LONGEST && !this.#quotes.isOpen)) {
        this.#begun = text.slice(until);
        return events;
      }
      const raw = whole.slice(0, end);
      const isText = this.#quotes.isOpen || this.isCopied(raw.replace(REQUEST_CLOSE, ""));
      if (!isText) return [...events, ...this.#found(request, raw)];
      // In code, only the opener is known to be text.
      const length = this.#quotes.isOpen ? OPENER.length : raw.length;
      events.push(...this.#said(text.slice(until, until + length)));
      text = text.slice(until + length);
    }
  }

  /** Emits text that is no request. Its white space at the end is buffered, unless the text ends here. */
  #said(text: string, isEnd = false): ReplyEvent[] {
    this.#quotes.push(text);
    const all = text.trimEnd();
    if (all === "" && !isEnd) {
      this.#space += text;
      return [];
    }
    const said = isEnd ? this.#space + text : this.#space + all;
    this.#space = isEnd ? "" : text.slice(all.length);
    return said === "" ? [] : [{ type: "text", text: said }];
  }

  #found(request: string, raw: string): ReplyEvent[] {
    this.request = request.replace(/\b\w+\s*=\s*"|<[^<>]*>?|[">/]/g, " ").trim();
    this.done = true;
    this.#space = "";
    return [{ type: "dropped", text: raw, reason: "a request for tools" }];
  }
}

/** The words of the request that a text begins with, and where it ends; `end` is undefined if it has no end. */
function requestIn(text: string): { request: string; end: number | undefined } {
  const alone = /^<[^<>]*\/>/.exec(text)?.[0].length;
  const close = text.indexOf(REQUEST_CLOSE);
  const end = alone ?? (close === -1 ? undefined : close + REQUEST_CLOSE.length);
  return { request: text.slice(OPENER.length, alone ?? (close === -1 ? text.length : close)), end };
}

/** Code in text that comes in pieces. */
class CodeInPieces {
  readonly #code = new MarkdownCode();
  /** The backticks or tildes that the text ends with so far. */
  #run = "";

  push(text: string): void {
    for (const [part] of text.matchAll(/`+|~+|\n|[^`~\n]+/g)) {
      if (/^[`~]/.test(part)) {
        if (!part.startsWith(this.#run.charAt(0))) this.#settle(part);
        this.#run += part;
        continue;
      }
      this.#settle(part);
      if (part === "\n") this.#code.endLine();
    }
  }

  /** Whether the next character is in code. */
  get isOpen(): boolean {
    this.#settle("<");
    return this.#code.isOpen;
  }

  /** Opens or closes code by the run before this text. */
  #settle(next: string): void {
    if (this.#run !== "") this.#code.pass(this.#run, next);
    this.#run = "";
  }
}

const requestMarkers: readonly string[] = [REQUEST_OPEN, REQUEST_CLOSE];

/** The markers that untrusted text must not contain, including those of requests; cached by the list. */
export const guardingRequests = (markers = requestMarkers): readonly string[] =>
  markers === requestMarkers ? requestMarkers : withRequests(markers);

const withRequests = oncePer((markers: readonly string[]) => [...markers, ...requestMarkers]);
