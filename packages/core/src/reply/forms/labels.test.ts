import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { LEAD, labelEnd } from "./labels.js";

/** Where a label at the beginning of a text ends; `more`: more input is needed. */
function end(text: string, final = true, label = "Action:"): number | false | "more" {
  const look = new Lookahead({ text: `x\n${text}`, final });
  const found = labelEnd(look, 2, label);
  return look.hitEnd ? "more" : found && found - 2;
}

describe("a label that begins a line", () => {
  test.each([
    ["Action: f", 8],
    ["action:f", 7],
    ["ACTION 2: f", 10],
    ["Action : f", 9],
    ["Action： f", 8],
    ["  Action:\nf", 9],
    ["**Action:** f", 12],
    ["**Action 2**: f", 14],
    ["**Action: f**", 10],
    ["**Action**: **f**", 12],
    ["**Action:** **f**", 12],
    ["Action:** f", 7],
    ["Action: **f**", 8],
    ["## Action: f", 11],
    ["- Action: f", 10],
    ["_Action_: f", 10],
    ["Assistant: Action: f", 19],
    ["**AI:** Action: f", 16],
    ["assistant:\nAction: f", 19],
  ])("ends in %j", (text, wanted) => expect(end(text)).toBe(wanted));

  test.each([
    "Actions: f",
    "Action f",
    "An Action: f",
    "User: Action: f",
    "Assistants: Action: f",
    "> Action: f",
    "\nAction: f",
    "Act",
    "",
    `Action${" ".repeat(140)}: f`,
    `${" ".repeat(70)}Action: f`,
  ])("is not in %j", (text) => expect(end(text)).toBe(false));

  test.each([
    "",
    "  ",
    "**",
    "Ass",
    "AI",
    "Assistant: ",
    "Act",
    "Action",
    "Action 2",
    "Action **",
    "Action:",
    "Action: ",
    "**Action:*",
  ])("may go on where the text ends: %j", (text) => expect(end(text, false)).toBe("more"));

  test("does not go on where it is another word, or after more space than any label has", () => {
    expect([end("Acts", false), end(`Action${" ".repeat(70)}`, false)]).toEqual([false, false]);
  });

  test("may have several words, with any mark between them", () => {
    for (const text of ["Final Answer: x", "FINAL_ANSWER: x", "final-answer: x"])
      expect(end(text, true, "Final Answer:")).toBe(14);
    expect(end("FinalAnswer: x", true, "Final Answer:")).toBe(13);
    expect(end("Final", false, "Final Answer:")).toBe("more");
  });
});

test("a block quote comes before no label", () =>
  expect([" ", "*", "#", "-", ">", "\n", "a"].map((char) => LEAD.test(char))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]));
