import { choice, literal, type Rules, sequence } from "./rules.js";

/** How the signs of a text are written, to tell texts apart sign by sign. */
export interface ExceptSpelling {
  /** What ends the text. */
  end: string;
  /** Any number of signs, and the end. */
  rest: string;
  /** A class of the signs that stand as they are, but for some; `first`: at the beginning. */
  raw(except: string, first: boolean): string;
  /** How a sign stands; undefined where it cannot. */
  spell(char: string): string | undefined;
  /** How the others are spelt, but for some. */
  others(except: ReadonlySet<string>): string[];
  /** The text has a sign at least. */
  notEmpty?: boolean;
}

/** An expression for all texts but these, as a tree of their beginnings. Each sign on the way has one spelling only. */
export function textExcept(rules: Rules, texts: readonly string[], spelling: ExceptSpelling): string {
  return new Except(rules, spelling).from(
    texts.map((text) => [...text]),
    true,
  );
}

class Except {
  constructor(
    private readonly rules: Rules,
    private readonly spelling: ExceptSpelling,
  ) {}

  /** What follows where these are still to be told from, each a list of signs to come. */
  from(texts: readonly (readonly string[])[], first: boolean): string {
    const { spelling } = this;
    if (texts.length === 0 && !first) return spelling.rest;
    const next = new Map<string, (readonly string[])[]>();
    for (const [char, ...rest] of texts) if (char !== undefined) next.set(char, [...(next.get(char) ?? []), rest]);
    const options = [...next].flatMap(([char, rests]) => {
      const spelt = spelling.spell(char);
      return spelt === undefined ? [] : [sequence(literal(spelt), this.from(rests, false))];
    });
    const other = [spelling.raw([...next.keys()].join(""), first), ...spelling.others(new Set(next.keys()))];
    options.push(sequence(choice(other), spelling.rest));
    if (texts.every((text) => text.length > 0) && !(first && spelling.notEmpty)) options.push(spelling.end);
    return this.rules.add("except", options.join(" | "));
  }
}
