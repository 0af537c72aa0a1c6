import { expect, test } from "vitest";
import { parseReply, protocols, type ToolDefinition } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";

// Models write calls as JSON, the most common form, between the markers of their own format.

const tools: ToolDefinition[] = [
  { name: "send", parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] } },
];
const json = '{"name": "send", "arguments": {"to": "X"}}';

/** The tokens of these two are those of all messages, and do not say that a call follows. */
const SHARED = ["kimi-k3", "inkling"];

const MARKER = /<[^<>]*>|\[[A-Z_]+\]/g;
const first = (text: unknown) =>
  typeof text === "string" && text.search(MARKER) === 0 ? text.match(MARKER)?.[0] : undefined;
const last = (text: unknown) => (typeof text === "string" ? text.match(MARKER)?.at(-1) : undefined);

const replies = protocolNames
  .filter((name) => !SHARED.includes(name))
  .flatMap((name) => {
    const { call, block } = protocols[name].syntax;
    const [open, close] = [first(call[0]), last(call.at(-1))];
    const [opens, closes] = [first(block?.open), last(block?.close)];
    return [
      ...(open && close ? [`${open}${json}${close}`, `${open}\n${json}\n${close}`, `${open}[${json}]${close}`] : []),
      ...(opens && closes ? [`${opens}${json}${closes}`, `${opens}\n[${json}]\n${closes}`] : []),
      ...(open && close && opens && closes ? [`${opens}${open}${json}${close}${closes}`] : []),
    ].map((reply) => ({ name, reply }));
  });

test.each(replies)("a call as JSON between the markers of $name is read: $reply", ({ name: protocol, reply }) => {
  const { toolCalls, invalidToolCalls, text } = parseReply(`Let me see.\n${reply}`, { protocol, tools });
  expect({ toolCalls, invalidToolCalls, text: text.trim() }).toMatchObject({
    toolCalls: [{ name: "send", arguments: { to: "X" } }],
    invalidToolCalls: [],
    text: "Let me see.",
  });
});

test("most protocols have such markers", () => {
  expect(new Set(replies.map(({ name }) => name)).size).toBeGreaterThan(30);
});
