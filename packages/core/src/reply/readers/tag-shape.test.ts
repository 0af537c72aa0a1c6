import { describe, expect, test } from "vitest";
import { children, key } from "../../syntax/parts.js";
import type { ElementsBody } from "../../syntax/syntax.js";
import { closingTagOf, tagBeginning, tagShape } from "./tag-shape.js";

const body = (open: ElementsBody["open"], close: ElementsBody["close"]): ElementsBody => ({
  body: "elements",
  open,
  close,
  leaf: "text",
});

const bodies = {
  element: children,
  attribute: body(['<am:p name="', key, '">'], ["</am:p>"]),
  typed: body(['<p name="', key, '" string="', { slot: "string" }, '">'], ["</p>"]),
  keyed: body(["<parameter=", key, ">\n"], ["\n</parameter>\n"]),
  pair: body(["<arg_key>", key, "</arg_key>\n<arg_value>"], ["</arg_value>\n"]),
  token: body(['<|open|>p key="', key, '"<|sep|>'], ["<|close|>p<|sep|>"]),
  named: body(["<", key, "=>"], ["\n</", key, "_end>\n"]),
};

describe("the shape of an argument's tags", () => {
  test.each<[keyof typeof bodies, object]>([
    ["element", { isTag: true, before: "<", afterKey: [">"], attribute: undefined }],
    [
      "attribute",
      { isTag: true, attribute: { tag: "am:p", name: "name" }, textAttribute: undefined, afterType: undefined },
    ],
    ["typed", { isTag: true, attribute: { tag: "p", name: "name" }, textAttribute: "string" }],
    ["keyed", { isTag: false, before: "<parameter=", afterKey: [">"] }],
    ["pair", { isTag: false, afterKey: ["</arg_key>", "<arg_value>"] }],
    ["token", { isTag: false, attribute: undefined }],
  ])("of %s", (name, wanted) => expect(tagShape(bodies[name])).toMatchObject(wanted));

  test("has the end of the tag after the value's type, where the type follows the key", () => {
    const typed = body(['<|o|>p key="', key, '" type="', { slot: "type" }, '"<|sep|>'], ["<|c|>"]);
    expect(["keyed", "token"].map((name) => tagShape(bodies[name as "keyed"]).afterType)).toEqual([
      undefined,
      undefined,
    ]);
    expect(tagShape(typed).afterType).toBe("<|sep|>");
  });

  test("is computed once", () => expect(tagShape(bodies.pair)).toBe(tagShape(bodies.pair)));
});

test.each<[keyof typeof bodies, { close: string; name: string | undefined }]>([
  ["element", { close: "</city>", name: "city" }],
  ["attribute", { close: "</am:p>", name: "am:p" }],
  ["keyed", { close: "</parameter>", name: "parameter" }],
  ["token", { close: "<|close|>p<|sep|>", name: undefined }],
  ["named", { close: "</city_end>", name: undefined }],
])("the closing tag of %s, and its name if it is markup", (name, wanted) =>
  expect(closingTagOf(tagShape(bodies[name]), "city")).toEqual(wanted),
);

test("the beginning of a tag ends with its name", () =>
  expect(
    (["element", "attribute", "keyed", "pair", "token"] as const).map((name) => tagBeginning(tagShape(bodies[name]))),
  ).toEqual(["<", "<am:p", "<parameter", "<arg_key", "<|open|"]));
