import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { planFor } from "../../schema/plan.js";
import { jsonCall, key, name } from "../../syntax/parts.js";
import type { Body } from "../../syntax/syntax.js";
import { compileForms } from "../forms/forms.js";
import { otherCloser } from "./other-closer.js";

const elements: Body = { body: "elements", open: ["<p=", key, ">"], close: ["</p>"], leaf: "text" };
const from = compileForms([{ call: ["<c>", name, "<d>", elements, "</c>"] }]);

/** The text in place of a closer, after a call of a tool with the argument `city`. */
function other(text: string, { isUnbalanced = false, isRead = true, closers = [] as string[], source = "" } = {}) {
  const look = new Lookahead({ text: `x${text}`, final: true });
  const call = {
    plan: planFor({ properties: { city: {} } }),
    isUnbalanced,
    hasArguments: true,
    isSplit: false,
    hasAll: () => false,
  };
  const last = isRead
    ? {
        body: jsonCall,
        node: compileForms([]),
        call,
        tools: { isTool: () => false },
        mayRefuse: true,
        source: () => source,
      }
    : undefined;
  return otherCloser(look, 1, from, last, call, closers);
}

describe("the text in place of a call's closing marker", () => {
  test("is a closing tag of another name", () => {
    expect(other("</tool_cal> x")).toEqual({ length: 11 });
    expect(other("</city>")).toEqual({ length: 7 });
    expect(other(" x")).toEqual({ length: 0 });
  });

  test.each<[string, string, object, string]>([
    ["the arguments continue", ', "days": 2}', {}, "an object continues after its last bracket"],
    ["the arguments continue with a bare key", ",days:2}", {}, "an object continues after its last bracket"],
    [
      "the arguments come after a comma and a closing tag",
      ', </name>{"city": 2}',
      {},
      "an object continues after its last bracket",
    ],
    ["an argument of the tool is an element there", "<city>Oslo", {}, "arguments follow its end"],
    ["an argument's tag of its form is there", "<p=zone>", {}, "arguments follow its end"],
    [
      "brackets are missing before a word",
      "word",
      { isUnbalanced: true },
      "brackets are missing where something else stands",
    ],
    [
      "brackets are missing before a quote",
      '"word',
      { isUnbalanced: true, isRead: false },
      "brackets are missing where something else stands",
    ],
    ["text follows a string on its line", 'string="true">', { source: '"city" ' }, "text follows its last quote"],
  ])("leaves a call in doubt where %s", (_, text, settings, doubt) =>
    expect(other(text, settings)).toEqual({ length: 0, doubt }),
  );

  test.each(["<c/> x", "</|c|> x"])("is the closing tag in another spelling: %s", (text) => {
    const length = text.indexOf(" ");
    expect(other(text, { closers: ["</c>"] })).toEqual({ length });
    expect(other(text, { closers: ["</other>"] })).toEqual({ length: 0 });
    expect(other(`${text}"}}`, { closers: ["</c>"] }).doubt).toBeDefined();
  });

  test("leaves no doubt before other text", () => {
    expect(
      [other("word"), other("<b>Oslo"), other(', "days": 2}', { isRead: false })].map(({ doubt }) => doubt),
    ).toEqual([undefined, undefined, undefined]);
  });
});

test("text on the line after a string is no part of it", () => {
  expect(other("Done.", { source: '"city"\n' })).toEqual({ length: 0 });
});
