import { made } from "../made.js";
import { classOf, literal, type Rules, repeat, sequence } from "../rules.js";
import { keptOut } from "./forbidden.js";
import type { Pattern } from "./pattern.js";
import { type PatternNotation, patternNotation, patternRule } from "./pattern-rule.js";
import type { StringNotation } from "./string-notation.js";
import { textExcept } from "./text-except.js";
import { textWithout } from "./text-without.js";

/** The rules of strings in one spelling, each created on first use. */
export class StringRules {
  private readonly made = new Map<string, string>();
  private kept: PatternNotation | undefined;

  constructor(
    private readonly rules: Rules,
    private readonly notation: StringNotation,
    private readonly maxLength: number | undefined,
  ) {}

  private once(key: string, make: () => string): string {
    return made(this.made, key, make);
  }

  /** Any string. */
  any(): string {
    return this.ofLength(0, undefined);
  }

  /** Any string except these; undefined where there is no other. */
  except(strings: readonly string[]): string | undefined {
    if (strings.length === 0) return this.any();
    const { notation } = this;
    const end = literal(notation.close);
    const body = textExcept(this.rules, strings, {
      end,
      rest: (before) => {
        const left = this.maxLength === undefined ? undefined : this.maxLength - before;
        return left !== undefined && left < 0
          ? undefined
          : this.rules.add("except-end", sequence(repeat(this.char, 0, left), end));
      },
      raw: (except) => this.raw(except),
      spell: (char) => (this.isEscaped(char) ? notation.spell(char) : char),
      others: (next) => this.escapesExcept(next),
    });
    return body === undefined ? undefined : sequence(literal(notation.open), body);
  }

  /** The spellings of the characters that are not written as they are, except some. */
  private escapesExcept(except: ReadonlySet<string>): string[] {
    const { notRaw, controls, controlLetters, spell } = this.notation;
    const plain = [...notRaw].filter((char) => !except.has(char)).map(spell);
    const options = plain.flatMap((text) => (text === undefined ? [] : [literal(text)]));
    if (!controls) return options;
    if ([...except].some((char) => char < " ")) {
      const all = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
      return [...options, ...all.filter((char) => !except.has(char)).map((char) => literal(spell(char)!))];
    }
    return [...options, `"\\\\" [${controlLetters}]`, '"\\\\u00" [01] [0-9a-fA-F]'];
  }

  /** A string of `min` to `max` characters (code points). */
  ofLength(min: number, max: number | undefined): string {
    return this.once(`string ${min} ${max}`, () => {
      const limit = this.limit(min, max);
      const { notation } = this;
      const [open, close] = [literal(notation.open), literal(notation.close)];
      if (min === 0 && limit === undefined && notation.forbidden.length > 0) {
        const { forbidden, notRaw, controls, escapes, after } = notation;
        const end = notation.close === "" ? "" : close;
        const text = textWithout(this.rules, "text", { forbidden, notRaw, controls, escapes, after, end });
        return notation.open === "" ? text : this.rules.add("str", sequence(open, text));
      }
      const bounded = min > 0 || max !== undefined;
      return this.rules.add("str", this.marked(repeat(bounded ? this.counted : this.char, min, limit)));
    });
  }

  /** Whether strings are limited to a smaller length than the schema allows. */
  shortens(min: number, max: number | undefined): boolean {
    return this.limit(min, max) !== max;
  }

  /** The maximum length of a string for which the schema allows `max` characters (undefined: any number). */
  limit(min: number, max: number | undefined): number | undefined {
    const { maxLength } = this;
    return max ?? (maxLength === undefined ? undefined : Math.max(min, maxLength));
  }

  /** The strings of a pattern; undefined where a grammar cannot express them. */
  patterned(pattern: Pattern): string | undefined {
    const { notation } = this;
    return this.rules.remember(notation, pattern, () => {
      this.kept ??= patternNotation(notation);
      const inside = patternRule(this.rules, this.kept, pattern);
      return inside === undefined ? undefined : this.rules.add("str", this.marked(inside));
    });
  }

  private marked(inside: string): string {
    const { open, close } = this.notation;
    if (open === "") return inside || '""';
    return sequence(literal(open), inside, literal(close));
  }

  /** Whether some texts must not occur inside strings. */
  get hasForbidden(): boolean {
    return this.notation.forbidden.length > 0;
  }

  /**
   * Whether some strings cannot be written. Strings of a bounded length contain no character that begins a forbidden
   * text.
   */
  get narrows(): boolean {
    const { forbidden, escapes } = this.notation;
    return forbidden.length > 0 && escapes === "";
  }

  private isEscaped(char: string): boolean {
    const { notRaw, controls } = this.notation;
    return notRaw.includes(char) || (controls && char < " ");
  }

  /** A string as it is written; undefined where the format cannot write it. */
  text(value: string): string | undefined {
    const { notation } = this;
    let text = "";
    for (const char of value) {
      const spelt = this.isEscaped(char) ? notation.spell(char) : char;
      if (spelt === undefined) return undefined;
      text += spelt;
    }
    for (const word of notation.words ?? []) {
      if (!text.includes(word)) continue;
      const first = notation.spell(word.charAt(0));
      if (first === undefined) return undefined;
      text = text.replaceAll(word, first + word.slice(1));
    }
    return notation.open + text + notation.close;
  }

  /** A class of the characters that are written as they are, except some. */
  private raw(except: string): string {
    const { notRaw, controls, forbidden } = this.notation;
    return classOf(except + notRaw + keptOut(forbidden), { not: true, controls });
  }

  private get char(): string {
    return this.once("char", () => this.character("char", this.notation.escapes));
  }

  /** One code point. */
  private get counted(): string {
    return this.once("counted", () => this.character("code-point", this.notation.counted));
  }

  private character(hint: string, escapes: string): string {
    const raw = this.raw("");
    return this.rules.add(hint, escapes === "" ? raw : `${raw} | ${escapes}`);
  }
}
