import type { Forbidden } from "./forbidden.js";

/** How far each forbidden text has come: positions, sorted and joined. A position is `pattern * MOST_STEPS + step`. */
export type State = string;

/** Nothing forbidden has begun. */
export const START: State = "";

const MOST_STEPS = 4096;

const NAME = /[\p{L}\p{N}_.:-]/u;

/** What is watched for, and signs that never stand as they are. */
interface Watched {
  forbidden: readonly Forbidden[];
  notRaw?: string;
  controls?: boolean;
}

/** Watches a text for what must not stand in it, sign by sign; `name` and `other` stand for all signs of a kind. */
export class ForbiddenAutomaton {
  /** Signs that lead anywhere. */
  readonly alphabet: readonly string[];
  /** Signs with which something forbidden begins, and where they lead. */
  readonly entries: ReadonlyMap<string, State>;
  /** Whether signs of names are told from others. */
  readonly tellsNames: boolean;
  private readonly begins = new Map<string, Begun | undefined>();
  private readonly parsed = new Map<State, readonly number[]>();
  private readonly moves = new Map<State, ReadonlyMap<string, State | undefined>>();

  constructor(private readonly options: Watched) {
    const steps = options.forbidden.flat();
    const chars = new Set(steps.flatMap((step) => ("chars" in step ? [...step.chars] : [])));
    this.alphabet = [...chars].filter((char) => !this.isEscaped(char));
    this.tellsNames = steps.some((step) => "name" in step);
    this.entries = new Map(
      this.alphabet.flatMap((char) => {
        const state = this.next(START, char);
        return state ? [[char, state] as const] : [];
      }),
    );
  }

  /** The state after one more sign; undefined: something forbidden is complete. */
  next(state: State, char: string): State | undefined {
    const moves = this.movesFrom(state);
    return moves.has(char) ? moves.get(char) : this.begun(char)?.state;
  }

  /** The states after signs that may lead elsewhere than from the beginning. */
  movesFrom(state: State): ReadonlyMap<string, State | undefined> {
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

  /** Whether what comes next decides if something forbidden is complete. */
  endsForbidden(state: State): boolean {
    return this.positions(state).some(
      (position) => "name" in this.options.forbidden[Math.floor(position / MOST_STEPS)]![position % MOST_STEPS]!,
    );
  }

  private isEscaped(char: string): boolean {
    return (this.options.notRaw ?? "").includes(char) || (this.options.controls === true && char < " ");
  }
}

interface Begun {
  state: State;
  positions: readonly number[];
}

const stateOf = (positions: Iterable<number>): State => [...positions].sort((a, b) => a - b).join(" ");

/** Whether a sign is one that a name can hold. */
export const isNameSign = (char: string) => char === "name" || (char !== "other" && NAME.test(char));
