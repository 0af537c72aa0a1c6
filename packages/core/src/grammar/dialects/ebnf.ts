import { type CodePoints, type GrammarExpression, type GrammarTree, readGbnf } from "./grammar-tree.js";

/**
 * Translates a grammar of this package to the EBNF of xgrammar, for vLLM, SGLang and `@mlc-ai/web-xgrammar`. It is
 * close to GBNF, with fewer escapes. Format: https://xgrammar.mlc.ai/docs/xgrammar_features/ebnf_grammar_syntax.html
 *
 * Errors: {@link GrammarError} `bad-grammar` for a grammar that is not written as this package writes them.
 *
 * @example toEbnf(toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" }).grammar);
 */
export function toEbnf(gbnf: string): string {
  return new EbnfPrinter(readGbnf(gbnf)).print();
}

class EbnfPrinter {
  private readonly lines: string[] = [];
  private readonly loops = new Map<string, string>();

  constructor(private readonly rules: GrammarTree) {}

  print(): string {
    for (const [name, body] of this.rules) this.lines.push(`${name} ::= ${this.expression(body)}\n`);
    return this.lines.join("");
  }

  private expression(expression: GrammarExpression): string {
    switch (expression.kind) {
      case "text":
        return `"${[...expression.text].map(character).join("")}"`;
      case "class":
        return expression.not ? `[^${expression.ranges.map(range).join("")}]` : characterClass(expression.ranges);
      case "rule":
        return expression.name;
      case "sequence":
        return expression.parts.map((part) => this.factor(part)).join(" ");
      case "choice":
        return expression.options.map((option) => this.expression(option)).join(" | ");
      case "repeat": {
        const { part, min, max } = expression;
        const ways = max === undefined && min <= 1 ? this.ways(part) : [part];
        const once = part.kind === "text" || part.kind === "class" || part.kind === "rule";
        if (ways.length === 1)
          return `${once ? this.expression(part) : `(${this.expression(part)})`}${count(min, max)}`;
        return min === 0 ? this.loop(ways) : `(${this.expression(part)}) ${this.loop(ways)}`;
      }
    }
  }

  private factor(part: GrammarExpression): string {
    return part.kind === "choice" ? `(${this.expression(part)})` : this.expression(part);
  }

  /**
   * A repetition of these as a recursive rule. For `(a | b)*` xgrammar makes a rule of the brackets, and then tries
   * every token again at each character: 30 ms a token, instead of 0.02.
   */
  private loop(ways: readonly GrammarExpression[]): string {
    const key = ways.map((way) => this.factor(way)).join(" | ");
    let name = this.loops.get(key);
    if (name === undefined) {
      name = `loop${this.loops.size}`;
      while (this.rules.has(name)) name += "-";
      this.loops.set(key, name);
      this.lines.push(`${name} ::= ${['""', ...ways.map((way) => `${this.factor(way)} ${name}`)].join(" | ")}\n`);
    }
    return name;
  }

  /** The alternatives of a part, or of the rule that it names where these refer to no rule. */
  private ways(part: GrammarExpression): readonly GrammarExpression[] {
    if (part.kind === "choice") return part.options;
    const body = part.kind === "rule" ? this.rules.get(part.name) : undefined;
    return body?.kind === "choice" && isPlain(body) ? body.options : [part];
  }
}

/** Whether an expression refers to no rule. */
function isPlain(expression: GrammarExpression): boolean {
  switch (expression.kind) {
    case "rule":
      return false;
    case "sequence":
      return expression.parts.every(isPlain);
    case "choice":
      return expression.options.every(isPlain);
    case "repeat":
      return isPlain(expression.part);
    default:
      return true;
  }
}

/** The suffix of a repetition: `?`, `*`, `+` or `{min,max}`. */
export function count(min: number, max: number | undefined): string {
  if (min === 0 && max === 1) return "?";
  if (max === undefined && min <= 1) return min === 0 ? "*" : "+";
  return `{${min},${max ?? ""}}`;
}

/**
 * One of these characters. Classes contain only ASCII wherever an equal one does: xgrammar 0.1, the latest version for
 * JavaScript, misreads other classes.
 */
function characterClass(ranges: readonly CodePoints[]): string {
  const isIn = (point: number) => ranges.some(([first, last]) => first <= point && point <= last);
  if (ranges.some(([first, last]) => first <= 128 && last === 0x10ffff)) {
    const others = Array.from({ length: 128 }, (_, point) => point).filter((point) => !isIn(point));
    return `[^${others.map(code).join("")}]`;
  }
  const ascii = ranges.filter(([, last]) => last < 128).map(range);
  const wide = ranges.filter(([, last]) => last >= 128);
  const options = wide.map((one) => (one[0] === one[1] ? `"${String.fromCodePoint(one[0])}"` : `[${range(one)}]`));
  if (ascii.length > 0) options.unshift(`[${ascii.join("")}]`);
  return options.length === 1 ? options[0]! : `(${options.join(" | ")})`;
}

const range = ([first, last]: CodePoints) => (first === last ? code(first) : `${code(first)}-${code(last)}`);

const character = (char: string) =>
  /["\\]/.test(char) || char < " " || char === "\x7f" ? code(char.codePointAt(0)!) : char;

/**
 * A character in a class: letters and digits as they are, others escaped. `\x` would take all hex digits that follow.
 */
function code(point: number): string {
  if (point < 128 && /[A-Za-z0-9]/.test(String.fromCharCode(point))) return String.fromCharCode(point);
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

const hex = (point: number, digits: number) => point.toString(16).padStart(digits, "0");
