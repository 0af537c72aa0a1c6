import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { attributeAt, endsInWord, MAX_WORD, startsCall } from "./call-tag.js";

/** The answer to a question about a text; `more`: more input is needed. */
function ask<Answer>(text: string, question: (look: Lookahead) => Answer, final = true): Answer | "more" {
  const look = new Lookahead({ text, final });
  const answer = question(look);
  return look.hitEnd ? "more" : answer;
}

describe("a call begins with its tag, which names the tool", () => {
  const starts = (text: string, name = "name", final?: boolean) =>
    ask(text, (look) => startsCall({ body: "attributes", tag: "call", name }, look, 1), final);

  test.each([
    ['x<call name="f"', true],
    ["x<call name = f", true],
    ['x<call NAME="f"', true],
    ['x<call id="1" name="f"/>', true],
    ['x<call id="1" name="f"', false],
    ['x<call id="1"/>', false],
    ["x<call>", false],
    ['x<calls name="f">', false],
    ["x<call is", false],
    [`x<call${" ".repeat(70)}name="f"`, false],
    ["xcall", false],
  ])("%j: %s", (text, wanted) => expect(starts(text)).toBe(wanted));

  test.each(["x<ca", "x<call", "x<call ", "x<call na", "x<call name=", 'x<call id="1" na'])(
    "may begin where the text ends: %j",
    (text) => expect(starts(text, "name", false)).toBe("more"),
  );

  test("after whose name comes space, if the tag is named after the tool", () =>
    expect([starts("x<call a", ""), starts("x<call>", ""), starts("x<calls a", "")]).toEqual([true, false, false]));
});

describe("an attribute", () => {
  const at = (text: string, final = false) => attributeAt(text, 0, final);

  test("has a key, and a value after its equals sign", () => {
    expect(at('a="b"')).toEqual({ key: "a", end: 2, isAssigned: true });
    expect(at("a-b = 'c'")).toEqual({ key: "a-b", end: 6, isAssigned: true });
    expect(at("a b")).toEqual({ key: "a", end: 1, isAssigned: false });
    expect([at("/>"), at('"a"')]).toEqual([undefined, undefined]);
  });

  test("is open where the text ends", () => {
    expect(["", "a", "a ", "a=", "a= "].map((text) => at(text))).toEqual(Array(5).fill("more"));
    expect(at("a=", true)).toEqual({ key: "a", end: 2, isAssigned: true });
  });

  test("is no longer than any", () => {
    expect(at(`a${" ".repeat(MAX_WORD)}=b`)).toBeUndefined();
    expect(at(`a=${" ".repeat(2 * MAX_WORD)}b`)).toBeUndefined();
  });
});

test("a tag is only mentioned where the reply ends in a word after it", () => {
  const ends = (text: string, final?: boolean) => ask(text, (look) => endsInWord(look, 5), final);
  expect([
    ends("<call and"),
    ends("<call na"),
    ends("<call "),
    ends("<call and so"),
    ends("<call"),
    ends('<call a="b"'),
  ]).toEqual([true, false, false, false, false, false]);
  expect(ends("<call and", false)).toBe("more");
});
