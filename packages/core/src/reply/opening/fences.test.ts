import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { createReplyParser, parseReply } from "../../full/index.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";

const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const other = (fence: string) => (fence === "~~~" ? "```" : "~~~");

describe.each(["```", "~~~"])("a code fence of %s", (fence) => {
  const fenced = `${fence}xml\n${call}\n${fence}`;

  test.each<[string, string, Piece[]]>([
    [
      "that is the whole reply is markup around the call",
      fenced,
      [
        ["dropped", `${fence}xml\n`],
        ["call", "get_weather"],
        ["dropped", `\n${fence}`],
      ],
    ],
    ["after words quotes the call", `Like so:\n${fenced}`, [["text", `Like so:\n${fenced}`]]],
    ["of HTML quotes the call", fenced.replace("xml", "html"), [["text", fenced.replace("xml", "html")]]],
    [
      "that is never closed quotes nothing",
      `Like so:\n${fence}\n${call}`,
      [
        ["text", `Like so:\n${fence}`],
        ["call", "get_weather"],
      ],
    ],
    [
      "quotes the other fence as well",
      `Like so:\n${fence}\n${other(fence)}\n${call}\n${fence}`,
      [["text", `Like so:\n${fence}\n${other(fence)}\n${call}\n${fence}`]],
    ],
    [
      "ends where it is closed",
      `Like so:\n${fence}\n${call}\n${fence}\n${call}`,
      [
        ["text", `Like so:\n${fence}\n${call}\n${fence}`],
        ["call", "get_weather"],
      ],
    ],
  ])("%s", (_, reply, wanted) => {
    expect(pieces(reply, "hermes")).toEqual(wanted);
  });

  test("around a call without a marker is markup, and after words a quotation if words follow", () => {
    const json = '{"name": "get_weather", "parameters": {"city": "Oslo"}}';
    const tools = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
    const read = (reply: string) => parseReply(reply, { protocol: "llama3-json", tools }).toolCalls.length;
    expect(read(`${fence}json\n${json}\n${fence}`)).toBe(1);
    expect(read(`I call it:\n${fence}json\n${json}\n${fence}`)).toBe(1);
    expect(read(`Like so:\n${fence}json\n${json}\n${fence}\nDo you see?`)).toBe(0);
  });
});

test("tildes within a line, and fewer than three, quote nothing", () => {
  for (const before of ["It is ~~~ about ", "~~old~~\n", "~ 5\n", "a ~~~\n"])
    expect(pieces(`${before}${call}`, "hermes").at(-1)).toEqual(["call", "get_weather"]);
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
