import { describe, expect, test } from "vitest";
import { jsonCall, name, toolName } from "../../syntax/parts.js";
import type { OwnedForm } from "../../syntax/tokens.js";
import { compileForms, type FormNode } from "./forms.js";

const json = { body: "json" } as const;
const python = { body: "python-arguments" } as const;

/** The tokens of the branches of a node. */
const branches = (node: FormNode) => node.branches.map(({ token }) => ("text" in token ? token.text : token.kind));
/** The node after these tokens. */
const after = (node: FormNode, ...way: string[]): FormNode =>
  way.reduce((at, token) => at.branches[branches(at).indexOf(token)]?.node ?? { branches: [], literals: [] }, node);
const compiled = (...forms: OwnedForm[]) => compileForms(forms);

describe("the tree of forms", () => {
  test("shares nodes until forms differ", () => {
    const root = compiled(
      { call: ["<a><n>", name, "</n>", json, "</a>"] },
      { call: ["<a>", jsonCall, "</a>"] },
      { call: ["<b>", jsonCall] },
    );
    expect([branches(root), branches(after(root, "<a>"))]).toEqual([
      ["<a>", "<b>"],
      ["<n>", "body"],
    ]);
    const end = after(root, "<a>", "body", "</a>");
    expect([end.ends, after(root, "<a>", "body").ends, after(root, "<b>", "body").ends]).toEqual([
      true,
      undefined,
      true,
    ]);
    expect(after(root, "<a>").literals).toEqual(["<n>", "</n>", "</a>", "</a>"]);
  });

  test("tries fixed text before other text, and longer markers before those they begin with", () => {
    const root = compiled(
      { call: [name, python] },
      { call: [jsonCall] },
      { call: ["<a>", jsonCall] },
      { call: ["<a><b>", jsonCall] },
      { call: ["@", name, json] },
      { call: ["@tool ", name, json] },
    );
    expect(branches(root)).toEqual(["<a>", "@tool", "@", "body", "name"]);
    const named = compiled({ call: ["<a>", toolName, "[", json] }, { call: ["<a>", name, "\n", json] });
    expect(after(named, "<a>").branches.map(({ token }) => token.kind === "name" && token.known)).toEqual([
      undefined,
      true,
    ]);
  });

  test("marks the branches of the form that the prompt asks for", () => {
    const root = compiled({ call: ["<a>", jsonCall], asked: true }, { call: ["<b>", jsonCall] });
    expect(root.branches.map(({ asked }) => asked)).toEqual([true, undefined]);
    expect(after(root, "<a>").branches[0]?.asked).toBe(true);
  });

  test("has the first markers that nothing else begins like", () => {
    const plain = (...forms: OwnedForm[]) => compiled(...forms).plain?.map(({ text }) => text);
    expect(plain({ call: ["<a>", jsonCall] }, { call: ["[B]", jsonCall] }, { call: [jsonCall] })).toEqual([
      "<a>",
      "[B]",
    ]);
    expect(plain({ call: ["call", name, json] }, { call: ["<a>", jsonCall] })).toEqual([]);
    expect(plain({ call: ["<!--", jsonCall] })).toEqual([]);
    expect(plain({ call: ["`", name, json] })).toEqual([]);
    expect(plain({ at: "line", call: ["@> ", name, json] })).toEqual([]);
    const element = compileForms([{ call: ["<", name, ">", json, "</", name, ">"] }], "now");
    expect(element.plain?.map(({ text }) => text)).toEqual(["<now>"]);
  });
});

describe("a block of calls", () => {
  const block = { open: "<calls>", separator: ",\n", close: "]</calls>" };

  test("has a separator and closing markers after each call, which may also begin without it", () => {
    const root = compiled({ call: ["<a>", jsonCall, "</a>"], block });
    expect(branches(root)).toEqual(["<calls>", "<a>"]);
    const start = after(root, "<calls>");
    expect(after(start, "<a>", "body", "</a>")).toMatchObject({
      ends: true,
      block: { separator: ",", close: ["]", "</calls>"], start },
    });
    expect(after(root, "<a>", "body", "</a>").block?.start).toBe(root);
    expect([root.begins, start.begins]).toEqual([true, true]);
  });

  test("is needed by calls without a marker", () => {
    const root = compiled({ call: [jsonCall], block });
    expect([branches(root), root.begins, after(root, "<calls>").begins]).toEqual([["<calls>"], undefined, undefined]);
  });

  test("may end like another block that begins like it", () => {
    const root = compiled({ call: [jsonCall], block }, { call: [jsonCall], block: { ...block, close: "<end>" } });
    expect(after(root, "<calls>", "body").block?.close).toEqual(["]", "</calls>", "<end>"]);
  });

  test("may end like any other block of the same calls, even if it did not begin", () => {
    const call = ["<a>", jsonCall, "</a>"];
    const root = compiled({ call, block }, { call, block: { open: "<list>", separator: "", close: "</list>" } });
    expect(after(root, "<a>", "body", "</a>").block?.close).toEqual(["]", "</calls>", "</list>"]);
  });
});

test("a call that begins a line may end after its name and after all that follows it", () => {
  const root = compiled({ at: "line", call: ["Action: ", name, "\nInput: ", json] });
  const ends = [
    ["Action:"],
    ["Action:", "name"],
    ["Action:", "name", "Input:"],
    ["Action:", "name", "Input:", "body"],
  ].map((way) => after(root, ...way).ends);
  expect(ends).toEqual([undefined, true, true, true]);
  expect(after(compiled({ at: "line", call: ["@> ", jsonCall] }), "@>", "body").ends).toBe(true);
});

describe("the place after the arguments", () => {
  const opener = (...call: OwnedForm["call"]) => {
    let node = compiled({ call });
    while (!node.opener) node = node.branches[0]!.node;
    return [node.opener.map((token) => ("text" in token ? token.text : token.kind)), node.nextOpener];
  };

  test("has what opened the call, and the token that begins another one", () => {
    expect(opener("<|calls|><|call|>", name, "<|args|>", json)).toEqual([
      ["<|call|>", "name", "<|args|>"],
      "<|calls|>",
    ]);
    expect(opener("<tool_call>", jsonCall)).toEqual([[], "<tool_call>"]);
    expect(opener("<call>", name, json)).toEqual([["<call>", "name"], undefined]);
    expect(opener(name, python)).toEqual([[], undefined]);
  });
});
