import { expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { orBegins, orFollows } from "./or-follows.js";

function ask(question: typeof orFollows, text: string, final = false): boolean | "more" {
  const look = new Lookahead({ text: `)${text}`, final });
  const answer = question(look, 1);
  return look.hitEnd ? "more" : answer;
}

test.each<[string, boolean | "more", boolean | "more"]>([
  ["or {", true, true],
  ["OR\n\n[", true, true],
  ["or `now", true, true],
  ["or now", false, true],
  ["or: [", true, false],
  ["or: `now", false, false],
  ["# or\n[", true, false],
  ["//or {", true, false],
  ["# other [", false, false],
  ["/", "more", false],
  ["# o", "more", false],
  ["or, {", false, false],
  ["order", false, false],
  [" or {", false, false],
  [`or${" ".repeat(32)}{`, false, true],
  ["o", "more", "more"],
  ["or", "more", "more"],
  ["or ", "more", true],
  ["x", false, false],
])("an alternative may follow a call: %j", (text, follows, begins) => {
  expect([ask(orFollows, text), ask(orBegins, text)]).toEqual([follows, begins]);
});

test("an alternative does not follow the end of the reply", () => {
  expect([ask(orFollows, ""), ask(orBegins, "")]).toEqual([false, "more"]);
  expect(["o", "or", ""].map((text) => [ask(orFollows, text, true), ask(orBegins, text, true)])).toEqual(
    Array(3).fill([false, false]),
  );
});
