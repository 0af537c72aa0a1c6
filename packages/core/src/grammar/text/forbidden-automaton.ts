import { NAME_CHARACTER } from "../../schema/names.js";
import type { Forbidden } from "./forbidden.js";

/** The progress of each forbidden text: positions, sorted and joined. A position is `pattern * MAX_STEPS + step`. */
export type State = string;

/** No forbidden text has begun. */
export const START: State = "";

const MAX_STEPS = 4096;

/** The forbidden texts, and the characters that are never written as they are. */
interface Watched {
  forbidden: readonly Forbidden[];
  notRaw?: string;
  controls?: boolean;
}

/** Finds forbidden texts, character by character. `name` and `other` represent all characters of a kind. */
export class ForbiddenAutomaton {
  /** The characters that forbidden texts consist of. */
  readonly alphabet: readonly string[];
  /** The characters that begin a forbidden text, each with the state after it. */
  readonly entries: ReadonlyMap<string, State>;
  /** Whether characters of names are distinguished from others. */
  readonly distinguishesNames: boolean;
  private readonly begins = new Map<string, Begun | undefined>();
  private readonly parsed = new Map<State, readonly number[]>();
  private readonly moves = new Map<State, ReadonlyMap<string, State | undefined>>();

  constructor(private readonly options: Watched) {
    const steps = options.forbidden.flat();
    const chars = new Set(steps.flatMap((step) => ("chars" in step ? [...step.chars] : [])));
    this.alphabet = [...chars].filter((char) => !this.isEscaped(char));
    this.distinguishesNames = steps.some((step) => "name" in step);
    this.entries = new Map(
      this.alphabet.flatMap((char) => {
        const state = this.next(START, char);
        return state ? [[char, state] as const] : [];
      }),
    );
  }

  /** The state after one more character; undefined: a forbidden text is complete. */
  next(state: State, char: string): State | undefined {
    const moves = this.movesFrom(state);
    return moves.has(char) ? moves.get(char) : this.begun(char)?.state;
  }

  /** The states after the characters that may lead elsewhere than from the start state. */
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
      const steps = this.options.forbidden[Math.floor(position / MAX_STEPS)]!;
      for (let step = position % MAX_STEPS; ; step++) {
        const wanted = steps[step]!;
        if (!("chars" in wanted)) return [...this.alphabet, "name", "other"];
        for (const char of wanted.chars) if (!this.isEscaped(char)) watched.add(char);
        if (!wanted.many) break;
      }
    }
    return watched;
  }

  /** The state after a character at the start; undefined: the character alone is a forbidden text. */
  private begun(char: string): Begun | undefined {
    if (this.begins.has(char)) return this.begins.get(char);
    const after = new Set<number>();
    const isAllowed = this.options.forbidden.every((_, i) => this.step(i * MAX_STEPS, char, after));
    const begun = isAllowed ? { state: stateOf(after), positions: [...after] } : undefined;
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

  /** Adds the positions after one more character; returns false where a forbidden text is complete. */
  private step(position: number, char: string, after: Set<number>): boolean {
    const pattern = Math.floor(position / MAX_STEPS);
    const steps = this.options.forbidden[pattern]!;
    for (let step = position % MAX_STEPS; ; step++) {
      const wanted = steps[step]!;
      const matches = "chars" in wanted ? wanted.chars.includes(char) : !isNameCharacter(char);
      const many = "chars" in wanted && wanted.many === true;
      if (matches && !many && step + 1 === steps.length) return false;
      const next = many ? step : step + 1;
      if (matches && next > 0) after.add(pattern * MAX_STEPS + next);
      if (!many) return true;
    }
  }

  /** Whether the next character decides if a forbidden text is complete. */
  endsForbidden(state: State): boolean {
    return this.positions(state).some(
      (position) => "name" in this.options.forbidden[Math.floor(position / MAX_STEPS)]![position % MAX_STEPS]!,
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

/** Whether a character can be part of a name. */
export const isNameCharacter = (char: string) => char === "name" || (char !== "other" && NAME_CHARACTER.test(char));
