import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, type ProtocolName, protocols } from "../../index.js";

const tools = [
  {
    name: "write_file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
      additionalProperties: false,
    },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
];

/** The formats that write a text between quotation marks, which a model may leave unescaped in it. */
const inQuotes = (Object.keys(protocols) as ProtocolName[]).filter((name) =>
  /"content": ?"TEXT"/.test(
    protocols[name].renderCalls([{ name: "write_file", arguments: { path: "a", content: "TEXT" } }], { tools }),
  ),
);

function read(reply: string, protocol: ProtocolName) {
  const [whole, single] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const found = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
    return {
      contents: found.toolCalls.map((call) => call.arguments.content),
      invalid: found.invalidToolCalls.length,
      text: found.text,
    };
  });
  expect(single).toEqual(whole);
  return whole!;
}

const written = (protocol: ProtocolName, content: string, isFirst: boolean) => {
  const args = isFirst ? { content: "TEXT", path: "a" } : { path: "a", content: "TEXT" };
  return protocols[protocol].renderCalls([{ name: "write_file", arguments: args }], { tools }).replace("TEXT", content);
};

/** What is read of calls with a text that seems to end them. */
const broken = (protocol: ProtocolName) =>
  ['foo"}}} bar', 'a"}}}, then', 'He wrote "}}}" there'].flatMap((text) =>
    [true, false].map((isFirst) => read(written(protocol, text, isFirst), protocol)),
  );

describe.each(inQuotes)("in %s, a text with unescaped quotes and brackets", (protocol) => {
  const piece = fc.constantFrom("x", " and ", '"}', '"}}', '"}}}', '"]', '"}]', '" ', "; ", ", ", "<b>", '"y"', '"};');
  const content = fc.array(piece, { minLength: 2, maxLength: 5 }).map((parts) => `${parts.join("")} z`);

  // After the arguments of a call that is an object's key, the rest is read as another key.
  test.skipIf(protocol === "apertus")("makes no call with a part of it", () =>
    fc.assert(
      fc.property(content, fc.boolean(), fc.constantFrom("", "\n"), (text, isFirst, after) => {
        for (const found of read(written(protocol, text, isFirst) + after, protocol).contents) expect(found).toBe(text);
      }),
      { numRuns: 60 },
    ),
  );

  test("leaves no part of it as text", () => {
    for (const found of broken(protocol)) expect(found.text).not.toMatch(/bar|then|there/);
  });

  test("is none of an answer on the next line", () => {
    const call = written(protocol, "x", false);
    const answer = 'It has {"a": "b"} and ["c"] and "d".';
    expect(read(`${call}\n${answer}`, protocol).contents).toEqual(["x"]);
  });
});

// One format, `laic`, has no other brackets around its arguments.
test.each(inQuotes.filter((name) => name !== "laic"))(
  "in %s, such a call is invalid, with all of its text",
  (protocol) => {
    for (const { contents, invalid } of broken(protocol)) expect([contents, invalid]).toEqual([[], 1]);
  },
);

test("a call that ended with its line does not go on after it, in any chunks", () => {
  const call = protocols["granite-20b"].renderCalls([{ name: "write_file", arguments: { path: "a", content: "x" } }], {
    tools,
  });
  expect(read(`${call}\n\n"y"}`, "granite-20b").contents).toEqual(["x"]);
});
