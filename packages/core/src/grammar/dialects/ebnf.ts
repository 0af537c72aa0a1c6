import { type CodePoints, type Expression, type GrammarTree, readGbnf } from "./grammar-tree.js";

/**
 * A grammar of this package in the EBNF that xgrammar reads, for vLLM, SGLang and `@mlc-ai/web-xgrammar`. It is close to
 * GBNF, but knows fewer escapes. Format: https://xgrammar.mlc.ai/docs/xgrammar_features/ebnf_grammar_syntax.html
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

  private expression(expression: Expression): string {
    switch (expression.kind) {
      case "text":
        return `"${[...expression.text].map(sign).join("")}"`;
      case "class":
        return expression.not ? `[^${expression.ranges.map(range).join("")}]` : signs(expression.ranges);
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

  private factor(part: Expression): string {
    return part.kind === "choice" ? `(${this.expression(part)})` : this.expression(part);
  }

  /**
   * Any number of these, as a rule that goes on with itself. For `(a | b)*` xgrammar makes a rule of what is in brackets,
   * and then tries each token anew at every sign: 30 ms a token, and not 0.02.
   */
  private loop(ways: readonly Expression[]): string {
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

  /** What a part is one of; of a rule, where its ways are plain. */
  private ways(part: Expression): readonly Expression[] {
    if (part.kind === "choice") return part.options;
    const body = part.kind === "rule" ? this.rules.get(part.name) : undefined;
    return body?.kind === "choice" && isPlain(body) ? body.options : [part];
  }
}

/** Whether no rule is needed for it. */
function isPlain(expression: Expression): boolean {
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

/** How often something stands: `?`, `*`, `+` or `{min,max}`. */
export function count(min: number, max: number | undefined): string {
  if (min === 0 && max === 1) return "?";
  if (max === undefined && min <= 1) return min === 0 ? "*" : "+";
  return `{${min},${max ?? ""}}`;
}

/**
 * One of these signs. Classes are kept to ASCII wherever that says the same: xgrammar 0.1, which is what there is for
 * JavaScript, reads others wrongly.
 */
function signs(ranges: readonly CodePoints[]): string {
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

const sign = (char: string) =>
  /["\\]/.test(char) || char < " " || char === "\x7f" ? code(char.codePointAt(0)!) : char;

/** A sign that can stand in a class; letters and digits as they are. `\x` is not used: it takes all hex digits that follow. */
function code(point: number): string {
  if (point < 128 && /[A-Za-z0-9]/.test(String.fromCharCode(point))) return String.fromCharCode(point);
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

const hex = (point: number, digits: number) => point.toString(16).padStart(digits, "0");
