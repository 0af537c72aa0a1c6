import { describe, expect, test } from "vitest";
import { createReplyParser, parseReply } from "../full/index.js";

const parameters = { type: "object", properties: { room: { type: "string" }, level: { type: "integer" } } };
const tools = [{ name: "set_lamp", parameters }];

describe("at-command", () => {
  test.each([
    '@set_lamp {"room": "hall", "level": 3}',
    '@set_lamp(room="hall", level=3)',
    '@set_lamp({"room": "hall", "level": 3})',
    'I switch it on.\n@set_lamp(room="hall", level=3)\nDone.',
  ])("arguments are JSON, or in parentheses: %s", (reply) => {
    const parser = createReplyParser({ tools, protocol: "at-command" });
    const streamed = [...reply].flatMap((char) => parser.push(char)).concat(parser.end());
    const call = { name: "set_lamp", arguments: { room: "hall", level: 3 } };
    expect(parseReply(reply, { tools, protocol: "at-command" }).toolCalls).toMatchObject([call]);
    expect(streamed.filter(({ type }) => type === "call-end")).toMatchObject([{ call }]);
  });

  test.each(["@cache(room=1)", "I write @set_lamp(level=3) here.", "@set_lamps(level=3)", "`@set_lamp(level=3)`"])(
    "a decorator that is no tool's name, or in a sentence, calls nothing: %s",
    (reply) => expect(parseReply(reply, { tools, protocol: "at-command" }).toolCalls).toEqual([]),
  );
});
