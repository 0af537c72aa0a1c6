import { count } from "./ebnf.js";
import { type CodePoints, type GrammarExpression, readGbnf } from "./grammar-tree.js";

/**
 * Translates a grammar of this package to llguidance's variant of Lark, with the first line by which llama.cpp and
 * SGLang recognise it. Format: https://github.com/guidance-ai/llguidance/blob/main/docs/syntax.md
 *
 * llguidance's lexer takes the longest terminal and never backtracks, so each character is a terminal.
 *
 * @example toLark(toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" }).grammar);
 */
export function toLark(gbnf: string): string {
  const rules = readGbnf(gbnf);
  // Names in capitals are terminals.
  const names = new Map([...rules.keys()].map((name, i) => [name, i === 0 ? "start" : `r${i}-${name.toLowerCase()}`]));
  const lines = [...rules].map(([name, body]) => `${names.get(name)}: ${print(body, names)}\n`);
  return `%llguidance {}\n${lines.join("")}`;
}

function print(expression: GrammarExpression, names: ReadonlyMap<string, string>): string {
  switch (expression.kind) {
    case "text":
      return expression.text === "" ? '""' : [...expression.text].map((char) => JSON.stringify(char)).join(" ");
    case "class":
      return `/[${expression.not ? "^" : ""}${expression.ranges.map(range).join("")}]/`;
    case "rule":
      return names.get(expression.name)!;
    case "sequence":
      return expression.parts
        .map((part) => (part.kind === "choice" ? `(${print(part, names)})` : print(part, names)))
        .join(" ");
    case "choice":
      return expression.options.map((option) => print(option, names)).join(" | ");
    case "repeat":
      return `(${print(expression.part, names)})${count(expression.min, expression.max)}`;
  }
}

const range = ([first, last]: CodePoints) => (first === last ? code(first) : `${code(first)}-${code(last)}`);

/** A character in a class: letters and digits as they are, others as code points. */
const code = (point: number) => {
  const char = String.fromCodePoint(point);
  return /[A-Za-z0-9]/.test(char) ? char : `\\x{${point.toString(16)}}`;
};
