import { expect, test } from "vitest";
import { protocolNames } from "../../../test/arbitraries.js";
import { parseReply } from "../../index.js";

const tools = [{ name: "add", parameters: { type: "object", properties: { a: { type: "number" } } } }];

test.each(protocolNames)("300 KB of spaces after a name are read in one pass: %s", { timeout: 5000 }, (protocol) => {
  for (const opener of ["<function=add", "<tool_call>\n<function=add", "<name>add", "<tool_call>add"]) {
    expect(parseReply(`${opener}${" ".repeat(300_000)}!`, { protocol, tools }).toolCalls).toEqual([]);
  }
});

test("a closing tag with white space is looked for before arguments are left out", () => {
  const text = "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter></tool_call>\n<parameter = b>1</parameter>";
  expect(parseReply(text, { protocol: "qwen3-coder", tools }).toolCalls).toEqual([]);
});
