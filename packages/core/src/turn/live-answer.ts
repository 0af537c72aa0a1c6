import { isJson } from "../common/json-text.js";
import { createReplyParser } from "../full/index.js";
import { fenceEndIn, fenceOpening, mayBeFenceOpening } from "../notation/json/code-block.js";
import { protocols } from "../protocols/index.js";
import type { JsonSchema, ReplyEvent, ReplyParser } from "../types.js";
import { checkAnswer } from "./answer-schema.js";

/** The answer is parsed as the arguments of a call, so that it gets the same repairs and the same streaming. */
const PROTOCOL = protocols.hermes;
const TOOL = "answer";
const BEGUN = `<tool_call>\n{"name": "${TOOL}", "arguments": `;

/**
 * Streams an answer that is a JSON object, with repairs, and each value coerced to its schema. Sent parts cannot be
 * taken back. Text that does not begin as an object passes unchanged.
 */
export class LiveAnswer {
  /** A part of the answer was sent. */
  isSent = false;
  #buffered = "";
  /** Text that may be the end of the code block. */
  #tail = "";
  #parser: ReplyParser | undefined;
  #end: JsonEnd | undefined;
  #isFenced = false;
  #isOver = false;
  #isEnded = false;
  #isWhole = false;
  #sent = "";

  constructor(private readonly schema: JsonSchema) {}

  /** Replaces the text of the answer by its events. */
  readonly on = (event: ReplyEvent): ReplyEvent | ReplyEvent[] => {
    if (event.type === "text" && this.#isOver && this.isSent && !this.#isEnded) {
      return event.text === "" ? [] : { type: "dropped", text: event.text, reason: "after the answer" };
    }
    if (this.#isOver) return event;
    if (event.type !== "text") return event.type === "reasoning" ? event : [...this.#finish(), event];
    this.#buffered += event.text;
    if (!this.#parser) {
      // White space decides nothing.
      if (event.text.trim() === "") return [];
      const fence = fenceOpening(this.#buffered);
      const json = fence === undefined ? this.#buffered.trimStart() : this.#buffered.slice(fence.length);
      if (!json.startsWith("{")) return mayBeFenceOpening(this.#buffered) ? [] : this.#finish();
      this.#isFenced = fence !== undefined;
      const tools = [{ name: TOOL, parameters: this.schema }];
      this.#parser = createReplyParser({ tools, protocol: PROTOCOL, accept: "own", prefill: BEGUN });
      this.#end = new JsonEnd();
      return this.#push(json);
    }
    return this.#push(event.text);
  };

  /** The events at the end of the reply. */
  end(): ReplyEvent[] {
    this.#isEnded = true;
    return this.#finish();
  }

  /** The rest of the answer; the original text if no part of it was sent. */
  #finish(): ReplyEvent[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    const events = this.#parser ? this.#texts(this.#parser.end({ finish: "stop" })) : [];
    if (this.isSent && !this.#isWhole) {
      // The parser may miss the end of invalid JSON.
      const event = checkAnswer(this.#buffered, this.schema).event ?? checkAnswer(this.#sent, this.schema).event;
      if (event?.text.startsWith(this.#sent)) events.push({ ...event, text: event.text.slice(this.#sent.length) });
    }
    return this.isSent || this.#buffered === "" ? events : [{ type: "text", text: this.#buffered }];
  }

  #push(piece: string): ReplyEvent[] {
    if (this.#tail !== "" && piece.trim() === "") {
      this.#tail += piece;
      return [];
    }
    const text = this.#tail + piece;
    // The end of the code block is not part of the JSON.
    const json = this.#isFenced ? text.slice(0, fenceEndIn(text)) : text;
    this.#tail = text.slice(json.length);
    const length = this.#end?.push(json);
    const events = this.#texts(this.#parser?.push(json.slice(0, length)) ?? []);
    return length === undefined ? events : [...events, ...this.#finish()];
  }

  #texts(events: readonly ReplyEvent[]): ReplyEvent[] {
    const texts: ReplyEvent[] = [];
    for (const event of events) {
      if (event.type === "call-delta" && event.argumentsDelta !== "") {
        this.isSent = true;
        this.#sent += event.argumentsDelta;
        texts.push({ type: "text", text: event.argumentsDelta });
      } else if (event.type === "call-end") {
        const { arguments: value } = event.call;
        texts.push({ type: "text", text: this.isSent ? "" : JSON.stringify(value), value });
        this.isSent = true;
        this.#isWhole = true;
      }
    }
    return texts;
  }
}

/** Finds the end of valid JSON: text after it is not part of the answer. */
class JsonEnd {
  #json = "";
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Whether the outermost bracket was closed. Text that is no JSON up to there is none with more text either. */
  #isClosed = false;

  /** The number of characters of the piece that belong to the JSON, if it ends in this piece. */
  push(piece: string): number | undefined {
    if (this.#isClosed) return undefined;
    for (let i = 0; i < piece.length; i++) {
      const char = piece[i];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText) {
        if (char === "\\") this.#isEscaped = true;
        else if (char === '"') this.#isText = false;
      } else if (char === '"') this.#isText = true;
      else if (char === "{" || char === "[") this.#depth++;
      else if ((char === "}" || char === "]") && --this.#depth === 0) {
        this.#isClosed = true;
        return isJson(this.#json + piece.slice(0, i + 1)) ? i + 1 : undefined;
      }
    }
    this.#json += piece;
    return undefined;
  }
}
