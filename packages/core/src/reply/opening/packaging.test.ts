import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { createReplyParser, parseReply } from "../../full/index.js";
import type { ProtocolName } from "../../protocols/index.js";

const json = '{"name": "read_meter", "arguments": {"room": "attic"}}';
const read = ["read_meter", { room: "attic" }];
const lamp = ["set_lamp", { room: "hall" }];

describe("text that models put around unmarked calls is skipped", () => {
  test.each<[string, ProtocolName, string, unknown[]]>([
    ["inline code", "pythonic", "`read_meter(room='attic')`", [read]],
    ["inline code around a list", "pythonic", "``[read_meter(room='attic')]``", [read]],
    ["inline code, in another format", "hermes", `\`${json}\``, [read]],
    ["emphasis", "pythonic", "**read_meter(room='attic')**", [read]],
    ["the marks of a list", "pythonic", "- read_meter(room='attic')\n- set_lamp(room='hall')", [read, lamp]],
    ["the numbers of a list", "json-list", `1. ${json}\n2. ${json}`, [read, read]],
    [
      "inline code on each line",
      "pythonic",
      "[\n`read_meter(room='attic')`,\n`set_lamp(room='hall')`\n]",
      [read, lamp],
    ],
    ["backslashes of Markdown", "pythonic", "\\[read\\_meter(room='attic'), set\\_lamp(room='hall')\\]", [read, lamp]],
    ["quotes around a call", "pythonic", "\"read_meter(room='attic')\"", [read]],
    [
      "quotes around each call of a list",
      "pythonic",
      "[\n  'read_meter(room=\"attic\")',\n  'set_lamp(room='hall')'\n]",
      [read, lamp],
    ],
    ["quotes around the names", "pythonic", "['read_meter'(room='attic'), \"set_lamp\"(room='hall')]", [read, lamp]],
    ["quotes around each call between markers", "lfm2", "<|tool_call_start|>['read_meter(room=\"attic\")']", [read]],
    ["a bracket too many after a list", "json-list", `[${json}]]`, [read]],
    ["a parenthesis too many", "pythonic", "read_meter(room='attic'))", [read]],
    ["the closing tag of another format", "hermes", `${json}</tool_call>\n${json}</tool_call>`, [read, read]],
    ["the token that begins a turn", "pythonic", "<|start_header_id|>[['read_meter', {'room': 'attic'}]]", [read]],
    ["the token that begins a turn, in another format", "hermes", `<|start_header_id|>${json}`, [read]],
    ["a whole header of a turn", "llama3-json", `<|start_header_id|>assistant<|end_header_id|>\n\n${json}`, [read]],
  ])("%s", (_, protocol, reply, wanted) => expect(readings(reply, protocol)).toEqual(wanted));
});

test("lines that begin with both marks of a diff are text", () => {
  const python = ["read_meter(room='attic')", "set_lamp(room='hall')"] as const;
  for (const [protocol, [old, now]] of [
    ["pythonic", python],
    ["llama3-json", [json, json]],
    ["hermes", [json, json]],
  ] as const) {
    expect(readings(`- ${old}\n+ ${now}`, protocol)).toEqual([]);
    expect(readings(`So:\n+ ${old}\n- ${now}\n+ ${old}`, protocol)).toEqual([]);
  }
  expect(readings(`+ ${python[0]}\n+ ${python[1]}`, "pythonic")).toEqual([read, lamp]);
});

describe("comments and lines of Markdown around unmarked calls", () => {
  test.each<[string, string]>([
    ["a comment in a fence", `\`\`\`js\n// the attic\n${json}\n\`\`\``],
    ["a comment of Python in a fence", `\`\`\`\n# the attic\n${json}\n\`\`\``],
    ["a comment before it", `/* the\nattic */\n${json}`],
    ["several", `// the\n// attic\n${json} // done`],
    ["a comment after it", `${json}\n// done`],
    ["a comment before the end of the fence", `\`\`\`json\n${json}\n/* done */\n\`\`\``],
    ["a rule after it", `${json}\n\n---\n`],
    ["two rules", `${json}\n***\n\n***`],
  ])("are skipped: %s", (_, reply) => {
    for (const protocol of ["json-list", "llama3-json", "hermes"] as const)
      expect(readings(reply, protocol)).toEqual([read]);
  });

  test("are not waited for if they are long", () => {
    const parser = createReplyParser({ protocol: "hermes", tools: [{ name: "read_meter" }] });
    parser.push(`${json}\n/* `);
    const events = Array.from({ length: 20_000 }, () => parser.push("as one reads it ")).flat();
    expect(events.length).toBeGreaterThan(0);
  });

  test("are text before a heading and a rule", () => {
    const reply = `### Call\n\n---\n\n${json}\n\n---`;
    expect(readings(reply, "hermes")).toEqual([read]);
    const tools = [{ name: "read_meter", parameters: { type: "object", properties: { room: { type: "string" } } } }];
    expect(parseReply(reply, { protocol: "hermes", tools }).text).toBe("### Call\n\n---");
  });

  test.each<[string, string]>([
    ["words after a comment", `${json}\n// That reads\nthe meter.`],
    ["words after a rule", `${json}\n---\nThat reads the meter.`],
    ["a heading after it", `${json}\n## Example`],
    ["words before it and a comment after it", `It looks like this:\n${json}\n// an example`],
    ["a key in a comment", `${json}\n// "room": "hall"`],
    ["a comment without an end", `${json}\n/* the attic`],
  ])("make no call with %s", (_, reply) => expect(readings(reply, "hermes")).toEqual([]));

  test("stay in the text of an explanation", () => {
    const reply = `${json.replace("arguments", "parameters")}\n# Meters\nIt reads one.`;
    const tools = [{ name: "read_meter", parameters: { type: "object", properties: { room: { type: "string" } } } }];
    expect(parseReply(reply, { protocol: "llama3-json", tools })).toMatchObject({
      toolCalls: [{ name: "read_meter" }],
      text: "# Meters\nIt reads one.",
    });
  });
});

describe("unmarked JSON begins", () => {
  const list = (object: string) => [`[${object}]`, `I look.\n[${object}]`, object];

  test.each([
    ["typographic quotes", "{“name”: “read_meter”, “arguments”: {“room”: “attic”}}"],
    ["an id", '{"id": "c1", "name": "read_meter", "arguments": {"room": "attic"}}'],
    ["an id of Cohere", '{"tool_call_id": "0", "tool_name": "read_meter", "parameters": {"room": "attic"}}'],
    ["an index, an id and a type", `{"index": 0, "id": "a", "type": "function", "function": ${json}}`],
    ["an id, before the name in any spelling", '{"id": 7, "toolName": "read_meter", "args": {"room": "attic"}}'],
    ["keys in any case", '{"Id": "c1", "Type": "function", "Function_Name": "read_meter", "args": {"room": "attic"}}'],
    ["no id", '{"id": null, "name": "read_meter", "arguments": {"room": "attic"}}'],
    ["an id without quotes", '{id: c1, tool: "read_meter", arguments: {"room": "attic"}}'],
    ["an id in typographic quotes", "{“id”: “c1”, “tool”: “read_meter”, “arguments”: {“room”: “attic”}}"],
    ["an id before an object around the call", `{"call_id": "c1", "toolCall": ${json}}`],
    ["an id before a message", `{"id": "m1", "role": "assistant", "tool_calls": [${json}]}`],
    ["a reason", `{"reason": "It's for \\"him\\", he says.", "name": "read_meter", "arguments": {"room": "attic"}}`],
  ])("with %s", (_, object) => {
    for (const reply of list(object)) expect(readings(reply, "json-list")).toEqual([read]);
  });

  test.each([
    ["a name that is no tool's", '{"id": 1, "name": "Ann"}'],
    ["a record with the name of a tool", '{"id": 1, "name": "read_meter"}'],
    ["a record with its arguments beside that", '{"id": 1, "name": "read_meter", "room": "attic"}'],
    ["no name", '{"id": 1, "room": "attic"}'],
    ["arguments without a name", '{"id": 1, "arguments": {"room": "attic"}}'],
    ["another name that is no tool's", '{"Id": "p1", "toolName": "hammer", "args": {"room": "attic"}}'],
    ["an id that is an object", '{"id": {"n": 1}, "name": "read_meter", "arguments": {"room": "attic"}}'],
    ["an id without a comma", '{"id": 1 "name": "read_meter", "arguments": {"room": "attic"}}'],
    ["a type of something else", '{"id": 1, "Type": "gauge", "name": "read_meter", "arguments": {"room": "attic"}}'],
    ["a message of the user", `{"id": "m1", "role": "user", "tool_calls": [${json}]}`],
    ["a reason alone", '{"reason": "It is cold.", "room": "attic"}'],
    ["text in typographic quotes", "{“room”: “attic”}"],
  ])("no call with %s", (_, object) => {
    for (const reply of list(object)) expect(readings(reply, "json-list")).toEqual([]);
  });

  test.each([
    ["after an id", '{"id": "a7", "ro'],
    ["after a reason", '{"reason": "It is cold.", "room"'],
    ["after a long reason", `{"reason": "${"It is cold. ".repeat(20)}`],
  ])("no call, which is emitted at once: %s", (_, begin) => {
    const parser = createReplyParser({ protocol: "json-list", tools: [{ name: "read_meter" }] });
    parser.push(begin);
    expect(parser.push('": 5')).toMatchObject([{ type: "text" }]);
  });
});

describe("a tool's name on the line before its JSON", () => {
  const object = '{"room": "attic"}';

  test.each([
    ["in bold", `**read_meter**\n${object}`],
    ["in quotes", `"read_meter"\n${object}`],
    ["in backquotes", `\`read_meter\`\n\n${object}`],
    ["before a fence", `read_meter\n\`\`\`json\n${object}\n\`\`\``],
    ["before a fence that is not closed", `read_meter\n\`\`\`\n${object}`],
    ["in bold before a fence", `**read_meter**\n\`\`\`json\n${object}\n\`\`\`\n`],
  ])("is read %s", (_, reply) => expect(readings(reply, "glm4")).toEqual([read]));

  test.each([
    ["in bold before an explanation", `**read_meter**\n${object}\n\nThis reads it.`],
    ["in backquotes before an explanation", `\`read_meter\`\n${object}\n\nThis reads it.`],
    ["in bold in a sentence", `**read_meter** takes\n${object}`],
    ["in other quotes", `"read_meter'\n${object}`],
    ["of no tool", `**write_meter**\n${object}`],
    ["before a fence of code", "read_meter\n```python\nprint(1)\n```"],
    ["before a fence with a list", 'read_meter\n```json\n["attic"]\n```'],
  ])("is text %s", (_, reply) => expect(readings(reply, "glm4")).toEqual([]));
});

describe("a tool's name after text begins a call that ends the reply", () => {
  test.each<[string, ProtocolName, string, unknown[]]>([
    ["on a line of its own", "glm4", 'I will look.\n\nread_meter\n{"room": "attic"}\n', [read]],
    ["glued to a sentence", "glm4", 'I will read the meter now.read_meter\n{"room": "attic"}', [read]],
    ["as a method, before its object", "glm4", 'The client has client.read_meter {"room": "attic"}', []],
    ["glued to a sentence and to its object", "glm4", 'I look.read_meter{"room": "attic"}', []],
    ["in Python", "pythonic", "I will look.\nread_meter(room='attic')", [read]],
    ["with more text after it", "glm4", 'Use this:\nread_meter\n{"room": "attic"}\nDone.', []],
    ["in the middle of a sentence", "glm4", 'I call read_meter\n{"room": "attic"}', []],
    ["with its parameters", "pythonic", "There is a tool:\nread_meter(room) reads it.", []],
    ["as part of another word", "glm4", 'See re.read_meter_all\n{"room": "attic"}', []],
    ["in a fence of an explanation", "glm4", 'So:\n```\nread_meter\n{"room": "attic"}\n```\nok?', []],
    ["within JSON", "glm4", '{"note": "look.\nread_meter\n{"room": "attic"}', []],
  ])("%s", (_, protocol, reply, wanted) => expect(readings(reply, protocol)).toEqual(wanted));
});

test("tool names throughout a long text are read in one pass", () => {
  const reply = "I look.read_meter now ".repeat(20_000);
  expect(parseReply(reply, { protocol: "glm4", tools: [{ name: "read_meter" }] }).text.length).toBeGreaterThan(400_000);
});

describe("calls shown in a text stay text", () => {
  test.each<[string, ProtocolName, string]>([
    ["inline code before an explanation", "pythonic", "`read_meter(room='attic')`\n\nThis reads the meter."],
    ["a list before an explanation", "pythonic", "1. read_meter(room='attic')\n2. now()\n\nThese are the steps."],
    ["a list as an argument in a sentence", "pythonic", "So foo([read_meter(room='attic')])"],
    ["an alternative", "pythonic", "`read_meter(room='attic')` or `set_lamp(room='hall')`"],
    ["a tool's name in quotes", "pythonic", '"read_meter" is a tool.'],
  ])("%s", (_, protocol, reply) => expect(readings(reply, protocol)).toEqual([]));
});

describe("a list without calls makes no call", () => {
  test.each<[ProtocolName, string]>([
    ["hermes", "<tool_call>\n[]\n</tool_call>"],
    ["jamba", "<tool_calls>[]</tool_calls>"],
    ["mistral-list", "[TOOL_CALLS] []"],
    ["lfm2", "<|tool_call_start|>[]<|tool_call_end|>"],
    ["kimi-k2", "<|tool_calls_section_begin|><|tool_calls_section_end|>"],
    ["minimax-m2", "<minimax:tool_call>\n</minimax:tool_call>"],
    ["phi4-mini", "<|tool_call|>[]<|/tool_call|>"],
    ["command-r", "<|START_ACTION|>[]<|END_ACTION|>"],
  ])("%s", (protocol, reply) => expect(readings(reply, protocol)).toEqual([]));

  test("does not hide the call after it", () => {
    expect(readings(`<tool_call>[]</tool_call>\n<tool_call>${json}</tool_call>`, "hermes")).toEqual([read]);
  });

  test("an opener with nothing after it is a broken call", () => {
    expect(readings("<tool_call></tool_call>", "hermes")).toEqual(["malformed"]);
  });
});
