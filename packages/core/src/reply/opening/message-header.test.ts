import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { readMessageHeader } from "./message-header.js";

const messages = {
  open: ["<|start|>", "<|channel|>"],
  role: "<|start|>",
  text: "<|message|>",
  close: ["<|end|>", "<|call|>"],
  reasoning: ["analysis"],
};

/** The header at the beginning of a text, and the text after it; `more`: more input is needed. */
function header(text: string, final = true) {
  const look = new Lookahead({ text: `x${text}`, final });
  const found = readMessageHeader(look, 1, messages);
  if (look.hitEnd) return "more";
  return found && { ...found, end: look.text.slice(found.end) };
}

const after = { tool: "", end: "Yes" };

describe("the header of a message", () => {
  test.each<[string, object]>([
    ["<|channel|>analysis<|message|>Yes", { ...after, kind: "reasoning" }],
    ["<|channel|>final<|message|>Yes", { ...after, kind: "text" }],
    ["<|message|>Yes", { ...after, kind: "text" }],
    ["<|start|>assistant<|channel|>final<|message|>Yes", { ...after, kind: "text" }],
    ["<|start|>user<|message|>Yes", { ...after, kind: "dropped", isTurn: true }],
    ["<|start|>functions.add to=assistant<|channel|>commentary<|message|>Yes", { ...after, kind: "dropped" }],
    [
      "<|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>Yes",
      { ...after, kind: "call", tool: "add" },
    ],
    ["<|start|>to=functions.add<|channel|>commentary<|message|>Yes", { ...after, kind: "call", tool: "add" }],
    ["to=my/é.add<|message|>Yes", { ...after, kind: "call", tool: "my/é.add" }],
    ["<|channel|>commentary to=functions.user<|message|>Yes", { ...after, kind: "call", tool: "user" }],
    ["<|channel|>analysis to=user<|message|>Yes", { ...after, kind: "reasoning" }],
    ["<|channel|>preanalysis<|message|>Yes", { ...after, kind: "text" }],
  ])("%s", (text, wanted) => expect(header(text)).toEqual(wanted));

  test.each([
    "<|channel|>final",
    "<|channel|>final<|end|><|message|>",
    "<|channel|>the {final}<|message|>",
    `<|channel|>${"a ".repeat(130)}<|message|>`,
    "",
  ])("is none: %j", (text) => expect(header(text)).toBeUndefined());

  test.each(["", "<|cha", "<|channel|>fin", "<|channel|>final<|mess", "<|channel|>final<", "<|start|>"])(
    "may go on where the text ends: %j",
    (text) => expect(header(text, false)).toBe("more"),
  );

  test("does not go on after other text, or after a limit", () => {
    expect([header("<|channel|>a {", false), header("a ".repeat(140), false), header("<|end|>", false)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
