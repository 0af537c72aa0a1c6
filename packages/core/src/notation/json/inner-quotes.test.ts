import fc from "fast-check";
import { expect, it, test } from "vitest";
import { InnerQuotes } from "./inner-quotes.js";

/** The mark that is open after a part. */
function openAfter(parts: readonly string[], own = '"') {
  const inner = new InnerQuotes();
  inner.begin(own);
  for (const part of parts) inner.push(part);
  return inner.open.mark;
}

test.each([
  ["print('don", "'"],
  ["print('done')", ""],
  ["It's", ""],
  ["the dogs' bowl", ""],
  ["re.split(r'a", ""],
  ["Option b's cost", ""],
  ["the '90s", "'"],
  ['echo \\"a', '"'],
  ["echo \\\"a 'b", '"'],
  ['echo \\"a\\"', ""],
  ["a `b", "`"],
  ["a 'b\\'c", "'"],
  ["a \\\\`b", "`"],
])("knows what is open after %s", (text, open) => expect(openAfter([text])).toBe(open));

it("counts the escaped marks of the string's own kind only", () => {
  expect(openAfter(['a "b'], "'")).toBe('"');
  expect(openAfter(["a \\'b"], "'")).toBe("'");
});

it("gives the same for any two parts between escapes", () => {
  const piece = fc.constantFrom("a", " ", "'", "`", '\\"', "\\\\", "\\'", "r", "(", "x ".repeat(300));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(20), (pieces, at) => {
      const parts = [pieces.slice(0, at).join(""), pieces.slice(at).join("")];
      expect(openAfter(parts)).toBe(openAfter([pieces.join("")]));
      expect(openAfter(pieces)).toBe(openAfter([pieces.join("")]));
    }),
  );
});

test.each([
  ["print('don", true],
  ["x = 'it", true],
  ["the '90s", false],
  ["'Tis", false],
  ["echo 'it", false],
])("knows whether the mark in %s begins a value of a program", (text, isCode) => {
  const inner = new InnerQuotes();
  inner.begin('"');
  for (const char of text) inner.push(char);
  expect(inner.open.isCode).toBe(isCode);
});
