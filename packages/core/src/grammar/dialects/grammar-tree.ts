import { clip } from "../../schema/json.js";
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
 * Reads a grammar in llama.cpp's GBNF as this package writes it: one rule per line. Empty lines and comment lines are
 * skipped. Throws {@link GrammarError} `bad-grammar` for anything else.
 *
 * @example readGbnf('root ::= "yes" | "no"\n').get("root"); // { kind: "choice", options: [{ kind: "text", text: "yes" }, …] }
 */
export function readGbnf(grammar: string): GrammarTree {
  const rules = grammar.split("\n").filter((line) => !/^\s*(?:#|$)/.test(line));
  if (rules.length === 0) throw new GrammarError("bad-grammar", "The grammar has no rules.");
  return new Map(
    rules.map((line) => {
      const [name = "", body] = line.split(/ ::= (.*)/s, 2);
      if (body === undefined) throw new GrammarError("bad-grammar", `Not a rule of a grammar: ${clip(line, 60)}`);
      return [name, new GbnfReader(body).read()] as const;
    }),
  );
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/sy;
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;
const NAME = /[A-Za-z0-9-]+/y;
const CONTROLS: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

class GbnfReader {
  private at = 0;

  constructor(private readonly source: string) {}

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
      while (this.skip(" "));
      const next = this.source[this.at];
      if (next === undefined || next === "|" || next === ")") break;
      parts.push(this.repeated(this.part(next)));
    }
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  private part(next: string): GrammarExpression {
    if (this.skip('"')) {
      let text = "";
      while (!this.skip('"')) text += this.character();
      return { kind: "text", text };
    }
    if (this.skip("[")) return this.characterClass();
    if (this.skip("(")) {
      const inside = this.choice();
      if (!this.skip(")")) throw this.unreadable();
      return inside;
    }
    const name = this.match(NAME)?.[0];
    if (name === undefined) throw this.unreadable(next);
    return { kind: "rule", name };
  }

  private characterClass(): GrammarExpression {
    const not = this.skip("^");
    const ranges: CodePoints[] = [];
    while (!this.skip("]")) {
      const first = this.character().codePointAt(0)!;
      const isRange = this.source[this.at] === "-" && this.source[this.at + 1] !== "]";
      if (isRange) this.at++;
      ranges.push([first, isRange ? this.character().codePointAt(0)! : first]);
    }
    return { kind: "class", not, ranges };
  }

  private repeated(part: GrammarExpression): GrammarExpression {
    if (this.skip("?")) return { kind: "repeat", part, min: 0, max: 1 };
    if (this.skip("*")) return { kind: "repeat", part, min: 0, max: undefined };
    if (this.skip("+")) return { kind: "repeat", part, min: 1, max: undefined };
    const count = this.match(COUNT);
    if (!count) return part;
    const [, min, comma, max] = count;
    return { kind: "repeat", part, min: Number(min), max: comma ? (max ? Number(max) : undefined) : Number(min) };
  }

  /** One code point of a literal or a class. */
  private character(): string {
    const escaped = this.match(ESCAPE);
    if (escaped) {
      const [, x, u, U, char] = escaped;
      const code = x ?? u ?? U;
      return code === undefined ? (CONTROLS[char!] ?? char!) : String.fromCodePoint(Number.parseInt(code, 16));
    }
    const code = this.source.codePointAt(this.at);
    if (code === undefined) throw this.unreadable();
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

  private unreadable(what = this.source.slice(this.at, this.at + 20)): GrammarError {
    return new GrammarError(
      "bad-grammar",
      `Not GBNF as this package writes it, at ${this.at}: ${JSON.stringify(what)}.`,
    );
  }
}
