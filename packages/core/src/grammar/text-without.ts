import { choice, classOf, type Rules, repeat, sequence } from "./rules.js";

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

/** Nothing forbidden has begun. */
const START: State = "";

const MOST_STEPS = 4096;

/** Readers of grammars take so many brackets in each other; llguidance no more than about thirty. */
const MOST_DEEP = 12;

/** Classes that are longer are worth a rule. */
const LONG = 17;

const NAME = /[\p{L}\p{N}_.:-]/u;
/** Signs of ASCII that a name can hold. */
export const NAME_SIGNS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-"];

/**
 * A rule for any text in which nothing forbidden stands, followed by `end`: the states of the automaton that watches for
 * it. The text is runs of plain signs, with what may begin something forbidden between them. Most states lead back to the
 * plain signs, or go on as the beginning does; these say no more than how they differ, so that texts in which the same
 * word is forbidden share the rules for it. The others say all that may follow them.
 */
export function textWithout(rules: Rules, hint: string, options: TextWithout): string {
  return rules.once(JSON.stringify([hint, options]), hint, (start) => new Watch(rules, hint, options).build(start));
}

class Watch {
  /** The rules for all that may follow in a state. */
  private readonly names = new Map<State, string>();
  /** The rules for detours. */
  private readonly detourNames = new Map<State, string>();
  private readonly looks = new Map<State, Look>();
  private readonly uses = new Map<State, number>();
  private readonly begins = new Map<string, Begun | undefined>();
  private readonly parsed = new Map<State, readonly number[]>();
  private readonly moves = new Map<State, ReadonlyMap<string, State | undefined>>();
  /** States that do not lead back. */
  private readonly lasting = new Set<State>();
  /** Detours that are being written, with their names once they lead to themselves. */
  private readonly pending = new Map<State, string | undefined>();
  private readonly alphabet: string[];
  /** Signs with which something forbidden begins, and where they lead. */
  private readonly entries = new Map<string, State>();
  private readonly tellsNames: boolean;
  private readonly escapes: string;
  /** The steps from the beginning. */
  private readonly start: readonly Step[];
  private tailName: string | undefined;
  private runName: string | undefined;
  /** How many brackets are open. */
  private depth = 0;

  constructor(
    private readonly rules: Rules,
    private readonly hint: string,
    private readonly options: TextWithout,
  ) {
    const steps = options.forbidden.flat();
    const chars = new Set(steps.flatMap((step) => ("chars" in step ? [...step.chars] : [])));
    this.alphabet = [...chars].filter((char) => !this.isEscaped(char));
    this.tellsNames = steps.some((step) => "name" in step);
    this.escapes = options.escapes ? rules.add("escape", options.escapes) : "";
    for (const char of this.alphabet) {
      const state = this.next(START, char);
      if (state) this.entries.set(char, state);
    }
    this.start = this.steps(START, new Map());
  }

  /** The body of the start rule, which has that name. */
  build(name: string): string {
    let start = START;
    for (const char of this.options.after ?? "") start = this.next(start, char) ?? start;
    const states = new Set([start, START]);
    for (const state of states) {
      for (const target of this.look(state).targets) {
        states.add(target);
        this.uses.set(target, (this.uses.get(target) ?? 0) + 1);
      }
    }
    this.findLasting(states);
    this.names.set(start, name);
    return start === START ? this.text() : this.full(start);
  }

  private isEscaped(char: string): boolean {
    return (this.options.notRaw ?? "").includes(char) || (this.options.controls === true && char < " ");
  }

  /** Those that go on as the beginning does in some ways only, and those that lead to such ones. */
  private findLasting(states: ReadonlySet<State>): void {
    // Most lead to later ones.
    const backwards = [...states].reverse().filter((state) => state !== START);
    for (let known = -1; known < this.lasting.size; ) {
      known = this.lasting.size;
      for (const state of backwards) {
        const { leadsBack, own } = this.look(state);
        if (!leadsBack || [...own].some((target) => this.lasting.has(target))) this.lasting.add(state);
      }
    }
  }

  /** Where a state leads. */
  private look(state: State): Look {
    let look = this.looks.get(state);
    if (!look) {
      look = this.lookFrom(state);
      this.looks.set(state, look);
    }
    return look;
  }

  private lookFrom(state: State): Look {
    const ends = !this.endsForbidden(state);
    const ways = [...this.entries].map(([char, target]) => [this.next(state, char), target]);
    const isLikeStart = ends && ways.every(([next, target]) => next === target);
    const isApart = !ends && ways.every(([next]) => next === undefined);
    const own = new Set<State>();
    const targets = new Set<State>();
    for (const char of new Set([...this.movesFrom(state).keys(), ...this.entries.keys()])) {
      const target = this.next(state, char);
      if (target === undefined) continue;
      targets.add(target);
      if (!isLikeStart || !this.entries.has(char)) own.add(target);
    }
    return { isLikeStart, leadsBack: isLikeStart || isApart, targets, own };
  }

  /** Plain signs, and all that may come behind them. */
  private text(): string {
    const entries = this.start.filter(({ isRest }) => !isRest);
    if (entries.some(({ target }) => this.lasting.has(target))) return sequence(this.run(), this.tail());
    const detours = entries.map((step) => sequence(step.signs, this.detour(step.target, entries.length > 1)));
    if (this.escapes) detours.push(sequence(this.escapes, this.run()));
    const between = detours.length === 0 ? "" : repeat(choice(detours), 0, undefined);
    return sequence(this.run(), between, this.options.end ?? "");
  }

  /** The same as a rule. */
  private whole(): string {
    let name = this.names.get(START);
    if (name === undefined) {
      name = this.rules.reserve(this.hint);
      this.names.set(START, name);
      this.rules.define(name, this.text() || '""');
    }
    return name;
  }

  /** What may come behind plain signs, as a rule of its own. */
  private tail(): string {
    if (this.tailName === undefined) {
      this.tailName = this.rules.reserve("t");
      const entries = this.start.filter(({ isRest }) => !isRest);
      this.rules.define(this.tailName, [...entries.map((step) => this.onward(step)), ...this.others()].join(" | "));
    }
    return this.tailName;
  }

  /** Any number of plain signs. */
  private run(): string {
    if (this.runName === undefined) {
      const rest = this.start.find(({ isRest }) => isRest);
      this.runName = rest ? this.rules.add("r", repeat(rest.signs, 0, undefined)) : "";
    }
    return this.runName;
  }

  /** A step with all that may follow it. */
  private onward({ signs, target }: Step): string {
    if (target === START) return sequence(signs, this.whole());
    return this.lasting.has(target) || this.names.has(target)
      ? sequence(signs, this.lastingRule(target))
      : sequence(signs, this.detour(target, true), this.tail());
  }

  private lastingRule(state: State): string {
    const known = this.names.get(state);
    if (known !== undefined) return known;
    if (this.uses.get(state) === 1 && this.depth < MOST_DEEP) {
      this.depth++;
      const written = this.full(state);
      this.depth--;
      return `(${written})`;
    }
    const name = this.rules.reserve("t");
    this.names.set(state, name);
    const { depth } = this;
    this.depth = 0;
    this.rules.define(name, this.full(state));
    this.depth = depth;
    return name;
  }

  /** All that may follow in a state. */
  private full(state: State): string {
    const { isLikeStart } = this.look(state);
    const options = this.ownSteps(state).map((step) => this.onward(step));
    if (isLikeStart) options.push(this.tail());
    else options.push(...this.others(!this.endsForbidden(state)));
    return options.join(" | ");
  }

  /** Signs that are spelt otherwise, and the end. */
  private others(ends = true): string[] {
    const { end = "" } = this.options;
    return [...(this.escapes ? [sequence(this.escapes, this.whole())] : []), ...(ends ? [end || '""'] : [])];
  }

  /** What may follow in a state before it goes on as behind plain signs. `isShared`: as a rule. */
  private detour(state: State, isShared: boolean, depth = 0): string {
    const known = this.detourNames.get(state);
    if (known !== undefined) return known;
    if (this.pending.has(state)) {
      const name = this.pending.get(state) ?? this.rules.reserve("t");
      this.pending.set(state, name);
      return name;
    }
    this.pending.set(state, undefined);
    const isRule = isShared || (this.uses.get(state) ?? 0) > 1 || depth === MOST_DEEP;
    const written = this.detours(state, isRule ? 0 : depth);
    const own = this.pending.get(state);
    this.pending.delete(state);
    if (own !== undefined) this.rules.define(own, written);
    const name = own ?? (isRule ? this.rules.add("t", written) : undefined);
    if (name !== undefined) this.detourNames.set(state, name);
    return name ?? written;
  }

  private detours(state: State, depth: number): string {
    const steps = this.ownSteps(state);
    const branches = steps.filter(({ target }) => target !== START && target !== state).length > 1;
    const options = steps.map(({ signs, target }) => {
      if (target !== START) return sequence(signs, this.detour(target, branches, depth + 1));
      const plain = sequence(signs, this.run());
      // The same wherever this sign is the one that would go on.
      return signs.length > LONG ? this.rules.add("no", plain) : plain;
    });
    if (!this.look(state).isLikeStart && this.escapes) options.push(sequence(this.escapes, this.run()));
    const all = choice(options);
    if (!this.look(state).isLikeStart) return all;
    return repeat(all, 0, 1);
  }

  /** The steps from a state but those that it shares with the beginning. */
  private ownSteps(state: State): Step[] {
    return this.steps(state, this.look(state).isLikeStart ? this.entries : new Map());
  }

  /** The steps from a state but those with some signs. */
  private steps(state: State, without: ReadonlyMap<string, State>): Step[] {
    const { notRaw = "", controls = false } = this.options;
    const [name, other] = [this.next(state, "name"), this.next(state, "other")];
    // Signs of names are told from others only where it matters.
    const apart = this.tellsNames && name !== other;
    const usual = (char: string) => (!apart ? other : char > "\x7f" ? null : isNameSign(char) ? name : other);
    const byTarget = new Map<State, string>();
    let taken = notRaw;
    for (const char of this.alphabet) {
      const target = this.next(state, char);
      if (target === usual(char)) continue;
      taken += char;
      if (target !== undefined && !without.has(char)) byTarget.set(target, (byTarget.get(target) ?? "") + char);
    }
    const steps: Step[] = [];
    if (apart && name !== undefined) {
      const free = NAME_SIGNS.filter((char) => !taken.includes(char)).join("");
      steps.push({
        signs: classOf((byTarget.get(name) ?? "") + free, { wide: taken + this.alphabet.join("") }),
        target: name,
      });
      byTarget.delete(name);
    }
    steps.unshift(...[...byTarget].map(([target, chars]) => ({ signs: classOf(chars), target })));
    const rest = apart
      ? classOf(taken + NAME_SIGNS.join(""), { not: true, controls, wide: "" })
      : classOf(taken, { not: true, controls });
    if (other !== undefined) steps.push({ signs: rest, target: other, isRest: true });
    return steps;
  }

  /** The state after one more sign; undefined: something forbidden is complete. */
  private next(state: State, char: string): State | undefined {
    const moves = this.movesFrom(state);
    return moves.has(char) ? moves.get(char) : this.begun(char)?.state;
  }

  /** The states after signs that may lead elsewhere than from the beginning. */
  private movesFrom(state: State): ReadonlyMap<string, State | undefined> {
    let moves = this.moves.get(state);
    if (!moves) {
      moves = new Map([...this.watched(state)].map((char) => [char, this.move(state, char)]));
      this.moves.set(state, moves);
    }
    return moves;
  }

  private move(state: State, char: string): State | undefined {
    const begun = this.begun(char);
    if (begun === undefined) return undefined;
    const after = new Set(begun.positions);
    for (const position of this.positions(state)) if (!this.step(position, char, after)) return undefined;
    return stateOf(after);
  }

  private watched(state: State): Iterable<string> {
    const watched = new Set<string>();
    for (const position of this.positions(state)) {
      const steps = this.options.forbidden[Math.floor(position / MOST_STEPS)]!;
      for (let step = position % MOST_STEPS; ; step++) {
        const wanted = steps[step]!;
        if (!("chars" in wanted)) return [...this.alphabet, "name", "other"];
        for (const char of wanted.chars) if (!this.isEscaped(char)) watched.add(char);
        if (!wanted.many) break;
      }
    }
    return watched;
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
  signs: string;
  target: State;
  isRest?: true;
}

interface Look {
  /** Whether all that something forbidden begins with, and the end, may follow as they may at the beginning. */
  isLikeStart: boolean;
  /** Whether this is so, or none of it may follow. */
  leadsBack: boolean;
  targets: ReadonlySet<State>;
  /** Those that it does not share with the beginning. */
  own: ReadonlySet<State>;
}

interface Begun {
  state: State;
  positions: readonly number[];
}

const stateOf = (positions: Iterable<number>): State => [...positions].sort((a, b) => a - b).join(" ");

const isNameSign = (char: string) => char === "name" || (char !== "other" && NAME.test(char));
