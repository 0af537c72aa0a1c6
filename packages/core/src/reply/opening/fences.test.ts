import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { createReplyParser } from "../../full/index.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";

const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const fenced = `\`\`\`xml\n${call}\n\`\`\``;

describe("a code fence", () => {
  test.each<[string, string, Piece[]]>([
    [
      "that is the whole reply is markup around the call",
      fenced,
      [
        ["dropped", "```xml\n"],
        ["call", "get_weather"],
        ["dropped", "\n```"],
      ],
    ],
    ["after words quotes the call", `Like so:\n${fenced}`, [["text", `Like so:\n${fenced}`]]],
    ["of HTML quotes the call", fenced.replace("xml", "html"), [["text", fenced.replace("xml", "html")]]],
    [
      "that is never closed quotes nothing",
      `Like so:\n\`\`\`\n${call}`,
      [
        ["text", "Like so:\n```"],
        ["call", "get_weather"],
      ],
    ],
  ])("%s", (_, reply, wanted) => expect(pieces(reply, "hermes")).toEqual(wanted));
});

describe("inline code", () => {
  test("quotes the markers in it", () =>
    expect(pieces(`Write \`${call}\` for it.`, "hermes")).toEqual([["text", `Write \`${call}\` for it.`]]));

  test("ends with its line", () =>
    expect(pieces(`Open \`here\n${call}`, "hermes")).toEqual([
      ["text", "Open `here"],
      ["call", "get_weather"],
    ]));

  const tools = [{ name: "add", parameters: { type: "object" as const, properties: { a: { type: "integer" } } } }];
  test.each(Object.keys(protocols) as ProtocolName[])("quotes all lines of a call in it: %s", (protocol) => {
    const written = protocols[protocol].renderCalls([{ name: "add", arguments: { a: 1 } }], { tools }).trim();
    const reply = `An example: \`${written}\` is a call.`;
    for (const chunks of [[reply], [...reply]]) {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      expect(events.filter(({ type }) => type !== "text")).toEqual([]);
    }
  });

  test("that quotes a call ends with its paragraph", () =>
    expect(pieces(`Open \`<tool_call> here\nor there.\n \n${call}`, "hermes")).toEqual([
      ["text", "Open `<tool_call> here\nor there."],
      ["call", "get_weather"],
    ]));
});
