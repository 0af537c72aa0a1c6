import { type Input, matchesAt, type Status, spaceEnd } from "../../notation/input.js";
import { JsonReader } from "../../notation/json/json-reader.js";
import { closingQuotes } from "../../notation/json-words.js";
import { decide, Lookahead } from "../../notation/lookahead.js";
import { closingTagLength, readTag } from "../../notation/markup/markup.js";
import { readAttribute } from "../../notation/markup/nested.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import { ValueBuilder } from "../../notation/value-sink.js";
import { aliasesFor } from "../../schema/aliases-for.js";
import { anyPlan, declares, type Plan, property } from "../../schema/plan.js";
import { children } from "../../syntax/parts.js";
import type { AttributesBody } from "../../syntax/syntax.js";
import type { RepairCode, ToolDefinition } from "../../types.js";
import type { Emitter } from "../arguments/emitter.js";
import { loneArgument, textBegins } from "../arguments/lone-text.js";
import { attributeAt, MAX_WORD } from "../forms/call-tag.js";
import type { Call } from "../output/call.js";
import { AttributeValue } from "./attribute-value.js";
import type { CallHost } from "./call-router.js";
import { ElementsReader } from "./elements-reader.js";
import { otherTag } from "./opening-tag.js";

/** The part of the element that is read next. */
type State =
  /** The tag's name. */
  | { in: "tag" }
  /** The next attribute. `waits`: an incomplete token needs more input. */
  | { in: "attributes"; waits: boolean }
  /** A value in quotes, and its buffer unless it streams. */
  | { in: "value"; key: string; reader: AttributeValue; buffer: TextBuffer | undefined }
  /** JSON: a value without quotes, or more arguments after the opening tag. */
  | { in: "json"; reader: JsonReader; complete(): void }
  /** What follows the opening tag. */
  | { in: "content" }
  /** More arguments there, one element each. */
  | { in: "elements"; reader: ElementsReader };

const ATTRIBUTES: State = { in: "attributes", waits: false };
const WAITING: State = { in: "attributes", waits: true };
const CONTENT: State = { in: "content" };

const WORD = /(?:[^\s"'<>`/]|\/(?!>)){1,257}/y;

/**
 * Reads a call whose name and arguments are the attributes of an element, from its tag on. A string streams; any other
 * value is buffered whole and coerced by its plan. The reader also accepts common deviations: unescaped quotes,
 * unquoted values, and more arguments between an opening and a closing tag, one element each or as a JSON object.
 */
export class AttributesReader {
  failure = "";
  private state: State = { in: "tag" };
  private nameIsRead = false;
  /** The arguments' object. */
  private object: "new" | "open" | "complete" = "new";

  constructor(
    private readonly body: AttributesBody,
    private readonly call: Call,
    private readonly host: Pick<CallHost, "opensCalls">,
  ) {}

  /** Markers that can end the call from any position in it. */
  readonly ownClosers = ["/>"];

  /** Whether the call could end here: no argument is incomplete. */
  get isBetweenValues(): boolean {
    const { state } = this;
    switch (state.in) {
      case "elements":
        return state.reader.isBetweenValues;
      case "tag":
      case "content":
        return this.call.isNamed;
      case "attributes":
        return this.call.isNamed && !state.waits;
      default:
        return false;
    }
  }

  get tooDeep(): boolean {
    const { state } = this;
    return state.in === "json" && state.reader.tooDeep;
  }

  /** Reads on; returns `done` after the end of the element. */
  read(input: Input): Status {
    for (;;) {
      const status = this.step(input);
      if (status) return status;
    }
  }

  private step(input: Input): Status | undefined {
    const { state } = this;
    switch (state.in) {
      case "tag":
        return this.readTagName(input);
      case "attributes":
        this.state = ATTRIBUTES;
        return this.readAttribute(input);
      case "value":
        return this.readValue(input, state);
      case "json":
        return this.readWith(state.reader, input, state.complete);
      case "content":
        return this.beginInside(input);
      case "elements":
        return this.readWith(state.reader, input, () => this.endInside());
    }
  }

  private get emitter(): Emitter {
    return this.call.argumentEmitter();
  }

  /** Completes the arguments. */
  finish(): void {
    if (this.state.in === "elements") this.state.reader.finish();
    else if (this.object !== "complete") {
      this.begin();
      this.emitter.end("object");
    }
    this.object = "complete";
  }

  private begin(): void {
    if (this.object === "new") this.emitter.begin("object");
    this.object = "open";
  }

  private fail(failure: string): Status {
    this.failure = failure;
    return "fail";
  }

  private wait(): Status {
    this.state = WAITING;
    return "more";
  }

  /** Ends the element: notes its missing end, and leaves the text here outside the call. */
  private end(): Status {
    const { call, object } = this;
    if (object === "new" && call.isStarted && call.plan.properties.size > 0)
      call.reject("it ends before its arguments");
    this.finish();
    this.call.repaired("missing-closer");
    return "done";
  }

  /** Reads the tag's name. Looks ahead for the tool's name unless it is the first attribute. */
  private readTagName(input: Input): undefined {
    this.state = ATTRIBUTES;
    const after = input.pos + this.body.tag.length + 1;
    if (this.body.name === "") {
      this.nameIsRead = true;
      this.call.setName(this.body.tag);
      input.pos = after;
      return undefined;
    }
    const first = attributeAt(input.text, spaceEnd(input.text, after), input.final);
    if (typeof first !== "object" || first.key.toLowerCase() !== this.body.name) {
      const tag = readTag(new Lookahead(input), input.pos);
      if (tag) this.setName(tag.attributes.get(this.body.name)!);
    }
    input.pos = after;
    return undefined;
  }

  private setName(written: string): void {
    this.call.setName(written.trim(), (tools) => aliasesIn(this.body, tools));
  }

  // ── the opening tag ───────────────────────────────────────────────────────────────────────────────────────────────

  private readAttribute(input: Input): Status | undefined {
    while (input.skipSpace() && input.text.charAt(input.pos) === ",") input.pos++;
    const { text, pos, final } = input;
    if (pos === text.length) return "more";
    const char = text.charAt(pos);
    if (char === "/" && pos + 1 === text.length) return final ? this.end() : "more";
    if (!this.call.isNamed && /[/><`]/.test(char)) return this.fail(`expected ${this.body.name}="…"`);
    if (text.startsWith("/>", pos)) {
      input.pos += 2;
      return "done";
    }
    if (char === ">") {
      input.pos++;
      this.state = CONTENT;
      return undefined;
    }
    if (char === "<" || char === "`") return this.end();
    const found = attributeAt(text, pos, final);
    if (found === "more") return this.wait();
    if (!found) return this.fail("expected an attribute");
    return found.isAssigned ? this.beginValue(input, found.key, found.end) : this.readFlag(input, found.key, found.end);
  }

  /** Reads an attribute without a value as `true`, where the schema allows a boolean. */
  private readFlag(input: Input, key: string, end: number): Status | undefined {
    if (!this.call.isNamed || !this.planOf(key).types?.includes("boolean")) return this.fail(`expected ${key}="…"`);
    input.pos = end;
    this.put(key, "true");
    this.call.repaired("missing-value");
    return undefined;
  }

  private beginValue(input: Input, key: string, at: number): Status | undefined {
    const { text, final } = input;
    const quote = text.charAt(at);
    if (quote === "{" || quote === "[") {
      if (!this.call.isNamed) return this.fail(`expected ${this.body.name}="…"`);
      input.pos = at;
      this.begin();
      this.emitter.key(key);
      this.call.repaired("unquoted-value");
      const reader = new JsonReader(this.emitter, { repaired: (code) => this.call.repaired(code) });
      const complete = () => {
        this.state = ATTRIBUTES;
      };
      this.state = { in: "json", reader, complete };
      return undefined;
    }
    if (quote !== '"' && quote !== "'") {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0] ?? "";
      const end = at + word.length;
      if (word.length > MAX_WORD) return this.fail(`expected ${key}="…"`);
      if (!final && (end === text.length || (text.charAt(end) === "/" && end + 1 === text.length))) return this.wait();
      if (final && end === text.length) return this.wait();
      const closers = closingQuotes(word.charAt(0));
      const isClosed = word.length > 1 && closers?.includes(word.at(-1)!);
      if (word === "" || (closers !== undefined && !isClosed)) return this.fail(`expected ${key}="…"`);
      input.pos = end;
      this.take(key, isClosed ? word.slice(1, -1) : word);
      this.call.repaired("unquoted-value");
      return undefined;
    }
    input.pos = at + 1;
    const streams = this.call.isNamed && !this.isName(key) && this.planOf(key).kind === "string";
    const buffer = streams ? undefined : new TextBuffer();
    const place = {
      quote,
      tag: this.body.tag,
      opener: `<${this.body.tag} ${this.body.name}=`,
      isName: this.isName(key),
      expects: (other: string) => this.expects(other),
      repaired: (code: RepairCode) => this.call.repaired(code),
      rejected: (reason: string) => this.call.reject(reason),
    } as const;
    const sink = buffer ? { text: (part: string) => buffer.push(part) } : this.emitter;
    this.state = { in: "value", key, reader: new AttributeValue(place, sink), buffer };
    if (streams) {
      this.begin();
      this.emitter.key(key);
      this.emitter.begin("string");
    }
    return undefined;
  }

  /** Whether this attribute is the tool's name: the first one of that name, since a parameter may share it. */
  private isName(key: string): boolean {
    return !this.nameIsRead && key.toLowerCase() === this.body.name;
  }

  /** Whether a later attribute repeats the tool's name and is not an argument. */
  private names(key: string): boolean {
    return key.toLowerCase() === this.body.name && !declares(this.call.plan, this.call.keys.long(key));
  }

  /** The plan of an argument; the plan of any value if the schema forbids the argument. */
  private planOf(key: string): Plan {
    return property(this.call.plan, this.call.keys.long(key))?.plan ?? anyPlan;
  }

  /** Writes a value whose text is complete. */
  private take(key: string, text: string): void {
    if (!this.isName(key)) return this.put(key, text);
    this.nameIsRead = true;
    this.setName(text);
  }

  private put(key: string, text: string): void {
    if (this.call.plan.properties.size > 0 && this.names(key)) this.call.reject("it has two names");
    const { emitter } = this;
    this.begin();
    emitter.key(key);
    emitter.write(readAttribute(text, this.planOf(key)));
  }

  /** Reads on with another reader. `complete`: continues after it. */
  private readWith(reader: JsonReader | ElementsReader, input: Input, complete: () => void): Status | undefined {
    const status = reader.read(input);
    if (status === "fail") this.failure = reader.failure;
    if (status !== "done") return status;
    complete();
    return undefined;
  }

  private readValue(input: Input, { key, reader, buffer }: Extract<State, { in: "value" }>): Status | undefined {
    const status = reader.read(input);
    if (status === "fail") this.failure = `expected the quote that ends ${key}`;
    if (reader.isTooLong) return this.fail(`expected a tool's name, found more than ${MAX_WORD} characters`);
    if (status !== "done") return status;
    this.state = ATTRIBUTES;
    if (buffer) this.take(key, buffer.toString());
    else this.emitter.end("string");
    return undefined;
  }

  /** Whether the call can have an attribute of this name; undefined: unknown. */
  private expects(key: string): boolean | undefined {
    if (!this.nameIsRead && key.toLowerCase() === this.body.name) return true;
    const { plan, keys } = this.call;
    if (plan.properties.size === 0) return undefined;
    return declares(plan, keys.long(key));
  }

  // ── between an opening and a closing tag ──────────────────────────────────────────────────────────────────────────

  private beginInside(input: Input): Status | undefined {
    if (!input.skipSpace()) return "more";
    return decide(input, (look) => {
      const { text, pos } = input;
      const closing = closingTagLength(look, pos);
      if (closing > 0) {
        return () => {
          this.finish();
          this.call.repaired("wrong-closer");
          input.pos += closing;
          return "done";
        };
      }
      const child = readTag(look, pos);
      const isObject = text.charAt(pos) === "{";
      if (this.object === "complete") {
        const isArgument = child !== undefined && declares(this.call.plan, child.name);
        return () => this.endIf(isArgument || isObject, "arguments follow its end");
      }
      if (isObject) return () => this.beginObject();
      const given = this.object === "open" ? this.call.argumentNames : [];
      const isText = child === undefined && loneArgument(this.call.plan, given) !== undefined && textBegins(look, pos);
      // All arguments may be inside an element that is not an argument itself.
      const mayWrap = this.object === "new" && this.call.plan.properties.size > 0;
      const key = child && otherTag(look, pos)?.key;
      if (isText || (key !== undefined && (mayWrap || this.expects(key)))) return () => this.beginElements(given);
      const isMore = !/[<`]/.test(text.charAt(pos)) && this.takesMore;
      return () => this.endIf(isMore, "text follows the tag: either an argument, or the tag is unclosed");
    });
  }

  /** Ends the call; what follows may make it doubtful. */
  private endIf(isDoubtful: boolean, reason: string): Status {
    if (isDoubtful) this.call.reject(reason);
    return this.end();
  }

  /** Begins an object of arguments. After attributes, its entries are added to them. */
  private beginObject(): undefined {
    const builder = this.object === "open" ? new ValueBuilder() : undefined;
    const reader = new JsonReader(builder ?? this.emitter, {
      repaired: (code) => this.call.repaired(code),
      closes: this.closes,
    });
    const complete = () => {
      if (builder) this.putAll(builder.value);
      else this.object = "complete";
      this.endInside();
    };
    this.state = { in: "json", reader, complete };
  }

  /** Begins arguments in elements. `given`: those in attributes. */
  private beginElements(given: readonly string[]): undefined {
    const repaired = (code: RepairCode) => this.call.repaired(code);
    const reader = new ElementsReader(children, {
      emitter: this.emitter,
      plan: this.call.plan,
      notes: {
        repaired,
        rejected: (reason) => this.call.reject(reason),
        opensCalls: (name) => this.host.opensCalls(name),
        answered: (words) => this.call.answered(words),
      },
      after: { closers: [], closes: this.closes, elements: [], opener: [] },
      aliases: this.call.keys,
      isBegun: this.object === "open",
      given,
    });
    this.state = { in: "elements", reader };
  }

  private readonly closes = (text: string, index: number): boolean | undefined =>
    matchesAt(text, index, `</${this.body.tag}`);

  /** Whether a parameter of the tool still lacks a value. */
  private get takesMore(): boolean {
    const { call } = this;
    return [...call.plan.properties.keys()].some((key) => !call.has(key));
  }

  /** Completes the arguments after the opening tag. */
  private endInside(): void {
    this.finish();
    this.state = CONTENT;
  }

  private putAll(value: unknown): void {
    for (const [key, part] of Object.entries(value as Record<string, unknown>)) {
      this.emitter.key(key);
      this.emitter.write(part);
    }
  }
}

/** The aliases of the tools in calls of a body; undefined for a body without aliases. Errors: `AliasError`. */
export const aliasesIn = ({ aliases, name }: AttributesBody, tools: readonly ToolDefinition[]) =>
  aliases && aliasesFor(tools, aliases, name);
