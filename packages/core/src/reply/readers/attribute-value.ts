import { type Input, LOOKAHEAD, type Status } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { endsAttribute } from "../../notation/markup/attribute-end.js";
import { entityAt } from "../../notation/markup/markup.js";
import { TagTracker } from "../../notation/markup/tag-tracker.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import { splitsPair } from "../../notation/text-pieces.js";
import type { ValueSink } from "../../notation/value-sink.js";
import type { RepairCode } from "../../types.js";
import { MAX_WORD } from "../forms/call-tag.js";

/** Special characters inside a value: its closing quote, an entity, a backslash before a quote, a tag. */
const SPECIAL = { '"': /["&\\<]/g, "'": /['&\\<]/g };

/** The element and call that contain a value. */
export interface AttributeValuePlace {
  quote: '"' | "'";
  /** The element's name, and the beginning of another element. */
  tag: string;
  opener: string;
  /** Whether the value is a name, so that the first quote ends it. */
  isName: boolean;
  /** Whether the element can have this attribute; undefined: unknown. */
  expects(key: string): boolean | undefined;
  repaired(code: RepairCode): void;
  rejected(reason: string): void;
}

/** Text that reads as another attribute with its first quote. */
const HIDDEN = /["'\s]([\p{L}_][\p{L}\p{N}_.:-]{0,63})\s{0,64}(?:=|["'])/gu;

/** The equals sign of an attribute whose name is missing, or no name. */
const LOST_NAME = /["']\s{1,64}(?:[^\s"'=]{0,64}[<>][^\s"'=]{0,64})?=["']/;

/** Whether a value has quotes around all of it again, or one too many at an end. */
function isDoubled(text: string, quote: string): boolean {
  const [first, ...others] = text.split(quote);
  const last = others.at(-1);
  return others.length % 2 === 0 ? others.length === 2 && first === "" && last === "" : first === "" || last === "";
}

const BRACKETS = /<[^<>]*>/g;

type Step = { text: string; end: number };

/** Reads a quoted value from after its opening quote, and emits the parts of its text as they arrive. */
export class AttributeValue {
  /** Whether the value contains an unescaped quote. */
  private dirty = false;
  /** Whether one has no backslash before it. */
  private isBare = false;
  private readonly tags = new TagTracker();
  /** The text read so far, and its length. */
  private readonly written = new TextBuffer();
  private length = 0;

  constructor(
    private readonly place: AttributeValuePlace,
    private readonly sink: Pick<ValueSink, "text">,
  ) {}

  /** Returns `done` after the closing quote, and `fail` where another call begins before it or a name is too long. */
  read(input: Input): Status {
    const { text, final } = input;
    const special = SPECIAL[this.place.quote];
    let from = input.pos;
    for (;;) {
      special.lastIndex = from;
      const at = special.exec(text)?.index ?? text.length;
      from = at + 1;
      if (text.charAt(at) === "<" && from < text.length && text.charAt(from) !== this.place.opener.charAt(1)) continue;
      const isCut = at === text.length && !final && splitsPair(text, at);
      const end = Math.min(isCut ? at - 1 : at, this.nameLimit(text, input.pos));
      this.emit(text.slice(input.pos, end));
      input.pos = end;
      if (this.isTooLong) return "fail";
      if (at === text.length) return "more";
      const look = new Lookahead(input);
      const step = this.special(look, at);
      if (look.hitEnd) return "more";
      if (step === "fail") return step;
      if (step === "done") {
        if (this.dirty && this.hidesAttribute) this.place.rejected("a value's quotes can be read in more than one way");
        input.pos = at + 1;
        return step;
      }
      this.emit(step.text);
      input.pos = from = step.end;
      if (this.isTooLong) return "fail";
    }
  }

  /** Whether the value is a name that is too long. */
  get isTooLong(): boolean {
    return this.place.isName && this.length > MAX_WORD;
  }

  /** Where a name is too long, in any chunks: after the character that exceeds the limit. */
  private nameLimit(text: string, from: number): number {
    if (!this.place.isName) return text.length;
    const limit = from + MAX_WORD + 1 - this.length;
    return splitsPair(text.slice(from, limit), limit - from) ? limit + 1 : limit;
  }

  /**
   * Whether another attribute or the element's end may be inside the value, or quotes at its ends be none of it. Attributes of
   * a whole tag belong to that tag.
   */
  private get hidesAttribute(): boolean {
    const text = this.written.toString().replace(BRACKETS, (tag) => (/^<\/?\p{L}/u.test(tag) ? " " : tag));
    if ((this.isBare && isDoubled(this.written.toString(), this.place.quote)) || LOST_NAME.test(text)) return true;
    const names = [...text.matchAll(HIDDEN)].map(([, name]) => name!);
    return names.some((name) => this.place.expects(name) === true) || /["']\s*\/>/.test(text);
  }

  private emit(text: string): void {
    if (text === "") return;
    this.written.push(text);
    this.length += text.length;
    this.tags.push(text);
    this.sink.text(text);
  }

  /** Handles a special character. */
  private special(look: Lookahead, at: number): Step | "done" | "fail" {
    switch (look.text.charAt(at)) {
      case "&":
        return entityAt(look, at);
      case "<":
        return look.has(this.place.opener, at) ? "fail" : { text: "<", end: at + 1 };
      default:
        return this.quoteAt(look, at);
    }
  }

  /** Handles a quote, or a backslash that may precede one: it ends the value or is part of it. */
  private quoteAt(look: Lookahead, at: number): Step | "done" {
    const { text, isWhole } = look;
    const { quote, isName } = this.place;
    const isBackslash = text.charAt(at) === "\\";
    const mark = isBackslash ? at + 1 : at;
    if (look.charAt(mark) !== quote) return { text: "\\", end: mark };
    const near = new Lookahead({ text, final: isWhole }, mark + 1 + LOOKAHEAD);
    const { dirty, place } = this;
    const ends = isName || endsAttribute(near, mark, place, { dirty, inTag: this.tags.inTag });
    if (near.hitEnd) look.atEnd();
    if (ends || near.hitEnd) return isBackslash ? { text: "\\", end: mark } : "done";
    this.dirty = true;
    this.isBare ||= !isBackslash;
    place.repaired(isBackslash ? "invalid-escape" : "unescaped-quote");
    return { text: quote, end: mark + 1 };
  }
}
