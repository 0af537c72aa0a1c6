import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { jsonCall, name } from "../../syntax/parts.js";
import { callTokens } from "../../syntax/tokens.js";
import { compileForms } from "./forms.js";
import { afterElement, namingTag, restOfTag } from "./named-tag.js";

const ahead = (text: string, final = true) => new Lookahead({ text, final });

describe("the tag that names the tool", () => {
  const [whole] = callTokens({ call: ['<call name="', name, '">', jsonCall] });
  const [own] = callTokens({ call: ["<", name, ">", jsonCall, "</", name, ">"] }, "now");
  const [, rest] = callTokens({ call: ["<function=", name, ">", jsonCall] });

  test("has its name in an attribute, or is named after it", () => {
    expect(namingTag(whole!, ahead('x<call id="1" name=" f ">{'), 1)).toMatchObject({
      tool: "f",
      attribute: "name",
      end: 25,
    });
    expect(namingTag(own!, ahead('<now a="1">'), 0)).toMatchObject({ tool: "now", attribute: undefined });
    expect(namingTag(whole!, ahead("<call>"), 0)).toMatchObject({ tool: "" });
    expect([
      namingTag(whole!, ahead("call"), 0),
      namingTag({ kind: "literal", text: "<call>" }, ahead("<call>"), 0),
    ]).toEqual([undefined, undefined]);
  });

  test("is the rest of one after a name that begins within it", () => {
    expect(namingTag(rest!, ahead('f a="1">'), 0)).toMatchObject({ tool: "f", end: 8 });
    expect(
      namingTag({ kind: "name", ends: [">"], line: { own: true, labelled: false } }, ahead('f a="1">'), 0),
    ).toBeUndefined();
  });
});

describe("the rest of a tag", () => {
  test("has attributes, or closes itself", () => {
    expect(restOfTag(ahead('add a="1" b="2"/>x'), 0, [">"])).toMatchObject({ tool: "add", end: 17, selfClosing: true });
    expect(restOfTag(ahead("add/>"), 0, [">"])).toMatchObject({ tool: "add" });
    expect([
      restOfTag(ahead("add>"), 0, [">"]),
      restOfTag(ahead('add a="1"'), 0, [">"]),
      restOfTag(ahead('add a="1">'), 0, ["</n>"]),
    ]).toEqual([undefined, undefined, undefined]);
  });

  test("is open where the text ends", () => {
    const look = ahead('add a="1', false);
    expect([restOfTag(look, 0, [">"]), look.hitEnd]).toEqual([undefined, true]);
  });
});

test("the place after an element is that after its closing tag", () => {
  const root = compileForms([{ call: ["<a>", jsonCall, "</a><end>"] }, { call: ["[A]", jsonCall, "[END]"] }]);
  const [element, other] = root.branches.map(({ node }) => node.branches[0]!.node);
  expect(afterElement(element).literals).toEqual(["<end>"]);
  expect([afterElement(other).branches, afterElement(undefined).branches]).toEqual([[], []]);
});
