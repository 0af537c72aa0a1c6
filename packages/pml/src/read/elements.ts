import { nearestNames } from "@toolingua/core/adapters";
import { SaxesParser } from "saxes";
import { type PmlPosition, PmlSyntaxError, type PmlSyntaxErrorCode } from "../errors.js";
import { ATTRIBUTE_NAME, type ElementRule, roots, vocabulary } from "../vocabulary.js";
import type { limitsOf } from "./limits.js";
import { Lines } from "./lines.js";
import type { PmlRange } from "./position.js";

/** An element of the text. Its attributes and its content are allowed by the vocabulary. */
export interface RawElement {
  name: string;
  attributes: Map<string, string>;
  /** Texts and elements in order; no two adjacent texts. */
  content: (string | RawElement)[];
  /** The positions of its first character and after its last one. */
  start: PmlPosition;
  end: PmlPosition;
}

/** Observes an element: when its attributes are read, and when it is complete. */
interface ElementListener {
  opened(element: RawElement): void;
  /** Whether the element was consumed, and need not be kept in its parent. */
  closed(element: RawElement): boolean;
}

/** `<?xml version="1.0" encoding="UTF-8"?>`, with a byte order mark before it. */
const PROLOG = /^\ufeff?(?:<\?xml\s[^<>]*\?>)?/;
/** The longest text before the prolog is complete. */
const PROLOG_LENGTH = 1_000;

/** The longest message of an error, in characters: a name or a value in it may be as long as the document. */
const LONGEST = 600;

/** An & that begins no entity, or what can contain one. */
const NO_ENTITY = /&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-fA-F]+);)|<!\[CDATA\[|<!--|<\?/;

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * Reads XML in pieces into elements, and checks each against the vocabulary as it opens. Strict XML 1.0: no DTD, no
 * entities except the five of XML and character references. Comments and processing instructions are skipped.
 *
 * Errors: {@link PmlSyntaxError}; after one, nothing more can be read.
 */
export class ElementReader {
  private readonly lines = new Lines();
  private readonly parser = new SaxesParser({ fragment: true });
  private readonly open: RawElement[] = [];
  private depth = 0;
  private length = 0;
  /** The text until the end of the prolog is known. */
  private head: string | undefined = "";
  private prolog = 0;
  /** The start of the current text. */
  private textStart = 0;
  /** What was read from `unreadStart` on, which is at or before the start of the current text. */
  private unread = "";
  private unreadStart = 0;
  private lastClosed: string | undefined;
  private failed: PmlSyntaxError | undefined;

  constructor(
    private readonly limits: ReturnType<typeof limitsOf>,
    private readonly listener: ElementListener,
    /** `any`: allows any elements and attributes, for foreign XML. */
    private readonly language: Vocabulary | "any" = pml,
  ) {
    const { parser } = this;
    parser.on("error", ({ message }) => this.refuse(message.replace(/^(?:undefined:)?\d+:\d+: /, "")));
    parser.on("opentagstart", ({ name }) => this.begin(name));
    parser.on("attribute", ({ name, value }) => this.attribute(name, value));
    parser.on("opentag", () => this.begun());
    parser.on("closetag", () => this.close());
    parser.on("text", (text) => this.text(text));
    parser.on("cdata", (text) => this.text(text));
    parser.on("comment", () => this.passed());
    parser.on("processinginstruction", () => this.passed());
  }

  push(chunk: string): void {
    if (typeof chunk !== "string") {
      const given = chunk === null ? "null" : `a value of the type ${typeof chunk}`;
      throw this.error("syntax", `A document is read from a string, not from ${given}.`);
    }
    this.guarded(() => {
      this.length += chunk.length;
      if (this.length > this.limits.maxLength) {
        throw this.error("limit", `The document is longer than ${this.limits.maxLength} characters (maxLength).`);
      }
      this.lines.forget(this.textStart);
      this.lines.add(chunk);
      if (this.textStart > this.unreadStart) {
        this.unread = this.unread.slice(this.textStart - this.unreadStart);
        this.unreadStart = this.textStart;
      }
      this.unread += chunk;
      if (this.head === undefined) {
        this.parser.write(chunk);
        return;
      }
      this.head += chunk;
      if (this.head.length > PROLOG_LENGTH || !couldGrow(this.head)) this.begunText();
    });
  }

  end(): void {
    this.guarded(() => {
      this.begunText();
      const { open, parser } = this;
      const last = open.at(-1);
      if (last) {
        const ampersand = this.plainAmpersand();
        if (ampersand) throw this.unknownEntity(ampersand);
        const message = `The document ends inside <${last.name}>, which needs </${last.name}>.`;
        throw this.error("syntax", message, this.lines.at(this.length));
      }
      parser.close();
    });
  }

  /** The positions of an element's beginning and end. */
  rangeOf({ start, end }: RawElement): PmlRange {
    return { start, end };
  }

  /** The range of the whole text so far. */
  get range(): PmlRange {
    return { start: { line: 1, column: 1, offset: 0 }, end: this.lines.at(this.length) };
  }

  /** An error at a position, by default at the current one. */
  error(code: PmlSyntaxErrorCode, message: string, at = this.lines.at(this.offset)): PmlSyntaxError {
    return new PmlSyntaxError(code, message.length > LONGEST ? shortened(message, LONGEST) : message, at);
  }

  private get offset(): number {
    return this.prolog + this.parser.position;
  }

  private guarded(read: () => void): void {
    if (this.failed) throw this.failed;
    try {
      read();
    } catch (error) {
      if (error instanceof PmlSyntaxError) this.failed = error;
      throw error;
    }
  }

  /** Reads the beginning of the document: the XML declaration, which a document with several roots can also have. */
  private begunText(): void {
    const { head } = this;
    if (head === undefined) return;
    const [prolog] = PROLOG.exec(head) ?? [""];
    const version = /\sversion\s*=\s*(["'])(.*?)\1/.exec(prolog)?.[2];
    if (prolog.includes("<?xml") && version !== "1.0") {
      throw this.error("syntax", 'The XML declaration must say version="1.0".', this.range.start);
    }
    this.head = undefined;
    this.prolog = prolog.length;
    this.textStart = prolog.length;
    this.parser.write(head.slice(prolog.length));
  }

  private begin(name: string): void {
    const start = this.lines.at(this.offset - name.length - 2);
    const parent = this.open.at(-1);
    if (++this.depth > this.limits.maxDepth) {
      throw this.error("limit", `Elements are more than ${this.limits.maxDepth} levels deep (maxDepth).`, start);
    }
    const allowed = parent ? this.ruleOf(parent.name).children : this.language === "any" ? [] : this.language.roots;
    if (this.language !== "any" && !allowed.includes(name)) {
      const where = parent ? `is not allowed in <${parent.name}>` : "is not a PML document";
      const can = allowed.length > 0 ? `Allowed: ${allowed.map(tag).join(", ")}.` : "Only text is allowed there.";
      throw this.error("structure", `<${name}> ${where}.${meant(name, allowed)} ${can}`, start);
    }
    this.open.push({ name, attributes: new Map(), content: [], start, end: start });
  }

  private attribute(name: string, value: string): void {
    const element = this.current();
    const { attributes, start } = element;
    if (attributes.size >= this.limits.maxAttributes) {
      const { maxAttributes } = this.limits;
      throw this.error("limit", `<${element.name}> has more than ${maxAttributes} attributes (maxAttributes).`, start);
    }
    // Attributes of XML itself, not of PML.
    if (element.name === "pml" && /^(?:xmlns(?:$|:)|xml:|xsi:)/.test(name)) return;
    const rules = this.ruleOf(element.name);
    const rule = Object.hasOwn(rules.attributes, name) ? rules.attributes[name] : undefined;
    if (!rule && !rules.open) {
      const known = Object.keys(rules.attributes);
      const can = known.length > 0 ? `It can have ${known.join(", ")}.` : "It has none.";
      const message = `<${element.name}> has no attribute "${name}".${meant(name, known)} ${can}`;
      throw this.error("structure", message, start);
    }
    if (!rule && rules.open === "plain" && !ATTRIBUTE_NAME.test(name)) {
      const right = "letters of A to Z, digits, _, - and ., with no digit, - or . and no xml at the beginning";
      throw this.error("structure", `An attribute of your own has a name of ${right}, not "${name}".`, start);
    }
    this.checkText(value);
    if (rule?.words && !rule.words.includes(value)) {
      const words = rule.words.map((word) => `"${word}"`).join(" or ");
      const message = `The attribute ${name} of <${element.name}> is ${words}, not ${JSON.stringify(value)}.`;
      throw this.error("structure", message, start);
    }
    if (rule?.count && !/^(?:0|[1-9]\d{0,14})$/.test(value)) {
      const message = `The attribute ${name} of <${element.name}> is a whole number from 0, not ${JSON.stringify(value)}.`;
      throw this.error("structure", message, start);
    }
    attributes.set(name, value);
  }

  private begun(): void {
    const element = this.current();
    for (const [name, rule] of Object.entries(this.ruleOf(element.name).attributes)) {
      if (!rule.required || element.attributes.has(name)) continue;
      const right = rule.words ? `${name}="${rule.words[0]}"` : `${name}="…"`;
      throw this.error("structure", `<${element.name}> lacks its attribute ${right}.`, element.start);
    }
    this.passed();
    this.listener.opened(element);
  }

  private close(): void {
    const element = this.current();
    this.open.pop();
    this.depth--;
    this.lastClosed = element.name;
    element.end = this.lines.at(this.offset);
    this.passed();
    if (!this.listener.closed(element)) this.open.at(-1)?.content.push(element);
  }

  private text(text: string): void {
    const element = this.open.at(-1);
    if (!element || !this.ruleOf(element.name).text) {
      if (isSpace(text)) return;
      const where = element ? `<${element.name}>` : "a document outside of its elements";
      const right = element?.name === "turn" ? " Write <user><text>…</text></user>." : "";
      throw this.error("structure", `Text is not allowed in ${where}.${right}`, this.lines.at(this.textStart));
    }
    this.checkText(text);
    const { content } = element;
    const last = content.at(-1);
    if (typeof last === "string") content[content.length - 1] = last + text;
    else content.push(text);
    this.passed();
  }

  private ruleOf(name: string): ElementRule {
    return (this.language === "any" ? undefined : this.language.elements[name]) ?? ANY;
  }

  private passed(): void {
    this.textStart = this.offset;
  }

  private checkText(text: string): void {
    if (!LONE_SURROGATE.test(text)) return;
    throw this.error("syntax", "Half of a surrogate pair is not an XML character.");
  }

  private current(): RawElement {
    const element = this.open.at(-1);
    if (!element) throw this.error("syntax", "A tag is closed that is not open.");
    return element;
  }

  /**
   * The first & of the current text or tag that begins no entity, of those that were read. The XML parser reads on to the next
   * semicolon, which may be far away, or to the end.
   */
  private plainAmpersand(): PmlPosition | undefined {
    const from = Math.max(this.textStart - this.unreadStart, 0);
    const found = NO_ENTITY.exec(this.unread.slice(from, this.offset - this.unreadStart));
    return found?.[0] === "&" ? this.lines.at(this.unreadStart + from + found.index) : undefined;
  }

  private unknownEntity(at: PmlPosition | undefined): PmlSyntaxError {
    const right = "There are &lt; &gt; &amp; &quot; &apos; and numbers such as &#233;; write &amp; for a plain &.";
    return this.error("forbidden", `This entity is not known. ${right}`, at);
  }

  /** Converts an error of the XML parser, adding what would be right. */
  private refuse(message: string): never {
    const open = this.open.at(-1);
    if (/entity/.test(message)) throw this.unknownEntity(this.plainAmpersand());
    if (/doctype/.test(message)) throw this.error("forbidden", "A document type (DTD) is not allowed. Remove it.");
    // The XML parser closes the open element before it reports the mismatch.
    const expected = /^unexpected close tag/.test(message) ? this.lastClosed : open?.name;
    if (/clos(?:e|ing) tag/.test(message) && expected !== undefined) {
      throw this.error("syntax", `This does not close the open element: expected </${expected}>.`);
    }
    throw this.error(
      "syntax",
      (RIGHT[message] ?? message).replace(/^./, (first) => first.toUpperCase()),
    );
  }
}

/** What would be right, for messages of the XML parser that do not say it. */
const RIGHT: Readonly<Record<string, string>> = {
  "disallowed character.": "XML has no such character here; < and & are written &lt; and &amp;.",
  "disallowed character in tag name": "A tag begins with a letter; a plain < is written &lt;.",
  "disallowed character in attribute name.": "XML has no such character in the name of an attribute.",
  "unquoted attribute value.": 'The value of an attribute needs quotes: name="value".',
  "attribute without value.": 'An attribute has a value in quotes: name="value".',
  'the string "]]>" is disallowed in char data.': "]]> in text is written ]]&gt;.",
  "unexpected end.": "The document ends inside a tag, a comment or a CDATA section.",
};

/** The allowed elements, and the possible root elements. */
interface Vocabulary {
  elements: Readonly<Record<string, ElementRule>>;
  roots: readonly string[];
}

const pml: Vocabulary = { elements: vocabulary, roots };
const ANY: ElementRule = { attributes: {}, open: "any", children: [], text: "free" };

const tag = (name: string) => `<${name}>`;
export const isSpace = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

function meant(name: string, names: readonly string[]): string {
  const near = nearestNames(name, names).meant;
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** Whether the beginning of a document could still become its XML declaration, or is an incomplete one. */
function couldGrow(head: string): boolean {
  const text = head.replace(/^\ufeff/, "");
  return text.length < 6 ? "<?xml".startsWith(text.trimEnd()) : /^<\?xml\s/.test(text) && !text.includes("?>");
}

/** The beginning and the end of a text. */
const shortened = (text: string, characters: number): string =>
  `${text.slice(0, characters / 2)}…${text.slice(-characters / 2)}`;
