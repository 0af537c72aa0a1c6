import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { expect, test } from "vitest";
import { parsePml, renderHtml } from "../src/index.js";
import { documents } from "./support/documents.js";

const document = parsePml(`<pml version="1"><memory><fact>Kim likes tea &amp; cake.</fact></memory>
<tools><tool name="read" description="Reads a file">{"type":"object"}</tool></tools>
<conversation topic="Plans &lt;1&gt;" omitted="2"><turn index="3">
<user name="Kim"><text>Look &lt;script&gt;alert(1)&lt;/script&gt;</text>
<attachment type="file" path="a.ts"><content>const a = 1;</content></attachment>
<attachment type="image" mime="image/png" encoding="base64" alt="A cat"><content>iVBORw0KGgo=</content></attachment>
<attachment type="image" url="https://a.example/b.png"/><attachment type="ref" url="javascript:alert(1)"/></user>
<assistant><thinking>Hm.</thinking><call id="1" name="read" path="b.ts"/></assistant>
<tool_output call="1" status="error">No such file.</tool_output>
<assistant><edit file="a.ts">-1\n+2</edit></assistant></turn></conversation></pml>`);

test("a page shows everything, escaped, and loads nothing", () => {
  const page = renderHtml(document);
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  for (const part of [
    "<title>Plans &#60;1&#62;</title>",
    "Kim likes tea &#38; cake.",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "<summary>file <code>a.ts</code></summary><pre>const a = 1;</pre>",
    '<img src="data:image/png;base64,iVBORw0KGgo=" alt="A cat">',
    '<a href="https://a.example/b.png" rel="noreferrer noopener">',
    "calls <code>read</code>",
    "No such file.",
    "Edit of <code>a.ts</code>",
    "2 turns left out",
    "1 turn · 4 attachments · 1 call · 1 thing remembered",
    "default-src 'none'",
  ]) {
    expect(page).toContain(part);
  }
  expect(page).not.toMatch(/<script|href="javascript|src="http/);
  expect(renderHtml(document, { title: "<T>", language: 'de"' })).toContain('<html lang="de&#34;">');
});

test("no text of a document becomes markup (property)", () => {
  const allowed = new Set((renderHtml(document) + renderHtml({ version: "1" })).match(/<[a-z0-9]+/g));
  fc.assert(
    fc.property(documents, (one) => {
      const page = renderHtml(one);
      for (const [tag] of page.matchAll(/<[a-z0-9!/][a-z0-9]*/gi)) {
        expect(
          tag === "<!doctype" ||
            allowed.has(tag.replace("/", "")) ||
            ["<small", "<ul", "<li"].includes(tag.replace("/", "")),
          tag,
        ).toBe(true);
      }
      // Well-formed, but for what HTML does not close.
      const xml = page
        .replace("<!doctype html>", "")
        .replace(/<(?:meta|img)[^>]*>/g, "")
        .replaceAll('<details class="edit" open>', "<details>");
      XmlDocument.fromString(xml).dispose();
    }),
    { numRuns: 60 },
  );
});
