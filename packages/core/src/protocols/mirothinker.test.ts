import { expect, test } from "vitest";
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
