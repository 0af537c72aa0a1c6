import { describe, expect, test } from "vitest";
import { everyBody } from "../../bodies/index.js";
import { Input } from "../../notation/input.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";
import { children, name } from "../../syntax/parts.js";
import type { ToolDefinition } from "../../types.js";
import { ToolTable } from "../arguments/tool-table.js";
import { compileForms } from "../forms/forms.js";
import { compile } from "../opening/compile.js";
import type { BodyKinds } from "../readers/body-kind.js";
import { plainCall } from "./plain-call.js";

const add: ToolDefinition = {
  name: "add",
  parameters: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
};
const bodies: BodyKinds = new Map(everyBody.map((kind) => [kind.kind, kind]));

/** The call that a text begins with, read as a whole, and the text after it. */
function plain(text: string, protocol: ProtocolName, tools: readonly ToolDefinition[] | undefined = [add], from = 0) {
  const input = new Input();
  input.push(text);
  input.pos = from;
  const found = plainCall(input, compile(protocols, protocols[protocol], "any").forms, {
    tools: ToolTable.of(tools),
    bodies,
  });
  expect(input.pos).toBe(from);
  return (
    found && {
      ...found.body,
      json: found.body.json(),
      end: undefined,
      rest: text.slice(found.end),
      after: text.slice(found.body.end),
    }
  );
}

const hermes = (args: string, name = "add") => `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;

describe("a plain call", () => {
  test.each(["hermes", "qwen3-coder", "granite4", "seed-oss", "longcat", "dots", "ernie"] as const)(
    "is read as a whole as its format declares it: %s",
    (protocol) => {
      const text = protocols[protocol].renderCalls([{ name: "add", arguments: { a: 1 } }], { tools: [add] }).trimEnd();
      expect(plain(`${text} x`, protocol)).toMatchObject({
        name: "add",
        arguments: { a: 1 },
        matches: true,
        rest: " x",
      });
    },
  );

  test.each<[ProtocolName, string, string]>([
    ["hermes", `${hermes('{"a": 1}')} x`, "\n</tool_call> x"],
    ["hermes", '<tool_call> {"name": "add", "arguments": {"a": 1}}</tool_call> x', "</tool_call> x"],
    [
      "qwen3-coder",
      "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call> x",
      "</function>\n</tool_call> x",
    ],
  ])("is read as a whole in %s: %s", (protocol, text, after) =>
    expect(plain(text, protocol)).toMatchObject({
      name: "add",
      arguments: { a: 1 },
      json: '{"a":1}',
      matches: true,
      rest: " x",
      after,
    }),
  );

  test("may be an element named after its tool", () => {
    const forms = compileForms([{ call: ["<", name, ">", children, "</", name, ">"] }], "add");
    const input = new Input();
    input.push("<add><a>1</a></add>");
    expect(plainCall(input, forms, { tools: ToolTable.of([add]), bodies })?.body).toMatchObject({
      name: "add",
      arguments: { a: 1 },
    });
  });

  test("begins at the position of the input", () => {
    const text = `So ${hermes('{"a": 1}')}`;
    expect([plain(text, "hermes", [add], 3)?.rest, plain(text, "hermes")]).toEqual(["", undefined]);
  });

  test("has the name as it is written", () => expect(plain(hermes('{"a": 1}', "Add"), "hermes")?.name).toBe("Add"));

  test("is known to match only where the schema is simple", () => {
    const tool = { name: "add", parameters: { type: "object", properties: { a: { not: { const: 2 } } } } };
    expect(plain(hermes('{"a": 1}'), "hermes", [tool])?.matches).toBe(false);
  });
});

describe("a call is left to the reader", () => {
  test.each<[string, string]>([
    ["is not complete", hermes('{"a": 1}').slice(0, -1)],
    ["has a marker in another spelling", hermes('{"a": 1}').replace("</tool_call>", "</tool_call >")],
    ["has text after its arguments", hermes('{"a": 1}').replace("\n</", "}\n</")],
    ["has text before its object", hermes('{"a": 1}').replace("{", "a {")],
    ["has a comment before its object", hermes('{"a": 1}').replace("\n{", "<!-- x -->{")],
    ["names an unknown tool", hermes('{"a": 1}', "sub")],
    ["has arguments of another type", hermes('{"a": "1"}')],
    ["is not strict JSON", hermes("{'a': 1}")],
    ["repeats the tool's definition", hermes('{"type": "object", "properties": {"a": {}}}')],
  ])("where it %s", (_, text) => expect(plain(text, "hermes")).toBeUndefined());

  test("where its notation is not read as a whole, or the tools are unknown", () => {
    const xml = '<tool_call>\n<name>add</name>\n<arguments>{"a": 1}</arguments>\n</tool_call>';
    expect(plain(xml, "xml")).toBeUndefined();
    const input = new Input();
    input.push(hermes('{"a": 1}'));
    const { forms } = compile(protocols, protocols.hermes, "any");
    expect(plainCall(input, forms, { tools: ToolTable.of(undefined), bodies })).toBeUndefined();
  });

  const xml = "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>";
  test.each<[string, string]>([
    ["has not all of its markers", xml.replace("</function>\n", "")],
    ["has its first marker in another spelling", xml.replace("<function=", "<function =")],
    ["has a comment between its closing markers", xml.replace("</function>", "<!-- done --></function>")],
    ["has text between its closing markers", xml.replace("</function>", "so </function>")],
    ["has a key in another spelling", xml.replace("=a>", "=A>")],
  ])("in elements where it %s", (_, text) => expect(plain(text, "qwen3-coder")).toBeUndefined());

  test("where it is in a block of several", () => {
    const call = '<invoke name="add">\n<parameter name="a">1</parameter>\n</invoke>';
    expect(plain(`<minimax:tool_call>\n${call}\n</minimax:tool_call>`, "minimax-m2")).toBeUndefined();
  });

  test("where nothing closes it", () =>
    expect(plain('<|im_start|>\n{"name": "add", "arguments": {"a": 1}}', "hermes")).toBeUndefined());
});
