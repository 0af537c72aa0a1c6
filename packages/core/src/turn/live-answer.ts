import { createReplyParser } from "../full/index.js";
import { protocols } from "../protocols/index.js";
import type { ReplyParser } from "../reply/index.js";
import type { JsonSchema, ReplyEvent } from "../types.js";
import { checkAnswer } from "./answer-schema.js";

/** A call of one tool, whose arguments are the answer: so it is read as tolerantly, and streamed as early, as arguments are. */
const PROTOCOL = protocols.hermes;
const TOOL = "answer";
const BEGUN = `<tool_call>\n{"name": "${TOOL}", "arguments": `;

/** What may stand before the JSON: space, and the fence of a code block. */
const FENCE = /^\s*(?:```(?:json)?[^\S\n]*\n\s*)?/;
const MAY_BE_FENCE = /^\s*(?:`{1,2}|```(?:j|js|jso|json)?\s*)?$/;

/**
 * An answer that is a JSON object, streamed as it is written: mended on the way, and each value as its schema has it. What is
 * sent is sent. Text that does not begin as an object stays as it is.
 */
export class LiveAnswer {
  /** A part of the answer was sent. */
  isSent = false;
  #held = "";
  /** What may be the end of the code block. */
  #tail = "";
  #parser: ReplyParser | undefined;
  #end: JsonEnd | undefined;
  #isFenced = false;
  #isOver = false;
  #isEnded = false;
  #isWhole = false;
  #sent = "";

  constructor(private readonly schema: JsonSchema) {}

  /** A step of reading: what becomes of an event. */
  readonly on = (event: ReplyEvent): ReplyEvent | ReplyEvent[] => {
    if (event.type === "text" && this.#isOver && this.isSent && !this.#isEnded) {
      return event.text === "" ? [] : { type: "dropped", text: event.text, reason: "after the answer" };
    }
    if (this.#isOver) return event;
    if (event.type !== "text") return event.type === "reasoning" ? event : [...this.#finish(), event];
    this.#held += event.text;
    if (!this.#parser) {
      const [before] = FENCE.exec(this.#held) ?? [""];
      if (this.#held.charAt(before.length) !== "{") return MAY_BE_FENCE.test(this.#held) ? [] : this.#finish();
      this.#isFenced = before.includes("```");
      const tools = [{ name: TOOL, parameters: this.schema }];
      this.#parser = createReplyParser({ tools, protocol: PROTOCOL, accept: "own", prefill: BEGUN });
      this.#end = new JsonEnd();
      return this.#push(this.#held.slice(before.length));
    }
    return this.#push(event.text);
  };

  /** What the end of the reply brings. */
  end(): ReplyEvent[] {
    this.#isEnded = true;
    return this.#finish();
  }

  /** The rest of the answer. Where nothing of it was sent, it is the text as it was written. */
  #finish(): ReplyEvent[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    const events = this.#parser ? this.#texts(this.#parser.end({ finish: "stop" })) : [];
    if (this.isSent && !this.#isWhole) {
      // JSON with faults may hide its end from the parser.
      const event = checkAnswer(this.#held, this.schema).event ?? checkAnswer(this.#sent, this.schema).event;
      if (event?.text.startsWith(this.#sent)) events.push({ ...event, text: event.text.slice(this.#sent.length) });
    }
    return this.isSent || this.#held === "" ? events : [{ type: "text", text: this.#held }];
  }

  #push(piece: string): ReplyEvent[] {
    if (this.#tail !== "" && piece.trim() === "") {
      this.#tail += piece;
      return [];
    }
    const text = this.#tail + piece;
    // The end of the code block is no part of the JSON.
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

/** Where the end of a code block may begin: up to three backticks, with nothing but space behind them. */
function fenceEndIn(text: string): number {
  const end = text.trimEnd().length;
  let at = end;
  while (end - at < 3 && text[at - 1] === "`") at--;
  return at === end ? text.length : at;
}

/** Finds where JSON ends that is without a fault: what a model says behind it is no part of the answer. */
class JsonEnd {
  #json = "";
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** How many characters of the piece belong to the JSON, where it ends in it. */
  push(piece: string): number | undefined {
    for (let i = 0; i < piece.length; i++) {
      const char = piece[i];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText) {
        if (char === "\\") this.#isEscaped = true;
        else if (char === '"') this.#isText = false;
      } else if (char === '"') this.#isText = true;
      else if (char === "{" || char === "[") this.#depth++;
      else if ((char === "}" || char === "]") && --this.#depth === 0 && isJson(this.#json + piece.slice(0, i + 1))) {
        return i + 1;
      }
    }
    this.#json += piece;
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
