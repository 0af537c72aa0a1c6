import { expect, test } from "vitest";
import { createReplyParser } from "../full/index.js";
import { type ProtocolName, protocols } from "../protocols/index.js";
import { formsOf } from "../syntax/syntax.js";

const names = Object.keys(protocols) as ProtocolName[];
const blocks = names.flatMap((name) =>
  formsOf(protocols[name].syntax)
    .flatMap(({ block }) => block ?? [])
    .filter(({ open, close }) => /\p{L}/u.test(open) && /\p{L}/u.test(close))
    .map(({ open, close }) => [name, open.replace(/\[$/, "").trim(), close.replace(/^\]/, "").trim()] as const),
);

test.each(blocks)("in %s a block %s…%s without a readable call ends at its closing marker", (protocol, open, close) => {
  const tools = [{ name: "f", parameters: { type: "object" } }];
  for (const body of ["no call", "f", '{"f": ', "<f", "[1, 2"]) {
    const reply = `Before. ${open}${body}${close} After.`;
    const results = [[reply], [...reply]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
      return { text, calls: events.filter(({ type }) => type === "call-end").length };
    });
    expect(results[1]).toEqual(results[0]);
    expect(results[0]?.text).toMatch(/ After\.$/);
  }
});
