import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Secrets } from "./secrets.js";

const once = (text: string) => JSON.stringify(text).slice(1, -1);
const units = (text: string) =>
  [...text].map((_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
const spellings: [string, (text: string) => string][] = [
  ["as it is", (text) => text],
  ["in JSON", once],
  ["in JSON within JSON", (text) => once(once(text))],
  ["in escapes of JSON", units],
  ["in escapes of JSON within JSON", (text) => once(units(text))],
  ["in a URL", encodeURIComponent],
  ["in a form", (text) => new URLSearchParams({ a: text }).toString().slice(2)],
];

describe("a secret with any characters is hidden", () => {
  const secret = fc.string({ minLength: 4, unit: fc.constantFrom(..."aB1\\/+ ^$.*()[]{}|%&=\"'-") });
  test.each(spellings)("%s", (_, spell) => {
    fc.assert(
      fc.property(secret, (key) => {
        const hidden = new Secrets(key).hide(`Wrong key: <${spell(key)}>!`);
        expect(hidden).toBe("Wrong key: <***>!");
      }),
    );
  });

  test("after a backslash, which is taken for its escape", () => {
    expect(new Secrets("sk-Abc").hide("\\sk-Abc, C:\\\\sk-Abc, \\%73k-Abc")).toBe("***, C:***, ***");
  });
});

test("a part of a secret after many backslashes, and one that ends with one, are hidden", () => {
  const cut = `x${"\\".repeat(300)}sk-abcdefghijklmnop`;
  expect(new Secrets("sk-abcdefghijklmnop1234").hideCut(cut)).toBe("x***");
  expect(new Secrets("abc\\").hide("abc\\abc\\ abc\\")).toBe("*** ***");
});

test("one secret that contains another is hidden first", () => {
  const secrets = new Secrets("abcd", { authorization: "Bearer abcdefgh" });
  expect(secrets.hide("abcd, abcdefgh, Bearer abcdefgh")).toBe("***, ***, ***");
});

describe("text of many backslashes is searched in linear time (in quadratic time, this test times out)", () => {
  const run = "\\".repeat(400_000);
  test.each(["sk-abcdef", "\\abcdef", "ab\\cdef", "a\\b\\c\\d", "\\".repeat(2000), `a${"\\".repeat(2000)}b`])(
    "for the key %.20s",
    (key) => {
      const secrets = new Secrets(key);
      for (const text of [run, `${key[0]}${run}`, `a${run}b`, `${run}u005`, "a\\".repeat(200_000)])
        expect(secrets.hideCut(text).length).toBeLessThanOrEqual(text.length);
    },
    20_000,
  );
});
