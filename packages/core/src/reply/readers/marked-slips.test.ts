import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunked } from "../../../test/arbitraries.js";
import { createReplyParser, parseReply, protocols, type ToolDefinition } from "../../index.js";

// In replies, `§` is written in place of the mark.
const marked = (text: string) => text.replaceAll("§", "]<]minimax[>[");
const protocol = "minimax-m3";
const text = { type: "string" } as const;
const tools: ToolDefinition[] = [
  {
    name: "book",
    parameters: {
      type: "object",
      properties: {
        venue: text,
        note: text,
        count: { type: "integer" },
        guests: { type: "object", properties: { city: text, zip: { type: "integer" }, home: { type: "object" } } },
        strict: { type: "object", properties: { city: text }, additionalProperties: false },
        seats: { type: "array", items: text },
        rows: { type: "array", items: { type: "array", items: text } },
        labels: { type: "object", additionalProperties: text },
      },
    },
  },
  { name: "save", parameters: { type: "object", properties: { words: text } } },
  { name: "free", parameters: { type: "object" } },
];
const block = (calls: string) => `§<tool_call>\n${calls}\n§</tool_call>`;
const invoke = (args: string) => block(`§<invoke name="book">${args}§</invoke>`);

/** The arguments of the calls, and then the codes of the invalid ones. */
function read(reply: string): unknown[] {
  const { toolCalls, invalidToolCalls } = parseReply(marked(reply), { tools, protocol });
  const whole = [...toolCalls.map((call) => call.arguments), ...invalidToolCalls.map(({ error }) => error.code)];
  const single = streamed([...marked(reply)]);
  expect(single.sort((a, b) => Number("code" in a) - Number("code" in b)).map((end) => end.code ?? end)).toEqual(whole);
  return whole;
}

/** The arguments of the calls, and the errors of the invalid ones, of a reply in these chunks. */
function streamed(chunks: readonly string[]): Record<string, unknown>[] {
  const parser = createReplyParser({ tools, protocol });
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  return events.flatMap((event): Record<string, unknown>[] =>
    event.type === "call-end" ? [event.call.arguments] : event.type === "call-invalid" ? [{ ...event.call.error }] : [],
  );
}

const refused = ["malformed"];
const seats = "§<seats>§<item>a§</item>§<item>b§</item>§</seats>";
const guests = "§<guests>§<city>Rome§</city>§<zip>1§</zip>§</guests>";
const rome = { city: "Rome", zip: 1 };

describe("the opening tag of a call that comes twice", () => {
  test("makes no call without arguments", () => {
    const opener = '§<invoke name="book">';
    expect(read(block(`${opener}${opener}§<venue>12§</venue>§</invoke>`))).toEqual([{ venue: "12" }, ...refused]);
  });

  test("ends a call that has arguments, with or without their marks", () => {
    for (const args of ["§<venue>12§</venue>", "<venue>12</venue>"])
      expect(read(block(`§<invoke name="book">${args}§<invoke name="save">§<words>a§</words>§</invoke>`))).toEqual([
        { venue: "12" },
        { words: "a" },
      ]);
  });
});

test("a block that opens within a value ends no value", () => {
  const next = block('§<invoke name="save">§<words>a§</words>§</invoke>');
  expect(read(`§<tool_call>\n§<invoke name="book">§<seats>§<item>a§</item>${next}`)).toEqual([
    { words: "a" },
    ...refused,
  ]);
});

describe("a closing tag that comes twice", () => {
  test.each([
    [guests.replace("§</city>", "§</city>\n§</city>"), { guests: rome }],
    [seats.replace("§</item>", "§</item>§</item>"), { seats: ["a", "b"] }],
    [seats.replace("§</seats>", "§</seats>§</seats>"), { seats: ["a", "b"] }],
    ["§<rows>§<item>§<item>a§</item>§</item>§<item>§<item>b§</item>§</item>§</rows>", { rows: [["a"], ["b"]] }],
  ])("closes nothing else: %s", (args, given) => expect(read(invoke(args))).toEqual([given]));

  test("is refused in a list of lists, in which it closes the outer one", () =>
    expect(read(invoke("§<rows>§<item>§<item>a§</item>§</item>§<item>b§</item>§</item>§</rows>"))).toEqual(refused));
});

describe("a closing tag whose opening tag is missing", () => {
  test.each([
    [guests.replace("§<guests>", "")],
    [seats.replace("§<item>", "")],
    [seats.replace("§<seats>", "")],
    ["§<guests>§<city>Rome§</city>§</home>§</guests>"],
    ["§<labels>§<a>1§</a>§</b>§</labels>"],
    ["§<rows>§<item>a§</item>§</x>§</rows>"],
  ])("is refused: %s", (args) => expect(read(invoke(`${args}§<note>n§</note>`))).toEqual(refused));

  test("is refused where the schema declares nothing", () =>
    expect(read(block('§<invoke name="free">§<b>1§</b>§<c>2§</c>§</a>§</invoke>'))).toEqual(refused));

  test("is read where it is no argument's name", () =>
    expect(read(invoke("§<note>n§</note>§</id>§<guests>§<city>Rome§</city>§</guest>§<venue>v§</venue>"))).toEqual([
      { note: "n", guests: { city: "Rome" }, venue: "v" },
    ]));
});

describe("a closing tag of an object or a list that is missing", () => {
  const note = "§<note>n§</note>";
  test.each([
    [guests.replace("§</guests>", note)],
    [seats.replace("§</seats>", note)],
    [seats.replace("§</seats>", "§<count>1§</count>") + note],
    [`§<labels>§<a>1§</a>${note}`],
    [`§<guests>§<home>§<a>1§</a>§<city>Rome§</city>§</guests>`],
    ["§<rows>§<item>§<item>a§</item>§<item>§<item>b§</item>§</item>§</rows>"],
  ])("is refused, where what follows may be a part of it: %s", (args) => expect(read(invoke(args))).toEqual(refused));

  test.each([
    [`§<strict>§<city>Rome§</city>${note}`, { strict: { city: "Rome" }, note: "n" }],
    [guests.replace("§</guests>", ""), { guests: rome }],
    [seats.replace("§</seats>", ""), { seats: ["a", "b"] }],
  ])("is read, where the schema leaves one reading: %s", (args, given) => expect(read(invoke(args))).toEqual([given]));

  test("is not missing where keys have the names of arguments", () => {
    const args = { note: "m", labels: { note: "n", venue: "v" }, guests: { city: "Rome", note: "n" } };
    expect(read(protocols[protocol].renderCalls([{ name: "book", arguments: args }], { tools }))).toEqual([args]);
  });
});

describe("a damaged mark in a value", () => {
  test.each([
    "12]<]mnimax[>[</venue>",
    "12]<]MINIMAX[>[</venue>",
    "12][</venue>",
    '12]<]minimax[>"[</venue>]"<]minimax[>[<note>n',
    "12]<]minimax[>(</venue>)§<note>n",
    "12]<]minimax[></venue><]minimax[>[<note>n",
    "12]<]minimax<x>[>[</venue>]<]</x>minimax[>[<note>n",
    "12]<]minimax[<x>>[</venue>]<</x>]minimax[>[<note>n",
    "12][<venue>Zanzibar§</venue>",
    "12], [<venue>Zanzibar§</venue>",
    "12]\n[<venue>Zanzibar§</venue>",
    "12]<][>[<venue>Zanzibar§</venue>",
    `${"a".repeat(300)}]<]minima[>[</venue>${"b".repeat(300)}§</venue>`,
  ])("is refused: %s", (value) => expect(read(invoke(`§<venue>${value}§<count>1§</count>`))).toEqual(refused));

  test("is refused before the tag of a part", () =>
    expect(read(invoke(seats.replace("§<item>", "]<]Minimax[>[<item>")))).toEqual(refused));

  test("is refused when it is written", () => {
    const render = (args: object) =>
      protocols[protocol].renderCalls([{ name: "book", arguments: { ...args } }], { tools });
    for (const args of [{ venue: "12]<]mnimax[>[</venue>" }, { guests: { city: "a][<city>b" } }])
      expect(() => render(args)).toThrow(/The argument "(?:venue|city)" contains a tag with a part of/);
  });

  test.each([
    "]<]",
    "]<]</venue>",
    "a[0][1] = b[<i>]",
    "git diff [--all] [<venue>] [<venue>...]",
    "[x][<note>y",
    "<venue>12</venue>",
    "The minimax[>] word",
    "[[a]](<b>)",
  ])("is none: %s", (value) => {
    const args = { venue: value, note: "n" };
    expect(read(protocols[protocol].renderCalls([{ name: "book", arguments: args }], { tools }))).toEqual([args]);
  });
});

describe("tags without a mark in an element that is no argument", () => {
  test.each([
    ["§<x><venue>12</x>§</venue>"],
    ["§<x><venue>12§</venue>§</x>"],
    ["§<note>n§</note>§<x></invoke>\n</x>"],
    ["§<seats>§<item>a§</item>§<x></seats></x>"],
  ])("are refused, if its own closing tag has none: %s", (args) => {
    expect(read(invoke(args))).toEqual(refused);
    expect(read(invoke(args).replace("§</invoke>", ""))).toEqual(refused);
  });

  test("are refused before the next call", () => {
    const next = '§<invoke name="save">§<words>a§</words>§</invoke>';
    expect(read(block(`§<invoke name="book">§<note>n§</note>§<x></invoke>\n</x>${next}`))).toEqual([
      { words: "a" },
      ...refused,
    ]);
  });

  test("are text otherwise", () =>
    expect(read(invoke("§<note>n§</note>§<x><venue>12</venue>§</x>"))).toEqual([
      { note: "n", x: "<venue>12</venue>" },
    ]));
});

test("damaged marks and doubtful tags read the same in any chunks", () => {
  const parts =
    "§ ]<] minimax [>[ ] [ ][ a \n <venue> </venue> <guests> </guests> <city> </city> <item> </item> <seats> </seats>";
  const piece = fc.constantFrom(
    ...parts.split(" "),
    "§<venue>",
    "§</venue>",
    "§<guests>",
    "§</guests>",
    "§<city>",
    "§</city>",
  );
  const reply = fc.array(piece, { maxLength: 16 }).map((pieces) => marked(invoke(pieces.join(""))));
  fc.assert(
    fc.property(
      reply.chain((whole) => fc.tuple(fc.constant(whole), chunked(whole))),
      ([whole, chunks]) => {
        expect(streamed(chunks)).toEqual(streamed([whole]));
      },
    ),
    { numRuns: 500 },
  );
});
