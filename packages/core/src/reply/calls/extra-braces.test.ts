import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, type ProtocolName, protocols } from "../../index.js";

const tools = [
  { name: "send", parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
];
const args = { text: "a" };
const rendered = (name: ProtocolName) => protocols[name].renderCalls([{ name: "send", arguments: args }], { tools });

/** The formats that write arguments in JSON. */
const inJson = (Object.keys(protocols) as ProtocolName[]).filter((name) => /\{"text": ?"a"\}/.test(rendered(name)));

function read(reply: string, protocol: ProtocolName) {
  const [whole, single] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const { toolCalls, text } = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
    return [...toolCalls.map((call) => call.arguments), text];
  });
  expect(single).toEqual(whole);
  return whole;
}

describe.each(inJson)("in %s, braces too many after the arguments", (protocol) => {
  test.each(["}", "}}", "\n}"])("are noise: %j", (extra) => {
    const reply = rendered(protocol).replace(/"a"\}+/, (end) => end + extra);
    expect(read(reply, protocol)).toEqual([args, ""]);
  });
});

describe("braces too many after a line of ReAct", () => {
  test.each(["Action: send ", "Action: send\nAction Input: "])("are noise: %j", (begin) => {
    const call = `${begin}{"text": "a"}}`;
    expect(read(call, "react")).toEqual([args, ""]);
    expect(read(`${call}\nObservation: It is sent.`, "react")).toEqual([args, ""]);
    expect(read(`${call}\n${call}`, "react")).toEqual([args, args, ""]);
    expect(read(`${call}\nNow {x} is sent.`, "react")).toEqual([args, "Now {x} is sent."]);
  });
});

test("braces after a closing marker are text", () => {
  const call = '<tool_call>\n{"name": "send", "arguments": {"text": "a"}}\n</tool_call>';
  expect(read(`${call}}`, "hermes")).toEqual([args, "}"]);
  expect(read(`${call}\n} is a brace.`, "hermes")).toEqual([args, "} is a brace."]);
});
