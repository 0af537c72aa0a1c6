import { expect, test } from "vitest";
import {
  fromMcpContent,
  fromMcpResource,
  type PmlAttachment,
  parsePml,
  resolveAliases,
  stringifyPml,
  toMcpResource,
} from "../src/index.js";

test("resources of MCP become attachments, and attachments resources", () => {
  const contents = [
    { uri: "file:///notes.md", mimeType: "text/markdown", text: "# Notes" },
    { uri: "file:///cat.png", mimeType: "image/png", blob: "iVBORw0KGgo=", _meta: { x: 1 } },
  ];
  const { value, losses } = fromMcpResource({ contents });
  expect(value).toEqual([
    { type: "attachment", kind: "file", url: "file:///notes.md", mime: "text/markdown", content: "# Notes" },
    {
      type: "attachment",
      kind: "image",
      url: "file:///cat.png",
      mime: "image/png",
      encoding: "base64",
      content: "iVBORw0KGgo=",
    },
  ]);
  expect(losses).toMatchObject([{ path: "/contents/1/_meta", what: "_meta" }]);
  expect(value.map((one) => toMcpResource(one))).toEqual([
    { value: { type: "resource", resource: contents[0] }, losses: [] },
    {
      value: { type: "resource", resource: { uri: "file:///cat.png", mimeType: "image/png", blob: "iVBORw0KGgo=" } },
      losses: [],
    },
  ]);
  expect(toMcpResource({ type: "attachment", kind: "file", path: "src/a b.ts", name: "a", content: "1" })).toEqual({
    value: { type: "resource", resource: { uri: "file:///src/a%20b.ts", text: "1" } },
    losses: [
      { path: "/name", what: "name", why: "has no counterpart in a resource" },
      { path: "/path", what: "path", why: "is written as a URL, and is read as one" },
    ],
  });
  expect(() => fromMcpResource({ contents: [{ uri: "a:b" }] })).toThrow("/contents/0/text");
});

test("a kind that a resource does not express is reported", () => {
  const kinds = ["file", "image", "diff", "my-own"].flatMap((kind) =>
    [undefined, "image/png", "text/plain"].map((mime) => ({ kind, mime })),
  );
  for (const { kind, mime } of kinds) {
    const given: PmlAttachment = { type: "attachment", kind, url: "a:b", content: "1", ...(mime && { mime }) };
    const { value, losses } = toMcpResource(given);
    const back = fromMcpResource({ contents: [value.resource] }).value;
    // Without losses, converting back returns the same attachment.
    expect({ same: losses.length === 0, losses }).toEqual({ same: back[0]?.kind === kind, losses });
    if (losses.length === 0) expect(back).toEqual([given]);
    else expect(losses.map(({ path }) => path)).toEqual(["/kind"]);
  }
});

test("every path and name becomes an address", () => {
  const addressOf = (attachment: object) => {
    const { value, losses } = toMcpResource({ type: "attachment", kind: "file", content: "1", ...attachment });
    return [value.resource.uri, losses.map(({ path }) => path)];
  };
  expect(addressOf({ path: "src/a#1?.ts" })).toEqual(["file:///src/a%231%3F.ts", ["/path"]]);
  expect(addressOf({ path: "\ud800.ts" })).toEqual(["file:///%EF%BF%BD.ts", ["/path", "/path"]]);
  expect(addressOf({ name: "\ud800" })).toEqual(["pml:%EF%BF%BD", ["/name", "/name"]]);
});

test("content that an attachment or a resource cannot have is reported, or refused", () => {
  const link: PmlAttachment = { type: "attachment", kind: "ref", url: "https://a.example/b" };
  expect(toMcpResource(link).losses).toMatchObject([
    { path: "/kind", what: "kind", why: 'is read as "file"' },
    { path: "", what: "content" },
  ]);
  const { value, losses } = fromMcpContent([
    { type: "resource_link", uri: "a:b", name: "b", title: "B", size: 5 },
    { type: "resource", resource: { uri: "a:b", text: "1", blob: "AAAA" } },
  ]);
  expect(value.attachments).toMatchObject([{ name: "B" }, { content: "1" }]);
  expect(losses.map(({ path }) => path)).toEqual(["/0/size", "/0/name", "/1/resource/blob"]);
  expect(() => fromMcpResource({ contents: [{ uri: "a:b", blob: "no base64!" }] })).toThrow(
    "/contents/0/blob: expected base64",
  );
  expect(() => fromMcpContent([{ type: "image", data: "AAA=A", mimeType: "image/png" }])).toThrow("/0/data");
});

test("the content of a tool's result becomes a text and attachments", () => {
  const { value, losses } = fromMcpContent([
    { type: "text", text: "Found 2:" },
    { type: "text", text: "these." },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource_link", uri: "file:///a.ts", name: "a.ts", description: "The first file" },
    { type: "resource", resource: { uri: "file:///b.ts", text: "b" } },
    { type: "hologram" },
  ]);
  expect(value).toEqual({
    text: "Found 2:\nthese.",
    attachments: [
      { type: "attachment", kind: "image", mime: "image/png", encoding: "base64", content: "AAAA" },
      { type: "attachment", kind: "ref", name: "a.ts", alt: "The first file", url: "file:///a.ts" },
      { type: "attachment", kind: "file", url: "file:///b.ts", content: "b" },
    ],
  });
  expect(losses.map(({ what }) => what)).toEqual(["hologram", "text"]);
});

test("aliases of LAIC become full names, with values of the schema's types", () => {
  const tools = [
    {
      name: "get_weather",
      parameters: {
        type: "object",
        properties: { location: { type: "string" }, days: { type: "integer" } },
        required: ["location"],
      },
    },
  ];
  const document = parsePml(
    `<conversation><turn><assistant><call id="1" name="W" loc="Oslo" days="2"/><call id="2" name="get_weather" location="Rome"/><call id="3" name="Q" x="1"/></assistant></turn></conversation>`,
  );
  const { value, losses } = resolveAliases(document, { tools, aliases: { get_weather: { alias: "W" } } });
  const [message] = value.conversation?.turns[0]?.messages ?? [];
  expect(message).toEqual({
    type: "assistant",
    parts: [
      { type: "call", id: "1", name: "get_weather", arguments: { location: "Oslo", days: 2 } },
      { type: "call", id: "2", name: "get_weather", arguments: { location: "Rome" } },
      { type: "call", id: "3", name: "Q", arguments: { x: "1" } },
    ],
  });
  expect(losses).toMatchObject([{ path: "/conversation/turns/0/messages/0/parts/2/name", what: "Q" }]);
  expect(stringifyPml(value)).toContain(
    '<call id="1" name="get_weather" location="Oslo">\n          <arguments>{"days":2}</arguments>',
  );
});
