import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createPmlReader,
  type PmlEvent,
  PmlSyntaxError,
  parsePml,
  positionOf,
  readPml,
  stringifyPml,
} from "../src/index.js";
import { documents } from "./support/documents.js";
import { untyped } from "./support/untyped.js";

const example = `<pml version="1">
  <memory>
    <fact id="tea" keep="high" alt="tea">Kim likes tea.</fact>
  </memory>
  <conversation id="c1" topic="Weather">
    <turn index="1">
      <user name="Kim">
        How is the weather in <![CDATA[<Oslo>]]> &amp; Rome?
        <attachment type="file" name="a.txt" path="/a.txt" line="3"><content><![CDATA[if (a < b) x = "]]]]><![CDATA[>";]]></content></attachment>
      </user>
      <assistant>
        <thinking>I need the weather.</thinking>
        <call id="1" name="W" loc="Oslo"/>
        <call name="W"><arguments>{"loc": "Rome", "days": 2}</arguments></call>
      </assistant>
      <tool_output call="1">4 °C</tool_output>
      <tool_output status="error">No such place.</tool_output>
    </turn>
  </conversation>
</pml>
`;

describe("a document", () => {
  test("is read into a typed tree", () => {
    expect(parsePml(example)).toEqual({
      version: "1",
      memory: [{ type: "fact", id: "tea", keep: "high", alt: "tea", text: "Kim likes tea." }],
      conversation: {
        id: "c1",
        topic: "Weather",
        turns: [
          {
            index: 1,
            messages: [
              {
                type: "user",
                name: "Kim",
                parts: [
                  { type: "text", text: "How is the weather in <Oslo> & Rome?" },
                  {
                    ...{ type: "attachment", kind: "file", name: "a.txt", path: "/a.txt" },
                    ...{ attributes: { line: "3" }, content: 'if (a < b) x = "]]>";' },
                  },
                ],
              },
              {
                type: "assistant",
                parts: [
                  { type: "thinking", text: "I need the weather." },
                  { type: "call", id: "1", name: "W", arguments: { loc: "Oslo" } },
                  { type: "call", name: "W", arguments: { loc: "Rome", days: 2 } },
                ],
              },
              { type: "tool_output", call: "1", text: "4 °C" },
              { type: "tool_output", status: "error", text: "No such place." },
            ],
          },
        ],
      },
    });
  });

  test("reports where each node is", () => {
    const document = parsePml(example);
    const [fact] = document.memory ?? [];
    const [turn] = document.conversation?.turns ?? [];
    const texts = [document.conversation, turn, fact, ...(turn?.messages ?? [])].map((node) => {
      const range = node && positionOf(node);
      return range && example.slice(range.start.offset, range.end.offset);
    });
    expect(texts.map((text) => text?.slice(0, 12))).toEqual([
      ...[
        "<conversatio",
        "<turn index=",
        '<fact id="te',
        '<user name="',
        "<assistant>\n",
        "<tool_output",
        "<tool_output",
      ],
    ]);
    expect(texts[2]).toBe('<fact id="tea" keep="high" alt="tea">Kim likes tea.</fact>');
    expect(texts[0]?.endsWith("</conversation>")).toBe(true);
    expect(positionOf(fact ?? {})?.start).toEqual({ line: 3, column: 5, offset: 33 });
    expect(positionOf(structuredClone(fact ?? {}))).toBeUndefined();
  });

  test("needs no wrapper, and may have a declaration, a byte order mark, comments and processing instructions", () => {
    const inside = "<memory><fact>x</fact></memory>\n<!-- two roots --><conversation/>";
    const expected = { version: "1", memory: [{ type: "fact", text: "x" }], conversation: { turns: [] } };
    for (const xml of [
      inside,
      `<?xml version="1.0" encoding="UTF-8"?>\n${inside}`,
      `\ufeff<?xml version='1.0'?>\n<?xml-model href="pml.rng"?>\n<pml version="1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${inside}</pml>`,
    ]) {
      expect(parsePml(xml)).toEqual(expected);
    }
  });

  test("keeps the digits of integers that no number keeps, in arguments", () => {
    const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    /** Without sign, point, exponent and the zeros at the end. */
    const digits = (number: string) => number.replace(/[-.]|e.*$/g, "").replace(/0+$/, "");
    const isKept = (one: bigint) => digits(Number(one).toExponential()) === digits(String(one));
    const part = fc.oneof(integer, fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(fc.array(part), (list) => {
        const json = `{"a":[${list.map((one) => (typeof one === "bigint" ? one : JSON.stringify(one))).join(", ")}]}`;
        const xml = `<call name="f"><arguments>${json.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</arguments></call>`;
        const { conversation } = parsePml(`<conversation><turn><assistant>${xml}</assistant></turn></conversation>`);
        const wanted = list.map((one) =>
          typeof one === "string" ? one : typeof one === "bigint" && !isKept(one) ? String(one) : Number(one) + 0,
        );
        const call = { type: "call", name: "f", arguments: { a: wanted } };
        expect(conversation?.turns[0]?.messages).toEqual([{ type: "assistant", parts: [call] }]);
      }),
    );
  });

  test("is read the same in chunks of any size, with the same places", async () => {
    const whole = parsePml(example);
    const read = (xml: string, size: number) => {
      const reader = createPmlReader();
      const events: PmlEvent[] = [];
      for (let at = 0; at < xml.length; at += size) events.push(...reader.push(xml.slice(at, at + size)));
      return [...events, ...reader.end()];
    };
    const once = read(example, example.length);
    for (const size of [1, 2, 3, 7, 64]) {
      for (const text of [example, example.replaceAll("\n", "\r\n"), `\ufeff<?xml version="1.0"?>${example}`]) {
        const events = read(text, size);
        expect(events).toEqual(once);
        const turns = events.flatMap((event) => (event.type === "turn" ? [event.turn] : []));
        const start = turns[0] && positionOf(turns[0])?.start;
        expect(start && text.slice(start.offset, start.offset + 5)).toBe("<turn");
        expect(start?.line).toBe(6);
      }
    }
    expect(once.map(({ type }) => type)).toEqual(["memory", "memory-item", "conversation", "turn"]);
    expect(once).toContainEqual({ type: "turn", turn: whole.conversation?.turns[0] });
    const bytes = new TextEncoder().encode(example);
    const events: PmlEvent[] = [];
    for await (const event of readPml([bytes.slice(0, 700), bytes.slice(700)])) events.push(event);
    expect(events).toEqual(once);
  });

  test("reads the same from any chunks (property)", () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 40 }), (document, size) => {
        const xml = stringifyPml(document);
        const reader = createPmlReader();
        const turns = [];
        for (let at = 0; at < xml.length; at += size) {
          for (const event of reader.push(xml.slice(at, at + size))) if (event.type === "turn") turns.push(event.turn);
        }
        reader.end();
        expect(turns).toEqual(document.conversation?.turns ?? []);
      }),
      { numRuns: 60 },
    );
  });
});

describe("an error has its place and the correct form", () => {
  const inTurn = (inside: string) =>
    `<pml version="1">\n <conversation><turn>\n  ${inside}</turn></conversation></pml>`;
  test.each([
    ["structure", "", '1:1: The text is not a document: a document begins with <pml version="1">.'],
    ["structure", "hello", "1:1: Text is not allowed in a document outside of its elements."],
    ["structure", "<html/>", "1:1: <html> is not a PML document. Allowed: <pml>, <memory>, <tools>, <conversation>."],
    ["structure", "<pml/>", '1:1: <pml> lacks its attribute version="1".'],
    ["structure", "<pml version='2'/>", '1:1: The attribute version of <pml> is "1", not "2".'],
    [
      "structure",
      "<memory>\n <fakt/></memory>",
      "2:2: <fakt> is not allowed in <memory>. Did you mean fact? Allowed: <fact>, <summary>.",
    ],
    [
      "structure",
      "<memory><fact kep='low'/></memory>",
      '1:9: <fact> has no attribute "kep". Did you mean keep? It can have id, keep, alt.',
    ],
    ["structure", "<memory/><memory/>", "1:10: A document has one <memory>."],
    ["structure", "<conversation/><pml version='1'/>", "1:16: A document has one <pml>."],
    ["structure", "<pml version='1'/><memory/>", "1:19: <memory> comes after </pml>, which ends the document."],
    ["structure", inTurn("<user><attachment type='a' xml:space='preserve'/></user>"), 'not "xml:space".'],
    ["structure", inTurn("<user><attachment type='a' xmlns='u:a'/></user>"), 'not "xmlns".'],
    [
      "structure",
      inTurn("<user><attachment type='a' größe='3'/></user>"),
      "3:9: An attribute of your own has a name of letters of A to Z, digits, _, - and .,",
    ],
    [
      "structure",
      inTurn("<user><call name='a'><arguments>{\"n\": 1e400}</arguments></call></user>"),
      "3:24: The JSON of <arguments> holds Infinity, which JSON lacks.",
    ],
    ["structure", inTurn("Hi"), "2:22: Text is not allowed in <turn>. Write <user><text>…</text></user>."],
    ["structure", inTurn("<user><call/></user>"), '3:9: <call> lacks its attribute name="…".'],
    [
      "structure",
      inTurn("<user><text><b/></text></user>"),
      "3:15: <b> is not allowed in <text>. Only text is allowed there.",
    ],
    [
      "structure",
      inTurn("<user><call name='a' x='1'><arguments>{\"x\": 2}</arguments></call></user>"),
      '3:30: The call has the argument "x" twice.',
    ],
    [
      "structure",
      inTurn("<user><call name='a'><arguments>[1]</arguments></call></user>"),
      '3:24: The text of <arguments> is a JSON object, such as {"n": 1}.',
    ],
    [
      "structure",
      inTurn('<user><call name="a"><arguments>{"n": 1, "n": 2}</arguments></call></user>'),
      "3:24: The JSON of <arguments> has a key twice.",
    ],
    [
      "structure",
      inTurn(
        String.raw`<user><call name="a"><arguments>{"o":[{"\"\\":1,"b":":","\u0022\u005c" :"a"}]}</arguments></call></user>`,
      ),
      "3:24: The JSON of <arguments> has a key twice.",
    ],
    ["structure", '<tools><tool name="a">{"type": "object", "type": "array"}</tool></tools>', "has a key twice."],
    [
      "structure",
      inTurn("<user><call name='a'><arguments>{</arguments></call></user>"),
      "3:24: The text of <arguments> is not JSON",
    ],
    [
      "structure",
      "<tools><tool name='a'>3</tool></tools>",
      "1:8: The text of <tool> is the JSON Schema of the parameters: an object, true or false.",
    ],
    ["syntax", "<memory><fact>x</memory>", "1:25: This does not close the open element: expected </fact>."],
    ["syntax", "<memory>", "1:9: The document ends inside <memory>, which needs </memory>."],
    ["syntax", "<memory><fact>a < b</fact></memory>", "A tag begins with a letter; a plain < is written &lt;."],
    ["syntax", "<memory><fact id=x/></memory>", 'The value of an attribute needs quotes: name="value".'],
    ["syntax", "<memory><fact id='1' id='2'/></memory>", "Duplicate attribute: id."],
    ["syntax", "<memory><fact>\u0001</fact></memory>", "XML has no such character here"],
    ["forbidden", "<memory><fact>&#1;</fact></memory>", "This entity is not known"],
    ["syntax", "<memory><fact>\ud800</fact></memory>", "Half of a surrogate pair is not an XML character."],
    ["syntax", "<?xml version='1.1'?><memory/>", '1:1: The XML declaration must say version="1.0".'],
    [
      "forbidden",
      "<memory><fact>&nbsp;</fact></memory>",
      "This entity is not known. There are &lt; &gt; &amp; &quot; &apos; and numbers such as &#233;",
    ],
    ["forbidden", "<memory><fact>&constructor;&__proto__;</fact></memory>", "This entity is not known."],
    [
      "forbidden",
      '<!DOCTYPE pml SYSTEM "http://example.com/x.dtd"><memory/>',
      "A document type (DTD) is not allowed. Remove it.",
    ],
  ])("%s: %s", (code, xml, message) => {
    let thrown: unknown;
    try {
      parsePml(xml);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(PmlSyntaxError);
    expect(String(thrown)).toContain(message);
    expect(thrown).toMatchObject({ code });
  });

  test.each([
    ["<memory>\n<fact>R&D</fact>\n</memory>", "2:8"],
    ["<memory>\n<fact>R&D</fact>\n<fact>a; b</fact>\n</memory>", "2:8"],
    ["<memory>\n<fact>a && b</fact></memory>", "2:9"],
    ["<memory>\r\n<fact>&lt;&#233; & <![CDATA[ & ]]></fact></memory>", "2:18"],
    ["<memory>\n<fact id='a & b'>c</fact></memory>", "2:13"],
    ["<memory><fact>one</fact>\n<fact>&LT;</fact></memory>", "2:7"],
  ])("a plain & is named where it stands, in text of any pieces: %j", (xml, at) => {
    for (const size of [1, 3, xml.length]) {
      const reader = createPmlReader();
      const read = () => {
        for (let i = 0; i < xml.length; i += size) reader.push(xml.slice(i, i + size));
        reader.end();
      };
      expect(read).toThrow(`${at}: This entity is not known.`);
      expect(read).toThrow("write &amp; for a plain &.");
    }
  });

  test("a number that is no character is named where it stands, whatever follows it", () => {
    const xml = "<memory>\n<fact>bad &#x110000; here\n\n Tom & Jerry</fact></memory>";
    const failures = [1, xml.length].map((size) => {
      const reader = createPmlReader();
      try {
        for (let i = 0; i < xml.length; i += size) reader.push(xml.slice(i, i + size));
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    });
    expect(failures[0]).toMatch(/^2:\d+: /);
    expect(failures[1]).toBe(failures[0]);
  });

  test("a plain & in an open comment or CDATA section is no entity", () => {
    expect(() => parsePml("<memory><fact><![CDATA[a & b")).toThrow("ends inside <fact>, which needs </fact>");
    expect(() => parsePml("<memory><!-- a & b")).toThrow("ends inside <memory>, which needs </memory>");
  });

  test("options are checked", () => {
    expect(() => untyped(parsePml)("<memory/>", { maxDept: 3 })).toThrow(/Did you mean "maxDepth"/);
    expect(() => parsePml("<memory/>", { maxDepth: 0 })).toThrow(/whole number from 1/);
    expect(() => parsePml("<memory/>", { maxDepth: 100_000 })).toThrow(/at most 1000/);
  });
});

describe("hostile input", () => {
  const code = (xml: string, limits = {}) => {
    try {
      const document = parsePml(xml, limits);
      // What can be read can be written, and read again as the same.
      expect(parsePml(stringifyPml(document), limits)).toEqual(document);
      return "read";
    } catch (error) {
      if (error instanceof PmlSyntaxError) return error.code;
      throw error;
    }
  };

  test("exploding entities are refused before they are expanded", () => {
    const bomb = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i} "${`&lol${i || ""};`.repeat(10)}">`).join("")}]><pml version="1">&lol9;</pml>`;
    expect(code(bomb)).toBe("forbidden");
    expect(code(`<?xml version="1.0"?>\n${bomb}`)).toBe("forbidden");
    expect(code('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><memory><fact>&x;</fact></memory>')).toBe(
      "forbidden",
    );
  });

  test("10,000 levels are refused, of elements and of the JSON inside", () => {
    const call = (json: string) =>
      `<conversation><turn><user><call name="a"><arguments>${json}</arguments></call></user></turn></conversation>`;
    expect(code("<memory>".repeat(10_000))).toBe("structure");
    expect(code(call(`{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`))).toBe("limit");
    expect(code(`<tools><tool name="a">${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}</tool></tools>`)).toBe("limit");
    expect(code(call(`{"a":${"[".repeat(200)}${"]".repeat(200)}}`))).toBe("read");
    expect(code(call("{}"), { maxDepth: 4 })).toBe("limit");
  });

  test("a document that is too long is refused at once, also as a stream", async () => {
    const long = "x".repeat(100_000_000);
    const before = process.memoryUsage().heapUsed;
    expect(code(long)).toBe("limit");
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    let given = 0;
    function* endless() {
      yield "<memory>";
      for (;;) {
        given++;
        yield "<fact>more and more</fact>".repeat(1_000);
      }
    }
    const events = readPml(endless(), { maxLength: 1_000_000 });
    await expect(async () => {
      for await (const _ of events);
    }).rejects.toMatchObject({ code: "limit" });
    expect(given).toBeLessThan(50);
  });

  test("too many attributes are refused", () => {
    const call = (count: number) =>
      `<conversation><turn><user><call name="a" ${Array.from({ length: count }, (_, i) => `k${i}=""`).join(" ")}/></user></turn></conversation>`;
    expect(code(call(255))).toBe("read");
    expect(code(call(256))).toBe("limit");
    expect(code(call(10), { maxAttributes: 10 })).toBe("limit");
  });

  test("text and bytes of any kind are read, or refused with a place", async () => {
    const marks = [
      "<",
      ">",
      "</",
      "/>",
      "<pml version='1'>",
      "<memory>",
      "</memory>",
      "<fact>",
      "<conversation>",
      "<turn>",
      "<user>",
      "</user>",
      "<![CDATA[",
      "]]>",
      "<!--",
      "-->",
      "<?",
      "?>",
      "&",
      ";",
      "&#x",
      "=",
      '"',
      "'",
      "<!DOCTYPE",
      "[",
      "\0",
      "\ud800",
      "<call name='a'>",
      "<arguments>",
      " x:y='1'",
      '"a":1,',
      " é='1'",
      " __proto__='1'",
      " xmlns=''",
      "1e999",
      "-0",
      "{",
      "}",
      " ",
    ];
    const mutated = fc
      .tuple(
        documents,
        fc.array(fc.tuple(fc.nat(), fc.nat(8), fc.constantFrom(...marks)), { minLength: 1, maxLength: 4 }),
      )
      .map(([document, edits]) => {
        let xml = stringifyPml(document);
        for (const [at, length, insert] of edits) {
          const start = at % (xml.length + 1);
          xml = xml.slice(0, start) + insert + xml.slice(start + length);
        }
        return xml;
      });
    const garbage = fc
      .array(fc.oneof(fc.constantFrom(...marks), fc.string()), { maxLength: 20 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(fc.oneof(mutated, garbage), (xml) => {
        expect(["read", "syntax", "structure", "forbidden", "limit"]).toContain(code(xml));
      }),
      { numRuns: 400 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 3 }), async (chunks) => {
        try {
          for await (const _ of readPml([new TextEncoder().encode("<memory><fact>"), ...chunks]));
        } catch (error) {
          expect(error).toBeInstanceOf(PmlSyntaxError);
        }
      }),
      { numRuns: 200 },
    );
  });
});
