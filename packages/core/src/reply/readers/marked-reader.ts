import { partial } from "../../common/partial.js";
import { Input, LOOKAHEAD, matchesAt, type Status, spaceEnd } from "../../notation/input.js";
import { MAX_DEPTH } from "../../notation/json/brackets.js";
import { Lookahead } from "../../notation/lookahead.js";
import { anyPlan, declares, type Plan, property } from "../../schema/plan.js";
import { children } from "../../syntax/parts.js";
import { openerEnd } from "../forms/call-opener.js";
import type { BodyReader } from "./body-kind.js";
import type { ElementsCall } from "./elements-call.js";
import { ElementsReader } from "./elements-reader.js";
import { holdsRemains, MAX_REMAINS, type MarkedTag, markedTag } from "./marked-tag.js";
import { endsTwice } from "./value-end.js";

/** The end of the call in the markup that is made of it. */
const END = "</invoke>";

/** Text in markup, of which nothing is a tag, an entity, a list or layout. */
const escaped = (text: string) => text.replace(/[&<[\r\n]/g, (char) => `&#${char.charCodeAt(0)};`);

/** An element with a mark that is not closed. */
interface OpenElement {
  name: string;
  plan: Plan;
  /** Whether the schema declares it. */
  isKnown: boolean;
  /** Whether it has text other than white space, and whether that has what begins a tag. */
  hasText: boolean;
  hasTag: boolean;
  /** The end of its text so far. */
  end: string;
  /** Whether it has an element that may belong after it, if its closing tag is missing. */
  mayEndBefore: boolean;
}

/** The plan of an element within another one. */
const partOf = (within: Plan, name: string): Plan =>
  within.kind === "array" ? within.items : (property(within, name)?.plan ?? anyPlan);

/**
 * Reads arguments that are elements with a mark before each tag, by rewriting them as plain markup: tags without their mark,
 * and the text of a value, in which other tags do not count, with entities. Where the model left the mark out, a tag counts
 * between the arguments, and as a closing tag before one with the mark. A closing tag with another name closes the innermost
 * element, and one too many is ignored, unless it may belong to an element whose opening tag is missing.
 *
 * Sources: the parsers of vLLM (`parser/minimax_m3.py`) and SGLang (`function_call/minimax_m3.py`).
 */
export class MarkedReader implements BodyReader {
  failure = "";
  tooDeep = false;
  /** The arguments as plain markup. */
  private readonly markup = new Input();
  private readonly reader: ElementsReader;
  private readonly path: OpenElement[] = [];
  /** The name of the one that was closed last, if only white space came since. */
  private closed: string | undefined;
  /** Whether nothing but white space was read. */
  private isEmpty = true;
  /** Whether the end of the call was read. */
  private isClosed = false;

  constructor(
    private readonly mark: string,
    private readonly call: ElementsCall,
  ) {
    const closes = (text: string, index: number) => matchesAt(text, index, END);
    this.reader = new ElementsReader(children, {
      ...call,
      after: { closers: [END], closes, elements: ["invoke"], opener: [] },
    });
  }

  get isBetweenValues(): boolean {
    return this.path.length === 0 && this.reader.isBetweenValues;
  }

  /** Reads on; returns `done` before the markup that ends the call. */
  read(input: Input): Status {
    for (;;) {
      const at = this.rewriteText(input);
      this.readMarkup(input.final && at === undefined);
      // Where it failed depends on the chunks, but not where the next tag is.
      if (this.failure !== "" && (at !== undefined || input.final)) return "fail";
      if (at === undefined) return "more";
      const status = this.rewriteTag(input, at);
      if (status !== "more") this.readMarkup(status === "done");
      if (status) return status === "done" && this.failure !== "" ? "fail" : status;
    }
  }

  /** Reads the arguments as far as they are rewritten. */
  private readMarkup(final: boolean): void {
    const { reader, markup } = this;
    if (this.failure !== "") return;
    markup.final = final;
    const status = reader.read(markup);
    if (status === "fail" || (status === "done") !== this.isClosed)
      this.failure = reader.failure || "expected an argument's tag";
  }

  /** Completes the arguments. */
  finish(): void {
    this.reader.finish();
  }

  /** Rewrites the text up to the next tag that may count; returns the index of that, undefined: there is none so far. */
  private rewriteText(input: Input): number | undefined {
    const { mark } = this;
    const { text, pos, final } = input;
    const places = [mark, "</"].map((one) => input.find(one, pos)).filter((index) => index >= 0);
    const end = text.length - (final ? 0 : Math.max(partial(text, pos, mark), partial(text, pos, "</")));
    const at = Math.min(end, ...places);
    this.push(text.slice(pos, at));
    input.pos = at;
    return places.length > 0 ? at : undefined;
  }

  /** Rewrites the tag at an index. `done`: the call ends there. */
  private rewriteTag(input: Input, at: number): Status | undefined {
    const { mark, path, call } = this;
    const { text } = input;
    const look = new Lookahead(input);
    const isMarked = text.startsWith(mark, at);
    const top = path.at(-1);
    const tag = markedTag(look, at, mark);
    const closes = (isMarked || !top) && look.known(call.after.closes(text, at), false);
    const opens = !closes && isMarked && !tag && this.opensCall(look, at);
    const isOwn = !isMarked && tag !== undefined && tag.name === top?.name && this.endsValue(look, tag);
    if (look.hitEnd) return "more";
    if (opens && this.isEmpty) {
      this.failure ||= "it ends before its arguments";
      return "fail";
    }
    if (closes || opens) {
      this.closeTo(0);
      this.isClosed = true;
      this.markup.push(END);
      return "done";
    }
    if (tag && (isMarked || isOwn)) {
      if (isOwn) this.examine(top, text.slice(at, tag.end));
      input.pos = tag.end;
      return tag.closes ? this.close(tag) : this.open(tag);
    }
    // Between the arguments, a tag with attributes may follow the mark.
    if (isMarked && (top || text.charAt(at + mark.length) !== "<")) call.notes.rejected("a mark has no tag after it");
    if (!isMarked) this.push("</");
    input.pos = at + (isMarked ? mark.length : 2);
    return undefined;
  }

  private push(text: string): void {
    const top = this.path.at(-1);
    const isBlank = text.trim() === "";
    this.isEmpty &&= isBlank;
    if (!isBlank) this.closed = undefined;
    if (top) {
      top.hasText ||= !isBlank;
      top.hasTag ||= text.includes("<");
      this.examine(top, text);
    }
    this.markup.push(top ? escaped(text) : text);
  }

  /** Rejects a value with a part of the mark beside a tag, whatever the chunks of its text. */
  private examine(top: OpenElement, text: string): void {
    const end = top.end + text;
    top.end = end.slice(-MAX_REMAINS);
    if (holdsRemains(end, top.name)) this.call.notes.rejected(endsTwice(top.name));
  }

  private open({ name }: MarkedTag): Status | undefined {
    const { path, call } = this;
    const [first] = path;
    const isArgument = path.length === 1 && declares(call.plan, name);
    if (isArgument && (first?.hasText || (first?.plan.kind === "object" && !property(first.plan, name))))
      this.closeTo(0);
    const top = path.at(-1);
    if (top?.hasText || top?.plan.onlyString) call.notes.rejected(endsTwice(top.name));
    const within = top?.plan ?? call.plan;
    const isKnown = declares(within, name);
    if (top) {
      const isOuter = (one: OpenElement, i: number) => one.name === name || declares((path[i - 1] ?? call).plan, name);
      top.mayEndBefore ||= (!isKnown && within.kind !== "array") || path.some(isOuter);
    }
    if (call.after.closers.some((closer) => closer.endsWith(`</${name}>`)))
      call.notes.rejected(`<${name}> is no argument`);
    this.closed = undefined;
    this.isEmpty = false;
    this.tooDeep = path.length === MAX_DEPTH;
    if (this.tooDeep) this.failure = `elements are nested deeper than ${MAX_DEPTH}`;
    path.push({
      name,
      plan: partOf(within, name),
      isKnown,
      hasText: false,
      hasTag: false,
      end: "",
      mayEndBefore: false,
    });
    this.markup.push(`<${name}>`);
    return this.tooDeep ? "fail" : undefined;
  }

  private close(tag: MarkedTag): undefined {
    const { name } = tag;
    const { path, call, closed } = this;
    const { notes } = call;
    const top = path.at(-1);
    const within = top?.plan ?? call.plan;
    const at = path.findLastIndex((element) => element.name === name);
    if (closed === name && top?.name !== name) {
      const part = partOf(within, name);
      // In a list of lists, it may close the outer one.
      if (part.kind === "array" ? within.kind === "array" : declares(part, name)) notes.rejected(endsTwice(name));
      notes.repaired("extra-closer");
    } else if (at >= 0) this.closeTo(at, tag);
    else if (!top && closed === undefined) this.markup.push(`</${name}>`);
    else {
      const isKnown = [call, ...path].some(({ plan }) => declares(plan, name));
      if (isKnown || top?.hasTag || (closed !== undefined && within.properties.size === 0))
        notes.rejected(`</${name}> closes no element`);
      notes.repaired(top ? "wrong-closer" : "extra-closer");
      if (top) this.closeTo(path.length - 1, tag);
    }
  }

  /** Closes the open elements from the innermost one to that at an index, which a tag closes, if there is one. */
  private closeTo(index: number, closer?: MarkedTag): void {
    const { path, markup, call } = this;
    if (path.length > index + Number(closer !== undefined)) call.notes.repaired("missing-closer");
    while (path.length > index) {
      const { name, isKnown, hasTag, mayEndBefore } = path.pop()!;
      const own = path.length === index && closer?.name === name ? closer : undefined;
      // A tag without the mark in an element that is no argument may be an argument's, or end the call.
      const isDoubtful = own ? !own.isMarked && hasTag && !isKnown : mayEndBefore || (hasTag && !isKnown);
      if (isDoubtful) call.notes.rejected(endsTwice(name));
      markup.push(`</${name}>`);
      this.closed = name;
    }
  }

  /** Whether another call of a known tool begins at an index, so that the end of this one is missing. */
  private opensCall(look: Lookahead, at: number): boolean {
    const { after, notes } = this.call;
    return openerEnd(after.opener, look, at + this.mark.length, (name) => notes.isTool?.(name)) !== false;
  }

  /**
   * Whether a closing tag without its mark ends the value: the reply ends after it, perhaps with others, or a tag with the mark
   * follows that does not close the value.
   */
  private endsValue(look: Lookahead, closer: MarkedTag): boolean {
    let next = spaceEnd(look.text, closer.end);
    let tag = markedTag(look, next, this.mark);
    while (tag?.closes && !tag.isMarked && next - closer.end <= LOOKAHEAD) {
      next = spaceEnd(look.text, tag.end);
      tag = markedTag(look, next, this.mark);
    }
    if (!closer.closes || next - closer.end > 2 * LOOKAHEAD) return false;
    return look.endsAt(next) || (tag?.isMarked === true && !(tag.closes && tag.name === closer.name));
  }
}
