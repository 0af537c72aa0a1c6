import { format as reference } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formats } from "./formats.js";

/** A text of each kind that a format is made of, to be cut and joined. */
const seeds: Record<string, readonly string[]> = {
  date: ["2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "0000-01-01", "2024-13-01", "2024-04-31", "2024-1-1"],
  time: [
    "23:59:60Z",
    "08:30:06.28z",
    "22:59:60-01:00",
    "00:29:60+00:30",
    "12:00:60Z",
    "24:00:00Z",
    "12:00:00",
    "1:2:3Z",
  ],
  "date-time": ["2024-02-29T08:30:06Z", "2024-02-29 08:30:06+01:00", "2024-02-30T08:30:06Z", "2024-02-29t08:30:06z"],
  duration: ["P4DT12H30M5S", "P1W", "P", "PT", "P1Y2D", "PT1H2S", "P1YT1M", "p1d"],
  uri: [
    "http://a:b@x.y:80/p?q#f",
    "http://[::1]:8/x",
    "urn:a:b",
    "mailto:",
    "//x",
    "http://[v1.a]/",
    "a:/[",
    "h://a b",
  ],
  "uri-reference": ["/a/b", "../a", "#f", "?q", "", "//x:80/", "\\\\x", "a%2", "a%20", "//[1::2]", "//x:a", "/[::1]"],
  "uri-template": ["http://x/{id}/{+a,b*}", "{a:3}", "{", "{}", "{a.b}", "%zz"],
  email: ["a.b@x.org", '"a b"@x.org', ".a@x", "a..b@x", "a@[127.0.0.1]", "a@[IPv6:::1]", "a@-x", "@x", "a.@x"],
  hostname: ["a.b-c.d", "-a", "a-", "a..b", "a".repeat(64), "x".repeat(63)],
  ipv4: ["1.2.3.4", "256.1.1.1", "1.2.3", "01.2.3.4", "1.2.3.4.5"],
  ipv6: [
    "::1",
    "1::",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::ffff:1.2.3.4",
    "1::2::3",
    ":::",
    "1:2",
    "12345::",
    "::1.2.3",
  ],
  regex: ["a+", "(", "\\Z", "a\\Z", "\\p{L}", "[z-a]"],
  uuid: ["2EB8AA08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"],
  "json-pointer": ["/a~0b/c", "/~2", "", "a"],
  "json-pointer-uri-fragment": ["#/a", "#", "/a", "#/%20", "#/ "],
  "relative-json-pointer": ["0#", "1/a", "01", "-1", "0/~1"],
};

const others = fc.constantFrom(...'azAZ059:./-@[]#?%+{}~" \n\\TZ'.split(""));

describe("a format", () => {
  test.each(Object.entries(seeds))("%s accepts what @cfworker/json-schema accepts", (name, texts) => {
    const check = formats[name]!;
    const wanted = reference[name]!;
    for (const text of texts) expect([text, check(text)]).toEqual([text, wanted(text)]);
    const text = fc.constantFrom(...texts);
    const place = fc.nat({ max: 40 });
    fc.assert(
      fc.property(text, text, place, place, fc.array(others, { maxLength: 2 }), (one, other, end, from, between) => {
        const mixed = one.slice(0, end) + between.join("") + other.slice(from);
        expect([mixed, check(mixed)]).toEqual([mixed, wanted(mixed)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("of other names is an annotation", () => {
    expect(Object.keys(formats).sort()).toEqual(Object.keys(reference).sort());
  });
});
