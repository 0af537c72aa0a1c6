import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileText } from "../../../test/arbitraries.js";
import { actionBody } from "../../../test/support/action-body.js";
import { Lookahead } from "../../notation/lookahead.js";
import { protocols } from "../../protocols/index.js";
import { jsonCall, name } from "../../syntax/parts.js";
import { type Form, spansOf } from "../../syntax/syntax.js";
import { compileForms } from "../forms/forms.js";
import { hasBar, isPlainTag, Markers } from "./marker-index.js";

const json = { body: "json" } as const;
const forms: Form[] = [
  { call: ["<tool_call>", jsonCall, "</tool_call>"] },
  { call: ['<invoke name="', name, '">', json, "</invoke>"] },
  { call: ["[CALL]", jsonCall] },
  { call: ["call[", name, json] },
  { at: "line", call: ["@tool ", name, json] },
  { at: "line", call: ["Action: ", name, json] },
];

const markers = new Markers({
  forms: compileForms(forms),
  spans: [
    { open: "<think>", close: "</think>", as: "reasoning" },
    { open: "<|thought|>", close: "<|/thought|>", as: "reasoning" },
    { open: "<result>", close: "</result>", as: "dropped" },
    { open: "Note:", as: "reasoning" },
  ],
  messages: { open: ["<|start|>"], text: "<|message|>", close: ["<|stop|>"], reasoning: [] },
  noise: ["<|pad|>", "<reply>", "</reply>", "[/CALL]"],
  closers: ["</tool_call>", "</invoke>"],
  tags: false,
});

/** What is at an index, where a text begins: what it opens, or where it has no meaning, and the marker as written. */
function at(text: string, final = true): unknown {
  const look = new Lookahead({ text: `a\n${text}`, final });
  const found = markers.at(look, 2);
  if (look.hitEnd) return "more";
  return found ? [found.opens === "nothing" ? found.where : found.opens, found.marker] : "none";
}

describe("the marker at an index", () => {
  test.each<[string, string, string]>([
    ["<tool_call>{", "call", "<tool_call>"],
    ['<invoke name="f">', "call", "<invoke"],
    ["[CALL]{", "call", "[CALL]"],
    ["call[f", "call", "call["],
    ["<think>So", "span", "<think>"],
    ["<think >So", "span", "<think >"],
    ["<result>", "span", "<result>"],
    ["<|start|>", "header", "<|start|>"],
    ["to=f", "header", "to="],
    ["<|pad|>", "anywhere", "<|pad|>"],
    ["<|/thought|>", "anywhere", "<|/thought|>"],
    ["</think>", "line-end", "</think>"],
    ["<reply>", "around-answer", "<reply>"],
    ["</reply>", "end", "</reply>"],
    ["[/CALL]", "after-call", "[/CALL]"],
    ["</tool_call>", "after-call", "</tool_call>"],
    ["</tools>", "after-call", "</tools>"],
    ["</answer>", "after-around", "</answer>"],
    ["</result>", "after-around", "</result>"],
    ["<|im_end|>", "end", "<|im_end|>"],
    ["<|assistant|>", "start", "<|assistant|>"],
    ["<|im_start|>", "start", "<|im_start|>"],
    ["<answer>\n<tool_call>", "around-calls", "<answer>"],
    ["<reply>\n<tool_call>", "around-calls", "<reply>"],
    ['<?xml version="1.0"?><tool_call>', "around-calls", '<?xml version="1.0"?>'],
  ])("%j: %s", (text, kind, marker) => expect(at(text)).toEqual([kind, marker]));

  test.each([
    "tool_call>",
    "<invoker>",
    "<invoke and",
    "<tools>",
    "<tools>Use",
    "<tools><think>",
    `<tools>${" ".repeat(65)}<tool_call>`,
    "<?xml?><tool_call>",
    "</results>",
    "Action:",
    "@tool f",
    "<",
  ])("is none: %j", (text) => expect(at(text)).toBe("none"));

  test.each([
    "<",
    "<tool_ca",
    "<invoke",
    "<invoke na",
    "<|im_",
    "[CAL",
    "<tools>",
    "<tools>\n<tool_",
    "<?xml ver",
    "t",
  ])("is open where the text ends: %j", (text) => expect(at(text, false)).toBe("more"));

  test("is a tag before its attributes, or a word of prose", () => {
    const flags = (text: string) => markers.at(new Lookahead({ text, final: true }), 0);
    expect(flags("<invoke >")).toMatchObject({ isTag: true, isWord: false, line: false });
    expect(flags("call[f")).toMatchObject({ isTag: false, isWord: true });
    expect(flags("<tool_call>")).toMatchObject({ isTag: false, isWord: false });
  });

  test("has its first meaning alone", () => {
    const parts = {
      spans: [{ open: "<a>", close: "<|b|>", as: "reasoning" as const }],
      messages: undefined,
      closers: ["<|b|>"],
    };
    const doubled = new Markers({ ...parts, forms: compileForms([]), noise: ["<a>", "<|b|>", "<|b|>"], tags: false });
    const opens = (text: string) => doubled.at(new Lookahead({ text, final: true }), 0);
    expect([opens("<a>"), opens("<|b|>")]).toMatchObject([{ opens: "span" }, { where: "anywhere" }]);
  });

  test("is a tag around calls only if the calls are asked for", () => {
    const look = new Lookahead({ text: "<reply><tool_call>", final: true });
    expect(markers.at(look, 0, false)).toMatchObject({ where: "around-answer" });
  });
});

describe("the marker of a line", () => {
  const line = (text: string, final = true) => {
    const look = new Lookahead({ text: `a\n${text}`, final });
    const found = markers.atLine(look, 2);
    return look.hitEnd ? "more" : found && [found.opens, found.marker];
  };

  test.each([
    ["Action: f", ["call", "Action: "]],
    ["**action 2:** f", ["call", "**action 2:** "]],
    ["Note: x", ["span", "Note: "]],
    ["  @tool f", ["call", "  @tool"]],
  ])("is a label in any spelling, or a marker after space: %j", (text, wanted) => expect(line(text)).toEqual(wanted));

  test("is none of the markers within lines, and may be open", () => {
    expect(["<tool_call>", "x Action:", "\n@tool f", "So: x"].map((text) => line(text))).toEqual(
      Array(4).fill(undefined),
    );
    expect(["Act", "@to", " ", "**"].map((text) => line(text, false))).toEqual(Array(4).fill("more"));
  });
});

test("the next index to examine is at most that of the next marker, in any text", () => {
  const { syntax } = protocols.hermes;
  const known = new Markers({
    forms: compileForms([syntax]),
    spans: spansOf(syntax),
    messages: undefined,
    noise: [],
    closers: [],
    tags: false,
  });
  const text = fc.oneof(
    hostileText(),
    fc
      .array(fc.constantFrom("<tool_call>", "<tool", "_call>", "<think>", " ", "a", "<"))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, fc.nat(20), (all, from) => {
      const look = new Lookahead({ text: all, final: true });
      let first = from;
      while (first < all.length && known.at(look, first) === undefined) first++;
      const next = known.next(all, from);
      if (first < all.length) expect(next).toBeLessThanOrEqual(first);
      if (next >= 0) expect(next).toBeGreaterThanOrEqual(from);
    }),
  );
});

test("the opener of an object needs one of its keys", () => {
  const objects = new Markers({
    forms: compileForms([{ call: [actionBody] }]),
    spans: [],
    messages: undefined,
    noise: [],
    closers: [],
    tags: false,
  });
  const opens = (text: string, final = true) => {
    const look = new Lookahead({ text, final });
    return [objects.at(look, 0)?.opens, look.hitEnd];
  };
  expect(['{"thought": 1', "{ action:", '{"other": 1', '{"thought"'].map((text) => opens(text)[0])).toEqual([
    "call",
    "call",
    undefined,
    undefined,
  ]);
  expect(['{"thou', "{", '{"other": 1', "{}"].map((text) => opens(text, false)[1])).toEqual([true, true, false, false]);
});

test("some markers are plain tags, which a sentence may mention, and some are tokens", () => {
  const all = ["<think>", '<a b="c">', "◁think▷", "<|end|>", "</think>", "<｜end｜>", "[CALL]"];
  expect(all.filter(isPlainTag)).toEqual(["<think>", '<a b="c">', "◁think▷"]);
  expect(all.filter(hasBar)).toEqual(["<|end|>", "<｜end｜>"]);
});
