import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileText } from "../../../test/arbitraries.js";
import { copiedFrom, isItself, Normalizer, normalized } from "./normalizer.js";

const text = fc.oneof(
  hostileText(8),
  fc.string({ unit: fc.constantFrom(...'\\nux 0bt[],;{"A&lt#\u2060\n\udb40\udc41é한ﬁ（'.split("")), maxLength: 20 }),
);

describe("the characters that a copy contains", () => {
  test.each([
    [
      "white space, control characters and characters without width",
      "a b\tc\u2060d\u200be\u00a0f\u0000g\ufeffh\u3000i\u2028j\u1680k\u00adl\u007fm",
      "abcdefghijklm",
    ],
    ["other characters without width", `a\u034fb\u180ec\ufe0fd\u{e0041}e\u{e01ef}f\u3164g\ufff9h`, "abcdefgh"],
    ["the escapes of a JSON string", String.raw`{\"a\": \"b\\n\n\r\t\b\fc\"}`, "{a:bc}"],
    ["escapes of characters", String.raw`\u003Ca\u007C\\u003e \u005cn\u0000\udb40\udc41`, "<a>"],
    ["capital letters", "<TOOL_call Ж>", "<toolcallЖ>"],
    ["accents, composed or not", "é e\u0301 ệ e\u0302\u0323 Й &eacute;&Ccedil;", "eeeeИec"],
    ["forms of letters", "한 ﬁ Ａ｛＂ﷺ", "\u1112\u1161\u11abfia{ﷺ"],
    ["entities of letters and marks", "&szlig;&lbrace;&colon;&NewLine;&mdash;&rdquo;", "ß{:—"],
    ["escapes of two digits", String.raw`\x3c\x3E\x4 \xé`, "<>x4xe"],
    ["separators before an object", '[{"a":1},{"b":2}; {"c":3}]', "{a:1}{b:2}{c:3}]"],
    ["the difference between other separators", "[f(1); g(2), 3]", ",f(1),g(2),3]"],
    ["entities", "&lt;a&GT;&quot;&#39;&#x7B;&amp;lt;&#x1f600;&nbsp;&#92;n & lt;", "<a>{<\u{1f600}<"],
    ["entities that are none", "a & b &x; &lt &#xg; &#99999999;&constructor;", "a&b&x,&lt&#xg,&#99999999,&constructor"],
    ["quotes", "‘a’“b”„c‟'d'«e»‹f›「g」『h』＂i＂`j`″k″\"\"l", "abcdefghijkl"],
    ["emphasis and fences", "**a** _b_ ```c```", "abc"],
    ["half a character and its replacement", "a\ud83d b\udc41c\ufffd\u{1f600}d\ud83d", "abc\u{1f600}d"],
    ["escapes that are none", String.raw`C:\users \u00 \u12g`, "c:usersu00u12g"],
    ["bars and the separators of tokens", "<｜x▁y｜><|x_y|><x y>", "<xy><xy><xy>"],
  ])("are without %s", (_, written, wanted) => expect(normalized(written)).toBe(wanted));

  test("are no more than the text, and the same if it is read in pieces", () => {
    fc.assert(
      fc.property(text, (all) => {
        let read = "";
        const normalizer = new Normalizer((code) => {
          read += String.fromCharCode(code);
          return true;
        });
        for (let i = 0; i < all.length; i++) normalizer.read(all.charAt(i));
        normalizer.end();
        expect(read).toBe(normalized(all));
        expect(read.length).toBeLessThanOrEqual(all.normalize("NFKD").length);
      }),
    );
  });

  test("stay as they are", () => {
    fc.assert(
      fc.property(text, (all) => {
        const once = normalized(all);
        expect(normalized(once)).toBe(once);
      }),
    );
  });

  test("are the same for a text inside a JSON string", () => {
    // A backslash is an escape already.
    const plain = text.map((all) => all.replaceAll("\\", ""));
    fc.assert(
      fc.property(plain, (all) => {
        expect(normalized(JSON.stringify(all).slice(1, -1))).toBe(normalized(all));
      }),
    );
  });

  test.each(["AT&T", "R&D", "a &lt", "a\\u00"])("have the end of %j", (all) => {
    expect(normalized(all)).toBe(all.toLowerCase().replace(/[\s\\]/g, ""));
    expect(copiedFrom([`${all}x`])(all)).toBe(true);
    expect(copiedFrom([all])(`${all}x`)).toBe(false);
  });

  test("end where no more are needed", () => {
    const read: string[] = [];
    const normalizer = new Normalizer((code) => read.push(String.fromCharCode(code)) < 3);
    normalizer.read("ab,,,cd");
    expect(read).toEqual(["a", "b", ","]);
  });

  test("begin anew", () => {
    const read: string[] = [];
    const normalizer = new Normalizer((code) => read.push(String.fromCharCode(code)) > 0);
    normalizer.read("a,,\\");
    normalizer.begin();
    normalizer.read("n");
    expect(read).toEqual(["a", "n"]);
  });
});

test("a copy is found in any spelling, and over several texts", () => {
  const isCopy = copiedFrom(['Say {"a":', " 1} now."]);
  expect(['{ "A":\n1 }', '[{\\"a\\": 1', '{"a": 2}', ""].map(isCopy)).toEqual([true, true, false, true]);
});

test("exactly the characters that no other one than their full width becomes are themselves", () => {
  const others = new Map<string, number[]>();
  for (let code = 0; code < 0xffff; code++) {
    const kept = normalized(`${String.fromCharCode(code)}.`).slice(0, -1);
    others.set(kept, [...(others.get(kept) ?? []), code]);
  }
  for (let code = 0x21; code < 0x7f; code++) {
    const char = String.fromCharCode(code);
    if (isItself(code) && char === char.toLowerCase() && !"\\[;|\"'`*_".includes(char))
      expect(others.get(char)).toEqual([code, code + 0xfee0]);
  }
  expect([..."az,]\n é"].filter((char) => isItself(char.charCodeAt(0)))).toEqual([]);
  expect([..."{<(:0"].filter((char) => !isItself(char.charCodeAt(0)))).toEqual([]);
});
