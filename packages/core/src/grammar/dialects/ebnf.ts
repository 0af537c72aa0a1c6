import { type CodePoints, type Expression, readGbnf } from "./grammar-tree.js";

/**
 * A grammar of this package in the EBNF that xgrammar reads, for vLLM, SGLang and `@mlc-ai/web-xgrammar`. It is close to
 * GBNF, but knows fewer escapes. Format: https://xgrammar.mlc.ai/docs/xgrammar_features/ebnf_grammar_syntax.html
 *
 * @example toEbnf(toolCallGrammar({ tools, protocol: protocols.hermes, toolChoice: "required" }).grammar);
 */
export function toEbnf(gbnf: string): string {
  return [...readGbnf(gbnf)].map(([name, body]) => `${name} ::= ${print(body)}\n`).join("");
}

function print(expression: Expression): string {
  switch (expression.kind) {
    case "text":
      return `"${[...expression.text].map(sign).join("")}"`;
    case "class":
      return expression.not ? `[^${expression.ranges.map(range).join("")}]` : signs(expression.ranges);
    case "rule":
      return expression.name;
    case "sequence":
      return expression.parts.map((part) => (part.kind === "choice" ? `(${print(part)})` : print(part))).join(" ");
    case "choice":
      return expression.options.map(print).join(" | ");
    case "repeat": {
      const { part, min, max } = expression;
      const isPlain = part.kind === "text" || part.kind === "class" || part.kind === "rule";
      return (isPlain ? print(part) : `(${print(part)})`) + count(min, max);
    }
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
