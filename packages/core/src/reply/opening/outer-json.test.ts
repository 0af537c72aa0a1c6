import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";

const tools = [{ name: "rm", parameters: { type: "object", properties: { path: { type: "string" } } } }];
const call = '{"name": "rm", "arguments": {"path": "/a"}}';
const other = '{"name": "rm", "arguments": {"path": "/b"}}';

/** The paths of the calls that run, the same in any chunks. */
function read(reply: string, protocol: ProtocolName | "auto") {
  const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments.path] : []));
  });
  expect(streamed).toEqual(whole);
  return whole;
}

describe.each([...(Object.keys(protocols) as ProtocolName[]), "auto" as const])("bare JSON in %s", (protocol) => {
  test.each([
    `{"error": ${call}}`,
    `{"results": [${call}]}`,
    `{"results":\n[\n${call},\n${other}\n]}`,
    `{\n  "error": {\n    "name": "rm",\n    "arguments": {"path": "/a"}\n  }\n}`,
    `{"x":\n${call}\n}`,
    `{error:\n${call}\n}`,
    `{'x':\n${call}\n}`,
    `{"my key": 1, "x": ${call}}`,
    `{"a": {"b": [1, 2]}, "quote": "}",\n"x":\n${call}}`,
    `[1, 2,\n${call}]`,
    `[{"x": 1},\n${call}\n]`,
    `["a", ${call}]`,
    `I found {"error":\n${call}} in the log.`,
    `Found:\n{"error":\n${call}}`,
    `\`\`\`json\n{"error": ${call}}\n\`\`\``,
    `\`\`\`json\n{"error":\n${call}\n}\n\`\`\``,
  ])("is data within other JSON: %s", (reply) => expect(read(reply, protocol)).toEqual([]));

  test.each([`Sure.\n${call}`, `Sure.\n\n[${call}]`, `Sure:\n${call}\n`])(
    "is a call on a line of its own, where the reply ends: %s",
    (reply) => expect(read(reply, protocol)).toEqual(["/a"]),
  );

  test.each([
    `${call} or ${other}`,
    `${call}\nor\n${other}`,
    `Either ${call} or ${other}`,
    `${call}, or ${other}`,
    `[rm(path="/a")] or [rm(path="/b")]`,
    `[rm(path="/a")]\nor\n[rm(path="/b")]`,
    `Either\n[rm(path="/a"), rm(path="/c")]\nor\n[rm(path="/b")]`,
  ])("of two calls, one of which is offered as an alternative, none runs: %s", (reply) =>
    expect(read(reply, protocol)).toEqual([]),
  );
});

const bare: ProtocolName[] = ["llama3-json", "json-list"];

describe.each(bare)("a call in %s", (protocol) => {
  test.each([
    call,
    `[${call}]`,
    `{"tool_calls": [${call}]}`,
    `{"function": ${call}}`,
    `Use {braces}.\n${call}`,
    `See [1] and {}: ${call}`,
    `The result was {"a": {"b": 1}}. ${call}`,
    `{"ok": true}\n${call}`,
  ])("is read: %s", (reply) => expect(read(reply, protocol)).toEqual(["/a"]));
});
