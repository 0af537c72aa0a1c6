import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { name } from "../../syntax/parts.js";
import { ToolTable } from "../arguments/tool-table.js";
import { compileForms } from "../forms/forms.js";
import { type CodePlace, couldBeCalls, formBegins, WINDOW } from "./could-be-calls.js";

const tools = ToolTable.of([{ name: "now" }, { name: "get_time" }]);

/** Whether a text may be calls; `more`: more input is needed. */
function couldBe(text: string, place: Partial<CodePlace> = {}, final = false): boolean | "more" {
  const look = new Lookahead({ text, final });
  const answer = couldBeCalls(look, 0, tools, { mayAssign: false, isPython: false, ...place });
  return look.hitEnd ? "more" : answer;
}

describe("a text may consist of calls", () => {
  test.each([
    ["an object with a call's key", '{"name": "now"'],
    ["an object with a call's key in other quotes", "{ 'toolName': “now”"],
    ["an object with a list of calls", '{"tool_calls": ['],
    ["a list of calls after values that are empty", '{"content": null, "refusal": "", "tool_calls": ['],
    ["the arguments before the name", '{"arguments": {'],
    ["a tool's name as the key", '{"now": {'],
    ["an id, the name and the arguments", '{"id": "1", "name": "now", "arguments":'],
    ["a number, the name and the arguments", '{"index": 0, "name": "now", "arguments":'],
    ["a step, the name and the arguments", '{"step": 1, "tool": "now", "input":'],
    ["the model's role", '{"role": "assistant"'],
    ["the type of a call", '{"type": "function"'],
    ["an object encoded as a string", '"{\\"name\\": \\"now\\"'],
    ["a list of objects", '[ {"name": "now"'],
    ["the content of a message", '[{"type": "text"'],
    ["a Python call", "now("],
    ["a Python call in other spelling", "getTime("],
    ["a list of Python calls", "[now("],
    ["a printed call", "print( now("],
    ["a call that is waited for", "await now("],
    ["a call after a comment", "# the time\nnow("],
    ["a call after a comment of JSON", '// the time\n{"name": "now"'],
    ["a quoted call", "'now("],
    ["a list that begins with a name, in another one", '[["now", {'],
    ["a tuple in a list", "[('now', '"],
    ["a name on a line and its arguments", "now\n{"],
    ["a bold name on a line and fenced arguments", "**now**\n```json\n{"],
    ["a fence with a call", '```json\n{"name": "now"'],
  ])("%s", (_, text) => expect(couldBe(text)).toBe(true));

  test.each([
    ["an object with another key", '{"city": "Oslo"'],
    ["an object with another tool", '{"name": "later"'],
    ["another name as the key", '{"later": {'],
    ["a tool's name as the key of a text", '{"now": "x'],
    ["an id without a name", '{"id": "1", "arguments": {'],
    ["an id and the name of a record", '{"id": "1", "name": "now", "born":'],
    ["another role", '{"role": "user"'],
    ["the type of a schema", '{"type": "object"'],
    ["a type that is no word", '{"type": 1'],
    ["a list of other values after those that are empty", '{"content": null, "tool_calls": "'],
    ["another key after those that are empty", '{"content": null, "city": ['],
    ["a number", "12 o"],
    ["words", "Now I"],
    ["a word", "Hello, "],
    ["another function", "later("],
    ["a list of texts", '["later", "'],
    ["a list of numbers", "[1, 2"],
    ["markup", "<b>bold"],
    ["another name on a line", "later\n{"],
    ["a variable where none is assigned", "x = now("],
  ])("not %s", (_, text) => expect(couldBe(text)).toBe(false));

  test.each([
    "",
    "n",
    "get_",
    "no",
    "pri",
    "awa",
    "now",
    "[",
    "[no",
    "['now'",
    "{",
    '{"na',
    '{"name"',
    '{"name": ',
    '{"name": "no',
    '{"now": ',
    '{"id": "1"',
    '{"id": "1", "name": "now"',
    '{"id": "1", "name": "now", "arg',
    '{"thought": "I',
    '{"content": nu',
    '{"content": null, "tool_calls": ',
    '{"type": "fun',
    '"{\\"na',
    "# comment",
    "now\n",
    "```json\n",
    "**now",
  ])("perhaps where the text ends: %j", (text) => {
    expect(couldBe(text)).toBe("more");
    expect(couldBe(text, {}, true)).toBe(false);
  });

  test("perhaps up to a limit", () => {
    expect(couldBe(`{"name": "${"n".repeat(WINDOW - 11)}`)).toBe("more");
    expect(couldBe(`{"name": "${"n".repeat(WINDOW)}`)).toBe(false);
  });

  test("with a variable where one may be assigned, as in a fence of code", () => {
    expect([couldBe("x = now(", { mayAssign: true }), couldBe("x", { mayAssign: true }), couldBe("x")]).toEqual([
      true,
      "more",
      false,
    ]);
    expect(couldBe("```tool_code\nx = now(")).toBe(true);
    expect(couldBe("```python\nx = now(", { isPython: true })).toBe(true);
  });
});

describe("a call of these forms begins", () => {
  const forms = compileForms([
    { call: ["call:", name, { body: "json" }] },
    { call: [name, "[ARGS]", { body: "json" }] },
    { call: ["<", "b", { body: "json" }] },
    { call: ["@", name, { body: "json" }] },
  ]);
  const begins = (text: string, final = false) => {
    const look = new Lookahead({ text, final });
    const answer = formBegins(look, 0, forms, tools);
    return look.hitEnd ? "more" : answer;
  };

  test.each([
    ["call:now", true],
    ["now[ARGS]", true],
    ["later[ARGS]", false],
    ["now{", false],
    ["@now ", false],
    ["words", false],
    ["cal", "more"],
    ["now[AR", "more"],
  ])("%j: %s", (text, wanted) => expect(begins(text)).toBe(wanted));
});
