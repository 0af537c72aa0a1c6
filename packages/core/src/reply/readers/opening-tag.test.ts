import { describe, expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { planFor } from "../../schema/plan.js";
import { children, key } from "../../syntax/parts.js";
import type { ElementsBody } from "../../syntax/syntax.js";
import { closedTagEnd, closerOf, openingTag, otherTag, valuesIn } from "./opening-tag.js";
import { tagShape } from "./tag-shape.js";

const shapeOf = (open: ElementsBody["open"], close: ElementsBody["close"]) =>
  tagShape({ body: "elements", open, close, leaf: "text" });

const shapes = {
  element: tagShape(children),
  attribute: shapeOf(['<parameter name="', key, '">'], ["</parameter>"]),
  typed: shapeOf(['<parameter name="', key, '" string="', { slot: "string" }, '">'], ["</parameter>"]),
  token: shapeOf(['<|open|>p key="', key, '" type="', { slot: "type" }, '"<|sep|>'], ["<|close|>p<|sep|>"]),
  keyed: shapeOf(["<parameter=", key, ">\n"], ["\n</parameter>\n"]),
  pair: shapeOf(["<arg_key>", key, "</arg_key>\n<arg_value>"], ["</arg_value>\n"]),
};

type Shape = keyof typeof shapes;

const { properties: declared } = planFor({ type: "object", properties: { city: {}, "min<5>": {} } });

/** The opening tag of a shape at the beginning of a text; `more`: more input is needed. */
function tagIn(text: string, shape: Shape, final = true) {
  const look = new Lookahead({ text, final });
  const found = openingTag(shapes[shape], look, 0, declared);
  return look.hitEnd ? "more" : (found ?? "none");
}

const plain = { key: "city", empty: false, isText: false };

describe("the opening tag of an argument", () => {
  test.each<[Shape, string, object]>([
    ["element", "<city>Oslo", { ...plain, end: 6 }],
    ["element", '<city unit="c"/>', { ...plain, end: 16, empty: true, attributes: new Map([["unit", "c"]]) }],
    ["attribute", '<parameter name="city">Oslo', { ...plain, end: 23, attributes: undefined }],
    ["attribute", '<parameter type="x" name="city"/>', { ...plain, end: 33, empty: true }],
    ["typed", '<parameter name="city" string="true">', { ...plain, end: 37, isText: true }],
    ["typed", '<parameter name="city" string="false">', { ...plain, end: 38 }],
    ["typed", '<parameter name="city">', { ...plain, end: 23 }],
    ["token", '<|open|>p key="city" type="string"<|sep|>', { ...plain, end: 41, isText: true }],
    ["token", '<|open|>p key="city" type="number"<|sep|>', { ...plain, end: 41 }],
    ["token", '<|open|>p key="city"<|sep|>', { ...plain, end: 27 }],
    ["keyed", "<parameter=city>Oslo", { ...plain, end: 16, isUntagged: false }],
    ["keyed", "<parameter = 'city' >", { ...plain, end: 21 }],
    ["keyed", "<parameter>city</parameter>Oslo", { ...plain, end: 27 }],
    ["keyed", '<parameter=city unit="c"/>', { ...plain, end: 26, empty: true, stated: expect.anything() }],
    ["pair", "<arg_key>city</arg_key> \n <arg_value>Oslo", { ...plain, end: 37, isUntagged: false }],
    ["pair", "<arg_key>min<5></arg_key><arg_value>1", { ...plain, key: "min<5>", end: 36 }],
    ["pair", "<arg_key>city</arg_key>Oslo", { ...plain, end: 23, isUntagged: true }],
    ["pair", "<arg_key>city\n<arg_value>Oslo", { ...plain, end: 25, isUntagged: true }],
    ["pair", "city</arg_key><arg_value>Oslo", { ...plain, end: 25 }],
  ])("of the shape %s: %s", (shape, text, wanted) => expect(tagIn(text, shape)).toMatchObject(wanted));

  test.each<[Shape, string]>([
    ["element", "Oslo"],
    ["attribute", '<param name="city">'],
    ["attribute", '<parameter id="city">'],
    ["token", '<|open|>p key="city" type="str\ning"<|sep|>'],
    ["token", '<|open|>p key="ci<ty"<|sep|>'],
    ["keyed", "<parameter=ci<ty>"],
    ["keyed", "<parameter=ci\nty>"],
    ["keyed", `<parameter=${"x".repeat(300)}>`],
    ["keyed", "<parameter>the city</parameter>"],
    ["pair", "<arg_key>town\n<arg_value>Oslo"],
    ["pair", "town</arg_key><arg_value>Oslo"],
  ])("is none of the shape %s: %s", (shape, text) => expect(tagIn(text, shape)).toBe("none"));

  test.each<[Shape, string]>([
    ["element", "<city"],
    ["attribute", '<parameter name="ci'],
    ["typed", '<parameter name="city" string="tr'],
    ["token", '<|open|>p key="city" type="str'],
    ["token", '<|open|>p key="city'],
    ["keyed", "<param"],
    ["keyed", "<parameter=ci"],
    ["keyed", "<parameter>ci"],
    ["pair", "<arg_key>min<"],
    ["pair", "<arg_key>city</arg_"],
    ["pair", "<arg_key>city</arg_key>\n<arg"],
    ["pair", "city</arg"],
  ])("is open where the text ends in the middle of it: %s, %s", (shape, text) => {
    expect(tagIn(text, shape, false)).toBe("more");
    expect(tagIn(text, shape)).not.toBe("more");
  });

  test("has the same answer for more of a text once it has one", () => {
    for (const [shape, text] of [
      ["token", '<|open|>p key="city" type="string"<|sep|>'],
      ["pair", "<arg_key>city</arg_key>\n<arg_value>x"],
    ] as const) {
      const whole = tagIn(text, shape);
      for (let end = 1; end < text.length; end++) {
        const early = tagIn(text.slice(0, end), shape, false);
        if (early !== "more") expect(early).toEqual(whole);
      }
    }
  });
});

describe("an opening tag in another format", () => {
  const other = (text: string) => otherTag(new Lookahead({ text, final: true }), 0);

  test.each([
    ["<parameter=city>", { key: "city", closer: "parameter", end: 16 }],
    ['<arg = "city">', { key: "city", closer: "arg", end: 14 }],
    ['<parameter name=" city">', { key: "city", closer: "parameter" }],
    ['<parameter key="city"/>', { key: "city", closer: "parameter", empty: true }],
    ["<city>", { key: "city", closer: "city" }],
  ])("has a key: %s", (text, wanted) => expect(other(text)).toMatchObject(wanted));

  test("is no other text", () =>
    expect(["city", "</city>", "<=city>"].map(other)).toEqual([undefined, undefined, undefined]));
});

describe("the closing tag of an argument", () => {
  const opening = (more = {}) => ({ ...plain, end: 0, ...more });

  test("is that of its shape, and models write others for it", () => {
    expect(closerOf(opening(), shapes.element)).toEqual({ close: "</city>", name: "city", others: [] });
    expect(closerOf(opening(), shapes.keyed)).toEqual({ close: "</parameter>", name: "parameter", others: ["city"] });
    expect(closerOf(opening(), shapes.pair)).toEqual({
      close: "</arg_value>",
      name: "arg_value",
      others: ["city", "arg_key"],
    });
    const prefixed = shapeOf(['<am:p name="', key, '">'], ["</am:p>"]);
    expect(closerOf(opening(), prefixed).others).toEqual(["city", "p"]);
  });

  test("is the one of another format's opening tag", () =>
    expect(closerOf(opening({ closer: "arg" }), shapes.element)).toEqual({ close: "</arg>", name: "arg", others: [] }));

  test("may follow at once, after space", () => {
    const end = (text: string, more = {}) =>
      closedTagEnd(new Lookahead({ text, final: true }), opening({ end: 6, ...more }), shapes.element);
    expect([end("<city> \n</city >x"), end("<city>x</city>"), end(`<city>${" ".repeat(65)}</city>`)]).toEqual([
      16,
      false,
      false,
    ]);
    expect(end("<city></city>", { empty: true })).toBe(false);
    const look = new Lookahead({ text: "<city>", final: false });
    expect([closedTagEnd(look, opening({ end: 6 }), shapes.element), look.hitEnd]).toEqual([false, true]);
  });
});

test("values are in attributes of an argument's tag that are no description of it", () => {
  const plan = planFor({ type: "object", properties: { city: {}, days: {} } });
  const stated = new Map(Object.entries({ name: "city", type: "x", value: "a", days: "1", unit: "c", string: "true" }));
  const values = (inAny: boolean, shape: Shape = "attribute") =>
    valuesIn(stated, { key: "city", inAny, shape: shapes[shape], plan });
  expect(values(false)).toEqual(["value", "days"]);
  expect(values(true)).toEqual(["value", "days", "unit", "string"]);
  expect(values(true, "typed")).toEqual(["value", "days", "unit"]);
  expect(valuesIn(undefined, { key: "city", inAny: true, shape: shapes.keyed, plan })).toEqual([]);
});
