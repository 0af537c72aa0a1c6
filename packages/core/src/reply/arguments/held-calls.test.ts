import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import type { ProtocolName } from "../../protocols/index.js";

const uses = (...names: string[]) =>
  JSON.stringify({ tool_uses: names.map((name) => ({ recipient_name: name, parameters: { a: 1 } })) });
const json = (name: string, args: string) => `{"name": "${name}", "arguments": ${args}}`;

describe("a call that means several", () => {
  const args = uses("functions.f", "f");
  const marked = `<tool_call>${json("multi_tool_use.parallel", args)}</tool_call>`;

  test.each<[ProtocolName | "auto", string]>([
    ["hermes", marked],
    ["auto", marked],
    ["hermes", json("multi_tool_use.parallel", args)],
    ["llama3-json", json("functions.multi_tool_use.parallel", args).replace("arguments", "parameters")],
    ["harmony", `<|channel|>commentary to=multi_tool_use.parallel <|constrain|>json<|message|>${args}<|call|>`],
    ["functionary", `>>>multi_tool_use.parallel\n${args}`],
    ["react", `Action: multi_tool_use.parallel\nAction Input: ${args}`],
  ])("is the calls that it holds in %s", (protocol, reply) =>
    expect(readings(reply, protocol)).toEqual([
      ["f", { a: 1 }],
      ["f", { a: 1 }],
    ]),
  );

  test("checks each of them", () =>
    expect(
      readings(`<tool_call>${json("multi_tool_use.parallel", uses("f", "f").replace("1", '"x"'))}</tool_call>`, "hermes"),
    ).toEqual(["invalid-arguments", ["f", { a: 1 }]]));

  test.each([
    ["one names no tool", "multi_tool_use.parallel", uses("f", "g")],
    ["there are none", "multi_tool_use.parallel", uses()],
    ["another key is beside them", "multi_tool_use.parallel", uses("f").replace("{", '{"first": true, ')],
    ["one has another key", "multi_tool_use.parallel", uses("f").replace('"recipient_name"', '"after": {}, "name"')],
    ["a key of one comes twice", "multi_tool_use.parallel", uses("f").replace('"a":1', '"a":1,"a":2')],
    ["its name means another tool", "schedule", uses("f")],
  ])("is a call of no tool if %s", (_, name, held) =>
    expect(readings(`<tool_call>${json(name, held)}</tool_call>`, "hermes")).toEqual(["unknown-tool"]),
  );

  test("is text where it is spoken of", () => {
    const reply = 'OpenAI writes `{"name": "multi_tool_use.parallel"}` for several calls.';
    expect(pieces(reply, "hermes")).toEqual([["text", reply]]);
  });
});
