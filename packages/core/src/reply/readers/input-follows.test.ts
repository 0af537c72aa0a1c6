import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { inputFollows } from "./input-follows.js";

function follows(text: string, final = true): boolean | "more" {
  const look = new Lookahead({ text: `x${text}`, final });
  const answer = inputFollows(look, 1, ["Action Input:", "Input:"]);
  return look.hitEnd ? "more" : answer;
}

describe("other arguments follow those of a call", () => {
  test.each([
    ["an object on its line", ' {"a": 1}\n'],
    ["an object after a word on its line", " or: {'a': 1}\n"],
    ["an object on a later line", '\n\n{ "a": 1}'],
    ["an empty object", "\n{}\n"],
    ["text after their label", "\nAction Input: Oslo\n"],
    ["text on the line after their label", "\n**Input:**\nOslo\n"],
    ["an object with text after their label", "\nInput: {} Oslo\n"],
  ])("%s", (_, text) => expect(follows(text)).toBe(true));

  test.each([
    ["other text", "\nOslo {1}\n"],
    ["an object of another call", '\nnow() {"a": 1}\n'],
    ["an object after a bracket", '] {"a": 1}\n'],
    ["an object without a key", "\n{a: 1}\n"],
    ["the label of another input", "\nOutput: Oslo\n"],
    ["their label with nothing", "\nInput:\n\n"],
    ["their label with an empty object", "\nInput: { }\n"],
    ["their label with a word for nothing", "\nInput: none\n"],
    ["another label after theirs", "\nInput:\nThought: so\n"],
    ["the end of the reply", ""],
  ])("not %s", (_, text) => expect(follows(text)).toBe(false));

  test.each(["", " or", "\n", "\n ", "\n{", "\nInp", "\nInput: Os", "\nInput:\n"])(
    "perhaps where the text ends: %j",
    (text) => expect(follows(text, false)).toBe("more"),
  );

  test("is known on a line that has ended", () => {
    expect([follows("\nOslo\n", false), follows("\nInput: Oslo\n", false), follows('\n{"', false)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(follows(`\n${" ".repeat(140)}`, false)).toBe(false);
  });
});
