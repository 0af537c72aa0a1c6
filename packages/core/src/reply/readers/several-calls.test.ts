import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import type { ProtocolName } from "../../protocols/index.js";

const uses = (...names: string[]) =>
  JSON.stringify({ tool_uses: names.map((name) => ({ recipient_name: name, parameters: { a: 1 } })) });
const json = (name: string, args: string) => `{"name": "${name}", "arguments": ${args}}`;
const several = (args: string) => json("multi_tool_use.parallel", args);
const marked = (args: string) => `<tool_call>${several(args)}</tool_call>`;
const f = ["f", { a: 1 }];

describe("a call that means several", () => {
  const args = uses("functions.f", "f");

  test.each<[ProtocolName | "auto", string]>([
    ["hermes", marked(args)],
    ["auto", marked(args)],
    ["hermes", several(args)],
    ["llama3-json", several(args).replace("arguments", "parameters")],
    ["json-list", `[${several(args)}]`],
    ["mistral", `[TOOL_CALLS] [${several(args)}]`],
  ])("is the calls that it holds in %s: %s", (protocol, reply) => expect(readings(reply, protocol)).toEqual([f, f]));

  test("may stand beside others, and may have more keys", () => {
    expect(readings(`[${several(uses("f"))}, ${json("f", '{"a": 1}')}]`, "json-list")).toEqual([f, f]);
    expect(readings(`[${json("f", '{"a": 1}')}, ${several(args)}]`, "json-list")).toEqual([f, f, f]);
    expect(readings(marked(args).replace("}</", ', "id": "1"}</'), "hermes")).toEqual([f, f]);
  });

  test("checks each of them", () =>
    expect(readings(marked(uses("f", "f", "g").replace("1", '"x"')), "hermes")).toEqual([
      "invalid-arguments",
      f,
      "unknown-tool",
    ]));

  test.each(["{}", '{"a": 1}', '"a"', "[]", "null", '{"tool_uses": []}', '{"tool_uses": "f"}'])(
    "is none if it holds none: %s",
    (held) => {
      expect(readings(marked(held), "hermes")?.filter((each) => typeof each !== "string")).toEqual([]);
      const list = `[TOOL_CALLS][${several(held)}, ${json("f", '{"a": 1}')}]`;
      expect(readings(list, "mistral")?.at(-1)).toEqual(f);
    },
  );

  test("is none without arguments, and the next call is its own", () =>
    expect(readings(`[{"name": "multi_tool_use.parallel"}, ${json("f", '{"a": 1}')}]`, "json-list")?.at(-1)).toEqual(
      f,
    ));

  test("is text where it is spoken of", () => {
    const reply = 'OpenAI writes `{"name": "multi_tool_use.parallel"}` for several calls.';
    expect(pieces(reply, "hermes")).toEqual([["text", reply]]);
  });
});
