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
    [true, "required"],
    [false, "auto"],
    [{ type: "allowed_tools", mode: "required" }, "required"],
    [{ type: "allowed_tools", mode: "auto", tools: tools.map((tool) => ({ type: "function", ...tool })) }, "auto"],
    [{ type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "add" }] }, { name: "add" }],
    [
      { type: "allowed_tools", allowed_tools: { mode: "required", tools: [{ function: { name: "add" } }] } },
      { name: "add" },
    ],
    [{ function_calling_config: { mode: "ANY" } }, "required"],
    [{ functionCallingConfig: { mode: "NONE" } }, "none"],
    [{ function_calling_config: { mode: "ANY", allowed_function_names: ["add"] } }, { name: "add" }],
  ])("reads %j", (asked, choice) => {
    expect(readToolChoice(asked, tools)).toEqual(choice);
  });

  it.each([
    { type: "allowed_tools", mode: "auto", tools: [{ name: "add" }] },
    { type: "allowed_tools" },
    { function_calling_config: { mode: "ANY", allowed_function_names: ["subtract"] } },
  ])("does not allow forbidden calls: %j", (asked) => {
    expect(readToolChoice(asked, tools)).toBeUndefined();
  });

  it.each(["subtract", "toString", { type: "function", function: { name: "subtract" } }, {}, 1, ["add"]])(
    "refuses the unknown choice %j",
    (asked) => expect(readToolChoice(asked, tools)).toBeUndefined(),
  );

  it("requires nothing if there are no tools", () => {
    expect(readToolChoice("required", [])).toBe("auto");
  });
});
