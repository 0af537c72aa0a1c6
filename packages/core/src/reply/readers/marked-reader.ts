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
import { type MarkedTag, markedTag } from "./marked-tag.js";
import { endsTwice } from "./value-end.js";

/** The end of the call in the markup that is made of it. */
const END = "</invoke>";

/** Text in markup, of which nothing is a tag, an entity, a list or layout. */
const escaped = (text: string) => text.replace(/[&<[\r\n]/g, (char) => `&#${char.charCodeAt(0)};`);

/** An element with a mark that is not closed. */
interface OpenElement {
  name: string;
  plan: Plan;
  /** Whether it has text other than white space. */
  hasText: boolean;
}

/**
 * Reads arguments that are elements with a mark before each tag, by rewriting them as plain markup: tags without their mark,
 * and the text of a value, in which other tags do not count, with entities. Where the model left the mark out, a tag counts
 * between the arguments, and as a closing tag before one with the mark. A closing tag with another name closes the innermost
 * element, and one too many is ignored.
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
  /** Whether nothing but white space came since the last of them was closed. */
  private isAfterValue = false;
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
    const ends = closes || (isMarked && !tag && this.opensCall(look, at));
    const isOwn = !isMarked && tag !== undefined && tag.name === top?.name && this.endsValue(look, tag);
    if (look.hitEnd) return "more";
    if (ends) {
      this.closeTo(0, false);
      this.isClosed = true;
      this.markup.push(END);
      return "done";
    }
    if (tag && (isMarked || isOwn)) {
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
    if (top) top.hasText ||= !isBlank;
    this.isAfterValue &&= isBlank;
    this.markup.push(top ? escaped(text) : text);
  }

  private open({ name }: MarkedTag): Status | undefined {
    const { path, call } = this;
    const isArgument = path.length === 1 && declares(call.plan, name);
    if (isArgument && path[0]?.hasText) this.closeTo(0, false);
    const top = path.at(-1);
    if (top?.hasText || top?.plan.onlyString) call.notes.rejected(endsTwice(top.name));
    const within = top?.plan ?? call.plan;
    const plan = within.kind === "array" ? within.items : (property(within, name)?.plan ?? anyPlan);
    this.isAfterValue = false;
    this.tooDeep = path.length === MAX_DEPTH;
    if (this.tooDeep) this.failure = `elements are nested deeper than ${MAX_DEPTH}`;
    path.push({ name, plan, hasText: false });
    this.markup.push(`<${name}>`);
    return this.tooDeep ? "fail" : undefined;
  }

  private close({ name }: MarkedTag): undefined {
    const { path, call } = this;
    const at = path.findLastIndex((element) => element.name === name);
    if (this.isAfterValue) call.notes.repaired("extra-closer");
    else if (path.length === 0) this.markup.push(`</${name}>`);
    else if (at < 0) {
      call.notes.repaired("wrong-closer");
      this.closeTo(path.length - 1);
    } else this.closeTo(at);
  }

  /** Closes the open elements from the innermost one to that at an index. `isOwn`: the closing tag of that one is here. */
  private closeTo(index: number, isOwn = true): void {
    const { path, markup } = this;
    if (path.length > index + Number(isOwn)) this.call.notes.repaired("missing-closer");
    while (path.length > index) markup.push(`</${path.pop()?.name}>`);
    this.isAfterValue = path.length === 0;
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
