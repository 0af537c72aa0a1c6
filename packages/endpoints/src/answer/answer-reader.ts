import { createParser, type EventSourceParser } from "eventsource-parser";
import { EndpointError } from "../errors.js";
import type { Secrets } from "../secrets.js";
import { type Delta, readDelta } from "./delta.js";

/** How long one event, or an answer that is no stream, may be, in UTF-16 units. */
const LONGEST = 2 ** 26;

/** How much of what is no answer an error shows. */
const SHOWN = 2_000;

/**
 * Reads an answer as it comes: server-sent events, or a whole JSON object from a server that does not stream. Which of
 * them shows in its first character, for some servers send the wrong content type.
 *
 * - Any line ends, comments, other fields, `data:` without a space, and events that no empty line parts are read.
 * - `done`: `[DONE]` came; nothing is to be read after it. `over`: the reply is complete, with or without `[DONE]`.
 * - `failure`: why nothing more is read; {@link EndpointError} `server-error`, `cut-off`, `bad-stream`. What came before it,
 *   also in the same bytes, is given all the same.
 */
export class AnswerReader {
  done = false;
  over = false;
  failure: EndpointError | undefined;
  readonly #decoder = new TextDecoder();
  #events: EventSourceParser | undefined;
  /** What came before it was plain what it is, and a whole answer. */
  #held = "";
  #whole = false;
  #read = 0;
  #deltas: Delta[] = [];

  /** `secrets`: what no error shows. */
  constructor(private readonly secrets: Secrets) {}

  /** What these bytes say. */
  push(bytes: Uint8Array): Delta[] {
    return this.#deltasOf(() => this.#text(this.#decoder.decode(bytes, { stream: true })));
  }

  /** What is left when there are no more bytes. */
  end(): Delta[] {
    return this.#deltasOf(() => {
      // The last event may lack the empty line that ends it.
      this.#text(`${this.#decoder.decode()}${this.#whole ? "" : "\n\n"}`);
      if (this.#whole) this.#wholeAnswer();
      else if (this.#read === 0 && !this.done)
        throw this.#badStream("The server's answer is neither a stream of events nor JSON.", this.#held);
      else if (!this.over)
        throw new EndpointError(
          "cut-off",
          "The stream ended in the middle of the reply: without a finish reason or [DONE].",
        );
    });
  }

  /** How much is kept of what an error may show, in UTF-16 units. */
  get #kept(): number {
    return SHOWN + this.secrets.longest;
  }

  #deltasOf(read: () => void): Delta[] {
    try {
      if (!this.failure) read();
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      this.failure = error;
    }
    const deltas = this.#deltas;
    if (deltas.length > 0) this.#deltas = [];
    return deltas;
  }

  #text(text: string): void {
    if (this.#whole) this.#hold(text);
    else if (this.#events) {
      // As long as there is no event, an error may have to show it.
      if (this.#read === 0 && this.#held.length < this.#kept) this.#held += text.slice(0, this.#kept);
      this.#feed(this.#events, text);
    } else this.#begin(text);
  }

  #wholeAnswer(): void {
    const payload = parseJson(this.#held);
    if (payload === undefined) throw this.#badStream("The server's answer is no JSON.", this.#held);
    this.#payload(payload);
    this.over = true;
  }

  #begin(text: string): void {
    this.#hold(text);
    const first = /\S/.exec(this.#held)?.[0];
    if (first === undefined) return;
    if (first === "{" || first === "[") {
      this.#whole = true;
      return;
    }
    const events = createParser({
      onEvent: ({ data }) => this.#event(data),
      onError: ({ type, line }) => this.#notAnEvent(type, line),
      maxBufferSize: LONGEST,
    });
    const begin = this.#held;
    this.#held = "";
    this.#events = events;
    this.#text(begin);
  }

  #hold(text: string): void {
    this.#held += text;
    if (this.#held.length > LONGEST) throw this.#badStream("The server's answer is too long.", this.#held);
  }

  #feed(events: EventSourceParser, text: string): void {
    if (text !== "" && !this.done) events.feed(text);
  }

  #event(data: string): void {
    if (this.done || data.trim() === "") return;
    if (data.startsWith("[DONE]")) {
      this.done = true;
      this.over = true;
      return;
    }
    const payload = parseJson(data);
    if (payload !== undefined) return this.#payload(payload);
    // Servers that part events by single line breaks: each line is an event.
    const lines = data.split("\n");
    if (lines.length === 1) throw this.#badStream("The server sent an event that is no JSON.", data);
    for (const line of lines) this.#event(line);
  }

  #payload(payload: unknown): void {
    this.#read++;
    const delta = readDelta(payload);
    this.over ||= delta.over;
    this.#deltas.push(delta);
  }

  /** A line that is no field of an event: some servers report an error so. Anything else is skipped, as it must be. */
  #notAnEvent(type: string, line: string | undefined): void {
    if (type === "max-buffer-size-exceeded") throw this.#badStream("The server sent an event that is too long.", "");
    const payload = line?.trimStart().startsWith("{") ? parseJson(line) : undefined;
    if (typeof payload === "object" && payload !== null && "error" in payload) this.#payload(payload);
  }

  #badStream(what: string, text: string): EndpointError {
    // Secrets are hidden before the text is cut: the cut could go through one.
    const kept = text.slice(0, this.#kept);
    const hidden = text.length < this.#kept ? this.secrets.hide(kept) : this.secrets.hideCut(kept);
    const body = hidden.slice(0, SHOWN);
    return new EndpointError(
      "bad-stream",
      body.trim() === "" ? `${what} It is empty.` : `${what} It begins with: ${JSON.stringify(body.slice(0, 200))}`,
      { body },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
