import { choice, literal, type Rules, sequence } from "../rules.js";

/** How the characters of a text are written, to distinguish texts character by character. */
export interface ExceptSpelling {
  /** The end of the text. */
  end: string;
  /** Any number of characters, then the end, after `before` characters; undefined where these are too many. */
  rest(before: number): string | undefined;
  /** A class of the characters that are written as they are, except some; `first`: at the beginning. */
  raw(except: string, first: boolean): string;
  /** The spelling of a character; undefined where it cannot be written. */
  spell(char: string): string | undefined;
  /** The spellings of the other characters, except some. */
  others(except: ReadonlySet<string>): string[];
  /** Whether the text has at least one character. */
  notEmpty?: boolean;
}

/**
 * An expression for all texts except these, as a tree of their prefixes; undefined where there is no other. Each
 * character of the prefixes has only one spelling.
 */
export function textExcept(rules: Rules, texts: readonly string[], spelling: ExceptSpelling): string | undefined {
  return new Except(rules, spelling).from(
    texts.map((text) => [...text]),
    0,
  );
}

class Except {
  constructor(
    private readonly rules: Rules,
    private readonly spelling: ExceptSpelling,
  ) {}

  /** What may follow the common prefix of these texts, each given as the characters that remain. */
  from(texts: readonly (readonly string[])[], before: number): string | undefined {
    const { spelling } = this;
    const first = before === 0;
    if (texts.length === 0 && !first) return spelling.rest(before);
    const next = new Map<string, (readonly string[])[]>();
    for (const [char, ...rest] of texts) if (char !== undefined) next.set(char, [...(next.get(char) ?? []), rest]);
    const options = [...next].flatMap(([char, rests]) => {
      const [spelt, from] = [spelling.spell(char), this.from(rests, before + 1)];
      return spelt === undefined || from === undefined ? [] : [sequence(literal(spelt), from)];
    });
    const other = [spelling.raw([...next.keys()].join(""), first), ...spelling.others(new Set(next.keys()))];
    const rest = spelling.rest(before + 1);
    if (rest !== undefined) options.push(sequence(choice(other), rest));
    if (texts.every((text) => text.length > 0) && !(first && spelling.notEmpty)) options.push(spelling.end);
    return options.length === 0 ? undefined : this.rules.add("except", options.join(" | "));
  }
}
