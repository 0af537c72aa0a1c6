import { format as peer } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formats } from "./formats.js";

const examples: Record<string, string[]> = {
  date: [
    "2024-02-29",
    "2023-02-29",
    "1900-02-29",
    "2000-02-29",
    "0000-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-04-31",
  ],
  time: [
    "23:59:60Z",
    "22:59:60z",
    "15:59:60-08:00",
    "23:59:60+01:00",
    "00:29:60+00:30",
    "12:00:00.5+05:30",
    "24:00:00Z",
  ],
  "date-time": ["2024-02-29T10:00:00Z", "2024-02-29 10:00:00+02:00", "2024-02-30T10:00:00Z", "2024-01-01T1:00:00Z"],
  duration: ["P1Y2M3DT4H5M6S", "P1YT1S", "P1W", "P1Y1D", "PT1H1S", "P", "PT", "P1DT", "PT36H", "P1M", "P2W1D"],
  uri: [
    "http://a.b/c?d=e#f",
    "mailto:a@b.c",
    "urn:x:y",
    "//a/b",
    "http://[::1]:80/x",
    "http://[::1",
    "a",
    "#x",
    "x:/y",
  ],
  "uri-reference": [
    "/a/b?c#d",
    "a%20b",
    "a%2",
    "//a@b:1/c",
    "http://[v1.a:b]/",
    "[::1]",
    "",
    "a b",
    "?x",
    "#é",
    "//[::1]",
  ],
  "uri-template": ["/a/{b}{?c,d*}", "{a:3}", "{a:}", "{", "a{+x.y}", "{%41}", "a^b", "{a,}"],
  email: ["a@b.c", "a.b@c", ".a@b", "a..b@c", '"a b"@c', '"a"b@c', "a@[1.2.3.4]", "a@[IPv6:::1]", "a@-b", "a@b@c", "a"],
  hostname: ["a.b", "a-b.c", "-a", "a-", "a..b", "a.", "xn--x", "a_b", "1.2", `${"a".repeat(63)}.b`, "a".repeat(64)],
  ipv4: ["1.2.3.4", "256.1.1.1", "1.2.3", "1.2.3.4.5", "255.255.255.255", "1.2.3.4 "],
  ipv6: [
    "::",
    "::1",
    "1::",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "1::3::5",
    ":::",
    "::ffff:1.2.3.4",
  ],
  regex: ["^a+$", "(", "\\p{L}", "[", "\\a"],
  uuid: [
    "123e4567-e89b-12d3-a456-426614174000",
    "123e4567e89b12d3a456426614174000",
    "g23e4567-e89b-12d3-a456-426614174000",
  ],
  "json-pointer": ["", "/a/~0~1", "/a/~2", "a", "/", "//"],
  "json-pointer-uri-fragment": ["#", "#/a%20b", "#/a~2", "/a", "#a"],
  "relative-json-pointer": ["0", "1/a", "0#", "01", "-1", "2#/a"],
};
const names = Object.keys(examples);

test("every format has examples", () => expect([...names, "url"].sort()).toEqual(Object.keys(formats).sort()));

/** A text with some characters of it, and of what formats are made of, in other places. */
const changed = (text: string) =>
  fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(2), fc.constantFrom(...'0159afgzTZ:/.-+%#?@[]{}~"\\ _*,é')), {
      maxLength: 3,
    })
    .map((changes) =>
      changes.reduce((before, [at, cut, put]) => before.slice(0, at) + put + before.slice(at + cut), text),
    );

describe.each(names)("the format %s", (name) => {
  const own = (text: string) => formats[name]!(text);
  const other = (text: string) => peer[name]!(text);

  test("has both matching and other examples", () => {
    expect(new Set(examples[name]!.map(own)).size).toBe(2);
    expect(examples[name]!.map(own)).toEqual(examples[name]!.map(other));
  });

  test("is that of another implementation", () => {
    fc.assert(
      fc.property(fc.constantFrom(...examples[name]!).chain(changed), (text) => {
        // It takes quotation marks in references, which RFC 3986 does not.
        fc.pre(name !== "uri-reference" || !text.includes('"'));
        expect([text, own(text)]).toEqual([text, other(text)]);
      }),
      { numRuns: 2000 },
    );
  });
});
