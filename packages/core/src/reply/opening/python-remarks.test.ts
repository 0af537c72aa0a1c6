import { expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { commentEnd, printEnd } from "./python-remarks.js";

function ask(text: string, question: (look: Lookahead, at: number) => number | undefined, final = true) {
  const look = new Lookahead({ text: `x${text}`, final });
  const answer = question(look, 1);
  return look.hitEnd ? "more" : answer;
}

test.each<[string, boolean, number | "more" | undefined]>([
  ["print(y)\n", true, 9],
  ["print( y )", false, 11],
  ["print(z)", true, undefined],
  ["print(y, 1)", false, undefined],
  ["print('y')", false, undefined],
  ["prints(y)", false, undefined],
  ["pri", false, "more"],
  ["print(y", false, "more"],
  ["print(y", true, undefined],
  [`print(${" ".repeat(130)}`, false, undefined],
])("code that prints a variable: %j", (text, final, wanted) =>
  expect(ask(text, (look, at) => printEnd(look, at, (name) => name === "y"), final)).toBe(wanted),
);

test.each<[string, boolean, number | "more" | undefined]>([
  ["# done\nf()", false, 7],
  ["# done", true, 7],
  ["#\n", false, 2],
  ["# f()\n", true, undefined],
  ["# a [1]", true, undefined],
  ["done # x\n", true, undefined],
  ["# do", false, "more"],
  [`# ${"x".repeat(300)}`, true, undefined],
])("a comment without a bracket: %j", (text, final, wanted) => expect(ask(text, commentEnd, final)).toBe(wanted));
