import { type CodePoints, type GrammarExpression, readGbnf } from "../../src/grammar/dialects/grammar-tree.js";

/** Difficult characters, for classes that accept nearly all. */
const SIGNS = [..."<>&\"'\\/{}[]()=:;,.|@-_ \n\tabcdeTFN019é漢😀"];

/** The most repetitions beyond those that must be. */
const FURTHER = 4;

/** Draws texts from a grammar in GBNF. `random` returns numbers from 0 to 1. */
export class GbnfSampler {
  private readonly rules: ReadonlyMap<string, GrammarExpression>;
  /** The minimum number of steps of each rule. */
  private readonly cost = new Map<string, number>();

  constructor(grammar: string) {
    this.rules = readGbnf(grammar);
    for (let changed = true; changed; ) {
      changed = false;
      for (const [name, body] of this.rules) {
        const least = this.costOf(body) + 1;
        if (least < (this.cost.get(name) ?? Number.POSITIVE_INFINITY)) {
          this.cost.set(name, least);
          changed = true;
        }
      }
    }
  }

  /** A text of the grammar; after some `steps` it takes the shortest way to the end. */
  sample(random: () => number, steps = 300): string {
    let text = "";
    let left = steps;
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
    const waiting: GrammarExpression[] = [{ kind: "rule", name: "root" }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      left--;
      switch (next.kind) {
        case "text":
          text += next.text;
          break;
        case "class":
          text += pick(signsOf(next));
          break;
        case "rule":
          waiting.push(this.rules.get(next.name)!);
          break;
        case "sequence":
          waiting.push(...[...next.parts].reverse());
          break;
        case "choice": {
          const cheapest = next.options.reduce((a, b) => (this.costOf(b) < this.costOf(a) ? b : a));
          waiting.push(left < 0 ? cheapest : pick(next.options));
          break;
        }
        case "repeat": {
          const most = left < 0 ? next.min : Math.min(next.max ?? Number.POSITIVE_INFINITY, next.min + FURTHER);
          const count = next.min + Math.floor(random() * (most - next.min + 1));
          for (let i = 0; i < count; i++) waiting.push(next.part);
        }
      }
    }
    return text;
  }

  private costOf(expression: GrammarExpression): number {
    switch (expression.kind) {
      case "rule":
        return this.cost.get(expression.name) ?? Number.POSITIVE_INFINITY;
      case "sequence":
        return expression.parts.reduce((sum, part) => sum + this.costOf(part), 0);
      case "choice":
        return Math.min(...expression.options.map((option) => this.costOf(option)));
      case "repeat":
        return expression.min === 0 ? 0 : expression.min * this.costOf(expression.part);
      default:
        return 1;
    }
  }
}

function signsOf({ not, ranges }: Extract<GrammarExpression, { kind: "class" }>): string[] {
  const isIn = (sign: string) =>
    ranges.some(([first, last]) => first <= sign.codePointAt(0)! && sign.codePointAt(0)! <= last);
  if (!not) return [...ranges.flatMap(expand), ...SIGNS.filter(isIn)];
  const others = SIGNS.filter((sign) => !isIn(sign));
  return others.length > 0 ? others : ["x"];
}

const expand = ([first, last]: CodePoints) =>
  Array.from({ length: Math.min(last - first + 1, 40) }, (_, i) => String.fromCodePoint(first + i));
