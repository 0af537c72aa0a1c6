import { expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { OFFERS_ALTERNATIVE, orFollows } from "./or-follows.js";

function ask(text: string, final = false): boolean | "more" {
  const look = new Lookahead({ text: `)${text}`, final });
  const answer = orFollows(look, 1) !== false;
  return look.hitEnd ? "more" : answer;
}

test.each<[string, boolean | "more"]>([
  ["or {", true],
  ["OR\n\n[", true],
  ["or `now", true],
  ["or now", "more"],
  ["or now it", false],
  ["or now(", true],
  ["or, {", true],
  ["// or: <", true],
  ["order", false],
  [" or {", true],
  [`or${" ".repeat(64)}{`, false],
  ["o", "more"],
  ["or ", "more"],
  ["", "more"],
  ["x", false],
])("an alternative may follow a call: %j", (text, follows) => expect(ask(text)).toBe(follows));

test("an alternative does not follow the end of the reply", () =>
  expect(["o", "or", ""].map((text) => ask(text, true))).toEqual([false, false, false]));

test.each<[string, boolean]>([
  ["\n\nOr:\n", true],
  [" **or** ", true],
  ["// oder", true],
  ["", false],
  ["\nFor:\n", false],
  ["or so", false],
])("the text between two calls offers an alternative: %j", (between, offers) =>
  expect(OFFERS_ALTERNATIVE.test(between)).toBe(offers),
);
