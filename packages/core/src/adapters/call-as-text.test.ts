import { expect, test } from "vitest";
import { parseReply } from "../full/index.js";
import { everyProtocol } from "../protocols/index.js";
import { callAsText } from "./call-as-text.js";

const tools = [{ name: "add", parameters: { type: "object", properties: { a: { type: "number" } } } }];

test.each(everyProtocol.map((protocol) => [protocol.name, protocol] as const))(
  "a call as text is read by the parser of %s, and a truncated one is no call",
  (_, protocol) => {
    const twice = [callAsText("add", { a: 2 }), callAsText("add", { a: 3 })].join("\n");
    expect(parseReply(twice, { tools, protocol }).toolCalls.map((call) => call.arguments)).toEqual([
      { a: 2 },
      { a: 3 },
    ]);
    const cut = parseReply(callAsText("add", '{"a": 2'), { tools, protocol, finish: "length" });
    expect(cut).toMatchObject({ toolCalls: [], invalidToolCalls: [{ name: "add" }] });
  },
);
