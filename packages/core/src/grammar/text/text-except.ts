import { choice, literal, type Rules, sequence } from "../rules.js";

/** How the signs of a text are written, to tell texts apart sign by sign. */
export interface ExceptSpelling {
  /** What ends the text. */
  end: string;
  /** Any number of signs, and the end, where so many signs stand before; undefined where these are too many. */
  rest(before: number): string | undefined;
  /** A class of the signs that stand as they are, but for some; `first`: at the beginning. */
  raw(except: string, first: boolean): string;
  /** How a sign stands; undefined where it cannot. */
  spell(char: string): string | undefined;
  /** How the others are spelt, but for some. */
  others(except: ReadonlySet<string>): string[];
  /** The text has a sign at least. */
  notEmpty?: boolean;
}

/**
 * An expression for all texts but these, as a tree of their beginnings; undefined where there are no others. Each sign
 * on the way has one spelling only.
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

  /** What follows where these are still to be told from, each a list of signs to come. */
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
