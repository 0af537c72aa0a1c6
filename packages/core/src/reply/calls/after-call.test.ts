import { describe, expect, test } from "vitest";
import { actionBody } from "../../../test/support/action-body.js";
import { Lookahead } from "../../notation/lookahead.js";
import { planFor } from "../../schema/plan.js";
import { jsonCall, name } from "../../syntax/parts.js";
import type { Body } from "../../syntax/syntax.js";
import { compileForms, type FormNode } from "../forms/forms.js";
import { argumentsContinue, argumentsFollow, doubtAfter, isUnread, objectAfter } from "./after-call.js";
import type { LastCall } from "./last-call.js";

const json: Body = { body: "json" };
const keyed: Body = { body: "keyed-call" };
const python: Body = { body: "python-arguments" };
const plan = planFor({ type: "object", properties: { city: {}, arguments: {} } });
const planOfCity = planFor({ type: "object", properties: { city: {} } });

type Settings = Partial<LastCall["call"]> & { body?: Body };

/** A call of a tool with the argument `city` that was read. */
function after({ body = jsonCall, ...call }: Settings = {}): LastCall {
  const state = {
    plan: planOfCity,
    hasArguments: true,
    isSplit: false,
    isUnbalanced: false,
    hasAll: () => false,
    ...call,
  };
  const node = compileForms([]);
  return { body, node, call: state, tools: { isTool: (tool) => tool === "now" }, mayRefuse: true, source: () => "" };
}

/** The answer to a question about the text after a call; `more`: more input is needed. */
function ask<Answer>(text: string, question: (look: Lookahead) => Answer, final = true): Answer | "more" {
  const look = new Lookahead({ text, final });
  const answer = question(look);
  return look.hitEnd ? "more" : answer;
}

describe("text in braces after a call", () => {
  const object = (text: string, settings?: Settings, final = true) =>
    ask(text, (look) => objectAfter(look, 0, after(settings)), final);

  test.each<[string, string, Settings, string]>([
    [
      "is data by the name of no tool where brackets are missing",
      '{"name": "Cy", "age": 3}',
      { isUnbalanced: true },
      "part",
    ],
    ["is a call there with arguments", '{"name": "Cy", "arguments": {', { isUnbalanced: true }, "other"],
    ["is a call there by a tool's name", '{"name": "now"}', { isUnbalanced: true }, "other"],
    ["is a call after one in Python", '{"name": "now"}', { body: python }, "other"],
    ["is a part after one in Python with another key", '{"days": 1}', { body: python }, "part"],
    ["is another call by its first key", '{"name": "now"}', {}, "other"],
    ["is another call by a tool's name", '{"now": {}}', {}, "other"],
    ["is a part where its key is an argument of the tool", '}, {"city": "Rome"}', {}, "part"],
    ["is a part where its bare key is one", "{city: 1}", {}, "part"],
    ["is text where its key means nothing", '{"zone": 1}', {}, "other"],
    ["is text with no key", '{"Rome"}', {}, "other"],
    ["is the arguments after a name alone", '{"arguments": {}}', { hasArguments: false }, "arguments"],
    [
      "is a part after a name alone in another object",
      '{"arguments": {}}',
      { hasArguments: false, isSplit: true },
      "part",
    ],
    ["is a part after a name as a key", '{"arguments": {}}', { body: keyed, hasArguments: false }, "part"],
    ["is another call after its arguments", '{"arguments": {}}', {}, "other"],
    ["is a part after arguments alone", '{"zone": 1}', { body: json }, "part"],
    ["is a part after missing brackets with a key that no call has", '{"zone": 1}', { isUnbalanced: true }, "part"],
    ["is another call after missing brackets", '{"name": "now"}', { isUnbalanced: true }, "other"],
    ["is a part after missing brackets as an item of a list", '{"Rome", ', { isUnbalanced: true }, "part"],
    [
      "is a part where only a tool's name as a key begins a call",
      '{"name": 1}',
      { body: keyed, isUnbalanced: true },
      "part",
    ],
  ])("%s: %j", (_, text, settings, wanted) => expect(object(text, settings)).toBe(wanted));

  test("is a part after missing brackets where the format's quote mark follows", () => {
    const settings = { body: { body: "json", quote: "<|q|>" } as const, isUnbalanced: true };
    expect(object(", <|q|>a", settings)).toBe("part");
    expect(object(", word", { ...settings, body: jsonCall })).toBe("other");
    expect(object(", <|", settings, false)).toBe("more");
  });

  test.each(["{", '{"ci', '{"city"', '}, {"city" '])("is open where the text ends: %j", (text) => {
    expect(object(text, {}, false)).toBe("more");
    expect(object(text)).toBe("other");
  });
});

describe("the arguments continue after a call", () => {
  const continues = (text: string, settings?: Settings, final = true) =>
    ask(text, (look) => argumentsContinue(look, 0, after(settings)), final);

  test.each<[string, Settings]>([
    [', "days": 2}', {}],
    ["}, 'days': 2}", {}],
    [", days: 2", {}],
    ["}, days=2", {}],
    [', "Oslo"]', { isUnbalanced: true }],
    [", 3", { isUnbalanced: true }],
    [' days="2"', { body: python }],
  ])("%j", (text, settings) => expect(continues(text, settings)).toBe(true));

  test.each<[string, Settings]>([
    ["", {}],
    ["</tool_call>", {}],
    [" and more", {}],
    [', "Oslo"]', {}],
    [", 3", {}],
    [", days == 2", {}],
    ['\ndays="2"', { body: python }],
    ["days is 2", { body: python }],
    [' days="2"', {}],
    [', "Oslo"', { body: python, isUnbalanced: true }],
  ])("not in %j", (text, settings) => expect(continues(text, settings)).toBe(false));

  test.each([", ", ', "da', ', "days"', ", days", "}"])("perhaps where the text ends: %j", (text) =>
    expect(continues(text, {}, false)).toBe("more"),
  );
});

describe("a call is doubted", () => {
  const nodeAfter = (
    text: string,
    body: Body,
    block?: { open: string; separator: string; close: string },
  ): FormNode => {
    let node = compileForms([
      { call: body === jsonCall ? [jsonCall, text] : [name, body, text], ...(block && { block }) },
    ]);
    while (node.branches.some(({ token }) => token.kind !== "literal" || token.text !== text) && !node.block)
      node = node.branches[0]!.node;
    return node;
  };
  const list = { open: "[", separator: ",", close: "]" };

  /** The reason why the arguments that end before a text may be incomplete. */
  function doubt(
    text: string,
    body: Body,
    { block = undefined as typeof list | undefined, labels = undefined as string[] | undefined, final = true } = {},
  ) {
    const node = block ? compiledBlock(body, block) : nodeAfter("</c>", body);
    return ask(text, (look) => doubtAfter(look, 0, { ...after({ body }), node }, labels)?.reason, final);
  }

  const compiledBlock = (body: Body, block: typeof list) => {
    let node = compileForms([{ call: [name, body], block }]);
    while (!node.block) node = node.branches[0]!.node;
    return node;
  };

  test.each<[string, string, Body, Parameters<typeof doubt>[2], RegExp]>([
    ["an object continues", ', "days": 2}', jsonCall, {}, /continues/],
    ["words follow a whole message", " is the call", actionBody, {}, /words follow it on its line/],
    ["a word follows a Python call on its line", " to see", python, { labels: [] }, /its line goes on/],
    ["a definition follows", "\ndef f():", python, { labels: [] }, /its line goes on/],
    ["its last string ends once more", ' # b")]', python, { block: list }, /quotes can be read/],
    ["another input follows", "\nInput: Oslo", jsonCall, { labels: ["Input:"] }, /more than one input/],
  ])("where %s", (_, text, body, settings, reason) => expect(doubt(text, body, settings)).toMatch(reason));

  test.each<[string, Body, Parameters<typeof doubt>[2]]>([
    ["</c>", jsonCall, {}],
    [" is the call", jsonCall, {}],
    ["`\nis the call", actionBody, {}],
    [" to see", python, {}],
    ["\nto see", python, { labels: [] }],
    [", g(a='b')]", python, { block: list }],
    ['\n{"a": 1}', jsonCall, {}],
  ])("not before %j", (text, body, settings) => expect(doubt(text, body, settings)).toBeUndefined());

  test.each<[string, Body, Parameters<typeof doubt>[2]]>([
    ["", actionBody, {}],
    ["\nde", python, { labels: [] }],
    [' # b"', python, { block: list }],
    ["\n", jsonCall, { labels: ["Input:"] }],
  ])("perhaps before %j", (text, body, settings) =>
    expect(doubt(text, body, { ...settings, final: false })).toBe("more"),
  );
});

test("a call is not read yet if it may have arguments and has none, in a format without JSON", () => {
  const call = (more = {}) => ({ isStarted: true, argumentNames: [], plan, ...more });
  expect([isUnread(call(), undefined), isUnread(call(), python), isUnread(call(), json)]).toEqual([true, true, false]);
  expect(
    [{ isStarted: false }, { argumentNames: ["city"] }, { plan: planFor({}) }].map((more) =>
      isUnread(call(more), python),
    ),
  ).toEqual([false, false, false]);
});

describe("text like arguments follows a name", () => {
  const { node: line } = compileForms([{ at: "line", own: true, call: ["Action: ", name, "\nInput: ", json] }])
    .branches[0]!;
  const { node: tag } = compileForms([{ call: ["<c>", name, json, "</c>"] }]).branches[0]!;
  const [afterLine, afterTag] = [line, tag].map(({ branches }) => branches[0]!.node);

  function follows(text: string, node = afterTag, more: object = {}, final = true): boolean | "more" {
    return ask(text, (look) => argumentsFollow(look, 0, node!, { isStarted: true, plan, ...more }), final);
  }

  test.each(['{"city"', 'with arguments: {"city"', "city [", "'Rome'", "\n(city"])("in %j", (text) =>
    expect(follows(text)).toBe(true),
  );

  test.each(["\nInput: Rome", "\n\n**Input:** Rome", "\nso\n* Input: Rome"])("after its label in %j", (text) =>
    expect(follows(text, afterLine)).toBe(true),
  );

  test.each(["", "words alone", "3"])("not in %j", (text) => expect(follows(text)).toBe(false));

  test("not after another label, nor where the call has no arguments", () => {
    expect(follows("\nThought: so\nInput: Rome", afterLine)).toBe(false);
    expect([{ isStarted: false }, { plan: planFor({}) }].map((more) => follows('{"city"', afterTag, more))).toEqual([
      false,
      false,
    ]);
    expect(follows("{", afterTag!.branches[0]!.node)).toBe(false);
  });

  test("perhaps where the text ends", () => {
    expect([
      follows("", afterTag, {}, false),
      follows(" with", afterTag, {}, false),
      follows("\nso", afterLine, {}, false),
    ]).toEqual(["more", "more", "more"]);
    expect(follows(` ${"x".repeat(70)}`, afterTag, {}, false)).toBe(false);
    expect(follows("with {", afterTag, {}, false)).toBe(true);
  });
});
