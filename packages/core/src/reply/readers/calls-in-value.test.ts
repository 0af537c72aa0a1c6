import { describe, expect, test } from "vitest";
import { tools } from "../../../test/support/read.js";
import { createReplyParser } from "../../index.js";
import { collectReply } from "../parse-reply.js";

/** The arguments of the calls that run, and the number of those that do not, the same in any chunks. */
function read(reply: string) {
  const [whole, ...others] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol: "tool-tags", tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    const { toolCalls, invalidToolCalls } = collectReply(events);
    return { calls: toolCalls.map((call) => call.arguments), invalid: invalidToolCalls.length };
  });
  expect(others).toEqual([whole]);
  return whole;
}

const file = (content: string) => `<write_file>\n<path>a</path>\n<content>\n${content}</write_file>`;

describe("an element named after a tool in a text", () => {
  test.each([
    ["with children", "<get_weather>\n<city>Rome</city>\n</get_weather>"],
    ["that closes itself", "<now/>"],
    ["without contents", "<now></now>"],
    ["after a line", "Call it:\n<get_weather><city>Rome</city></get_weather>"],
  ])("%s is a part of it", (_, content) =>
    expect(read(file(`${content}\n</content>\n`))).toEqual({ calls: [{ path: "a", content }], invalid: 0 }),
  );

  test("is a part of JSON", () => {
    const reply = '<get_weather><city>Rome</city><tags>["<write_file><path>"]</tags></get_weather>';
    expect(read(reply)).toEqual({ calls: [{ city: "Rome", tags: ["<write_file><path>"] }], invalid: 0 });
  });

  test.each([
    ["the end of the text is missing", file("abc\n<get_weather>\n<city>Rome</city>\n</get_weather>\n")],
    ["its own end is missing", file("abc\n<get_weather>\n<city>Rome</city>\n</content>\n")],
    ["another call of the tool begins", `<write_file><content>abc\n<now></now>\n${file("x\n</content>\n")}`],
  ])("may be a call where %s", (_, reply) => expect(read(reply)).toMatchObject({ calls: [], invalid: 1 }));
});
