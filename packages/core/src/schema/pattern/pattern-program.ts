import { type Edge, type PatternTree, Unmatchable } from "./pattern-tree.js";
import { STEP_EDGE, STEP_LOOK, STEP_MATCH, STEP_NO_LOOK, STEP_ONE, STEP_SPLIT } from "./step.js";

export const EDGES: readonly Edge[] = ["start", "end", "word", "no word"];

/** States by number, each with its action, its argument and the next state. */
export interface Program {
  steps: Uint8Array;
  args: Int32Array;
  nexts: Int32Array;
  start: number;
  /** Whether a match must begin at the start of the text. */
  isAnchored: boolean;
}

export interface Look {
  program: Program;
  behind: boolean;
}

export interface CompiledPattern {
  main: Program;
  /** Inner lookarounds before the outer ones. */
  looks: Look[];
  /** The expressions for sets of characters. */
  sets: string[];
}

/** The maximum number of states. Repetitions are expanded, and a pattern with more states is not matched. */
export const MAX_STATES = 5_000;

/**
 * A nondeterministic automaton (Thompson's), and another one for each lookaround, whose matches are computed in
 * advance: "Linear Matching of JavaScript Regular Expressions" (Barrière and Pit-Claudel 2024), without captures.
 *
 * Errors: {@link Unmatchable} above {@link MAX_STATES}.
 */
export function compilePattern(tree: PatternTree): CompiledPattern {
  const states = statesOf(tree);
  if (states > MAX_STATES) throw new Unmatchable(`repeats too much: it takes more than ${MAX_STATES} states`);
  const looks: Look[] = [];
  const sets = new Map<string, number>();
  return { main: new Writer(looks, sets).program(tree, false), looks, sets: [...sets.keys()] };
}

/** The maximum number of states that a tree takes. */
function statesOf(tree: PatternTree): number {
  if ("all" in tree) return total(tree.all);
  if ("any" in tree) return total(tree.any) + tree.any.length;
  if ("look" in tree) return statesOf(tree.look) + 2;
  if ("repeat" in tree) {
    const { repeat, min, max } = tree;
    return (statesOf(repeat) + 1) * Math.max(1, min + 1, max ?? 0);
  }
  return 1;
}

const total = (parts: readonly PatternTree[]) => parts.reduce((sum, part) => sum + statesOf(part), 0);

/** Writes states from the last one on, so that the next state of each is known. */
class Writer {
  private readonly steps: number[] = [];
  private readonly args: number[] = [];
  private readonly nexts: number[] = [];
  private backwards = false;

  constructor(
    private readonly looks: Look[],
    private readonly sets: Map<string, number>,
  ) {}

  /** `backwards`: for reading a text from its end. */
  program(tree: PatternTree, backwards: boolean): Program {
    this.backwards = backwards;
    const start = this.write(tree, this.state(STEP_MATCH, 0, 0));
    const [steps, args, nexts] = [new Uint8Array(this.steps), new Int32Array(this.args), new Int32Array(this.nexts)];
    return { steps, args, nexts, start, isAnchored: !backwards && beginsAtStart(tree) };
  }

  /** The state at which the tree begins, with `next` after it. */
  private write(tree: PatternTree, next: number): number {
    if ("one" in tree) return this.state(STEP_ONE, this.setOf(tree.one), next);
    if ("edge" in tree) return this.state(STEP_EDGE, EDGES.indexOf(tree.edge), next);
    if ("look" in tree) return this.state(tree.not ? STEP_NO_LOOK : STEP_LOOK, this.lookOf(tree), next);
    if ("all" in tree) {
      const write = (after: number, part: PatternTree) => this.write(part, after);
      return this.backwards ? tree.all.reduce(write, next) : tree.all.reduceRight(write, next);
    }
    if ("any" in tree) return tree.any.map((part) => this.write(part, next)).reduce((a, b) => this.split(a, b));
    return this.repeated(tree.repeat, tree.min, tree.max, next);
  }

  private repeated(part: PatternTree, min: number, max: number | undefined, next: number): number {
    let start = next;
    if (max === undefined) {
      start = this.split(next, next);
      this.nexts[start] = this.write(part, start);
    } else for (let i = min; i < max; i++) start = this.split(this.write(part, start), next);
    for (let i = 0; i < min; i++) start = this.write(part, start);
    return start;
  }

  private lookOf({ look, behind }: { look: PatternTree; behind: boolean }): number {
    const program = new Writer(this.looks, this.sets).program(look, !behind);
    return this.looks.push({ program, behind }) - 1;
  }

  private setOf(expression: string): number {
    const known = this.sets.get(expression);
    if (known !== undefined) return known;
    this.sets.set(expression, this.sets.size);
    return this.sets.size - 1;
  }

  private split(one: number, other: number): number {
    return this.state(STEP_SPLIT, other, one);
  }

  private state(step: number, arg: number, next: number): number {
    this.args.push(arg);
    this.nexts.push(next);
    return this.steps.push(step) - 1;
  }
}

function beginsAtStart(tree: PatternTree): boolean {
  if ("edge" in tree) return tree.edge === "start";
  if ("any" in tree) return tree.any.every(beginsAtStart);
  return "all" in tree && tree.all.length > 0 && beginsAtStart(tree.all[0]!);
}
