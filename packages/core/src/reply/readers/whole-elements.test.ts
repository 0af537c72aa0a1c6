import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser, protocols, RenderError, type ReplyEvent } from "../../index.js";
import { decodeXml } from "../../notation/markup/markup.js";
import type { Protocol } from "../../protocol.js";
import { planFor } from "../../schema/plan.js";
import { type ElementsBody, formsOf, isBodyOf } from "../../syntax/syntax.js";
import { tagShape } from "./tag-shape.js";
import { wholeElements } from "./whole-elements.js";

const parameters = {
  type: "object" as const,
  properties: {
    city: { type: "string" },
    days: { type: "integer" },
    unit: { enum: ["C", "F"] },
    tags: { type: "array", items: { type: "string" } },
    more: {},
  },
};

const read = (text: string, body: ElementsBody) =>
  wholeElements(text, 0, {
    shape: tagShape(body),
    plan: planFor(parameters),
    reading: { decode: decodeXml },
    closes: (all, index) => all.startsWith("</call>", index),
  });

const key = { slot: "key" } as const;
const children: ElementsBody = { body: "elements", open: ["<", key, ">"], close: ["</", key, ">"], leaf: "xml" };
const keyed: ElementsBody = { body: "elements", open: ["<p=", key, ">\n"], close: ["\n</p>\n"], leaf: "text" };
const pairs: ElementsBody = { body: "elements", open: ["<k>", key, "</k>\n<v>"], close: ["</v>"], leaf: "text" };
const typed: ElementsBody = {
  body: "elements",
  open: ['<p name="', key, '" string="', { slot: "string" }, '">'],
  close: ["</p>"],
  leaf: "text",
};

describe("arguments that were all received", () => {
  test.each<[string, ElementsBody, string, object]>([
    ["named by their tags", children, "<city>Oslo</city>\n<days>3</days>", { city: "Oslo", days: 3 }],
    ["named in their tags", keyed, '<p=city>\nA & "B" C\n</p>\n<p=tags>["a"]</p>', { city: 'A & "B" C', tags: ["a"] }],
    ["on lines of their own", keyed, "<p=city>\n\n a\r\n b\n\n  </p>", { city: "\n a\r\n b\n" }],
    ["between two pairs of tags", pairs, "<k>unit</k><v>C</v> <k>more</k>\n<v>x</v>", { unit: "C", more: "x" }],
    [
      "with their type",
      typed,
      '<p name="city" string="true">1</p><p name="days" string="false">1</p>',
      { city: "1", days: 1 },
    ],
    [
      "in elements whose white space is layout",
      { ...children, trims: true },
      "<city>\n  a\n b\n</city>",
      { city: "  a\n b" },
    ],
    ["none", keyed, "\n", {}],
  ])("are read at once: %s", (_, body, text, value) =>
    expect(read(`${text}</call> more`, body)).toEqual({ value, end: text.length, matches: true }),
  );

  test.each<[string, ElementsBody, string]>([
    ["the end of the call is missing", children, "<city>a</city>"],
    ["an argument is not declared", children, "<town>a</town></call>"],
    ["an argument is spelled differently", children, "<City>a</City></call>"],
    ["an argument occurs twice", children, "<city>a</city><city>b</city></call>"],
    ["a tag has an attribute", children, '<city lang="no">a</city></call>'],
    ["a value contains a tag", children, "<city>a<b>c</b></city></call>"],
    ["a closing tag is spelled differently", children, "<city>a</City></call>"],
    ["a string contains an entity", children, "<city>a &amp; b</city></call>"],
    ["a string ends with a quote", keyed, '<p=city>\n"a"\n</p></call>'],
    ["a string begins with a space", keyed, "<p=city> a</p></call>"],
    ["a closing tag is within a line", keyed, "<p=city>\na</p></call>"],
    ["only its closing tag is on its own line", keyed, "<p=city>a\n</p></call>"],
    ["a number is written as text", keyed, "<p=days>three</p></call>"],
    ["a value is null", keyed, "<p=days>null</p></call>"],
    ["a value of another type is said to be text", typed, '<p name="days" string="true">1</p></call>'],
    ["there is text between the arguments", children, "<city>a</city> and <days>1</days></call>"],
  ])("are left to the reader if %s", (_, body, text) => expect(read(text, body)).toBeUndefined());

  test("are read in any order, and may lack some that are required or contain some that do not match", () => {
    const within = { ...parameters.properties, days: { type: "integer", minimum: 3 } };
    const at = (schema: object, text: string) =>
      wholeElements(text, 0, {
        shape: tagShape(children),
        plan: planFor({ ...parameters, ...schema }),
        reading: { decode: decodeXml },
        closes: (all, index) => all.startsWith("</call>", index),
      });
    const swapped = "<days>3</days><city>a</city></call>";
    expect(at({}, swapped)).toEqual({ value: { days: 3, city: "a" }, end: 28, matches: true });
    expect(at({ required: ["unit"] }, swapped)).toMatchObject({ matches: false });
    expect(at({ properties: within }, swapped)).toMatchObject({ matches: true });
    expect(at({ properties: within }, swapped.replace("3", "2"))).toMatchObject({ matches: false });
    expect(at({}, "<days>3</days><city>a</city><days>3</days></call>")).toBeUndefined();
  });

  test("are left to the reader if their schema is a choice", () => {
    const plan = planFor({ anyOf: [parameters, { type: "object" }] });
    const place = {
      shape: tagShape(children),
      plan,
      reading: { decode: decodeXml },
      closes: () => true,
    };
    expect(wholeElements("</call>", 0, place)).toBeUndefined();
  });
});

const tools = [{ name: "forecast", description: "The weather", parameters }];
const withElements = Object.values(protocols).filter(({ syntax }) =>
  formsOf(syntax).some(({ call }) => call.some((part) => isBodyOf(part, "elements"))),
);

const text = fc.oneof(
  fc.constantFrom("Oslo", "", "a\nb", "1", "null", "[1]", "C", ' "a"', "x & y", "&lt;b>", "a\r\n", "\n", "é 😀", "`a`"),
  fc.string({ maxLength: 8 }),
);
const args = fc.record(
  {
    city: text,
    days: fc.constantFrom(0, -1, 3),
    unit: fc.constantFrom("C", "F"),
    tags: fc.array(text, { maxLength: 2 }),
    more: fc.oneof(text, fc.jsonValue({ maxDepth: 1 })),
  },
  { requiredKeys: [] },
);
/** Text that replaces a part of a rendered call. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(3),
  by: fc.oneof(
    fc.constantFrom(
      "",
      " ",
      "\n",
      "<",
      ">",
      "/",
      '"',
      "&amp;",
      "</parameter>",
      "<city>",
      "</city>",
      "<parameter=days>",
    ),
    fc.constantFrom(
      "<parameter=city>\n",
      "null",
      "true",
      "forecast",
      "</function>",
      "<!-- -->",
      "city",
      "<input>",
      "x",
    ),
  ),
});

/** The events of a reply in chunks, with the deltas of each call joined. */
function eventsOf(protocol: Protocol, chunks: Iterable<string>): ReplyEvent[] {
  const parser = createReplyParser({ protocol, tools, generateId: () => "1" });
  const joined: ReplyEvent[] = [];
  const add = (event: ReplyEvent) => {
    const last = joined.at(-1);
    if (event.type === "call-delta" && last?.type === "call-delta") last.argumentsDelta += event.argumentsDelta;
    else if (event.type === "text" && last?.type === "text" && last.reason === event.reason) last.text += event.text;
    else if (event.type === "dropped" && last?.type === "dropped" && last.reason === event.reason)
      last.text += event.text;
    else joined.push(event);
  };
  for (const chunk of chunks) parser.push(chunk).forEach(add);
  parser.end().forEach(add);
  return joined;
}

const changes = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
);

/** Calls in a protocol; undefined if it cannot represent a value. */
function written(protocol: Protocol, all: readonly Record<string, unknown>[]): string | undefined {
  const calls = all.map((given) => ({ name: "forecast", arguments: given }));
  try {
    return protocol.renderCalls(calls, { tools });
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

test("calls with elements, also changed ones, read the same at once as by characters", () => {
  const several = fc.array(args, { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(fc.constantFrom(...withElements), several, changes, (protocol, all, list) => {
      let reply = written(protocol, all);
      fc.pre(reply !== undefined);
      for (const { at, length, by } of list) {
        const from = Math.floor(at * reply.length);
        reply = reply.slice(0, from) + by + reply.slice(from + length);
      }
      expect(eventsOf(protocol, [reply])).toEqual(eventsOf(protocol, reply));
    }),
    { numRuns: 300 },
  );
});
