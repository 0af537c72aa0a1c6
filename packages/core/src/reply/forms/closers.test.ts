import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { jsonCall, name } from "../../syntax/parts.js";
import type { Form } from "../../syntax/syntax.js";
import { blockEnd, closerAt, extraBracesEnd, lastClosers } from "./closers.js";
import { compileForms, type FormNode } from "./forms.js";

/** The answer to a question about a text; `more`: more input is needed. */
function ask<Answer>(text: string, question: (look: Lookahead) => Answer, final = false): Answer | "more" {
  const look = new Lookahead({ text, final });
  const answer = question(look);
  return look.hitEnd ? "more" : answer;
}

/** The place after the arguments of a form. */
function afterBody(form: Form): FormNode {
  let node = compileForms([form]);
  for (;;) {
    const [{ token, node: next }] = node.branches as [FormNode["branches"][number]];
    node = next;
    if (token.kind === "body") return node;
  }
}

describe("the nearest closing marker", () => {
  const node = afterBody({ call: ["<a><b>", jsonCall, "</b></a><end>"] });
  const closer = (text: string, final?: boolean) => ask(text, (look) => closerAt(look, 0, node)?.end, final);

  test("may be a later one, where nearer ones are missing", () => {
    expect([closer("</b></a>"), closer("</a>"), closer("<end>"), closer("</c>")]).toEqual([4, 4, 5, undefined]);
  });

  test("is one although the text ends within a nearer one", () => {
    const after = afterBody({
      call: ["<a>", jsonCall, "</a></b>"],
      block: { open: "<c>", separator: "", close: "</c>" },
    });
    expect(ask("</a>", (look) => closerAt(look, 0, after)?.node.literals)).toEqual(["</b>"]);
    expect([closer("</"), closer("</", true), closer("<e")]).toEqual(["more", undefined, "more"]);
  });
});

describe("the end of a block", () => {
  const end = (text: string, close: string[], final = true) => ask(text, (look) => blockEnd(look, 0, close), final);

  test("is after its markers, some of which may be missing", () => {
    expect(end("] </calls >x", ["]", "</calls>"])).toBe(11);
    expect([end("</calls>", ["]", "</calls>"]), end("]", ["]", "</calls>"]), end("x", ["]", "</calls>"])]).toEqual([
      8,
      1,
      false,
    ]);
    expect([end("<|end|>", ["<|end|>"]), end("", []), end("</ca", ["</calls>"], false)]).toEqual([7, false, "more"]);
  });
});

test("extra braces may follow a call", () => {
  const end = (text: string, final?: boolean) => ask(text, (look) => extraBracesEnd(look, 1), final);
  expect([
    end("x}"),
    end("x}} y"),
    end("x \n} y"),
    end("x y}"),
    end("x "),
    end("x ", true),
    end(`x${" ".repeat(70)}`),
  ]).toEqual(["more", 3, 4, false, "more", false, false]);
});

describe("the markers that end a broken call", () => {
  const root = compileForms([
    { call: ["<a>", name, jsonCall, "</n></a>"], block: { open: "<block>", separator: ",", close: "]</block>" } },
    { call: ["<b>", jsonCall, "</b>"] },
  ]);
  const [block, , own] = root.branches;

  test("are the last of its own and of its block", () => {
    expect(lastClosers(["</n>", "</a>"], root, block!.node)).toEqual(["</a>", "</block>"]);
    expect(lastClosers(undefined, own!.node, own!.node)).toEqual(["</b>"]);
    expect(lastClosers([], root, own!.node)).toEqual([]);
  });

  test("are more than the punctuation of JSON", () => {
    const list = compileForms([{ call: ["<a>", jsonCall, "</a>"], block: { open: "[", separator: ",", close: "]" } }]);
    expect(lastClosers(undefined, list, list.branches[0]!.node)).toEqual(["</a>"]);
  });
});
