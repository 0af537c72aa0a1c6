import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";
import { getProtocol, type ProtocolName, protocols } from "../../protocols/index.js";
import type { ToolDefinition } from "../../types.js";

const tools: ToolDefinition[] = [
  { name: "rm", parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } },
];
const calls = ["/a", "/b"].map((path) => ({ name: "rm", arguments: { path } }));

const parts = (Object.keys(protocols) as ProtocolName[]).flatMap((name) => {
  const { syntax } = getProtocol(name);
  const isPython = syntax.call.some(
    (part) => typeof part === "object" && "body" in part && part.body === "python-arguments",
  );
  return isPython && syntax.block
    ? [[name, syntax.block.open, syntax.block.separator, syntax.block.close] as const]
    : [];
});

function read(protocol: ProtocolName, text: string) {
  const results = [[text], [...text]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [{ name: event.call.name, arguments: event.call.arguments }];
      return event.type === "call-invalid" ? [event.call.error.code] : [];
    });
  });
  expect(results[1]).toEqual(results[0]);
  return results[0];
}

test("variants of Python calls", () => expect(parts.length).toBeGreaterThan(2));

describe.each(parts)("%s", (protocol, open, separator, close) => {
  test.each([
    ["a semicolon", "; "],
    ["a semicolon and a line", ";\n"],
    ["lines", "\n"],
    ["a comma too many", `${separator.trim()}, `],
    ["a comment", `${separator.trim()}\n# the other one, of rm(path='/c')\n`],
    ["a comment after the comma", `${separator.trim()}  # the other one\n`],
    ["a comment before it", `  # one\n${separator.trim()}\n# two\n`],
  ])("%s between two calls", (_, between) => {
    expect(read(protocol, `${open}rm(path='/a')${between}rm(path='/b')${close}`)).toEqual(calls);
  });

  test("a comment before the first call and after the last", () => {
    const list = `${open}\n# first\nrm(path='/a')${separator}rm(path='/b') # done\n${close}`;
    expect(read(protocol, list)).toEqual(calls);
  });

  test.each([
    "if ok else None",
    "for path in paths",
    "or rm(path='/b')",
    "if ok else rm(path='/b')",
    "+ 1",
    "and done",
  ])("a call that is part of an expression does not run: %s", (rest) => {
    expect(read(protocol, `${open}rm(path='/a') ${rest}${close}`)).toEqual(["malformed"]);
  });

  test("words after a call are text", () => {
    expect(read(protocol, `${open}rm(path='/a')${close}\n# What it does\nIt is for the files or so.`)).toEqual([
      calls[0],
    ]);
  });
});
