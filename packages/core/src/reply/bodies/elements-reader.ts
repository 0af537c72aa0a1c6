import type { ElementsBody } from "../../protocol.js";
import { noAliases } from "../../schema/aliases.js";
import { anyPlan, declares, type Plan, property } from "../../schema/plan.js";
import type { Emitter } from "../arguments/emitter.js";
import { type Input, LOOKAHEAD, type Status, standsAt } from "../input.js";
import type { Behind } from "../opening/token-fit.js";
import { TextBuffer } from "../text-buffer.js";
import { closingTagEnd, decodeMarkup, decodeXml, entityAt, trimLayout } from "./markup.js";
import { type Element, type ElementReading, readElements } from "./nested.js";
import { foreignTag, type OpeningTag, openingTag } from "./opening-tag.js";
import { closingTagOf, type TagShape, tagShape } from "./tag-shape.js";
import { layoutEnd, special, splitsPair, wholePairs } from "./text-pieces.js";
import { ValueEnd } from "./value-end.js";
import { argumentsWithin, holdsLine } from "./wrapped-elements.js";

const MAX_COMMENT = 1024;

/** What may be left of a closing tag at the end of a value whose tag is missing. */
const BROKEN_TAG = /<\/[^\s<>]{0,64}>?\s*$|\/[^\s<>]{0,64}>\s*$|(?:^|\s)>\s*$/;
/** How much text between the arguments is passed over. */
const MAX_TEXT = 1024;
const CDATA_OPEN = "<![CDATA[";
const CDATA_CLOSE = "]]>";

/** What no argument is called that has no such name in the schema. */
const NO_NAME = /[\s"'=<>\\]/;

/** What other formats call the object of the arguments. */
const WRAPPER = /^(?:arguments|args|parameters|params|input)$/i;

/** Hears of what was mended, and of what cannot be. */
interface Notes {
  repaired(code: string): void;
  rejected(reason: string): void;
  /** Whether a tool has this name. */
  isTool?(name: string): boolean | undefined;
}

/**
 * Reads arguments that are written one element each. A string streams; anything else is taken whole and read as JSON or
 * as nested elements. Elements of the same name that follow each other are one list, where the schema wants a list.
 */
export class ElementsReader {
  private open:
    | {
        key: string;
        plan: Plan;
        attributes: Element["attributes"];
        isText: boolean;
        /** The value holds markup of its own, so entities are part of it. */
        isRaw: boolean;
        /** All arguments are inside. */
        wraps: boolean;
        streams: boolean;
        cdata: boolean;
        begun: boolean;
        wrapped: boolean;
        /** The tag of an argument that has not come stands in it. */
        holdsArgument: boolean;
        /** A part of its opening tag is missing. */
        isUntagged: boolean;
      }
    | undefined;
  /** A value that is collected. */
  private readonly raw = new TextBuffer();
  /** The elements of a list by name, and the name that may have more to come. */
  private lists: Map<string, Element[]> | undefined;
  private list: { key: string; plan: Plan } | undefined;
  /** The keys that have come. */
  private readonly given = new Set<string>();
  failure = "";
  /** An argument's tag was begun that cannot be read. */
  private isBroken = false;
  /** A tag has begun that is not there whole. */
  private waits = false;
  /** How much text that is no argument has been passed over. */
  private passed = 0;
  /** The last of the text that is open. */
  private tail = "";
  private readonly shape: TagShape;
  /** Where the value that is open ends. */
  private readonly end: ValueEnd;

  constructor(
    private readonly body: ElementsBody,
    private readonly emitter: Emitter,
    private readonly plan: Plan,
    /** Whether the markup that ends the call stands at this index; undefined: too little is there to tell. */
    private readonly closes: (text: string, index: number) => boolean | undefined,
    private readonly notes: Notes,
    private readonly behind: Pick<Behind, "closers" | "elements"> = { closers: [], elements: [] },
    /** The short names of the arguments, and whether the object of them was begun. */
    private readonly aliases = noAliases,
    private begun = false,
  ) {
    this.shape = tagShape(body);
    const comes = (input: Input, at: number) => this.argumentToCome(input, at);
    this.end = new ValueEnd({ isLoose: body.leaf !== "text", behind, closes, comes });
  }

  /** No element is half read. */
  get isBetweenValues(): boolean {
    return this.open === undefined && !this.isBroken && !this.waits;
  }

  /** Reads on; `done` when the markup that ends the call is met, which is left where it is. */
  read(input: Input): Status {
    if (!this.begun) {
      this.begun = true;
      this.emitter.beginObject();
    }
    for (;;) {
      const status = this.open ? this.readValue(input) : this.readOpening(input);
      if (status) return status;
    }
  }

  /** The arguments are complete. */
  finish(): void {
    this.flushList();
    this.emitter.endObject();
    const { contradicted } = this.emitter;
    if (contradicted !== undefined) this.notes.rejected(`${JSON.stringify(contradicted)} has two values`);
  }

  private readOpening(input: Input): Status | undefined {
    this.waits = false;
    if (!input.skipSpace()) return "more";
    const { text, pos } = input;
    const ends = this.closes(text, pos);
    if (ends) {
      const [first] = this.behind.closers;
      if (this.passed > 0 && first !== undefined && !text.startsWith(first, pos)) this.endsTwice();
      return "done";
    }
    if (ends === undefined && !input.final) return "more";
    const comment = standsAt(text, pos, "<!--");
    if (comment) {
      const end = input.find("-->", pos);
      if (end < 0 || end - pos > MAX_COMMENT) return this.wait(input);
      input.pos = end + 3;
      return undefined;
    }
    if (text.charAt(pos) === "<" && pos + 1 === text.length && !input.final) return "more";
    if (text.startsWith("</", pos)) return this.strayCloser(input);
    if (text.charAt(pos) !== "<") return this.skipText(input);
    const opening = this.openingAt(input);
    if (opening === "more" || (comment === undefined && !opening)) return this.wait(input);
    // The beginning of a tag that the reply breaks off in says nothing any more.
    if (!opening && input.final && /^<[\w:]{0,64}$/.test(text.slice(pos, pos + LOOKAHEAD))) return "done";
    if (!opening) {
      this.isBroken = standsAt(text, pos, this.tagName) !== false;
      return this.fail();
    }
    // Another call follows: the tag that closes this one is missing.
    if (!this.knows(opening.key) && this.notes.isTool?.(opening.key)) return "done";
    input.pos = opening.end;
    this.begin(opening);
    return undefined;
  }

  /** An argument's tag, as the format writes it or, where the schema knows the argument, in another way. */
  private openingAt(input: Input): OpeningTag | "more" | undefined {
    const own = openingTag(this.shape, input, input.pos);
    if (own === "more" || (own && this.knows(own.key))) return own;
    const other = foreignTag(input, input.pos);
    if (other === "more") return own ?? other;
    return other && this.plan.properties.size > 0 && this.knows(other.key) ? other : own;
  }

  /** Words between two arguments, or behind the last: they are none. */
  private skipText(input: Input): Status | undefined {
    const { text, pos } = input;
    if (this.given.size === 0) return this.fail();
    const at = text.indexOf("<", pos);
    this.passed += (at < 0 ? text.length : at) - pos;
    if (this.passed > MAX_TEXT) return this.fail();
    this.notes.repaired("dropped-text");
    input.pos = at < 0 ? text.length : at;
    return undefined;
  }

  /** A closing tag where an argument is expected: an argument's is passed over, any other ends the call. */
  private strayCloser(input: Input): Status | undefined {
    const [first = ""] = this.body.close;
    const stands = typeof first === "string" ? standsAt(input.text, input.pos, first.trim()) : false;
    if (stands === undefined && !input.final) return "more";
    // Behind words it may be what ends the argument, and these a part of it.
    if (this.passed > 0) this.notes.rejected("text stands between the arguments");
    if (!stands) return "done";
    if (this.body.close.length > 1) return this.strayNamedCloser(input);
    input.pos += String(first).trim().length;
    return undefined;
  }

  private strayNamedCloser(input: Input): Status | undefined {
    const ends = [...this.given].map((key) => closingTagEnd(input.text, input.pos, key));
    const end = ends.find((index) => typeof index === "number");
    if (typeof end !== "number") return ends.includes(undefined) && !input.final ? "more" : "done";
    this.notes.repaired("extra-closer");
    input.pos = end;
    return undefined;
  }

  /** How an argument's tag begins. */
  private get tagName(): string {
    return /^<[^\s"'=<>]*/.exec(this.shape.before)?.[0] ?? this.shape.before;
  }

  private fail(): Status {
    this.failure = "expected an argument's tag";
    return "fail";
  }

  private wait(input: Input): Status {
    this.waits = true;
    return input.text.length - input.pos > MAX_COMMENT + 3 ? this.fail() : "more";
  }

  private begin({ key: written, empty, isText, attributes, isUntagged = false, closer }: OpeningTag): void {
    const local = written.slice(written.indexOf(":") + 1);
    const key = local !== written && !this.knows(written) && this.knows(local) ? local : written;
    // One element around all arguments, as other formats have it.
    const wraps =
      !empty && this.given.size === 0 && WRAPPER.test(key) && this.plan.properties.size > 0 && !this.knows(key);
    this.given.add(key);
    if (NO_NAME.test(key) && this.plan.properties.size > 0 && !this.knows(key)) {
      this.notes.rejected(`${JSON.stringify(key)} is no argument`);
    }
    const found = property(this.plan, this.aliases.long(key));
    const plan = wraps ? this.plan : (found?.plan ?? anyPlan);
    if (this.list && (this.list.key !== key || plan.kind !== "array")) this.flushList();
    if (empty) return this.take(key, plan, { raw: "", attributes });
    const { close, name } =
      closer === undefined ? closingTagOf(this.shape, written) : { close: `</${closer}>`, name: closer };
    const streams = wraps ? false : found ? plan.kind === "string" : isText;
    this.end.begin(close, name, streams);
    this.open = {
      key,
      plan,
      attributes,
      isText,
      isRaw: false,
      streams,
      wraps,
      cdata: false,
      begun: false,
      wrapped: false,
      holdsArgument: false,
      isUntagged,
    };
    this.tail = "";
    if (streams) {
      this.emitter.key(key);
      if (attributes) this.reading.dropped();
      this.emitter.beginString();
    }
  }

  private knows(key: string): boolean {
    return declares(this.plan, this.aliases.long(key));
  }

  /** A value that is complete as text. */
  private take(key: string, plan: Plan, element: Element): void {
    if (plan.kind !== "array") return this.write(key, plan, [element]);
    this.lists ??= new Map();
    const elements = this.lists.get(key);
    if (elements) elements.push(element);
    else this.lists.set(key, [element]);
    this.list = { key, plan };
  }

  private flushList(): void {
    const { list } = this;
    this.list = undefined;
    if (list) this.write(list.key, list.plan, this.lists?.get(list.key) ?? []);
  }

  private write(key: string, plan: Plan, elements: readonly Element[]): void {
    this.emitter.key(key);
    this.emitter.write(readElements(elements, plan, this.reading));
  }

  /** A value that is marked as text: whatever it looks like, it is a string until the schema says otherwise. */
  private writeText(key: string, raw: string): void {
    this.emitter.key(key);
    this.emitter.write(this.reading.decode(trimLayout(raw)));
  }

  private readonly reading = {
    decode: (text: string) => {
      if (this.body.leaf === "text") return text;
      return this.body.leaf === "xml" ? decodeXml(text) : decodeMarkup(text);
    },
    dropped: () => this.notes.repaired("dropped-attribute"),
  } satisfies ElementReading;

  private readValue(input: Input): Status | undefined {
    const open = this.open!;
    if (!open.begun && open.streams) {
      const layout = layoutEnd(input);
      if (layout === undefined) return "more";
      open.wrapped = layout > input.pos;
      input.pos = layout;
    }
    open.begun = true;
    return open.streams ? this.readText(input) : this.readRaw(input);
  }

  /** A value that is not only a string is collected up to its end. */
  private readRaw(input: Input): Status | undefined {
    const { end } = this;
    const { text } = input;
    for (;;) {
      const at = text.indexOf("<", input.pos);
      const piece = text.slice(input.pos, at < 0 ? undefined : at);
      input.pos = at < 0 ? text.length : at;
      const ends = at < 0 ? undefined : end.at(input, at);
      if (typeof ends === "number" && ends > at && this.raw.isEmpty) {
        input.pos = ends;
        this.takeRaw(piece);
        return undefined;
      }
      this.raw.push(piece);
      if (at < 0) return "more";
      if (ends === undefined || (ends === false && !end.pass(input, at))) return "more";
      input.pos = ends === false ? at + 1 : ends;
      if (ends === false) {
        this.raw.push("<");
        continue;
      }
      const raw = this.raw.take();
      if (ends > at) this.takeRaw(raw);
      else {
        // The value's closing tag is missing, or is one of another spelling.
        this.missesCloser();
        this.takeRaw(raw.replace(/<\/[^<>]{0,256}>[ \t\r\n]{0,64}$/, ""));
      }
      return undefined;
    }
  }

  private takeRaw(raw: string): void {
    const { isText, isUntagged, key, plan, attributes } = this.open!;
    if (isUntagged && /[<>]/.test(raw)) this.endsTwice();
    const inside = this.wrapped(raw);
    this.open = undefined;
    if (inside) {
      this.notes.repaired("wrapped-arguments");
      for (const [name, value] of Object.entries(inside)) {
        this.given.add(name);
        this.emitter.key(name);
        this.emitter.write(value);
      }
    } else if (isText) this.writeText(key, raw);
    else this.take(key, plan, { raw, attributes });
  }

  /** The arguments inside of an element that is none itself; undefined where it is one, as far as the schema says. */
  private wrapped(raw: string): Record<string, unknown> | undefined {
    const { key, wraps, attributes } = this.open!;
    if (!wraps && (this.plan.properties.size === 0 || this.knows(key))) return undefined;
    const knows = (name: string) => this.knows(name);
    if (holdsLine(raw, knows)) this.endsTwice();
    const inside = argumentsWithin({ raw, attributes }, { wraps, plan: this.plan, knows, reading: this.reading });
    if (inside === "partly" || (inside && !wraps && Object.keys(inside).some((name) => this.given.has(name)))) {
      this.endsTwice();
      return undefined;
    }
    return inside;
  }

  private readText(input: Input): Status | undefined {
    const open = this.open!;
    const { text } = input;
    let from = input.pos;
    for (;;) {
      const at = open.cdata
        ? text.indexOf(CDATA_CLOSE, from)
        : special(input, from, this.body.leaf !== "text" && !open.isRaw);
      const end = at < 0 ? text.length - (open.cdata ? 2 : 0) : at;
      if (end > from) {
        this.emit(wholePairs(text, from, end, input.final));
        from = end - (splitsPair(text, end) && !input.final && at < 0 ? 1 : 0);
      }
      input.pos = Math.max(from, input.pos);
      if (at < 0) return "more";
      if (open.cdata) {
        open.cdata = false;
        from = at + CDATA_CLOSE.length;
        continue;
      }
      const step = this.special(input, at);
      if (step === "more") return "more";
      if (step === "done") {
        this.open = undefined;
        this.emitter.endString();
        return undefined;
      }
      this.emit(step.text);
      from = step.end;
      input.pos = from;
    }
  }

  private emit(text: string): void {
    if (text === "") return;
    this.emitter.stringPart(text);
    if (this.open?.isUntagged && /[<>]/.test(text)) this.endsTwice();
    this.tail = text.length < LOOKAHEAD ? (this.tail + text).slice(-LOOKAHEAD) : text.slice(-LOOKAHEAD);
  }

  /** What to make of `<`, `&` or a newline inside a string. */
  private special(input: Input, at: number): { end: number; text: string } | "more" | "done" {
    const open = this.open!;
    const { text } = input;
    const char = text.charAt(at);
    if (char === "&") return entityAt(input, at) ?? "more";
    if (char === "<") {
      const closes = this.end.at(input, at, open.wrapped ? "within" : "unknown");
      if (closes === undefined) return "more";
      if (closes !== false) return this.endAt(input, at, closes);
      const next = this.nextArgument(input, at);
      if (next === undefined) return "more";
      if (next) return this.endAt(input, at, at);
      const cdata = this.body.leaf !== "text" && !open.isRaw ? standsAt(text, at, CDATA_OPEN) : false;
      if (cdata === undefined && !input.final) return "more";
      if (!cdata) return this.markup(input, at);
      open.cdata = true;
      return { end: at + CDATA_OPEN.length, text: "" };
    }
    // A newline and the indent of a closing tag are layout, if there was one behind the opening tag or the value's own
    // closing tag is missing; any other newline is text.
    let i = char === "\r" ? at + 1 : at;
    if (text.charAt(i) === "\n") i++;
    else if (i < text.length) return { end: i, text: char };
    while (text.charAt(i) === " " || text.charAt(i) === "\t") i++;
    if (i - at > LOOKAHEAD) return { end: at + 1, text: char };
    if (i >= text.length) return input.final ? { end: i, text: text.slice(at, i) } : "more";
    const closes = text.charAt(i) === "<" ? this.end.at(input, i, open.wrapped ? "line" : "unknown") : false;
    if (typeof closes === "number" && (open.wrapped || closes === i)) return this.endAt(input, i, closes);
    if (typeof closes === "number") return { end: i, text: text.slice(at, i) };
    const next = closes === false ? this.nextArgument(input, i) : undefined;
    if (next === undefined) return "more";
    return next ? this.endAt(input, i, i) : { end: i, text: text.slice(at, i) };
  }

  /** The string ends with the markup at an index; `closes`: behind that, or there where its closing tag is missing. */
  private endAt(input: Input, at: number, closes: number): "done" {
    if (closes === at) this.missesCloser();
    else if (this.canEndTwice) this.endsTwice();
    input.pos = closes;
    return "done";
  }

  /** The call ends where a value is open: what looks like the end of that value further up may be one. */
  private missesCloser(): void {
    this.notes.repaired("missing-closer");
    if (this.end.holdsCloser || this.open?.holdsArgument || BROKEN_TAG.test(this.tail) || this.end.endsLike(this.tail))
      this.endsTwice();
  }

  /**
   * A closing tag in the value may be its end: an argument comes after it, the same comes again, or the tag is that of every
   * argument, so that the opening tag of another may be missing.
   */
  private get canEndTwice(): boolean {
    const { holdsCloser, isRepeated, isUnclosed } = this.end;
    if (this.open?.holdsArgument) return holdsCloser || isUnclosed;
    return isRepeated || (holdsCloser && !this.body.close.some((part) => typeof part === "object"));
  }

  private endsTwice(): void {
    this.notes.rejected(`the value of ${JSON.stringify(this.open?.key)} can be read in more than one way`);
  }

  /** Whether the tag of an argument stands here that is still to come: then the closing tag was left out. */
  private nextArgument(input: Input, at: number): boolean | undefined {
    return this.body.leaf === "text" && !this.end.isShowing ? this.argumentToCome(input, at) : false;
  }

  private argumentToCome(input: Input, at: number): boolean | undefined {
    const opening = openingTag(this.shape, input, at);
    if (opening === "more") return input.final || input.text.length - at > LOOKAHEAD ? false : undefined;
    // No tag is waited for that is longer, so none counts.
    if (!opening || opening.end - at > LOOKAHEAD) return false;
    return this.plan.properties.has(opening.key) && !this.given.has(opening.key);
  }

  /** A `<` that is part of the value. */
  private markup(input: Input, at: number): { end: number; text: string } | "more" {
    const open = this.open!;
    const comes = this.body.leaf === "text" ? false : this.argumentToCome(input, at);
    if (comes === undefined || !this.end.pass(input, at)) return "more";
    open.holdsArgument ||= comes;
    if (this.body.leaf === "markup") open.isRaw = true;
    return { end: at + 1, text: "<" };
  }
}
