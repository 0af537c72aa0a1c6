import { clip } from "../../common/clip.js";
import { describeValue } from "../../common/describe-value.js";
import { didYouMean } from "../../common/nearest-name.js";
import { GrammarError } from "../errors.js";

/** A grammar as a tree: its rules by name, `root` first. All dialects are printed from it, and matchers made of it. */
export type GrammarTree = ReadonlyMap<string, GrammarExpression>;

/** What a rule, or a part of one, admits. */
export type GrammarExpression =
  | { kind: "text"; text: string }
  | { kind: "class"; not: boolean; ranges: readonly CodePoints[] }
  | { kind: "rule"; name: string }
  | { kind: "sequence"; parts: readonly GrammarExpression[] }
  | { kind: "choice"; options: readonly GrammarExpression[] }
  | { kind: "repeat"; part: GrammarExpression; min: number; max: number | undefined };

/** A range of code points, both ends included. */
export type CodePoints = readonly [first: number, last: number];

/**
 * Reads a grammar in llama.cpp's GBNF as this package writes it: one rule per line, one of them `root`, and no `.` for any
 * character. Comments are skipped, and lines may end with CRLF. Parentheses nest up to {@link MAX_NESTING} levels. The tree has
 * `root` first, wherever it was written, and every rule that its expressions name.
 *
 * Errors: {@link GrammarError} `bad-grammar` for anything else, with the rule and the place in its line.
 *
 * @example readGbnf('root ::= "yes" | "no"\n').get("root"); // { kind: "choice", options: [{ kind: "text", text: "yes" }, …] }
 */
export function readGbnf(grammar: string): GrammarTree {
  if (typeof grammar !== "string")
    throw new GrammarError("bad-grammar", `A grammar is a text in GBNF, not ${describeValue(grammar)}.`);
  const tree = new Map<string, GrammarExpression>();
  const named = new Set<string>();
  for (const [i, line] of grammar.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [head, name] = /^\s*([A-Za-z0-9-]+)\s*::=/.exec(line) ?? [];
    if (head === undefined || name === undefined)
      throw new GrammarError("bad-grammar", `Line ${i + 1} is not a rule of a grammar: ${clip(line, 60)}`);
    tree.set(name, new GbnfReader(line, head.length, i + 1, named).read());
  }
  if (tree.size === 0) throw new GrammarError("bad-grammar", "The grammar has no rules.");
  const root = tree.get("root");
  if (!root) throw noRule("root", tree, ", where a reply begins");
  for (const name of named) if (!tree.has(name)) throw noRule(name, tree);
  return new Map([["root", root], ...tree]);
}

const noRule = (name: string, tree: GrammarTree, what = "") =>
  new GrammarError("bad-grammar", `The grammar has no rule "${name}"${what}. ${didYouMean(name, [...tree.keys()])}`);

/** How deep parentheses nest at most: readers and printers of grammars recurse. */
const MAX_NESTING = 500;
const LAST_CODE_POINT = 0x10ffff;

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/sy;
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;
const NAME = /[A-Za-z0-9-]+/y;
/** White space, and a comment up to the end of the line. */
const GAP = /[ \t]*(?:#.*)?/sy;
const CONTROLS: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

class GbnfReader {
  private depth = 0;

  constructor(
    private readonly source: string,
    private at: number,
    private readonly line: number,
    /** Gets the names of all rules that the expression refers to. */
    private readonly named: Set<string>,
  ) {}

  read(): GrammarExpression {
    const expression = this.choice();
    if (this.at < this.source.length) throw this.unreadable();
    return expression;
  }

  private choice(): GrammarExpression {
    const options = [this.sequence()];
    while (this.skip("|")) options.push(this.sequence());
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  private sequence(): GrammarExpression {
    const parts: GrammarExpression[] = [];
    for (;;) {
      this.match(GAP);
      const next = this.source[this.at];
      if (next === undefined || next === "|" || next === ")") break;
      parts.push(this.repeated(this.part()));
    }
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  private part(): GrammarExpression {
    if (this.skip('"')) {
      let text = "";
      while (!this.skip('"')) text += this.character();
      return { kind: "text", text };
    }
    if (this.skip("[")) return this.characterClass();
    if (this.skip("(")) {
      if (++this.depth > MAX_NESTING)
        throw this.wrong(this.at - 1, `parentheses nest deeper than ${MAX_NESTING} levels`);
      const inside = this.choice();
      if (!this.skip(")")) throw this.wrong(this.at, 'a ")" is missing');
      this.depth--;
      return inside;
    }
    const name = this.match(NAME)?.[0];
    if (name === undefined) throw this.unreadable();
    this.named.add(name);
    return { kind: "rule", name };
  }

  private characterClass(): GrammarExpression {
    const not = this.skip("^");
    const ranges: CodePoints[] = [];
    while (!this.skip("]")) {
      const from = this.at;
      const first = this.character().codePointAt(0) ?? 0;
      const isRange = this.source[this.at] === "-" && this.source[this.at + 1] !== "]";
      if (isRange) this.at++;
      const last = isRange ? (this.character().codePointAt(0) ?? 0) : first;
      if (last < first) throw this.wrong(from, `the range ${this.source.slice(from, this.at)} ends before it begins`);
      ranges.push([first, last]);
    }
    return { kind: "class", not, ranges };
  }

  private repeated(part: GrammarExpression): GrammarExpression {
    if (this.skip("?")) return { kind: "repeat", part, min: 0, max: 1 };
    if (this.skip("*")) return { kind: "repeat", part, min: 0, max: undefined };
    if (this.skip("+")) return { kind: "repeat", part, min: 1, max: undefined };
    const from = this.at;
    const count = this.match(COUNT);
    if (!count) return part;
    const [text, least, comma, most] = count;
    const min = Number(least);
    const max = comma ? (most ? Number(most) : undefined) : min;
    if (max !== undefined && max < min) throw this.wrong(from, `the count ${text} ends before it begins`);
    return { kind: "repeat", part, min, max };
  }

  /** One code point of a literal or a class. */
  private character(): string {
    const from = this.at;
    const escaped = this.match(ESCAPE);
    if (escaped) {
      const [text, x, u, U, char = ""] = escaped;
      const hex = x ?? u ?? U;
      if (hex === undefined) return CONTROLS[char] ?? char;
      const code = Number.parseInt(hex, 16);
      if (code > LAST_CODE_POINT) throw this.wrong(from, `${text} is beyond the last character, \\U0010FFFF`);
      return String.fromCodePoint(code);
    }
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw this.wrong(from, 'the closing " or ] is missing');
    const character = String.fromCodePoint(code);
    this.at += character.length;
    return character;
  }

  private skip(text: string): boolean {
    const found = this.source.startsWith(text, this.at);
    if (found) this.at += text.length;
    return found;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private unreadable(): GrammarError {
    return this.wrong(
      this.at,
      `not GBNF as this package reads it: ${JSON.stringify(this.source.slice(this.at, this.at + 20))}`,
    );
  }

  private wrong(at: number, what: string): GrammarError {
    return new GrammarError("bad-grammar", `Line ${this.line}, column ${at + 1} of the grammar: ${what}.`);
  }
}
