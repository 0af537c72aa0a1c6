import { describe, expect, test } from "vitest";
import { Input } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { jsonCall, name } from "../../syntax/parts.js";
import { compileForms } from "./forms.js";
import { MAX_COMMENT, markupCommentEnd, openFence, passMarkupComment, wrappingAt } from "./wrapping.js";

/** The answer to a question about a text; `more`: more input is needed. */
function ask<Answer>(text: string, question: (look: Lookahead) => Answer, final = false): Answer | "more" {
  const look = new Lookahead({ text, final });
  const answer = question(look);
  return look.hitEnd ? "more" : answer;
}

describe("a code fence", () => {
  const fence = (text: string, final?: boolean) => ask(text, (look) => openFence(look, 1), final);

  test("begins with its line, and its text after that", () => {
    expect(fence("x```json\n{")).toEqual({ repair: "fence", from: 8, close: "```" });
    expect([fence("x``"), fence("x```js"), fence("x`a"), fence("x```js", true)]).toEqual([
      "more",
      "more",
      undefined,
      undefined,
    ]);
    expect(fence(`x\`\`\`${"j".repeat(70)}`)).toBeUndefined();
  });
});

describe("text around a call", () => {
  const json = compileForms([{ call: [jsonCall] }]);
  const python = compileForms([{ call: [name, { body: "python-arguments" }] }]);
  const tools = { isTool: (written: string) => written === "xml" };
  const wrapping = (text: string, next = json) => ask(text, (look) => wrappingAt(look, 0, next, tools));

  test("is a CDATA section around JSON", () => {
    expect(wrapping("<![CDATA[{")).toEqual({ repair: "cdata", from: 9, close: "]]>" });
    expect([
      wrapping("<![CDATA[now(", python),
      ask("<![CDATA[{", (look) => wrappingAt(look, 0, undefined, tools)),
      wrapping("<![CD"),
    ]).toEqual([undefined, undefined, "more"]);
  });

  test("is the name of JSON on a line before it", () => {
    expect(wrapping("json\n {")).toEqual({ repair: "fence", from: 6, close: "```" });
    expect([wrapping("js"), wrapping("JSON"), wrapping("json \n")]).toEqual(["more", "more", "more"]);
    expect([wrapping("json\nx"), wrapping("python\n{"), wrapping("json {")]).toEqual([undefined, undefined, undefined]);
    const named = { isTool: (written: string) => written === "json" };
    expect(ask("json\n{", (look) => wrappingAt(look, 0, json, named))).toBeUndefined();
  });

  test.each(['"', "'", "`"])("is the quote %s around a Python call", (quote) => {
    expect(wrapping(`${quote}my.now(`, python)).toEqual({ repair: "quoted-call", from: 1, close: quote });
    expect([wrapping(`${quote}now${quote}(`, python), wrapping(`${quote}now(`, json)]).toEqual([undefined, undefined]);
    expect([wrapping(quote, python), wrapping(`${quote}no`, python), wrapping(`${quote}1`, python)]).toEqual([
      "more",
      "more",
      undefined,
    ]);
  });
});

describe("a markup comment", () => {
  const end = (text: string, final?: boolean) => ask(text, (look) => markupCommentEnd(look, 1), final);

  test("ends with its marker, up to a limit", () => {
    expect([end("x<!-- a --> b"), end("x<!-- a"), end("x<!-- a", true), end("x<a>"), end("x<!")]).toEqual([
      11,
      "more",
      undefined,
      undefined,
      "more",
    ]);
    const long = (length: number) => `x<!--${" ".repeat(length)}-->`;
    expect([end(long(MAX_COMMENT - 7)), end(long(MAX_COMMENT))]).toEqual([MAX_COMMENT + 1, undefined]);
  });

  test("is passed", () => {
    const pass = (text: string) => {
      const input = new Input();
      input.push(text);
      return [passMarkupComment(input), input.pos];
    };
    expect([pass("<!--a-->b"), pass("<!--a"), pass("b")]).toEqual([
      ["passed", 8],
      ["more", 0],
      [undefined, 0],
    ]);
  });
});
