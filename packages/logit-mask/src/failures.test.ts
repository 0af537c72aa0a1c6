import { expect, it } from "vitest";
import { LogitMasks } from "./index.js";

const masks = new LogitMasks({ vocabulary: { tokens: ["a", "b", ""], type: "raw" }, endTokens: 2 });
const failed = (message: string) =>
  expect.objectContaining({ name: "LogitMaskError", code: "grammar", message: expect.stringContaining(message) });

it("a rule that begins with itself is an error that names it, also behind rules that admit nothing", () => {
  for (const rules of [
    'value ::= value "a" | "b"',
    'value ::= space other "b" | "a"\nspace ::= "a"?\nother ::= value',
  ]) {
    expect(() => masks.compile(`root ::= value\n${rules}\n`)).toThrow(failed("value"));
  }
});

it("a rule that ends with itself is none", () => {
  const processor = masks.compile('root ::= "a" root | "b"\n').processor();
  const tokens = [0];
  processor([tokens], { data: new Float32Array(3) });
  for (const token of [0, 0, 0, 0, 1]) {
    tokens.push(token);
    const data = new Float32Array(3);
    processor([tokens], { data });
    expect([...data]).toEqual(token === 1 ? [-Infinity, -Infinity, 0] : [0, 0, -Infinity]);
  }
});

it("a missing rule, and counts that need too many states, are errors", () => {
  expect(() => masks.compile('root ::= "a" valeu\nvalue ::= "b"\n')).toThrow(
    expect.objectContaining({ code: "bad-grammar", message: expect.stringContaining('Did you mean "value"?') }),
  );
  expect(() => masks.compile("root ::= [ab]{2000000}\n")).toThrow(failed("more than 250,000 states"));
  expect(() => masks.compile("not a grammar")).toThrow(expect.objectContaining({ code: "bad-grammar" }));
});

it("counts multiply without writing every repetition out", () => {
  const processor = masks.compile('root ::= ((("a" | "b"){500} "a"){500}){500}\n').processor();
  const data = new Float32Array(3);
  processor([[0]], { data });
  expect([...data]).toEqual([0, 0, -Infinity]);
});
