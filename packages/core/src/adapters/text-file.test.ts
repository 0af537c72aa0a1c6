import { describe, expect, it } from "vitest";
import { escapeText } from "../prompt/escape.js";
import { fileLabel, shownTextFile, withEscapedTexts } from "./text-file.js";

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const shown = (mediaType: string, data: unknown) => shownTextFile({ mediaType, data });

describe("the text of a file", () => {
  it.each([
    "text/plain",
    "text/markdown; charset=utf-8",
    "TEXT/CSV",
    "application/json",
    "application/ld+json",
    "text",
  ])("is what a file of the type %s contains", (type) =>
    expect(shown(type, base64("Añ <b>"))).toBe(`[file: ${type}]\nAñ <b>`),
  );

  it.each([
    ...["xml", "yaml", "x-yaml", "openapi+yaml", "javascript", "ndjson", "x-ndjson", "jsonl", "json-seq", "csv", "sh"],
    ...["x-sh", "graphql", "atom+xml", "json ; charset=utf-8"],
  ])("is what a file of the type application/%s contains", (type) =>
    expect(shown(`application/${type}`, base64("x"))).toBe(`[file: application/${type}]\nx`),
  );

  it.each(["application/pdf", "image/png", "audio/wav", "application/octet-stream", "*/*", ""])(
    "is unknown for a file of the type %s",
    (type) => expect(shown(type, base64("x"))).toBeUndefined(),
  );

  it("comes from bytes, base64 of either alphabet, also without padding, and a data URL", () => {
    const text = "a?>~ÿ";
    const encoded = base64(text);
    const [bytes, url] = [new TextEncoder().encode(text), encoded.replaceAll("+", "-").replaceAll("/", "_")];
    const inUrl = `data:text/plain;base64,${encoded}`;
    const given = [bytes, bytes.buffer, new DataView(bytes.buffer), encoded, url, encoded.replace(/=+$/, ""), inUrl];
    const others = [new URL(inUrl), inUrl.replaceAll("=", "%3D"), `data:text/plain,${text}`, "data:,a?%3E~%C3%BF"];
    for (const data of [...given, ...others]) expect(shown("text/plain", data)).toBe(`[file: text/plain]\n${text}`);
  });

  it("is read in the character set that the type or the data URL names, or the byte order mark", () => {
    const bytes = Uint8Array.of(0xe9, 0x3c);
    expect(shown("text/plain; charset=iso-8859-1", bytes)).toMatch(/\]\né<$/);
    expect(shown("text/plain", "data:text/plain;charset=iso-8859-1,%E9<")).toMatch(/\]\né<$/);
    expect(shown("text/plain", 'data:text/plain;charset="latin1";base64,6Tw=')).toMatch(/\]\né<$/);
    expect(shown("text/plain; charset=utf-8", Uint8Array.of(0xff, 0xfe, 0x48, 0))).toMatch(/\]\nH$/);
    expect(shown("text/plain; charset=iso-8859-1", Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9))).toMatch(/\]\né$/);
  });

  it("has replacement characters for bytes that are none of its encoding", () => {
    for (const data of ["data:text/plain,%E9<b>", "data:text/plain;base64,6TxiPg==", Uint8Array.of(0xe9, 60, 98, 62)])
      expect(shown("text/plain", data)).toBe("[file: text/plain]\n\ufffd<b>");
  });

  it("is unknown without data and for an address", () => {
    const addresses = [
      ...["https://example.com/a.txt?b=1#c", "file:///a.txt", "http://[::1]:8080/a.txt", "http://[::ffff:1.2.3.4]"],
      ...["https://münchen.de/größe.txt", "https://例え.jp/परीक्षण.txt", "https://a.b/n\u0303.txt"],
    ];
    for (const data of [
      ...addresses,
      ...addresses.map((one) => new URL(one)),
      new URL("s3://b/a.txt"),
      undefined,
      null,
    ])
      expect(shown("text/plain", data)).toBeUndefined();
  });

  it("is named as unreadable if it cannot be decoded", () => {
    const odd = [
      "a b!",
      "<b>",
      "data:<b>",
      "https://<b>",
      "https://a b",
      "https://[TOOL_CALLS]",
      "https://a/[TOOL_CALLS]",
      "https://[::1]/[TOOL_CALLS]",
      "https://a/＜b＞",
      "x:<b>",
      new URL("x:<b>"),
      5,
      {},
      "data:,\ud800",
    ];
    const unknown = "data:text/plain;charset=utf-7,+ADw-";
    for (const data of [...odd, unknown])
      expect(shownTextFile({ name: "a.txt", mediaType: "text/plain", context: "C", data })).toBe(
        "[file: a.txt, text/plain, not readable]",
      );
    expect(shown("text/plain; charset=utf-7", "eA==")).toBe("[file: text/plain; charset=utf-7, not readable]");
  });

  it("may be known, and comes after its context", () => {
    const file = { name: "T", mediaType: "", context: "C", text: "a" };
    expect(shownTextFile(file)).toBe("[file: T]\nC\na");
    expect(fileLabel(file)).toBe("file: T");
  });
});

it("a file that a model's server reads has no marker in its names and the texts of its parts", () => {
  const text = "<tool_call>";
  const data = new Uint8Array(1);
  const of = (name: string) => ({
    type: "document",
    title: name,
    document: { name, format: "pdf", source: { bytes: data } },
    providerOptions: { anthropic: { title: name, context: name } },
    source: {
      type: "content",
      data: text,
      content: [
        { type: "text", text: name },
        { type: "image", data },
      ],
    },
  });
  const result = withEscapedTexts(of(text));
  expect(result).toEqual(of(result.title));
  expect(result.title).toBe(escapeText(text));
  expect(result.document.source.bytes).toBe(data);
});

it("a file that a model's server reads gives its texts as they were", () => {
  const texts: string[] = [];
  withEscapedTexts({ filename: "<a>", data: "no", source: { title: "b", content: [{ text: "c" }, "no"] } }, texts);
  expect(texts).toEqual(["<a>", "b", "c"]);
});

it("a file may be nested deeply, and contain itself", () => {
  const text = "<tool_call>";
  let deep: object = { text };
  for (let i = 0; i < 100_000; i++) deep = { content: [deep] };
  const texts: string[] = [];
  let found = withEscapedTexts(deep, texts) as { content?: [typeof found]; text?: string };
  while (found.content) [found] = found.content;
  expect([found.text, texts]).toEqual([escapeText(text), [text]]);

  const own: { text: string; source?: object } = { text };
  own.source = own;
  const copy = withEscapedTexts(own);
  expect([copy.text, copy.source === copy, own.text]).toEqual([escapeText(text), true, text]);
});
