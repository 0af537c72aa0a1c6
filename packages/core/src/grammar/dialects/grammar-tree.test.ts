import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { matchGrammar, readGbnf, toEbnf, toLark } from "../index.js";

describe("readGbnf", () => {
  test.each([
    ["no rule root", 'rot ::= "a"\n', 'no rule "root", where a reply begins. Did you mean "rot"?'],
    [
      "a count that falls",
      'root ::= "a"{3,1}\n',
      "Line 1, column 13 of the grammar: the count {3,1} ends before it begins.",
    ],
    [
      "a range that falls",
      "# a\nroot ::= [az-b]\n",
      "Line 2, column 12 of the grammar: the range z-b ends before it begins.",
    ],
    ["a character beyond Unicode", 'root ::= "\\U00110000"\n', "column 11 of the grammar: \\U00110000 is beyond"],
    ["20,000 parentheses", `root ::= ${"(".repeat(20_000)}"a"${")".repeat(20_000)}\n`, "deeper than 500 levels"],
    ["a literal without an end", 'root ::= "a', "column 12 of the grammar: the closing"],
    ["parentheses without an end", 'root ::= ("a"', 'a ")" is missing'],
    ["any character", "root ::= .\n", 'column 10 of the grammar: not GBNF as this package reads it: "."'],
    [
      "a rule that is missing",
      'root ::= vale\nvalue ::= "a"\n',
      'The grammar has no rule "vale". Did you mean "value"?',
    ],
    ["a rule like no other", 'root ::= ("b" other)?\nvalue ::= "a"\n', 'no rule "other". There are "root", "value".'],
    ["a line that is no rule", 'root ::= "a"\n| "b"\n', "Line 2 is not a rule"],
  ])("refuses %s with its place", (_, grammar, message) => {
    const failed = expect.objectContaining({
      name: "GrammarError",
      code: "bad-grammar",
      message: expect.stringContaining(message),
    });
    for (const read of [readGbnf, toEbnf, toLark, (text: string) => matchGrammar(text, "a")])
      expect(() => read(grammar)).toThrow(failed);
  });

  it("reads 500 levels of parentheses, in every dialect", () => {
    const grammar = `root ::= ${'("a" | '.repeat(500)}"b"${")".repeat(500)}\n`;
    expect(matchGrammar(grammar, "b")).toEqual({ matches: true });
    expect(toEbnf(grammar)).toContain('"b"');
    expect(toLark(grammar)).toContain('"b"');
  });

  it("reads the same grammar with comments, CRLF and tabs", () => {
    const plain = 'root ::= "#a" one | [#]\none ::= "b"\n';
    const same = '# yes\r\n\r\n  root ::=\t"#a" one | [#] # a "comment" (\r\none ::= "b"# end\r\n';
    expect(readGbnf(same)).toEqual(readGbnf(plain));
  });

  it("begins at root wherever it is, in every dialect", () => {
    const grammar = 'one ::= "b"\nroot ::= "a" one\n';
    expect([...readGbnf(grammar).keys()]).toEqual(["root", "one"]);
    expect(matchGrammar(grammar, "ab")).toEqual({ matches: true });
    expect(toEbnf(grammar)).toBe('root ::= "a" one\none ::= "b"\n');
    expect(toLark(grammar)).toBe('%llguidance {}\nstart: "a" r1-one\nr1-one: "b"\n');
  });

  it("reads any text or throws a GrammarError", () => {
    const piece = fc.constantFrom(
      "root",
      " ::= ",
      '"',
      "[",
      "]",
      "(",
      ")",
      "|",
      "{2}",
      "{2,1}",
      "-",
      "\\",
      "\\U00110000",
      "#",
      "\r\n",
      "\n",
      ".",
      "z",
      "a",
      "*",
      " ",
      "\ud83d",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        try {
          expect(readGbnf(`root ::= ${pieces.join("")}\na ::= "a"\nz ::= "z"\n`).has("root")).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ name: "GrammarError", code: "bad-grammar" });
        }
      }),
      { numRuns: 3000 },
    );
  });
});
