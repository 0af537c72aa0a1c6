import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { protocols } from "../../protocols/index.js";
import { name } from "../../syntax/parts.js";
import { callTokens } from "../../syntax/tokens.js";
import { callTags, openerEnd, openingTokens } from "./call-opener.js";

const json = { body: "json" } as const;
const openerOf = (...call: Parameters<typeof callTokens>[0]["call"]) =>
  openingTokens(callTokens({ call }).slice(0, -1));

describe("the tokens that open a call", () => {
  const kinds = (...call: Parameters<typeof openerOf>) =>
    openerOf(...call).map((token) => ("text" in token ? token.text : token.kind));

  test("begin with the last markup before the name", () => {
    expect(kinds("<calls><call>", name, "<args>", json)).toEqual(["<call>", "name", "<args>"]);
    expect(kinds('<calls><call name="', name, '">', json)).toEqual(["tag"]);
    expect(kinds("<call>", { slot: "index" }, "<name>", name, json)).toEqual(["<name>", "name"]);
    expect([kinds("call:", name, json), kinds("<call>", json)]).toEqual([[], []]);
  });
});

describe("the opener of a known tool's call", () => {
  const isTool = (tool: string) => tool === "now";
  const end = (text: string, call: Parameters<typeof openerOf>, final = true) => {
    const look = new Lookahead({ text, final });
    const found = openerEnd(openerOf(...call), look, 1, isTool);
    return look.hitEnd ? "more" : found;
  };
  const named: Parameters<typeof openerOf> = ["<call>", name, "<args>", json];
  const tag: Parameters<typeof openerOf> = ['<call name="', name, '">', json];

  test.each<[string, Parameters<typeof openerOf>, number | false]>([
    ["x<call>now<args>{", named, 16],
    ["x<call >\n now <args>{", named, 20],
    ["x<call>functions.now<args>{", named, false],
    ["x<call>later<args>{", named, false],
    ["x<call>now<b><args>{", named, false],
    ["x<call><args>{", named, false],
    [`x<call>${" ".repeat(70)}now<args>`, named, false],
    [`x<call>now${" ".repeat(130)}<args>`, named, false],
    ['x<call name="now">{', tag, 18],
    ['x<call id="1" name=" now ">', tag, 27],
    ['x<call name="later">', tag, false],
    ['x<call id="now">', tag, false],
    ['x<calls name="now">', tag, false],
    ["x{", [json], false],
  ])("ends in %j", (text, call, wanted) => expect(end(text, call)).toBe(wanted));

  test.each<[string, Parameters<typeof openerOf>]>([
    ["x<ca", named],
    ["x<call>no", named],
    ["x<call>now<ar", named],
    ['x<call name="no', tag],
  ])("is open where the text ends: %j", (text, call) => {
    expect(end(text, call, false)).toBe("more");
    expect(end(text, call)).toBe(false);
  });

  test("has any name if the tools are unknown, and any number", () => {
    const look = new Lookahead({ text: "<call>7<name>later{", final: true });
    const tokens = callTokens({ call: ["<call>", { slot: "index" }, "<name>", name, json] }).slice(0, -1);
    expect(openerEnd(tokens, look, 0, () => undefined)).toBe(18);
    expect(openerEnd(tokens, look, 0, () => false)).toBe(false);
    expect(openerEnd(callTokens({ call: [json] }), look, 0, () => undefined)).toBe(false);
  });

  test("may be a tag named after the tool", () => {
    const tokens = callTokens({ call: ["<", name, ">", json, "</", name, ">"] }, "now").slice(0, 1);
    const ends = ["<now>", "<later>", "now"].map((text) =>
      openerEnd(tokens, new Lookahead({ text, final: true }), 0, isTool),
    );
    expect(ends).toEqual([5, false, false]);
  });
});

test("a tag opens calls if a syntax has it, in any case and namespace", () => {
  const opens = callTags([protocols["minimax-m2"].syntax, protocols["qwen3-coder"].syntax]);
  expect(["invoke", "INVOKE", "am:invoke", "minimax:tool_call", "tool_call", "function"].map(opens)).toEqual(
    Array(6).fill(true),
  );
  expect(["parameter", "call_tool", "city"].map(opens).filter(Boolean)).toEqual([]);
  expect(callTags([])("invoke")).toBe(false);
});
