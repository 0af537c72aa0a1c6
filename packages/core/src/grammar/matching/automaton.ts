import type { CodePoints, Expression, GrammarTree } from "../dialects/grammar-tree.js";
import { GrammarError } from "../errors.js";

/** One step of a rule: a sign is read, another rule is read, or nothing. `to` is a state. */
export type Edge =
  | { reads: "sign"; not: boolean; ranges: readonly CodePoints[]; label: string; to: number }
  | { reads: "rule"; rule: string; to: number }
  | { reads: "nothing"; to: number };

/** The rules of a grammar as states with edges between them; each rule begins and ends at a state of its own. */
export interface Automaton {
  edges: readonly (readonly Edge[])[];
  rules: ReadonlyMap<string, { start: number; end: number }>;
  /** The rule that ends at a state. */
  endOf: ReadonlyMap<number, string>;
}

/** Repetitions are written out: a grammar with more of them is refused. */
const MOST_STATES = 1_000_000;

/**
 * Makes the states of a grammar. Errors: `GrammarError` (`bad-grammar`) for a rule that there is not, or too many states.
 */
export function automatonOf(tree: GrammarTree): Automaton {
  const edges: Edge[][] = [];
  const state = () => {
    if (edges.length >= MOST_STATES)
      throw new GrammarError("bad-grammar", "The grammar repeats too much to be matched.");
    return edges.push([]) - 1;
  };
  const connect = (from: number, edge: Edge) => edges[from]?.push(edge);
  const skip = (from: number, to: number) => connect(from, { reads: "nothing", to });

  /** Adds the states of an expression after `from`, and gives the one that it ends at. */
  const add = (expression: Expression, from: number): number => {
    switch (expression.kind) {
      case "text": {
        let at = from;
        let rest = expression.text;
        for (const sign of expression.text) {
          const to = state();
          const point = sign.codePointAt(0) ?? 0;
          connect(at, { reads: "sign", not: false, ranges: [[point, point]], label: JSON.stringify(rest), to });
          rest = rest.slice(sign.length);
          at = to;
        }
        return at;
      }
      case "class": {
        const to = state();
        const { not, ranges } = expression;
        connect(from, { reads: "sign", not, ranges, label: labelOf(not, ranges), to });
        return to;
      }
      case "rule": {
        if (!tree.has(expression.name)) throw new GrammarError("bad-grammar", `There is no rule ${expression.name}.`);
        const to = state();
        connect(from, { reads: "rule", rule: expression.name, to });
        return to;
      }
      case "sequence":
        return expression.parts.reduce((at, part) => add(part, at), from);
      case "choice": {
        const to = state();
        for (const option of expression.options) {
          const begin = state();
          skip(from, begin);
          skip(add(option, begin), to);
        }
        return to;
      }
      case "repeat": {
        const { part, min, max } = expression;
        let at = from;
        for (let i = 0; i < min; i++) at = add(part, at);
        if (max === undefined) {
          const loop = state();
          skip(at, loop);
          skip(add(part, loop), loop);
          const to = state();
          skip(loop, to);
          return to;
        }
        const to = state();
        skip(at, to);
        for (let i = min; i < max; i++) {
          at = add(part, at);
          skip(at, to);
        }
        return to;
      }
    }
  };

  const rules = new Map(
    [...tree].map(([name, body]) => {
      const start = state();
      return [name, { start, end: add(body, start) }] as const;
    }),
  );
  return { edges, rules, endOf: new Map([...rules].map(([name, { end }]) => [end, name])) };
}

function labelOf(not: boolean, ranges: readonly CodePoints[]): string {
  const sign = (point: number) => {
    const text = String.fromCodePoint(point);
    return /[\\\]^-]/.test(text) ? `\\${text}` : JSON.stringify(text).slice(1, -1).replace('\\"', '"');
  };
  const all = ranges.map(([first, last]) => (first === last ? sign(first) : `${sign(first)}-${sign(last)}`));
  return `[${not ? "^" : ""}${all.join("")}]`;
}
