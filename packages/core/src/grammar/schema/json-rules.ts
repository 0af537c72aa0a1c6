import { isObject } from "../../common/plain-object.js";
import { PLAIN_NAME } from "../../schema/names.js";
import { type JsonStyle, MAX_UNORDERED, type Spelling } from "../json-style.js";
import { made } from "../made.js";
import { memberList } from "../member-list.js";
import { classOf, literal, MAX_REPEAT, type Rules, repeat, sequence } from "../rules.js";
import { StringRules } from "../text/string-rules.js";
import { textExcept } from "../text/text-except.js";
import { anyInteger, anyNumber, withShared } from "./number-ranges.js";

/** The punctuation around and between the members of an object or the items of an array. */
export interface Frame {
  open: string;
  comma: string;
  /** Whitespace after the last member. */
  end: string;
  close: string;
}

/** The rules of JSON in one spelling, each created on first use. */
export class JsonRules {
  readonly strings: StringRules;
  private readonly made = new Map<string, string>();
  private spaceRule: string | undefined;
  private commaRule: string | undefined;

  private constructor(
    private readonly rules: Rules,
    private readonly style: JsonStyle,
    private readonly spelling: Spelling,
  ) {
    this.strings = new StringRules(rules, spelling.strings, style.maxStringLength);
  }

  /** The rules of this grammar for a style and a spelling, created on first use. */
  static of(rules: Rules, style: JsonStyle, spelling: Spelling): JsonRules {
    return rules.remember(style, spelling, () => new JsonRules(rules, style, spelling));
  }

  private once(key: string, make: () => string): string {
    return made(this.made, key, make);
  }

  get comma(): string {
    this.commaRule ??= this.rules.add("c", sequence(this.before, '","', this.space));
    return this.commaRule;
  }

  /** Whitespace after `,` and `:`. */
  get space(): string {
    this.spaceRule ??= this.makeSpace();
    return this.spaceRule;
  }

  private makeSpace(): string {
    switch (this.spelling.whitespace) {
      case "none":
        return "";
      case "spaced":
        return this.rules.add("sp", '" "?');
      case "pretty":
        // Bounded, because a model that starts to indent may never stop.
        return this.rules.add("ws", '(" " | "\\r"? "\\n" [ \\t]{0,40})?');
      case "any":
        return this.rules.add("ws", "[ \\t\\n\\r]*");
    }
  }

  /** Whitespace after the opening bracket and before the closing one. */
  private get inner(): string {
    return this.spelling.whitespace === "none" || this.spelling.whitespace === "spaced" ? "" : this.space;
  }

  /** Whitespace before `,` and `:`. */
  private get before(): string {
    return this.spelling.whitespace === "any" ? this.space : "";
  }

  get braces(): Frame {
    return { open: sequence('"{"', this.inner), comma: this.comma, end: this.inner, close: '"}"' };
  }

  get brackets(): Frame {
    return { open: sequence('"["', this.inner), comma: this.comma, end: this.inner, close: '"]"' };
  }

  /** A key with its colon; undefined where the format cannot write it. */
  key(name: string): string | undefined {
    if (this.spelling.bareKeys) return PLAIN_NAME.test(name) ? literal(`${name}:`) : undefined;
    const text = this.strings.text(name);
    if (text === undefined) return undefined;
    return this.before === "" ? sequence(literal(`${text}:`), this.space) : sequence(literal(text), this.colon);
  }

  private get colon(): string {
    return sequence(this.before, '":"', this.space);
  }

  /** Whether the format cannot write some of the undeclared keys. */
  get narrowsKeys(): boolean {
    return this.spelling.bareKeys;
  }

  /** Any key except these, with its colon; undefined where there is no other. */
  keyExcept(names: readonly string[]): string | undefined {
    const { spelling, rules } = this;
    const bare = () => names.filter((name) => PLAIN_NAME.test(name));
    const key = spelling.bareKeys ? textExcept(rules, bare(), bareKey) : this.strings.except(names);
    return key && sequence(key, spelling.bareKeys ? '":"' : this.colon);
  }

  /**
   * A constant. Objects with few keys admit them in any order; others only in the given order, and `inOrder` is called.
   * Undefined where the format cannot write the constant.
   */
  constant(value: unknown, inOrder: () => void = () => {}): string | undefined {
    if (typeof value === "string") {
      const text = this.strings.text(value);
      return text === undefined ? undefined : literal(text);
    }
    if (Array.isArray(value)) {
      return list(
        this.brackets,
        value.map((item) => this.constant(item, inOrder)),
      );
    }
    if (typeof value === "boolean") return literal(this.spelling.words[value ? 0 : 1]);
    if (!isObject(value)) return value === null ? this.nothing() : literal(JSON.stringify(value) ?? "null");
    const entries = Object.entries(value).map(([name, part]) => {
      const [key, constant] = [this.key(name), this.constant(part, inOrder)];
      return key === undefined || constant === undefined ? undefined : { name, written: sequence(key, constant) };
    });
    if (entries.length < 2 || entries.includes(undefined))
      return list(
        this.braces,
        entries.map((entry) => entry?.written),
      );
    const anyOrder = entries.length <= (this.style.maxUnordered ?? MAX_UNORDERED);
    if (!anyOrder) inOrder();
    const members = entries.map((entry) => ({ ...entry!, required: true }));
    const { open, comma, end, close } = this.braces;
    return sequence(open, memberList(this.rules, "constant", { members, comma, anyOrder })!, end, close);
  }

  /** A key with its colon, from the expression of a string; undefined where keys are not strings. */
  keyOf(string: string): string | undefined {
    return this.spelling.bareKeys ? undefined : sequence(string, this.colon);
  }

  integer(): string {
    return this.once("integer", () => this.rules.add("int", anyInteger()));
  }

  number(): string {
    return this.once("number", () => this.rules.add("num", withShared(this.rules, anyNumber())));
  }

  boolean(): string {
    const [yes, no] = this.spelling.words;
    return this.once("boolean", () => this.rules.add("bool", `${literal(yes)} | ${literal(no)}`));
  }

  nothing(): string {
    return literal(this.spelling.words[2]);
  }

  /** Any value that nests at most `depth` levels. */
  any(depth = this.style.maxDepth): string {
    return this.once(`any ${depth}`, () => {
      const scalars = [this.strings.any(), this.number(), this.boolean(), this.nothing()];
      if (depth === 0) return this.rules.add("scalar", scalars.join(" | "));
      const name = this.rules.reserve(`any${depth ?? ""}`);
      this.made.set(`any ${depth}`, name);
      this.rules.define(name, [...scalars, this.anyObject(depth), this.anyArray(depth)].join(" | "));
      return name;
    });
  }

  anyObject(depth = this.style.maxDepth): string {
    return this.once(`object ${depth}`, () =>
      this.anyList(
        this.braces,
        sequence(this.keyExcept([])!, this.any(less(depth))),
        undefined,
        `any-object${depth ?? ""}`,
      ),
    );
  }

  private anyArray(depth = this.style.maxDepth): string {
    return this.once(`array ${depth}`, () =>
      this.anyList(this.brackets, this.any(less(depth)), this.style.maxItems, `any-array${depth ?? ""}`),
    );
  }

  private anyList({ open, comma, end, close }: Frame, item: string, max: number | undefined, hint: string): string {
    const more = repeat(sequence(comma, item), 0, max === undefined ? undefined : max - 1);
    return this.rules.add(hint, sequence(open, `(${sequence(item, more, end)})?`, close));
  }

  /** Whether a count is small enough to repeat a rule. */
  static countable(count: unknown): boolean {
    return count === undefined || Number(count) <= MAX_REPEAT;
  }
}

/** The depth for the parts of a value. An object that is required contains values even at depth 0. */
const less = (depth: number | undefined) => (depth === undefined ? undefined : Math.max(0, depth - 1));

function list({ open, comma, end, close }: Frame, parts: readonly (string | undefined)[]): string | undefined {
  if (parts.includes(undefined)) return undefined;
  const items = parts.flatMap((part, i) => (i === 0 ? [part!] : [comma, part!]));
  return sequence(open, ...items, items.length === 0 ? "" : end, close);
}

const KEY_START = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"];
const KEY_CHARACTERS = [...KEY_START, ..."0123456789.-"];

/** The spelling of keys without quotes. */
const bareKey = {
  end: '""',
  // Bounded, because a parser does not wait for the end of a key without limit.
  rest: () => "[A-Za-z_0-9.-]{0,100}",
  raw: (except: string, first: boolean) =>
    classOf((first ? KEY_START : KEY_CHARACTERS).filter((char) => !except.includes(char)).join("")),
  spell: (char: string) => char,
  others: () => [],
  notEmpty: true,
};
