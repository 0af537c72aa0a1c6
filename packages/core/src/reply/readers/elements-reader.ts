import { type Input, LOOKAHEAD, matchesAt, type Status } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { valuesOfLines } from "../../notation/loose-lines.js";
import { closingTagEnd, trimLine } from "../../notation/markup/markup.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import { noAliases } from "../../schema/aliases.js";
import { takesOnlyPlain } from "../../schema/plan.js";
import type { ElementsBody, Leaf } from "../../syntax/syntax.js";
import type { RepairCode } from "../../types.js";
import { isMarkupOf, mayBeOther, mayContainArguments } from "../arguments/lone-text.js";
import { MAX_COMMENT } from "../forms/wrapping.js";
import { isClosedAgain } from "./closed-again.js";
import { type ArgumentOfElement, ElementArguments, isWrapper } from "./element-arguments.js";
import { type ArgumentOfValue, type ElementPlace, ElementValue } from "./element-value.js";
import { callAt, type ElementsCall, loneKeyOf, opensCall } from "./elements-call.js";
import { closedTagEnd, closerOf, MAX_TAG, type OpeningTag, openingTag, otherTag, valuesIn } from "./opening-tag.js";
import { type TagShape, tagBeginning, tagShape } from "./tag-shape.js";
import { endsTwice } from "./value-end.js";
import { WordsBeside } from "./words-beside.js";
import { argumentsWithin, holdsLine, wrapperTag } from "./wrapped-elements.js";

/** Why a call is rejected that has text between its tags. */
const UNTAGGED = "text without a tag may be an argument";

/** An argument whose value is being read. */
type OpenArgument = ArgumentOfElement & ArgumentOfValue & Pick<OpeningTag, "isText" | "isQuoted" | "attributes">;

/**
 * Reads arguments that are written one element each. This class reads the text between the values, {@link ElementValue}
 * the values, and {@link ElementArguments} collects them. A string streams; any other value is buffered and read as
 * JSON or as nested elements.
 */
export class ElementsReader implements ElementPlace {
  failure = "";
  readonly leaf: Leaf;
  readonly endNewlineIsLayout: boolean;
  readonly sharesCloser: boolean;
  /** The argument whose value is being read. */
  private open: { argument: OpenArgument; value: ElementValue } | undefined;
  private last: ElementValue | undefined;
  /** Whether an argument's tag has begun that cannot be read. */
  private isBroken = false;
  /** Whether an incomplete tag needs more input. */
  private waits = false;
  /** The text that is not part of an argument. */
  private readonly words = new WordsBeside();
  /** Whether the call's own closing marker was read. */
  private isClosed = false;
  /** The open elements around all arguments. */
  private readonly wrappers: string[] = [];
  /** Whether such an element was empty, so that text after it is no argument. */
  private hadEmptyWrapper = false;
  /** Text in place of all arguments. */
  private lone: TextBuffer | undefined;
  readonly shape: TagShape;
  private readonly args: ElementArguments;
  private isBegun: boolean;

  constructor(
    readonly body: ElementsBody,
    private readonly call: ElementsCall,
  ) {
    const { emitter, plan, notes, aliases = noAliases, isBegun = false } = call;
    this.isBegun = isBegun;
    this.shape = tagShape(body);
    this.args = new ElementArguments(this.shape, plan, emitter, notes, aliases);
    this.leaf = body.leaf;
    this.endNewlineIsLayout = this.shape.endNewlineIsLayout;
    this.sharesCloser = !body.close.some((part) => typeof part === "object");
  }

  get after(): ElementsCall["after"] {
    return this.call.after;
  }

  get closes(): ElementsCall["after"]["closes"] {
    return this.call.after.closes;
  }

  /** Writes the arguments from the attributes of the tag that names the tool. */
  takeStated(stated: ReadonlyMap<string, string>): void {
    this.isBegun = true;
    this.call.emitter.begin("object");
    for (const [written, text] of stated) {
      const { key, plan } = this.args.begin(written, true);
      this.args.takeAttribute(key, plan, text);
    }
  }

  /** Whether no element is incomplete. */
  get isBetweenValues(): boolean {
    return this.open === undefined && !this.lone && !this.isBroken && !this.waits;
  }

  closesAgain(look: Lookahead, at: number): boolean {
    return this.last?.mayGoOn === true && isClosedAgain(look, at, this.body, this.call.after);
  }

  /** Reads on; returns `done` before the markup that ends the call. */
  read(input: Input): Status {
    if (!this.isBegun) {
      this.isBegun = true;
      if (this.args.takeWhole(input, this)) return "done";
      this.call.emitter.begin("object");
    }
    for (;;) {
      const status = this.lone
        ? this.readLone(input, this.lone)
        : this.open
          ? this.readValue(input, this.open)
          : this.readOpening(input);
      if (status) return status;
    }
  }

  /** Completes the arguments. */
  finish(): void {
    const { last, holdsElement } = this.words;
    if (this.words.holdArgument((name) => this.args.knows(name)))
      this.rejected("text between the arguments holds arguments");
    if (holdsElement && !this.isClosed) this.rejected("an argument stands in a line of words, and its end is missing");
    if (this.words.areValue && this.isClosed) this.rejected(UNTAGGED);
    if (last !== "" && this.isClosed) this.repaired("dropped-text");
    this.args.finish();
    if (last === "" || this.isClosed) return;
    this.repaired("missing-closer");
    this.call.notes.answered(last);
  }

  private readOpening(input: Input): Status | undefined {
    this.waits = false;
    const from = input.pos;
    const isThere = input.skipSpace();
    this.words.space(input.text.slice(from, input.pos));
    if (!isThere) return "more";
    const { text, pos } = input;
    if (this.words.goesOn && text.charAt(pos) !== "<") return this.skipText(input);
    this.words.goesOn = false;
    const ends = this.call.after.closes(text, pos);
    if (ends) {
      const [first] = this.call.after.closers;
      this.isClosed = true;
      if (this.words.all !== "" && first !== undefined && !text.startsWith(first, pos))
        this.rejected(this.last ? endsTwice(this.last.argument.key) : UNTAGGED);
      if (this.words.all !== "" && this.lacksText) this.rejected(UNTAGGED);
      return "done";
    }
    if (ends === undefined && !input.final) return "more";
    const look = new Lookahead(input);
    if (look.has("<!--", pos)) {
      const end = input.find("-->", pos);
      if (end < 0 || end - pos > MAX_COMMENT) return this.wait(input);
      input.pos = end + 3;
      return undefined;
    }
    if (text.charAt(pos) === "<" && pos + 1 === text.length && !input.final) return "more";
    if (text.startsWith("</", pos)) return this.strayCloser(input);
    if (text.charAt(pos) !== "<") {
      const alone = openingTag(this.shape, look, pos, this.call.plan.properties);
      if (look.hitEnd) return "more";
      if (!alone) return this.textAt(input, look);
      this.repaired("missing-opener");
      input.pos = alone.end;
      this.begin(alone, text);
      return undefined;
    }
    return look.isCut ? this.wait(input) : this.readTag(input, look);
  }

  /** Reads the tag of an argument, or one around all arguments. */
  private readTag(input: Input, look: Lookahead): Status | undefined {
    const { text, pos } = input;
    const wrapper = wrapperTag(look, pos, this.shape, this.args);
    if (look.hitEnd) return this.wait(input);
    if (wrapper) {
      if (wrapper.end - pos > MAX_TAG) return this.fail();
      this.repaired("wrapped-arguments");
      if (wrapper.selfClosing) this.hadEmptyWrapper = true;
      else this.wrappers.push(wrapper.name);
      input.pos = wrapper.end;
      return undefined;
    }
    look.again();
    const opening = this.openingAt(look, pos);
    if (look.hitEnd || (look.isCut && !opening)) return this.wait(input);
    // An incomplete tag at the end of the reply is ignored.
    if (!opening && input.final && /^<[\w:|]{0,64}$/.test(text.slice(pos, pos + LOOKAHEAD))) return "done";
    if (!opening) {
      this.isBroken = matchesAt(text, pos, tagBeginning(this.shape)) !== false;
      return this.fail();
    }
    const isKnown = this.args.knows(opening.key);
    if (!isKnown && opensCall(this.call, opening, this.args.given.size)) return "done";
    const isText = !isKnown && this.args.given.size === 0 && isMarkupOf(opening.key, loneKeyOf(this.call));
    if (isText) return this.beginLone();
    const closed = opening.stated?.has("value") ? closedTagEnd(look, opening, this.shape) : false;
    if (look.hitEnd) return this.wait(input);
    const end = closed || opening.end;
    if (end - pos > MAX_TAG) return this.fail();
    input.pos = end;
    // The tag of an argument that the schema lacks may contain the beginning of the value.
    const isOdd = !isKnown && this.call.plan.properties.size > 0 && /\s>$/.test(text.slice(pos, opening.end));
    this.begin({ ...opening, isBroken: opening.isBroken || isOdd, empty: opening.empty || closed !== false }, text);
    return undefined;
  }

  /** Reads the end of an empty tag, which closes a call whose own tag was unclosed; or text. */
  private textAt(input: Input, look: Lookahead): Status | undefined {
    if (this.args.given.size === 0) return this.beginLone();
    const endsTag = look.has("/>", input.pos);
    if (look.hitEnd) return "more";
    if (!endsTag) return this.skipText(input);
    this.repaired("wrong-closer");
    input.pos += 2;
    return "done";
  }

  /** The tag of an argument, in this format or, for a declared argument, in another one. */
  private openingAt(look: Lookahead, at: number): OpeningTag | undefined {
    const { properties } = this.call.plan;
    const own = openingTag(this.shape, look, at, properties);
    if (own ? properties.size === 0 || this.args.knows(own.key) : look.hitEnd || look.isCut) return own;
    const ahead = new Lookahead({ text: look.text, final: look.isWhole });
    const other = otherTag(ahead, at);
    if (ahead.hitEnd) look.atEnd();
    if (!other || properties.size === 0) return own;
    const wraps = !own && this.args.given.size === 0 && isWrapper(other.key);
    return wraps || this.args.knows(other.key) ? other : own;
  }

  /** Whether an argument that is text is still missing. */
  private get lacksText(): boolean {
    return [...this.call.plan.properties].some(([key, plan]) => plan.kind === "string" && !this.args.given.has(key));
  }

  /** Skips words between two arguments or after the last one. */
  private skipText(input: Input): Status | undefined {
    const { text, pos } = input;
    const at = text.indexOf("<", pos);
    this.words.goesOn = at < 0;
    this.words.add(text.slice(pos, at < 0 ? undefined : at));
    if (this.words.areTooMany) return this.fail();
    input.pos = at < 0 ? text.length : at;
    return undefined;
  }

  private beginLone(): Status | undefined {
    if (this.hadEmptyWrapper || loneKeyOf(this.call) === undefined) return this.fail();
    this.lone = new TextBuffer();
    return undefined;
  }

  /**
   * Reads text that is the only argument, up to the call's closing marker; fails if the text contains an argument's
   * tag.
   */
  private readLone(input: Input, lone: TextBuffer): Status {
    for (;;) {
      const { text, pos } = input;
      const at = text.indexOf("<", pos);
      lone.push(text.slice(pos, at < 0 ? undefined : at));
      input.pos = at < 0 ? text.length : at;
      if (at < 0) return "more";
      const ends = this.call.after.closes(text, at);
      const look = new Lookahead(input);
      const opening = ends === false ? this.openingAt(look, at) : undefined;
      if ((ends === undefined && !input.final) || look.hitEnd || (look.isCut && !opening)) return "more";
      if (opening && (this.args.knows(opening.key) || opensCall(this.call, opening))) return this.fail();
      if (ends) break;
      lone.push("<");
      input.pos = at + 1;
    }
    this.takeLone(lone.take());
    this.lone = undefined;
    return "done";
  }

  private takeLone(raw: string): void {
    const lines = valuesOfLines(raw, this.call.plan, { mayBeText: true });
    if (lines) {
      this.repaired("loose-lines");
      return this.args.takeAll(lines);
    }
    const { before } = this.shape.close;
    const holdsCloser = before.length > 2 && raw.includes(before);
    if (
      mayBeOther(raw, this.call.plan) ||
      holdsCloser ||
      mayContainArguments(raw, [...this.call.plan.properties.keys()])
    )
      this.rejected("its text may be more than one argument");
    this.args.takeText(loneKeyOf(this.call)!, raw.trimEnd());
    this.repaired("lone-text");
  }

  /** Handles a closing tag in place of an argument: an argument's is skipped, any other ends the call. */
  private strayCloser(input: Input): Status | undefined {
    const look = new Lookahead(input);
    const isPassed = this.passWrapper(input, look);
    if (isPassed || look.hitEnd) return look.hitEnd ? "more" : undefined;
    const [first = ""] = this.body.close;
    const stands = typeof first === "string" && look.has(first.trim(), input.pos);
    if (look.hitEnd) return "more";
    // The closing tag may end the argument, and the words before it may be part of its value.
    if (this.words.all !== "") this.rejected("there is text between the arguments");
    if (!stands) return "done";
    if (this.body.close.length > 1) return this.strayNamedCloser(input);
    this.repaired("extra-closer");
    input.pos += String(first).trim().length;
    return undefined;
  }

  /** Skips the closing tag of an element around all arguments; false: it is a different tag. */
  private passWrapper(input: Input, look: Lookahead): boolean {
    const name = this.wrappers.at(-1);
    const end = name !== undefined && closingTagEnd(look, input.pos, name);
    if (end === false) return false;
    this.wrappers.pop();
    this.hadEmptyWrapper ||= this.args.given.size === 0;
    input.pos = end;
    return true;
  }

  private strayNamedCloser(input: Input): Status | undefined {
    const look = new Lookahead(input);
    const key = look.find([...this.args.given], (name) => closingTagEnd(look, input.pos, name) !== false);
    if (look.hitEnd) return "more";
    const end = key !== undefined && closingTagEnd(look, input.pos, key);
    if (end === false) return "done";
    this.repaired("extra-closer");
    input.pos = end;
    return undefined;
  }

  private fail(): Status {
    this.failure = "expected an argument's tag";
    return "fail";
  }

  private wait(input: Input): Status {
    this.waits = true;
    return input.text.length - input.pos > MAX_TAG ? this.fail() : "more";
  }

  private begin(opening: OpeningTag, text: string): void {
    const { key: written, empty, isText, isQuoted, attributes, isUntagged = false, stated, isBroken } = opening;
    if (this.words.argument()) this.repaired("dropped-text");
    const found = this.args.begin(written, empty);
    const { key, plan, isKnown, wraps } = found;
    if (isBroken) this.rejected(`the tag of ${JSON.stringify(key)} contains something that is not an attribute`);
    const { shape } = this;
    const inAny = empty && plan.items.kind !== "object";
    const values =
      isKnown && plan.kind !== "object" ? valuesIn(stated, { key, inAny, shape, plan: this.call.plan }) : [];
    const [other] = values;
    if (empty && values.length === 1 && (other === "value" || (other !== undefined && other === shape.textAttribute)))
      return this.args.takeAttribute(key, plan, stated!.get(other)!);
    if (other !== undefined) this.rejected(`the tag of ${JSON.stringify(key)} holds ${JSON.stringify(other)}`);
    if (empty) this.words.ended(true);
    if (empty) return this.args.take(key, plan, { raw: "", attributes });
    const streams = wraps || isQuoted || this.shape.trims ? false : isKnown ? plan.kind === "string" : isText;
    const isPlain = isKnown && takesOnlyPlain(plan);
    const isScalar = isPlain || plan.kind === "string" || streams;
    const opener = text.slice(text.lastIndexOf("<", opening.end - 1), opening.end);
    const closer = closerOf(opening, shape);
    const argument = { ...opening, ...found, ...closer, opener, streams, isUntagged, isPlain, isScalar };
    const value = new ElementValue(argument, this, this.call.emitter);
    this.open = { argument, value };
    this.last = value;
    if (streams) {
      this.call.emitter.key(key);
      if (attributes) this.args.reading.dropped();
      this.call.emitter.begin("string");
    }
  }

  private readValue(input: Input, { argument, value }: NonNullable<ElementsReader["open"]>): Status | undefined {
    const status = value.read(input);
    if (status !== "done") return status;
    if (value.buffered === undefined) this.call.emitter.end("string");
    else this.takeRaw(argument, this.shape.trims ? trimLine(value.buffered) : value.buffered);
    for (const code of value.repairs) this.repaired(code);
    this.open = undefined;
    this.words.ended(value.isBlank);
    return undefined;
  }

  private takeRaw(argument: OpenArgument, raw: string): void {
    const { isText, isQuoted, key, plan, attributes } = argument;
    const inside = this.wrapped(argument, raw);
    if (inside) {
      this.repaired("wrapped-arguments");
      this.args.takeAll(inside);
    } else if (isText) this.args.takeText(key, raw);
    else if (isQuoted && plan.kind === "string") this.args.takeQuoted(key, plan, raw);
    else this.args.take(key, plan, { raw, attributes });
  }

  /** The arguments inside an element that is not an argument; undefined where the schema may declare it. */
  private wrapped({ key, wraps, attributes }: OpenArgument, raw: string): Record<string, unknown> | undefined {
    if (!wraps && (this.call.plan.properties.size === 0 || this.args.knows(key))) return undefined;
    const knows = (name: string) => this.args.knows(name);
    if (holdsLine(raw, knows)) this.rejected(endsTwice(key));
    const inside = argumentsWithin(
      { raw, attributes },
      { wraps, plan: this.call.plan, knows, reading: this.args.reading },
    );
    if (inside === "partly" || (inside && !wraps && Object.keys(inside).some((name) => this.args.given.has(name)))) {
      this.rejected(endsTwice(key));
      return undefined;
    }
    return inside;
  }

  repaired(code: RepairCode): void {
    this.call.notes.repaired(code);
  }

  rejected(reason: string): void {
    this.call.notes.rejected(reason);
  }

  argumentAt(look: Lookahead, at: number): "comes" | "again" | "other" | undefined {
    const ahead = new Lookahead({ text: look.text, final: look.isWhole });
    const opening = openingTag(this.shape, ahead, at, this.call.plan.properties);
    // A longer tag is not waited for, so it does not count.
    if (ahead.hitEnd && look.text.length - at <= LOOKAHEAD) look.atEnd();
    if (!opening || ahead.hitEnd || opening.end - at > LOOKAHEAD) return undefined;
    const isNamed = opening.key.trim() !== "";
    if (this.call.plan.properties.has(opening.key)) return this.args.given.has(opening.key) ? "again" : "comes";
    return isNamed && this.call.plan.properties.size > 0 ? "other" : undefined;
  }

  callAt(look: Lookahead, at: number) {
    return callAt(this.call, this.shape, look, at);
  }
}
