import { expect, test } from "vitest";
import { hashPml, type PmlDocument, parsePml, stringifyPml, unwritableIn } from "../src/index.js";
import { roundTripLaw } from "./support/laws.js";
import { untyped } from "./support/untyped.js";

test("every tree is read back from its text, and the text from the tree", () => {
  roundTripLaw(150);
});

test("contents are in CDATA, also with its own end in them, and arguments where possible", () => {
  const document: PmlDocument = {
    version: "1",
    conversation: {
      turns: [
        {
          messages: [
            {
              type: "user",
              parts: [{ type: "attachment", kind: "diff", path: "a.ts", content: "a ]]> b\r\n<c>" }],
            },
            {
              type: "assistant",
              parts: [
                { type: "call", id: "1", name: "W", arguments: { loc: 'San "Francisco"' } },
                {
                  type: "call",
                  name: "run",
                  arguments: { shell: "sh", code: "if a < b\nthen c", n: 1, "a b": "\u0000", id: "x" },
                },
              ],
            },
          ],
        },
      ],
    },
  };
  const xml = stringifyPml(document);
  expect(xml).toBe(`<pml version="1">
  <conversation>
    <turn>
      <user>
        <attachment type="diff" path="a.ts">
          <content><![CDATA[a ]]]]><![CDATA[> b]]>&#xD;<![CDATA[
<c>]]></content>
        </attachment>
      </user>
      <assistant>
        <call id="1" name="W" loc="San &quot;Francisco&quot;"/>
        <call name="run" shell="sh">
          <argument name="code"><![CDATA[if a < b
then c]]></argument>
          <arguments>{"n":1,"a b":"\\u0000","id":"x"}</arguments>
        </call>
      </assistant>
    </turn>
  </conversation>
</pml>
`);
  expect(parsePml(xml)).toEqual(document);
});

test("characters that XML lacks are replaced in texts, and kept in arguments", () => {
  const document: PmlDocument = { version: "1", memory: [{ type: "fact", text: "a\u0000b\ud800c\uffff" }] };
  expect(unwritableIn(document)).toEqual(["/memory/0/text"]);
  const read = parsePml(stringifyPml(document));
  expect(unwritableIn(read)).toEqual([]);
  expect(read.memory).toEqual([{ type: "fact", text: "a\ufffdb\ufffdc\ufffd" }]);
});

test("a hash is the same for all spellings of a document, and differs for another document", async () => {
  const one = parsePml('<memory><fact keep="low" id="a">x &amp; y</fact></memory>');
  const other = parsePml(
    '<pml version="1"><memory><!-- c --><fact id="a" keep="low"><![CDATA[x & y]]></fact></memory></pml>',
  );
  expect(await hashPml(one)).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashPml(other)).toBe(await hashPml(one));
  expect(await hashPml(parsePml("<memory><fact>x &amp; y</fact></memory>"))).not.toBe(await hashPml(one));
});

test("an invalid tree is refused, with the place", () => {
  const wrong = {
    version: "1",
    conversation: { turns: [{ messages: [{ type: "user", parts: [{ type: "call", name: "a" }] }] }] },
  };
  expect(() => untyped(stringifyPml)(wrong)).toThrow(/^\/conversation\/turns\/0\/messages\/0/);
  expect(() => untyped(stringifyPml)({ version: "1" }, { ident: 3 })).toThrow(/Did you mean "indent"/);
});

test.each([
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "Infinity"],
  [new Date(0), "an object of the class Date"],
  [new Map(), "an object of the class Map"],
  [[undefined], "undefined"],
  [() => 1, "a function"],
  [{ deep: { toJSON: () => 5 } }, "an object of the class Object"],
])("arguments and schemas that are not JSON are refused (%#)", (value, words) => {
  const message = { type: "assistant" as const, parts: [{ type: "call" as const, name: "f", arguments: { value } }] };
  const refused = `holds ${words}, which JSON lacks.`;
  const call: PmlDocument = { version: "1", conversation: { turns: [{ messages: [message] }] } };
  expect(() => stringifyPml(call)).toThrow(`/conversation/turns/0/messages/0/parts/0/arguments: ${refused}`);
  const tool: PmlDocument = { version: "1", tools: { list: [{ name: "f", parameters: { default: value } }] } };
  expect(() => stringifyPml(tool)).toThrow(`/tools/list/0/parameters: ${refused}`);
});
