import { checkArgument } from "../../check-argument.js";
import { readGbnf } from "../dialects/grammar-tree.js";
import { type Automaton, automatonOf, type Edge } from "./automaton.js";

/** Whether a grammar admits a text, and if not, where it fails. */
export type GrammarMatch =
  | { matches: true }
  | {
      matches: false;
      /**
       * The index, in UTF-16 units, of the first character that the grammar does not admit; the text's length where
       * only its end is missing.
       */
      at: number;
      /** What the grammar admits there: literals in quotes and character classes, in GBNF. */
      expected: string[];
    };

/**
 * Matches a whole text against a grammar of this package, to find out whether a constrained model could write the text.
 * The matcher is an Earley parser, so it accepts any grammar; time and memory grow with the text's length, for
 * ambiguous grammars with its square or worse. It is meant for tests, and for finding out why a grammar refuses a text.
 *
 * Errors: `GrammarError` (`bad-grammar`) for a text that is not GBNF as this package writes it; `OptionsError`
 * (`bad-option`) for a text that is not a string.
 *
 * @example
 * const { grammar } = toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" });
 * matchGrammar(grammar, "<tool_call>\n["); // { matches: false, at: 12, expected: ['"{\\"name\\":"'] }
 */
export function matchGrammar(grammar: string, text: string): GrammarMatch {
  const automaton = automatonOf(readGbnf(grammar));
  checkArgument("text", "string", text);
  const root = automaton.rules.get("root");
  const start = new Position(automaton);
  if (root) start.add(root.start, start);
  let here = start;
  let at = 0;
  for (const char of text) {
    const next = here.after(char.codePointAt(0) ?? 0);
    if (next.isEmpty) return { matches: false, at, expected: here.expected() };
    here = next;
    at += char.length;
  }
  if (root && here.holds(root.end, start)) return { matches: true };
  return { matches: false, at, expected: here.expected() };
}

type CharEdge = Extract<Edge, { reads: "char" }>;

/**
 * The states that are possible at one index of the text. The origin of a state is the position where its rule began.
 */
class Position {
  private readonly origins = new Map<number, Set<Position>>();
  /** The states that continue when a rule that began here ends. */
  private readonly waiting = new Map<string, { to: number; origin: Position }[]>();
  private readonly charEdges: { edge: CharEdge; origin: Position }[] = [];

  constructor(private readonly automaton: Automaton) {}

  get isEmpty(): boolean {
    return this.origins.size === 0;
  }

  holds(state: number, origin: Position): boolean {
    return this.origins.get(state)?.has(origin) ?? false;
  }

  /** Adds a state, and all states that follow it without reading a character. */
  add(state: number, origin: Position): void {
    const todo = [{ state, origin }];
    for (let one = todo.pop(); one; one = todo.pop()) {
      const { state, origin } = one;
      const origins = this.origins.get(state) ?? new Set();
      if (origins.has(origin)) continue;
      this.origins.set(state, origins.add(origin));
      const ended = this.automaton.endOf.get(state);
      if (ended !== undefined) {
        for (const { to, origin: before } of origin.waiting.get(ended) ?? []) todo.push({ state: to, origin: before });
      }
      for (const edge of this.automaton.edges[state] ?? []) {
        if (edge.reads === "char") this.charEdges.push({ edge, origin });
        else if (edge.reads === "nothing") todo.push({ state: edge.to, origin });
        else {
          const { rule, to } = edge;
          const bounds = this.automaton.rules.get(rule);
          if (!bounds) continue;
          const waiting = this.waiting.get(rule) ?? [];
          this.waiting.set(rule, waiting);
          waiting.push({ to, origin });
          // A rule that already ended where it began will not end here again.
          if (this.holds(bounds.end, this)) todo.push({ state: to, origin });
          todo.push({ state: bounds.start, origin: this });
        }
      }
    }
  }

  /** The position after one more character. */
  after(point: number): Position {
    const next = new Position(this.automaton);
    for (const { edge, origin } of this.charEdges) {
      const isIn = edge.ranges.some(([first, last]) => first <= point && point <= last);
      if (isIn !== edge.not) next.add(edge.to, origin);
    }
    return next;
  }

  expected(): string[] {
    return [...new Set(this.charEdges.map(({ edge }) => edge.label()))];
  }
}
