import type { ValueSink } from "../arguments/value-sink.js";
import { type Input, LOOKAHEAD, type Status } from "../input.js";
import { Lookahead } from "../lookahead.js";
import { endsAttribute } from "./attribute-end.js";
import { entityAt } from "./markup.js";
import { TagTracker } from "./tag-tracker.js";
import { splitsPair } from "./text-pieces.js";

/** What is looked for inside a value: the quote that may end it, an entity, a backslash that may stand before a quote, a tag. */
const SPECIAL = { '"': /["&\\<]/g, "'": /['&\\<]/g };

/** Where a value stands. */
export interface AttributeValuePlace {
  quote: '"' | "'";
  /** The element's name, and how another one begins. */
  tag: string;
  opener: string;
  /** The first quote ends it: it is a name. */
  isName: boolean;
  /** Whether the element can have this attribute, as far as is known. */
  expects(key: string): boolean | undefined;
  repaired(code: string): void;
  rejected(reason: string): void;
}

/** What reads as another attribute with its first quote. */
const HIDDEN = /["'\s]([\p{L}_][\p{L}\p{N}_.:-]{0,63})\s*(?:=|["'])/gu;

/** A tag with its end. */
const WHOLE_TAG = /<\/?\p{L}[^<>]*>/gu;

type Step = { text: string; end: number };

/** Reads a quoted value, from behind its first quote, and tells the parts of its text as they come. */
export class AttributeValue {
  /** An unescaped quote was found in it. */
  private dirty = false;
  private readonly tags = new TagTracker();
  /** All that was read of it. */
  private written = "";

  constructor(
    private readonly place: AttributeValuePlace,
    private readonly sink: Pick<ValueSink, "stringPart">,
  ) {}

  /** `done` behind the quote that ends it; `fail` where another call begins before that. */
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
      this.tell(text.slice(input.pos, isCut ? at - 1 : at));
      input.pos = isCut ? at - 1 : at;
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
      this.tell(step.text);
      input.pos = from = step.end;
    }
  }

  /** Another attribute of the element, or its end, may be within the value; what is in a whole tag belongs to that tag. */
  private get hidesAttribute(): boolean {
    const text = this.written.replace(WHOLE_TAG, " ");
    const names = [...text.matchAll(HIDDEN)].map(([, name]) => name!);
    return names.some((name) => this.place.expects(name) === true) || /["']\s*\/>/.test(text);
  }

  private tell(text: string): void {
    if (text === "") return;
    this.written += text;
    this.tags.push(text);
    this.sink.stringPart(text, JSON.stringify(text).slice(1, -1));
  }

  /** What to make of a character that may mean something. */
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

  /** A quote, or a backslash that may stand before one: it ends the value, or is part of it. */
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
    place.repaired(isBackslash ? "invalid-escape" : "unescaped-quote");
    return { text: quote, end: mark + 1 };
  }
}
