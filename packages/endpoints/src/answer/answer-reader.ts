import { isObject, MAX_JSON_LEVELS, shallowJson } from "@toolingua/core/adapters";
import { createParser, type EventSourceParser } from "eventsource-parser";
import { EndpointError } from "../errors.js";
import type { Secrets } from "../secrets.js";
import { type Delta, readDelta } from "./delta.js";
import { ServerCalls } from "./server-calls.js";

/** The longest event, or answer without a stream, in UTF-16 units. */
const LONGEST = 2 ** 26;

/** How much of an unreadable answer an error shows, in UTF-16 units. */
const SHOWN = 2_000;

const NO_JSON = `not JSON, or is nested more than ${MAX_JSON_LEVELS} levels deep`;

/**
 * Reads an answer as it arrives: server-sent events, or one JSON object from a server that does not stream. The first
 * character decides, because some servers send the wrong content type.
 *
 * - Accepts any line ends, comments, other fields, `data:` without a space, and events without empty lines between
 *   them.
 * - `done`: `[DONE]` came and nothing follows. `over`: the reply is complete, with or without `[DONE]`.
 * - `failure`: why reading stopped; {@link EndpointError} `server-error`, `cut-off`, `bad-stream`. Deltas before it are
 *   still returned, even those from the same bytes.
 */
export class AnswerReader {
  done = false;
  over = false;
  failure: EndpointError | undefined;
  readonly #decoder = new TextDecoder();
  #events: EventSourceParser | undefined;
  /** The text so far, until its kind is known; after that a whole answer, or text that an error may show. */
  #buffer = "";
  #whole = false;
  /** Whether the last byte came: an event that is read now lacks its end. */
  #ended = false;
  /** How many pieces of JSON were read, and whether one of them has a choice. */
  #read = 0;
  #answered = false;
  #deltas: Delta[] = [];
  readonly #calls = new ServerCalls();

  /** `secrets`: removed from all errors. */
  constructor(private readonly secrets: Secrets) {}

  /** The deltas in these bytes. */
  push(bytes: Uint8Array): Delta[] {
    return this.#deltasOf(() => this.#text(this.#decoder.decode(bytes, { stream: true })));
  }

  /** The remaining deltas after the last byte. */
  end(): Delta[] {
    return this.#deltasOf(() => {
      this.#ended = true;
      // The last event may lack the empty line that ends it.
      this.#text(this.#decoder.decode());
      if (this.#events) this.#feed(this.#events, "\n\n");
      if (this.#whole) this.#wholeAnswer();
      else if (this.#read === 0 && !this.done)
        throw this.#badStream("The server's answer is neither a stream of events nor JSON.", this.#buffer);
      else if (!this.#answered) throw this.#noChoice();
      else if (!this.over) throw cutOff("without a finish reason or [DONE]");
    });
  }

  /** How much text is kept for errors, in UTF-16 units. */
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
    if (this.#whole) this.#append(text);
    else if (this.#events) {
      // Until the first choice, an error may have to show this text.
      if (!this.#answered && this.#buffer.length < this.#kept) this.#buffer += text.slice(0, this.#kept);
      this.#feed(this.#events, text);
    } else this.#begin(text);
  }

  #wholeAnswer(): void {
    const payload = shallowJson(this.#buffer);
    if (payload === undefined) throw this.#badStream(`The server's answer is ${NO_JSON}.`, this.#buffer);
    this.#payload(payload);
    if (!this.#answered) throw this.#noChoice();
    this.over = true;
    this.#lastCalls();
  }

  #begin(text: string): void {
    this.#append(text);
    // What came before has only spaces.
    const first = /\S/.exec(text)?.[0];
    if (first === undefined) return;
    if (first === "{" || first === "[") {
      this.#whole = true;
      return;
    }
    const events = createParser({
      onEvent: ({ event, data }) => this.#event(data, event),
      onError: ({ type, line }) => this.#notAnEvent(type, line),
      maxBufferSize: LONGEST,
    });
    const begin = this.#buffer;
    this.#buffer = "";
    this.#events = events;
    this.#text(begin);
  }

  #append(text: string): void {
    this.#buffer += text;
    if (this.#buffer.length > LONGEST) throw this.#badStream("The server's answer is too long.", this.#buffer);
  }

  #feed(events: EventSourceParser, text: string): void {
    if (text !== "" && !this.done) events.feed(text);
  }

  /** `name`: that of its field `event`. */
  #event(data: string, name?: string): void {
    if (this.done || data.trim() === "") return;
    if (data.startsWith("[DONE]")) {
      this.done = true;
      if (!this.#answered) throw this.#noChoice();
      this.over = true;
      this.#lastCalls();
      return;
    }
    const payload = shallowJson(data);
    if (name === "error") return this.#payload(asError(payload ?? data));
    if (payload !== undefined) return this.#payload(payload);
    // Some servers separate events by single line breaks: then each line is an event.
    const lines = data.split("\n");
    if (lines.length === 1) {
      if (!this.#ended || !data.startsWith("{"))
        throw this.#badStream(`The server sent an event that is ${NO_JSON}.`, data);
      if (this.over) return;
      throw cutOff("in the middle of an event");
    }
    for (const line of lines) this.#event(line);
  }

  #payload(payload: unknown): void {
    this.#read++;
    const delta = readDelta(payload);
    this.#answered ||= delta.hasChoice;
    this.over ||= delta.over;
    if (delta.calls) this.#calls.push(delta.calls);
    if (delta.over) this.#takeCalls(delta);
    this.#deltas.push(delta);
    if (delta.failure) throw delta.failure;
  }

  /** Adds the text of the server's calls, at the end of the reply. */
  #takeCalls(delta: Delta): void {
    const text = this.#calls.take();
    if (text !== "") delta.text += `\n${text}`;
  }

  /** The same if no finish reason came. */
  #lastCalls(): void {
    const delta: Delta = { text: "", reasoning: "", hasChoice: false, over: true };
    this.#takeCalls(delta);
    if (delta.text !== "") this.#deltas.push(delta);
  }

  /**
   * Handles a line that is not a field of an event: some servers report errors so. Other lines are ignored, as
   * specified.
   */
  #notAnEvent(type: string, line: string | undefined): void {
    if (type === "max-buffer-size-exceeded") throw this.#badStream("The server sent an event that is too long.", "");
    const payload = line?.trimStart().startsWith("{") ? shallowJson(line) : undefined;
    if (typeof payload === "object" && payload !== null && "error" in payload) this.#payload(payload);
  }

  #noChoice(): EndpointError {
    return this.#badStream("The server's answer has no `choices` with a message or a text.", this.#buffer);
  }

  #badStream(what: string, text: string): EndpointError {
    // Secrets are removed before truncation, which could otherwise cut one in half.
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

/** The data of an event that is named an error, whether or not it says so itself. */
const asError = (data: unknown): unknown =>
  isObject(data) && ("error" in data || "choices" in data) ? data : { error: data };

const cutOff = (where: string) =>
  new EndpointError("cut-off", `The stream ended in the middle of the reply: ${where}.`);
