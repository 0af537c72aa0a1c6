import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { RelaxNGValidator, XmlDocument, XmlStringOutputBufferHandler } from "libxml2-wasm";
import { describe, expect, test } from "vitest";
import { canonicalPml, PmlSyntaxError, parsePml, pmlJsonSchema, stringifyPml } from "../src/index.js";
import { documents } from "./support/documents.js";
import { untyped } from "./support/untyped.js";

const rng = RelaxNGValidator.fromDoc(
  XmlDocument.fromString(readFileSync(new URL("../pml.rng", import.meta.url), "utf8")),
);

/** Whether libxml2 finds the text to be of the schema. */
function isValid(xml: string): boolean {
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromString(xml);
    rng.validate(document);
    return true;
  } catch {
    return false;
  } finally {
    document?.dispose();
  }
}

const isRead = (xml: string) => {
  try {
    parsePml(xml);
    return true;
  } catch (error) {
    if (error instanceof PmlSyntaxError) return false;
    throw error;
  }
};

describe("the RELAX NG schema", () => {
  test("accepts every document that is written", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const xml = stringifyPml(document);
        expect(isValid(xml), xml).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  const turn = (inside: string) => `<conversation><turn>${inside}</turn></conversation>`;
  const user = (inside: string) => turn(`<user>${inside}</user>`);
  test.each([
    ["", false],
    ["<pml/>", false],
    ['<pml version="2"/>', false],
    ['<pml version="1"/>', true],
    ['<pml version="1"><memory/><memory/></pml>', false],
    ['<pml version="1"><conversation/><tools/><memory/></pml>', true],
    ["<memory><fact>x</fact><summary keep='high'/></memory>", true],
    ["<memory><fact keep='most'>x</fact></memory>", false],
    ["<memory>x</memory>", false],
    ["<memory><fact><b/></fact></memory>", false],
    ["<tools choice='required'><tool name='a'>{}</tool></tools>", true],
    ["<tools choice='maybe'/>", false],
    ["<tools choice='auto' only='a'/>", false],
    ["<tools><tool>{}</tool></tools>", false],
    ["<conversation omitted='2' id='c' topic='t'/>", true],
    ["<conversation omitted='-2'/>", false],
    ["<conversation omitted='02'/>", false],
    [turn(""), true],
    [turn("text"), false],
    [turn("<text>x</text>"), false],
    [turn("<tool_output call='1' status='error'>x</tool_output>"), true],
    [turn("<tool_output status='ok'>x</tool_output>"), false],
    [turn("<tool_output><attachment type='image'/><text>x</text></tool_output>"), true],
    [turn("<tool_output><text>x</text><text>y</text></tool_output>"), false],
    [turn("<tool_output>x<text>y</text></tool_output>"), false],
    [user("x <text>y</text> z"), true],
    [user("<attachment type='file' line='3'><content>x</content></attachment>"), true],
    [user("<attachment type='file'>x</attachment>"), false],
    [user("<attachment><content>x</content></attachment>"), false],
    [user("<attachment type='file'><content/><content/></attachment>"), false],
    [user("<attachment type='file' encoding='hex'/>"), false],
    [user("<call name='a' x='1'><argument name='y'>2</argument><arguments>{}</arguments></call>"), true],
    [user("<call x='1'/>"), false],
    [user("<call name='a'><argument>x</argument></call>"), false],
    [user("<edit file='a'>x</edit><thinking signature='s'>x</thinking>"), true],
    [user("<edit>x</edit>"), false],
    [user("<edit file='a' lang='b'>x</edit>"), false],
    ["<turn/>", false],
  ])("and the reader agree about %s: %s", (xml, expected) => {
    expect(isValid(xml)).toBe(expected);
    expect(isRead(xml)).toBe(expected);
  });
});

test("the JSON Schema accepts the tree of every document, with another validator", () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(pmlJsonSchema);
  fc.assert(
    fc.property(documents, (document) => {
      expect(validate(JSON.parse(JSON.stringify(document))), JSON.stringify(validate.errors)).toBe(true);
    }),
    { numRuns: 200 },
  );
  const wrong: unknown[] = [
    {},
    { version: 1 },
    { version: "1", memory: [{ type: "fact" }] },
    { version: "1", conversation: { turns: [{ messages: [{ type: "text", text: "x" }] }] } },
    { version: "1", else: 1 },
  ];
  for (const tree of wrong) {
    expect(validate(tree)).toBe(false);
    expect(() => untyped(stringifyPml)(tree)).toThrow(expect.objectContaining({ code: "bad-tree" }));
  }
});

describe("the canonical form", () => {
  test("equals libxml2's of the text without space between elements", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const canonical = canonicalPml(document);
        const parsed = XmlDocument.fromString(canonical);
        const output = new XmlStringOutputBufferHandler();
        parsed.canonicalize(output);
        parsed.dispose();
        expect(output.result).toBe(canonical);
        expect(canonicalPml(parsePml(canonical))).toBe(canonical);
        expect(canonicalPml(parsePml(stringifyPml(document)))).toBe(canonical);
      }),
      { numRuns: 200 },
    );
  });
});
