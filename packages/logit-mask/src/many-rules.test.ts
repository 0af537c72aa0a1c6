import { readGbnf } from "@toolingua/core/grammar";
import { describe, expect, test } from "vitest";
import { byteStates } from "./byte-states.js";
import { LogitMasks } from "./index.js";
import { Positions } from "./positions.js";

const RULES = 5_000;

const chain = (body: (next: string) => string) =>
  `root ::= r0\n${Array.from({ length: RULES }, (_, i) => `r${i} ::= ${body(`r${i + 1}`)}\n`).join("")}r${RULES} ::= "a"\n`;

describe("5,000 rules that begin with the next one take linear time and room, and no stack", () => {
  test.each<[string, body: (next: string) => string, admitted: string[]]>([
    ["and end with it", (next) => next, ["a", "<end>"]],
    ["and go on", (next) => `${next} "x"`, ["a", "x", "x", "x"]],
    ["and can be empty", (next) => `${next}? "x"?`, ["a x <end>", "x <end>", "x <end>"]],
    ["or with another", (next) => `${next} | "a" "x"`, ["a", "x <end>"]],
    ["in a group that repeats", (next) => `(${next} "x")* "y"`, ["a y", "x"]],
    ["after a byte", (next) => `"a" ${next} "x"`, ["a", "a", "a"]],
  ])("%s", (_, body, expected) => {
    const grammar = chain(body);
    const tokens = ["a", "x", "y", ""];
    const processor = new LogitMasks({ vocabulary: { tokens, type: "raw" }, endTokens: 3 })
      .compile(grammar)
      .processor();
    const ids = [3];
    const admitted = expected.map(() => {
      const data = new Float32Array(tokens.length);
      processor([ids], { data });
      const found = [0, 1, 2, 3].filter((id) => data[id] === 0);
      ids.push(found[0] ?? 3);
      return found.map((id) => tokens[id] || "<end>").join(" ");
    });
    expect(admitted).toEqual(expected);
    expect(new Positions(byteStates(readGbnf(grammar))).size).toBeLessThan(2 * RULES);
  });

  test("that lead to the first one again are an error, which names one", () => {
    const circle = chain((next) => `"a"? (${next} "x")?`).replace(/"a"\n$/, "r0\n");
    const masks = new LogitMasks({ vocabulary: { tokens: ["a", ""], type: "raw" }, endTokens: 1 });
    expect(() => masks.compile(circle)).toThrow(/The rule r\d+ of the grammar begins with itself/);
  });
});
