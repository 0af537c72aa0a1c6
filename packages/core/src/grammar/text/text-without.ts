import { choice, classOf, type Rules, repeat, sequence } from "../rules.js";
import { type Forbidden, NAME_CHARACTERS } from "./forbidden.js";
import { ForbiddenAutomaton, isNameCharacter, START, type State } from "./forbidden-automaton.js";

export interface TextWithout {
  forbidden: readonly Forbidden[];
  /** Characters that are never written as they are. */
  notRaw?: string;
  controls?: boolean;
  /** An expression for other spellings of a character; a forbidden text does not continue across one. */
  escapes?: string;
  /** An expression for what follows the text. */
  end?: string;
  /** The text before this one. */
  after?: string | undefined;
}

/** The maximum nesting of brackets. Readers of grammars have a limit: llguidance's is about thirty. */
const MAX_BRACKETS = 12;

/** Classes longer than this become a rule. */
const LONG = 17;

/**
 * A rule for any text that contains nothing forbidden, followed by `end`. Its rules are the states of the automaton
 * that finds forbidden texts. The text is runs of plain characters; between them are characters that may begin a
 * forbidden text. Most states lead back to plain characters, or continue as the start state does: their rules contain
 * only the difference, so that texts with the same forbidden word share them. The rules of other states contain
 * everything that may follow.
 */
export function textWithout(rules: Rules, hint: string, options: TextWithout): string {
  return rules.once(JSON.stringify([hint, options]), hint, (start) =>
    new TextWriter(rules, hint, options).build(start),
  );
}

class TextWriter {
  /** The rules for everything that may follow a state. */
  private readonly names = new Map<State, string>();
  /** The rules for detours: what may follow a state before plain characters do. */
  private readonly detourNames = new Map<State, string>();
  private readonly looks = new Map<State, Look>();
  private readonly uses = new Map<State, number>();
  /** States that do not lead back to plain characters. */
  private readonly lasting = new Set<State>();
  /** Detours under construction, with a name once they refer to themselves. */
  private readonly pending = new Map<State, string | undefined>();
  private readonly automaton: ForbiddenAutomaton;
  private readonly escapes: string;
  /** The steps from the start state. */
  private readonly start: readonly Step[];
  private tailName: string | undefined;
  private runName: string | undefined;
  /** The current nesting of brackets. */
  private depth = 0;

  constructor(
    private readonly rules: Rules,
    private readonly hint: string,
    private readonly options: TextWithout,
  ) {
    this.automaton = new ForbiddenAutomaton(options);
    this.escapes = options.escapes ? rules.add("escape", options.escapes) : "";
    this.start = this.steps(START, new Map());
  }

  /** The body of the start rule, which is called `name`. */
  build(name: string): string {
    let start = START;
    for (const char of this.options.after ?? "") start = this.automaton.next(start, char) ?? start;
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

  /** Finds the states that continue only partly as the start state does, and those that lead to them. */
  private findLasting(states: ReadonlySet<State>): void {
    // Most states lead to later ones.
    const backwards = [...states].reverse().filter((state) => state !== START);
    for (let known = -1; known < this.lasting.size; ) {
      known = this.lasting.size;
      for (const state of backwards) {
        const { leadsBack, own } = this.look(state);
        if (!leadsBack || [...own].some((target) => this.lasting.has(target))) this.lasting.add(state);
      }
    }
  }

  /** The states to which a state leads. */
  private look(state: State): Look {
    let look = this.looks.get(state);
    if (!look) {
      look = this.lookFrom(state);
      this.looks.set(state, look);
    }
    return look;
  }

  private lookFrom(state: State): Look {
    const ends = !this.automaton.endsForbidden(state);
    const ways = [...this.automaton.entries].map(([char, target]) => [this.automaton.next(state, char), target]);
    const isLikeStart = ends && ways.every(([next, target]) => next === target);
    const isApart = !ends && ways.every(([next]) => next === undefined);
    const own = new Set<State>();
    const targets = new Set<State>();
    for (const char of new Set([...this.automaton.movesFrom(state).keys(), ...this.automaton.entries.keys()])) {
      const target = this.automaton.next(state, char);
      if (target === undefined) continue;
      targets.add(target);
      if (!isLikeStart || !this.automaton.entries.has(char)) own.add(target);
    }
    return { isLikeStart, leadsBack: isLikeStart || isApart, targets, own };
  }

  /** Plain characters, and everything that may follow them. */
  private text(): string {
    const entries = this.start.filter(({ isRest }) => !isRest);
    if (entries.some(({ target }) => this.lasting.has(target))) return sequence(this.run(), this.tail());
    const detours = entries.map((step) => sequence(step.chars, this.detour(step.target, entries.length > 1)));
    if (this.escapes) detours.push(sequence(this.escapes, this.run()));
    const between = detours.length === 0 ? "" : repeat(choice(detours), 0, undefined);
    return sequence(this.run(), between, this.options.end ?? "");
  }

  /** {@link text} as a rule. */
  private whole(): string {
    let name = this.names.get(START);
    if (name === undefined) {
      name = this.rules.reserve(this.hint);
      this.names.set(START, name);
      this.rules.define(name, this.text() || '""');
    }
    return name;
  }

  /** A rule for what may follow plain characters. */
  private tail(): string {
    if (this.tailName === undefined) {
      this.tailName = this.rules.reserve("t");
      const entries = this.start.filter(({ isRest }) => !isRest);
      this.rules.define(this.tailName, [...entries.map((step) => this.onward(step)), ...this.others()].join(" | "));
    }
    return this.tailName;
  }

  /** Any number of plain characters. */
  private run(): string {
    if (this.runName === undefined) {
      const rest = this.start.find(({ isRest }) => isRest);
      this.runName = rest ? this.rules.add("r", repeat(rest.chars, 0, undefined)) : "";
    }
    return this.runName;
  }

  /** A step, and everything that may follow it. */
  private onward({ chars, target }: Step): string {
    if (target === START) return sequence(chars, this.whole());
    return this.lasting.has(target) || this.names.has(target)
      ? sequence(chars, this.lastingRule(target))
      : sequence(chars, this.detour(target, true), this.tail());
  }

  private lastingRule(state: State): string {
    const known = this.names.get(state);
    if (known !== undefined) return known;
    if (this.uses.get(state) === 1 && this.depth < MAX_BRACKETS) {
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

  /** Everything that may follow a state. */
  private full(state: State): string {
    const { isLikeStart } = this.look(state);
    const options = this.ownSteps(state).map((step) => this.onward(step));
    if (isLikeStart) options.push(this.tail());
    else options.push(...this.others(!this.automaton.endsForbidden(state)));
    return options.join(" | ");
  }

  /** Characters in other spellings, and the end. */
  private others(ends = true): string[] {
    const { end = "" } = this.options;
    return [...(this.escapes ? [sequence(this.escapes, this.whole())] : []), ...(ends ? [end || '""'] : [])];
  }

  /** What may follow a state before plain characters do. `isShared`: as a rule. */
  private detour(state: State, isShared: boolean, depth = 0): string {
    const known = this.detourNames.get(state);
    if (known !== undefined) return known;
    if (this.pending.has(state)) {
      const name = this.pending.get(state) ?? this.rules.reserve("t");
      this.pending.set(state, name);
      return name;
    }
    this.pending.set(state, undefined);
    const isRule = isShared || (this.uses.get(state) ?? 0) > 1 || depth === MAX_BRACKETS;
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
    const options = steps.map(({ chars, target }) => {
      if (target !== START) return sequence(chars, this.detour(target, branches, depth + 1));
      const plain = sequence(chars, this.run());
      // The same for every state that these characters do not continue.
      return chars.length > LONG ? this.rules.add("no", plain) : plain;
    });
    if (!this.look(state).isLikeStart && this.escapes) options.push(sequence(this.escapes, this.run()));
    const all = choice(options);
    if (!this.look(state).isLikeStart) return all;
    return repeat(all, 0, 1);
  }

  /** The steps from a state, except those that it shares with the start state. */
  private ownSteps(state: State): Step[] {
    return this.steps(state, this.look(state).isLikeStart ? this.automaton.entries : new Map());
  }

  /** The steps from a state, except those with certain characters. */
  private steps(state: State, without: ReadonlyMap<string, State>): Step[] {
    const { notRaw = "", controls = false } = this.options;
    const [name, other] = [this.automaton.next(state, "name"), this.automaton.next(state, "other")];
    // Characters of names are distinguished from others only where it matters.
    const apart = this.automaton.distinguishesNames && name !== other;
    const usual = (char: string) => (!apart ? other : char > "\x7f" ? null : isNameCharacter(char) ? name : other);
    const byTarget = new Map<State, string>();
    let taken = notRaw;
    for (const char of this.automaton.alphabet) {
      const target = this.automaton.next(state, char);
      if (target === usual(char)) continue;
      taken += char;
      if (target !== undefined && !without.has(char)) byTarget.set(target, (byTarget.get(target) ?? "") + char);
    }
    const steps: Step[] = [];
    if (apart && name !== undefined) {
      const free = NAME_CHARACTERS.filter((char) => !taken.includes(char)).join("");
      steps.push({
        chars: classOf((byTarget.get(name) ?? "") + free, { wide: taken + this.automaton.alphabet.join("") }),
        target: name,
      });
      byTarget.delete(name);
    }
    steps.unshift(...[...byTarget].map(([target, chars]) => ({ chars: classOf(chars), target })));
    const rest = apart
      ? classOf(taken + NAME_CHARACTERS.join(""), { not: true, controls, wide: "" })
      : classOf(taken, { not: true, controls });
    if (other !== undefined) steps.push({ chars: rest, target: other, isRest: true });
    return steps;
  }
}

/** A class of characters, and the state to which they lead; `isRest`: all characters of no other step. */
interface Step {
  chars: string;
  target: State;
  isRest?: true;
}

interface Look {
  /** Whether all beginnings of forbidden texts, and the end, may follow as they do in the start state. */
  isLikeStart: boolean;
  /** Whether that is so, or none of them may follow. */
  leadsBack: boolean;
  targets: ReadonlySet<State>;
  /** The states that it does not share with the start state. */
  own: ReadonlySet<State>;
}
