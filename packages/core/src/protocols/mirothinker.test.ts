import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";

const parts = {
  server: "<server_name>files</server_name>",
  tool: "<tool_name>ship.order</tool_name>",
  values: '<arguments>\n{"depot": "12", "boxes": 3}\n</arguments>',
};

test.each([
  ["server", "tool", "values"],
  ["tool", "server", "values"],
  ["tool", "values"],
] as const)("a call is read with its parts in the order %s, %s, %s", (...order) => {
  const reply = `<use_mcp_tool>\n${order.map((part) => parts[part as keyof typeof parts]).join("\n")}\n</use_mcp_tool>`;
  for (const protocol of ["mirothinker", "auto"] as const)
    expect(readings(reply, protocol)).toEqual([["ship.order", { depot: "12", boxes: 3 }]]);
});

test.each(["github.com/acme/files", "Files (v2)", "", "12"])("the server may have any name: %j", (server) => {
  for (const order of [
    ["server", "tool", "values"],
    ["tool", "server", "values"],
  ] as const) {
    const all = { ...parts, server: `<server_name>${server}</server_name>` };
    const reply = `<use_mcp_tool>\n${order.map((part) => all[part]).join("\n")}\n</use_mcp_tool>`;
    for (const protocol of ["mirothinker", "auto"] as const)
      expect(readings(reply, protocol)).toEqual([["ship.order", { depot: "12", boxes: 3 }]]);
  }
});

const server = "<server_name>generic-extras</server_name>\n";
const name = "<tool_name>ship.order</tool_name>\n";
const json = '{"depot": "a", "boxes": 3}';
const elements = "<depot>a</depot>\n<boxes>3</boxes>";
const call = (inside: string) => `<use_mcp_tool>\n${inside}\n</use_mcp_tool>`;

describe("the arguments of a call of MiroThinker", () => {
  test.each([server, "<server_name>files</server_name>\n", ""])("are read as JSON or elements, after %j", (before) => {
    for (const args of [json, elements])
      for (const inside of [args, `<arguments>\n${args}\n</arguments>`])
        for (const protocol of ["mirothinker", "auto"] as const)
          expect(readings(call(before + name + inside), protocol)).toEqual([["ship.order", { depot: "a", boxes: 3 }]]);
  });

  test("have one value each", () =>
    expect(readings(call(`${server}${name}<depot>a</depot>\n<depot>b</depot>`), "mirothinker")).toEqual([
      "invalid-arguments",
    ]));

  test("are those that the tool has", () =>
    expect(readings(call(`${server}${name}<place>a</place>`), "mirothinker")).toEqual(["invalid-arguments"]));
});
