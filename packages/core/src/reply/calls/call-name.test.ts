import { describe, expect, test } from "vitest";
import { callHost } from "../../../test/support/call-host.js";
import { Lookahead } from "../../notation/lookahead.js";
import { key, name } from "../../syntax/parts.js";
import type { OwnedForm } from "../../syntax/tokens.js";
import { compileForms } from "../forms/forms.js";
import { callNameAt } from "./call-name.js";

const tools = [
  { name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } },
  { name: "now" },
];

/** The name that a text begins with, after the first marker of a form. */
function nameIn(text: string, form: OwnedForm) {
  const { calls } = callHost(tools);
  const { token, node } = compileForms([form]).branches[0]!.node.branches[0]!;
  if (token.kind !== "name") throw new Error("no name");
  return { ...callNameAt(new Lookahead({ text, final: true }), 0, { token, node, calls }), calls };
}

const json = { body: "json" } as const;
const tagged: OwnedForm = { call: ["<function=", name, ">", json] };
const named: OwnedForm = { call: ["<name>", name, "</name>", json] };
const line: OwnedForm = { at: "line", own: true, call: ["Action: ", name, "\nInput: ", json] };

describe("the tool's name", () => {
  test.each<[string, OwnedForm, string, number]>([
    ["add>{", tagged, "add", 3],
    [" `add` </name>{", named, "add", 7],
    ["add\nInput: {", line, "add", 3],
    ["**add()**\nInput: {", line, "add", 9],
    ["add", line, "add", 3],
  ])("ends before what follows it: %j", (text, form, wanted, end) =>
    expect(nameIn(text, form)).toMatchObject({ name: wanted, end }),
  );

  test("may lack its end, which is a repair", () => {
    expect([
      nameIn("add>", tagged).lack,
      nameIn("add\n{", tagged).lack,
      nameIn("add</name>{", named).lack,
      nameIn("add\n<a>", named).lack,
    ]).toEqual([undefined, "missing-bracket", undefined, "missing-name-closer"]);
  });

  test("notes the variable that a Python call is assigned to", () => {
    const { name: found, calls } = nameIn("x = add(a=1)", {
      call: ["<c>", name, { body: "python-arguments" }, "</c>"],
    });
    expect([found, calls.isVariable("x"), calls.isVariable("add")]).toEqual(["add", true, false]);
  });

  test("may be written in one word with the key of an argument", () => {
    const pairs: OwnedForm = {
      call: [
        "<call>",
        name,
        { body: "elements", open: ["<k>", key, "</k><v>"], close: ["</v>"], leaf: "text" },
        "</call>",
      ],
    };
    expect(nameIn("add<k>a</k><v>1</v></call>", pairs)).toMatchObject({ name: "add", end: 3 });
    const joined = nameIn("adda</k><v>1</v></call>", pairs);
    expect(joined).toMatchObject({ name: "add", end: joined.key?.from });
  });
});
