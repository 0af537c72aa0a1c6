import type { CodePoints, GrammarExpression, GrammarTree } from "../dialects/grammar-tree.js";
import { GrammarError } from "../errors.js";

/** A step of a rule: it reads a character, another rule, or nothing, and leads to the state `to`. */
export type Edge =
  | { reads: "char"; not: boolean; ranges: readonly CodePoints[]; label: () => string; to: number }
  | { reads: "rule"; rule: string; to: number }
  | { reads: "nothing"; to: number };

/** A grammar as states with edges between them. Each rule has its own first and last state. */
export interface Automaton {
  edges: readonly (readonly Edge[])[];
  rules: ReadonlyMap<string, { start: number; end: number }>;
  /** The rule that ends at a state. */
  endOf: ReadonlyMap<number, string>;
}

/** The maximum number of states. Repetitions are expanded, so that large counts exceed it. */
const MAX_STATES = 1_000_000;

/**
 * Builds the automaton of a grammar. Errors: `GrammarError` (`bad-grammar`) for too many states.
 */
export function automatonOf(tree: GrammarTree): Automaton {
  const edges: Edge[][] = [];
  const state = () => {
    if (edges.length >= MAX_STATES)
      throw new GrammarError("bad-grammar", "The grammar repeats too much to be matched.");
    return edges.push([]) - 1;
  };
  const connect = (from: number, edge: Edge) => edges[from]?.push(edge);
  const skip = (from: number, to: number) => connect(from, { reads: "nothing", to });

  /** Adds the states of an expression after `from`, and returns the last of them. */
  const add = (expression: GrammarExpression, from: number): number => {
    switch (expression.kind) {
      case "text": {
        const { text } = expression;
        let at = from;
        let begin = 0;
        for (const char of text) {
          const to = state();
          const point = char.codePointAt(0) ?? 0;
          const rest = begin;
          const label = () => JSON.stringify(text.slice(rest));
          connect(at, { reads: "char", not: false, ranges: [[point, point]], label, to });
          begin += char.length;
          at = to;
        }
        return at;
      }
      case "class": {
        const to = state();
        const { not, ranges } = expression;
        connect(from, { reads: "char", not, ranges, label: () => labelOf(not, ranges), to });
        return to;
      }
      case "rule": {
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
        if (isEmpty(part)) return from;
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

/** Whether a part is nothing: it adds no state, so no limit would stop its repetitions. */
const isEmpty = (part: GrammarExpression): boolean =>
  part.kind === "text"
    ? part.text === ""
    : part.kind === "sequence"
      ? part.parts.every(isEmpty)
      : part.kind === "repeat" && (part.max === 0 || isEmpty(part.part));

function labelOf(not: boolean, ranges: readonly CodePoints[]): string {
  const char = (point: number) => {
    const text = String.fromCodePoint(point);
    return /[\\\]^-]/.test(text) ? `\\${text}` : JSON.stringify(text).slice(1, -1).replace('\\"', '"');
  };
  const all = ranges.map(([first, last]) => (first === last ? char(first) : `${char(first)}-${char(last)}`));
  return `[${not ? "^" : ""}${all.join("")}]`;
}
