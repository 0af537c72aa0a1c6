import { describe, expect, it } from "vitest";
import { readToolChoice } from "./tool-choice.js";

const tools = [{ name: "add" }, { name: "constructor" }];

describe("readToolChoice", () => {
  it.each([
    [undefined, "auto"],
    [null, "auto"],
    ["auto", "auto"],
    ["none", "none"],
    ["any", "required"],
    ["required", "required"],
    ["add", { name: "add" }],
    ["constructor", { name: "constructor" }],
    [{ name: "add" }, { name: "add" }],
    [{ type: "function", function: { name: "add" } }, { name: "add" }],
    [{ type: "tool", name: "add" }, { name: "add" }],
    [{ type: "any" }, "required"],
    [{ type: "none" }, "none"],
    [{ tool: { name: "add" } }, { name: "add" }],
    [{ any: {} }, "required"],
  ])("reads %j", (asked, choice) => {
    expect(readToolChoice(asked, tools)).toEqual(choice);
  });

  it.each(["subtract", "toString", { type: "function", function: { name: "subtract" } }, {}, 1, ["add"]])(
    "knows no choice %j",
    (asked) => expect(readToolChoice(asked, tools)).toBeUndefined(),
  );

  it("requires nothing where there are no tools", () => {
    expect(readToolChoice("required", [])).toBe("auto");
  });
});
