import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { jsonCall, name, toolName } from "../../syntax/parts.js";
import type { OwnedForm } from "../../syntax/tokens.js";
import { compileForms, type FormNode } from "./forms.js";
import {
  continues,
  definitionFollows,
  type KnownTools,
  labelOpens,
  lineOpens,
  matchBranch,
  plainBranch,
} from "./match-branch.js";

const tools: KnownTools = {
  isTool: (tool) => ["now", "add", "call"].includes(tool),
  starts: ({ body }, look, at) => look.charAt(at) === (body === "python-arguments" ? "(" : "{"),
};
const unknown: KnownTools = { ...tools, isTool: () => undefined };

const json = { body: "json" } as const;
const python = { body: "python-arguments" } as const;
const forms = (...all: OwnedForm[]) => compileForms(all);

/** The kind of the branch that the text matches, or its text; `more`: more input is needed. */
function branchOf(node: FormNode, text: string, final = true, known = tools): string {
  const look = new Lookahead({ text, final });
  const token = matchBranch(look, 0, node, known)?.token;
  if (look.hitEnd) return "more";
  return token ? ("text" in token ? token.text : token.kind) : "none";
}

describe("the branch that a text matches", () => {
  const mixed = forms(
    { call: ["<call>", jsonCall, "</call>"] },
    { call: ["<call><name>", name, "</name>", json] },
    { call: ['<invoke name="', name, '">', json, "</invoke>"] },
    { call: [jsonCall] },
    { call: [name, python] },
  );

  test.each([
    ["<call>{", "<call>"],
    ["<call >{", "<call>"],
    ['<invoke name="f">', "tag"],
    ["<invoke>", "none"],
    ['{"name"', "body"],
    ["now(", "name"],
    ["and so on", "none"],
    ["<calls>", "none"],
  ])("%j: %s", (text, wanted) => expect(branchOf(mixed, text)).toBe(wanted));

  test.each(["<ca", '<invoke name="f', "no", ""])("is open where the text ends: %j", (text) =>
    expect(branchOf(mixed, text, false)).toBe("more"),
  );

  test("is a word only before what follows it, where a name may be written", () => {
    const word = forms({ call: ["call", name, json] }, { call: [name, python] });
    expect([branchOf(word, "call now{"), branchOf(word, "call("), branchOf(word, "call now and")]).toEqual([
      "call",
      "name",
      "none",
    ]);
    expect(branchOf(word, "call ", false)).toBe("more");
  });

  test("is the bracket of a list of names only before a name", () => {
    const list = forms(
      { call: [name, python], block: { open: "[", separator: ",", close: "]" } },
      { call: [jsonCall] },
    );
    expect([branchOf(list, "[now("), branchOf(list, '[{"name"')]).toEqual(["[", "none"]);
  });

  test("is a name that is a tool's where it must be one", () => {
    const known = forms({ call: ["<c>", toolName, python] }).branches[0]!.node;
    expect([branchOf(known, "now("), branchOf(known, "later("), branchOf(known, "now (")]).toEqual([
      "name",
      "none",
      "none",
    ]);
  });

  test("is an empty body before the markers after it, unless it has the name", () => {
    const node = forms({ call: ["<c>", name, json, "</c>"] }).branches[0]!.node.branches[0]!.node;
    expect([branchOf(node, "</c>"), branchOf(node, "x"), branchOf(node, "</", false)]).toEqual([
      "body",
      "none",
      "more",
    ]);
    const block = forms({ call: [jsonCall], block: { open: "<c>", separator: ",", close: "</c>" } }).branches[0]!.node;
    expect(branchOf(block, "</c>")).toBe("none");
  });

  test("is the call's number before its end", () => {
    const node = forms({ call: ["<c>", { slot: "index" }, "<d>", json] }).branches[0]!.node;
    expect([branchOf(node, "7<d>"), branchOf(node, "7 and 8<d>"), branchOf(node, "7", false)]).toEqual([
      "index",
      "none",
      "more",
    ]);
  });
});

describe("the name of a call that begins a line", () => {
  const line = (own: boolean, call: OwnedForm["call"] = ["Action: ", name, "\nInput: ", json]) =>
    forms({ at: "line", call, own }).branches[0]!.node;
  const matches = (text: string, node = line(true), known = tools, final = true) => branchOf(node, text, final, known);

  test.each<[string, string, FormNode, KnownTools, string]>([
    ["a tool's name with arguments", "now\nInput: {", line(true), tools, "name"],
    ["a tool's name alone", "now\n", line(true), tools, "name"],
    ["emphasis around it", "**now**\nInput: {", line(true), tools, "name"],
    ["a word that means no tool", "none\n", line(true), tools, "name"],
    ["another name with arguments", "later\nInput: {", line(true), tools, "name"],
    ["any words before the label", "to look\nInput: {", line(true), tools, "name"],
    ["another name alone", "later\n", line(true), tools, "none"],
    ["words alone", "to look\nand see", line(true), tools, "none"],
    ["a tool's name in another protocol", "now\n", line(false), tools, "name"],
    ["another name in another protocol", "later\nInput: {", line(false), tools, "none"],
    ["any name between labels, if the tools are unknown", "later\nInput: {", line(false), unknown, "name"],
    ["a decorator", "now\ndef f():", line(true, ["@", name, json]), tools, "none"],
    ["a tool's name before its arguments", "now {", line(true, ["@", name, json]), tools, "name"],
  ])("may be %s", (_, text, node, known, wanted) => expect(matches(text, node, known)).toBe(wanted));

  test("must be a tool's, directly before its marker, where other text may follow", () => {
    const node = line(true, ["Action: ", toolName, "[", json]);
    expect([matches("now[{", node), matches("later[{", node), matches("now [{", node), matches("now\n", node)]).toEqual(
      ["name", "none", "none", "none"],
    );
    expect(matches("now[{", line(false, ["Action: ", toolName, "[", json]))).toBe("none");
  });

  test("may go on where the text ends", () => {
    expect([matches("no", line(true), tools, false), matches("now\n", line(true), tools, false)]).toEqual([
      "more",
      "more",
    ]);
    expect(matches(`now\n${" ".repeat(80)}`, line(true), tools, false)).toBe("name");
  });
});

describe("a label opens a call", () => {
  const opens = (test: typeof lineOpens, text: string, call: OwnedForm["call"], final = true) => {
    const look = new Lookahead({ text, final });
    const found = test(look, 0, forms({ at: "line", call, own: true }), tools);
    return look.hitEnd ? "more" : found;
  };

  test("before a name that must be a tool's only if that follows", () => {
    const call: OwnedForm["call"] = ["Action: ", toolName, "[", json];
    expect([opens(labelOpens, "Action: now[{", call), opens(labelOpens, "Action: see below", call)]).toEqual([
      true,
      false,
    ]);
    expect(opens(labelOpens, "Action: see below", ["Action: ", name, json])).toBe(true);
  });

  test("with what follows it in a form", () => {
    const call: OwnedForm["call"] = ["@tool ", name, json];
    expect([
      opens(lineOpens, "@tool now {", call),
      opens(lineOpens, "@tool: x", call),
      opens(lineOpens, "tool", call),
    ]).toEqual([true, false, false]);
    expect([opens(lineOpens, "@tool ", call, false), opens(lineOpens, "@tool ", call)]).toEqual(["more", false]);
  });
});

describe("the branch of a marker exactly as declared", () => {
  const node = forms({ call: ["<tool>", jsonCall] }, { call: ["<tools><tool>", jsonCall] });

  test("is the first of the plain ones, if no other can match", () => {
    expect(plainBranch("x<tool>{", 1, node)?.text).toBe("<tool>");
    expect(plainBranch("<tools>", 0, node)?.text).toBe("<tools>");
    expect([plainBranch("<tool >", 0, node), plainBranch("<too", 0, node), plainBranch("<other>", 0, node)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(plainBranch("<tools>", 0, { branches: [], literals: [] })).toBeUndefined();
  });

  test("continues up to the first token that is no literal", () => {
    const look = (text: string, final = true) => new Lookahead({ text, final });
    const branch = node.branches.find(({ token }) => "text" in token && token.text === "<tools>")!;
    expect(continues(look("<tools>\n<tool> {"), 0, branch, tools)).toBe(true);
    expect(continues(look("<tools><tool>x"), 0, branch, tools)).toBe(false);
    expect(continues(look("<tools>{"), 0, branch, tools)).toBe(false);
    const open = look("<tools> <tool>", false);
    expect([continues(open, 0, branch, tools), open.hitEnd]).toEqual([false, true]);
  });
});

test("a definition of Python may follow a line", () => {
  const follows = (text: string, final = true) => {
    const look = new Lookahead({ text, final });
    return [definitionFollows(look, 0), look.hitEnd];
  };
  expect(["\ndef f", " \n\n class A", "\nasync def g"].map((text) => follows(text)[0])).toEqual([true, true, true]);
  expect(["def f", "\ndefine", "\nx", ""].map((text) => follows(text)[0])).toEqual([false, false, false, false]);
  expect(["\nde", "", "\ndef "].map((text) => follows(text, false)[1])).toEqual([true, true, true]);
  expect(follows("\nx", false)[1]).toBe(false);
});
