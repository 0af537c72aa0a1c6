import { classOf, type Rules } from "./rules.js";

/**
 * What must not stand in a text: signs one after the other, each one of `chars`. `many`: any number of them, also none.
 * `name: false`: the next sign is none that a name can hold, or the text ends.
 */
export type Forbidden = readonly ({ chars: string; many?: true } | { name: false })[];

/** A word, letter for letter. */
export const word = (text: string): Forbidden => [...text].map((chars) => ({ chars }));

/** Signs without which nothing forbidden can stand: of each its first sign that is no space. */
export function keptOut(forbidden: readonly Forbidden[]): string {
  const signs = forbidden.map((steps) => {
    const step = steps.find((one) => "chars" in one && one.chars.trim() !== "") ?? steps[0];
    return step && "chars" in step ? step.chars : "";
  });
  return [...new Set(signs.join(""))].join("");
}

export interface TextWithout {
  forbidden: readonly Forbidden[];
  /** Signs that never stand as they are. */
  notRaw?: string;
  controls?: boolean;
  /** An expression for other ways to write a sign; what is forbidden does not go on over one. */
  escapes?: string;
  /** What follows the text. */
  end?: string;
  /** What came before the text. */
  after?: string;
}

/** How far each forbidden text has come: positions, sorted and joined. A position is `pattern * MOST_STEPS + step`. */
type State = string;

const MOST_STEPS = 4096;

/** Readers of grammars take so many brackets in each other; llguidance no more than about thirty. */
const MOST_DEEP = 12;

const NAME = /[\p{L}\p{N}_.:-]/u;
/** Signs of ASCII that a name can hold. */
export const NAME_SIGNS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-"];

/**
 * A rule for any text in which nothing forbidden stands, followed by `end`: the states of the automaton that watches for
 * it. A state that one other leads to stands there in brackets, the others are a rule each.
 */
export function textWithout(rules: Rules, hint: string, options: TextWithout): string {
  return rules.once(JSON.stringify([hint, options]), hint, (start) => new Watch(rules, hint, options).build(start));
}

class Watch {
  private readonly names = new Map<State, string>();
  private readonly ways = new Map<State, Ways>();
  private readonly uses = new Map<State, number>();
  private readonly begins = new Map<string, Begun | undefined>();
  /** How many brackets are open. */
  private depth = 0;
  private readonly parsed = new Map<State, readonly number[]>();
  private readonly alphabet: string[];
  private readonly tellsNames: boolean;

  constructor(
    private readonly rules: Rules,
    private readonly hint: string,
    private readonly options: TextWithout,
  ) {
    const steps = options.forbidden.flat();
    const chars = new Set(steps.flatMap((step) => ("chars" in step ? [...step.chars] : [])));
    this.alphabet = [...chars].filter((char) => !this.isEscaped(char));
    this.tellsNames = steps.some((step) => "name" in step);
  }

  /** The body of the start rule, which has that name. */
  build(name: string): string {
    let start: State = "";
    for (const char of this.options.after ?? "") start = this.next(start, char) ?? start;
    const states = new Set([start, ""]);
    for (const state of states) {
      for (const { target } of this.waysFrom(state).steps) {
        states.add(target);
        this.uses.set(target, (this.uses.get(target) ?? 0) + 1);
      }
    }
    this.names.set(start, name);
    return this.body(start);
  }

  private isEscaped(char: string): boolean {
    return (this.options.notRaw ?? "").includes(char) || (this.options.controls === true && char < " ");
  }

  /** A state where it is led to. */
  private rule(state: State): string {
    const known = this.names.get(state);
    if (known !== undefined) return known;
    if (this.uses.get(state) === 1 && state !== "" && this.depth < MOST_DEEP) {
      this.depth++;
      const body = this.body(state);
      this.depth--;
      return `(${body})`;
    }
    const name = this.rules.reserve(this.hint);
    this.names.set(state, name);
    const { depth } = this;
    this.depth = 0;
    this.rules.define(name, this.body(state));
    this.depth = depth;
    return name;
  }

  /** What may follow in a state. What may follow at the beginning as well is a rule that most states share. */
  private body(state: State): string {
    const { steps, ends } = this.waysFrom(state);
    const shared = this.waysFrom("").steps.filter(({ isRest }) => !isRest);
    const isLikeStart = ends && shared.every((one) => steps.some((step) => isSame(step, one)));
    const own = isLikeStart ? steps.filter((step) => !shared.some((one) => isSame(step, one))) : steps;
    const options = own.map((step) => this.option(step));
    if (isLikeStart) options.push(this.shared(shared));
    else options.push(...this.others(ends));
    return options.join(" | ");
  }

  private sharedName: string | undefined;

  private shared(steps: readonly Step[]): string {
    if (this.sharedName === undefined) {
      this.sharedName = this.rules.reserve(this.hint);
      const options = [...steps.map((step) => this.option(step)), ...this.others(true)];
      this.rules.define(this.sharedName, options.join(" | "));
    }
    return this.sharedName;
  }

  private option({ chars, target }: Step): string {
    return `${chars} ${this.rule(target)}`;
  }

  /** Signs that are spelt otherwise, and the end. */
  private others(ends: boolean): string[] {
    const { escapes, end = "" } = this.options;
    return [...(escapes ? [`(${escapes}) ${this.rule("")}`] : []), ...(ends ? [end === "" ? '""' : end] : [])];
  }

  private waysFrom(state: State): Ways {
    let ways = this.ways.get(state);
    if (!ways) {
      ways = { steps: this.stepsFrom(state), ends: !this.endsForbidden(state) };
      this.ways.set(state, ways);
    }
    return ways;
  }

  private stepsFrom(state: State): Step[] {
    const { notRaw = "", controls = false } = this.options;
    const [name, other] = [this.next(state, "name"), this.next(state, "other")];
    const known = this.alphabet.map((char) => [char, this.next(state, char)] as const);
    const special = known.filter(([, target]) => target !== other);
    const byTarget = new Map<State, string>();
    for (const [char, target] of special) {
      if (target !== undefined) byTarget.set(target, (byTarget.get(target) ?? "") + char);
    }
    const steps: Step[] = [...byTarget].map(([target, chars]) => ({ chars: classOf(chars), target }));
    // Signs of names are told from others only where it matters.
    const apart = this.tellsNames && name !== other;
    const taken = (apart ? known : special).map(([char]) => char).join("") + notRaw;
    if (apart) {
      const free = classOf(NAME_SIGNS.filter((char) => !taken.includes(char)).join(""), { wide: taken });
      if (name !== undefined) steps.push({ chars: free, target: name });
      const listed = known.filter(([, target]) => target === other).map(([char]) => char);
      if (other !== undefined && listed.length > 0) steps.push({ chars: classOf(listed.join("")), target: other });
    }
    const rest = classOf(taken + (apart ? NAME_SIGNS.join("") : ""), {
      not: true,
      controls,
      ...(apart ? { wide: "" } : {}),
    });
    if (other !== undefined) steps.push({ chars: rest, target: other, isRest: true });
    return steps;
  }

  /** The state after one more sign; undefined: something forbidden is complete. */
  private next(state: State, char: string): State | undefined {
    const begun = this.begun(char);
    if (begun === undefined || state === "") return begun?.state;
    const after = new Set(begun.positions);
    for (const position of this.positions(state)) if (!this.step(position, char, after)) return undefined;
    return stateOf(after);
  }

  /** Where a sign leads from the beginning of what is forbidden; undefined: it is all of it. */
  private begun(char: string): Begun | undefined {
    if (this.begins.has(char)) return this.begins.get(char);
    const after = new Set<number>();
    const fits = this.options.forbidden.every((_, i) => this.step(i * MOST_STEPS, char, after));
    const begun = fits ? { state: stateOf(after), positions: [...after] } : undefined;
    this.begins.set(char, begun);
    return begun;
  }

  private positions(state: State): readonly number[] {
    let positions = this.parsed.get(state);
    if (!positions) {
      positions = state === "" ? [] : state.split(" ").map(Number);
      this.parsed.set(state, positions);
    }
    return positions;
  }

  /** Adds the positions after one more sign; false where something forbidden is complete. */
  private step(position: number, char: string, after: Set<number>): boolean {
    const pattern = Math.floor(position / MOST_STEPS);
    const steps = this.options.forbidden[pattern]!;
    for (let step = position % MOST_STEPS; ; step++) {
      const wanted = steps[step]!;
      const fits = "chars" in wanted ? wanted.chars.includes(char) : !isNameSign(char);
      const many = "chars" in wanted && wanted.many === true;
      if (fits && !many && step + 1 === steps.length) return false;
      const next = many ? step : step + 1;
      if (fits && next > 0) after.add(pattern * MOST_STEPS + next);
      if (!many) return true;
    }
  }

  private endsForbidden(state: State): boolean {
    return this.positions(state).some(
      (position) => "name" in this.options.forbidden[Math.floor(position / MOST_STEPS)]![position % MOST_STEPS]!,
    );
  }
}

/** A class of signs, and the state they lead to; `isRest`: all signs that no other step has. */
interface Step {
  chars: string;
  target: State;
  isRest?: true;
}

const isSame = (a: Step, b: Step) => a.chars === b.chars && a.target === b.target && a.isRest === b.isRest;

interface Ways {
  steps: readonly Step[];
  /** Whether the text may end here. */
  ends: boolean;
}

interface Begun {
  state: State;
  positions: readonly number[];
}

const stateOf = (positions: Iterable<number>): State => [...positions].sort((a, b) => a - b).join(" ");

const isNameSign = (char: string) => char === "name" || (char !== "other" && NAME.test(char));
