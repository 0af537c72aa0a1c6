import { describe, expect, test } from "vitest";
import { createReplyParser, getProtocol, type ProtocolName, type ToolDefinition } from "../src/index.js";
import { isTagMark } from "../src/syntax/markers.js";
import { protocolNames } from "./arbitraries.js";
import { given } from "./support/slip-scenarios.js";
import { judge, print } from "./support/slipped-calls.js";

// A reply with one slip: only the intended call runs, or none.
// `npm run verify -- slips` makes them in more replies, and prints the table of kinds and protocols.

/**
 * Whether a slip is within the mark of a tag, or between the two, where none can be, because the mark is one token: some markup
 * is left without the tags that have theirs, or a comma is added before its bracket.
 */
function isWithinMark(text: string, protocol: ProtocolName): boolean {
  const mark = getProtocol(protocol).syntax.noise?.find(isTagMark);
  if (mark === undefined) return false;
  const [first = "", ...pieces] = text.split(mark);
  const values = [first, ...pieces.map((piece) => piece.replace(/^<[^<>]*>/, ""))];
  return values.some((value) => /[<>]|,$/.test(value));
}

describe.each(protocolNames)("%s", (protocol) => {
  test("no slip in a reply makes a call that was not meant", () => {
    const wrong = given(1).flatMap(({ scenario, kinds }) =>
      judge(protocol, scenario, kinds)
        .filter(({ verdict, text }) => verdict === "wrong" && !isWithinMark(text, protocol))
        .map(({ kind, text, got }) => ({ kind, text, got, wanted: scenario.calls.map(print) })),
    );
    expect(wrong).toEqual([]);
  });
});

/** `npm test` reads every twelfth of them, `npm run verify -- laws` all. */
const STEP = process.env.LAWS === undefined ? 12 : 1;

describe.each(protocolNames)("%s", (protocol) => {
  test("a reply with a slip is read the same character by character", () => {
    const [{ scenario }] = given(1) as [ReturnType<typeof given>[number]];
    const { tools } = scenario;
    for (const [i, { text }] of judge(protocol, scenario).entries()) {
      if (i % STEP > 0) continue;
      expect({ text, ...read([...text], tools, protocol) }).toEqual({ text, ...read([text], tools, protocol) });
    }
  });
});

/** The calls of a reply, with the text of their deltas, and the text around them. */
function read(chunks: readonly string[], tools: ToolDefinition[], protocol: ProtocolName) {
  const parser = createReplyParser({ tools, protocol, generateId: () => "id" });
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  const calls = events.flatMap((event) => ("call" in event ? [{ type: event.type, ...event.call }] : []));
  const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  for (const event of events) {
    if (event.type !== "call-end") continue;
    const deltas = events.map((one) =>
      one.type === "call-delta" && one.index === event.index ? one.argumentsDelta : "",
    );
    expect(JSON.parse(deltas.join(""))).toEqual(event.call.arguments);
  }
  return { calls, said };
}
