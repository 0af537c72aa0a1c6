import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const call = (args: string) => `<tool_call>\n{"name": "ship.order", "arguments": ${args}}\n</tool_call>`;
const plain = call('{"depot": "a", "boxes": 3}');
const wanted = [["ship.order", { depot: "a", boxes: 3 }]];

describe("a quote of a key is doubled", () => {
  test.each(["name", "arguments", "depot", "boxes"])("in %s", (key) => {
    expect(readings(plain.replace(`"${key}"`, `""${key}"`), "hermes")).toEqual(wanted);
    expect(readings(plain.replace(`"${key}"`, `"${key}""`), "hermes")).toEqual(wanted);
    expect(readings(plain.replaceAll('"', "'").replace(`'${key}'`, `''${key}'`), "hermes")).toEqual(wanted);
  });

  test("and an empty key stays one", () =>
    expect(readings(call('{"depot": "a", "": 3}'), "hermes")).toEqual([["ship.order", { depot: "a", "": 3 }]]));

  test.each([
    ["in text that may be two arguments", call('{"depot": "a, ""boxes": 3"}')],
    ["at both ends", plain.replace('"boxes"', '""boxes""')],
  ])("%s: no call", (_, reply) =>
    expect(readings(reply, "hermes")?.filter((found) => typeof found !== "string")).toEqual([]),
  );
});
