import { readGbnf } from "../dialects/grammar-tree.js";
import { type Automaton, automatonOf, type Edge } from "./automaton.js";

/** Whether a grammar admits a text, and if not, from where on. */
export type GrammarMatch =
  | { matches: true }
  | {
      matches: false;
      /**
       * The index, in UTF-16 units, of the first character that the grammar does not admit; the text's length where only
       * its end is missing.
       */
      at: number;
      /** What the grammar admits there: literals in quotes and classes of signs, as GBNF has them. */
      expected: string[];
    };

/**
 * Matches a whole text against a grammar that this package made: whether a model that is held to it could write the text.
 * After Earley, so that it takes any grammar; time and memory grow with the text's length, for ambiguous grammars with its
 * square or worse. Meant for tests, and for finding out why a grammar refuses a text.
 *
 * Errors: `GrammarError` (`bad-grammar`) for what is no GBNF as this package writes it.
 *
 * @example
 * const { grammar } = toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" });
 * matchGrammar(grammar, "<tool_call>\n["); // { matches: false, at: 12, expected: ['"{\\"name\\": \\"…"'] }
 */
export function matchGrammar(grammar: string, text: string): GrammarMatch {
  const automaton = automatonOf(readGbnf(grammar));
  const [root] = automaton.rules.values();
  const start = new Position(automaton);
  if (root) start.add(root.start, start);
  let here = start;
  let at = 0;
  for (const sign of text) {
    const next = here.after(sign.codePointAt(0) ?? 0);
    if (next.isEmpty) return { matches: false, at, expected: here.expected() };
    here = next;
    at += sign.length;
  }
  if (root && here.holds(root.end, start)) return { matches: true };
  return { matches: false, at, expected: here.expected() };
}

type SignEdge = Extract<Edge, { reads: "sign" }>;

/** All that the text may be up to one index. A state has the position at which its rule began: its origin. */
class Position {
  private readonly origins = new Map<number, Set<Position>>();
  /** Who goes on where, once a rule that begins here has ended. */
  private readonly waiting = new Map<string, { to: number; origin: Position }[]>();
  private readonly signs: { edge: SignEdge; origin: Position }[] = [];

  constructor(private readonly automaton: Automaton) {}

  get isEmpty(): boolean {
    return this.origins.size === 0;
  }

  holds(state: number, origin: Position): boolean {
    return this.origins.get(state)?.has(origin) ?? false;
  }

  /** A state, and all that is reached from it without reading a sign. */
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
        if (edge.reads === "sign") this.signs.push({ edge, origin });
        else if (edge.reads === "nothing") todo.push({ state: edge.to, origin });
        else {
          const { rule, to } = edge;
          const bounds = this.automaton.rules.get(rule);
          if (!bounds) continue;
          const waiting = this.waiting.get(rule) ?? [];
          this.waiting.set(rule, waiting);
          waiting.push({ to, origin });
          // A rule that ended where it began will not end here again for this one.
          if (this.holds(bounds.end, this)) todo.push({ state: to, origin });
          todo.push({ state: bounds.start, origin: this });
        }
      }
    }
  }

  /** The position behind one more sign. */
  after(point: number): Position {
    const next = new Position(this.automaton);
    for (const { edge, origin } of this.signs) {
      const isIn = edge.ranges.some(([first, last]) => first <= point && point <= last);
      if (isIn !== edge.not) next.add(edge.to, origin);
    }
    return next;
  }

  expected(): string[] {
    return [...new Set(this.signs.map(({ edge }) => edge.label))];
  }
}
