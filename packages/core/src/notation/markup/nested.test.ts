import { describe, expect, test } from "vitest";
import { parseReply } from "../../full/index.js";

const point = { type: "object", properties: { x: { type: "integer" }, label: { type: "string" } } } as const;
const tools = [
  {
    name: "draw",
    parameters: {
      type: "object",
      properties: {
        at: point,
        path: { type: "array", items: point },
        title: { type: "string" },
        options: {},
        count: { type: "integer" },
      },
    },
  },
];

const read = (inside: string, protocol: "am-xml" | "tool-tags" | "deepseek-v32" = "am-xml") => {
  const text =
    protocol === "am-xml"
      ? `<am:tool_call name="draw">${inside}</am:tool_call>`
      : protocol === "tool-tags"
        ? `<draw>\n${inside}\n</draw>`
        : `<｜DSML｜function_calls>\n<｜DSML｜invoke name="draw">\n${inside}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`;
  const [call] = parseReply(text, { tools, protocol }).toolCalls;
  return { arguments: call?.arguments, repairs: call?.repairs ?? [] };
};

describe("attributes of an argument's elements", () => {
  test.each([
    ["of an empty element", '<at x="1" label="a &amp; b"/>', { at: { x: 1, label: "a & b" } }],
    ["beside elements", '<at x="1"><label>a</label></at>', { at: { x: 1, label: "a" } }],
    ["beside JSON", '<at x="1">{"label": "a"}</at>', { at: { x: 1, label: "a" } }],
    ["in a list", '<path><item x="1"/><item x="2" label="b"/></path>', { path: [{ x: 1 }, { x: 2, label: "b" }] }],
    ["of elements that repeat", '<path x="1"/><path x="2"/>', { path: [{ x: 1 }, { x: 2 }] }],
    ["of a list's only item", '<path x="1"/>', { path: [{ x: 1 }] }],
    [
      "where the schema says nothing",
      '<options deep="true"><from x="1.5"/></options>',
      {
        options: { deep: true, from: { x: 1.5 } },
      },
    ],
    ["in another spelling", '<at X="1"/>', { at: { x: 1 } }],
    ["that an element says as well", '<at x="2"><x>2</x></at>', { at: { x: 2 } }],
  ])("are properties: %s", (_, inside, wanted) => {
    expect(read(inside)).toEqual({ arguments: wanted, repairs: [] });
    expect(read(inside, "tool-tags")).toEqual({ arguments: wanted, repairs: [] });
  });

  test.each([
    ["of text", '<title lang="en">Map</title>', { title: "Map" }, "/title"],
    ["of a number", '<count type="integer">3</count>', { count: 3 }, "/count"],
    ["that say which type a value has", '<at type="object"><x type="integer">1</x></at>', { at: { x: 1 } }, "/at"],
    [
      "of text in an object",
      "<options><title lang='en'>Map</title></options>",
      { options: { title: "Map" } },
      "/options",
    ],
  ])("that have no place are reported: %s", (_, inside, wanted, path) => {
    expect(read(inside)).toEqual({ arguments: wanted, repairs: [{ code: "dropped-attribute", path }] });
  });

  test("of a format's own tags do not affect the value", () => {
    const inside = '<｜DSML｜parameter name="at" string="false" label="object">{"x": 1}</｜DSML｜parameter>';
    expect(read(inside, "deepseek-v32")).toEqual({ arguments: { at: { x: 1 } }, repairs: [] });
  });
});

describe("elements inside an argument are read in linear time", () => {
  const MANY = 200_000;

  test.each([
    ["sections of CDATA without an end", `<x>${"<![CDATA[ ".repeat(MANY)}`],
    ["tags without an end", `<x>${"<x ".repeat(MANY)}`],
    ["sections of CDATA", `<x>${"<![CDATA[</x>]]>".repeat(MANY)}</x>`],
  ])("with many %s", { timeout: 10_000 }, (_, inside) => {
    const { arguments: args } = read(`<options>${inside}</options>`, "tool-tags");
    expect(Object.keys(args ?? {})).toEqual(["options"]);
  });
});
