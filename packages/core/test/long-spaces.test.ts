import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, getProtocol, type ParsedReply, parseReply } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";

const tools = [
  {
    name: "book",
    parameters: {
      type: "object",
      properties: {
        from: { type: "string" },
        n: { type: "integer" },
        list: { type: "array", items: { type: "string" } },
      },
      required: ["from"],
    },
  },
];
const call = { name: "book", arguments: { from: "OSL", n: 2, list: ["a", "b"] } };

/** Around the limits of what is waited for: of a name, and of a tag. */
const lengths = [240, 256, 257, 1020, 1027];

function streamed(reply: string, protocol: (typeof protocolNames)[number], length: number): ParsedReply {
  const parser = createReplyParser({ protocol, tools });
  const chunks = Array.from({ length: Math.ceil(reply.length / length) }, (_, i) => reply.substr(i * length, length));
  return collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
}

const found = ({ text, toolCalls, invalidToolCalls }: ParsedReply) => ({
  text,
  calls: toolCalls.map(({ name, arguments: args }) => ({ name, args })),
  errors: invalidToolCalls.map(({ error }) => error.code),
});

describe("a reply with long white space within its call reads the same in chunks", () => {
  test.each(protocolNames)("%s", (protocol) => {
    const rendered = getProtocol(protocol).renderCalls([call], { tools });
    const seams = [...rendered.matchAll(/(?<=[<>})\]=])|(?=[<>{(\][=])/g)].map(({ index }) => index);
    for (const at of seams) {
      for (const [i, length] of lengths.entries()) {
        const reply = rendered.slice(0, at) + (i % 2 === at % 2 ? " " : "\n").repeat(length) + rendered.slice(at);
        const whole = found(parseReply(reply, { protocol, tools }));
        expect(found(streamed(reply, protocol, 61)), JSON.stringify(reply)).toEqual(whole);
      }
    }
  });
});
