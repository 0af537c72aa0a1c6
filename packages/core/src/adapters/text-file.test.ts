import { describe, expect, it } from "vitest";
import { textOfFile } from "./text-file.js";

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

describe("the text of a file", () => {
  it.each(["text/plain", "text/markdown; charset=utf-8", "TEXT/CSV", "application/json", "application/ld+json"])(
    "is what a file of the type %s contains",
    (type) => expect(textOfFile(type, base64("Añ <b>"))).toBe("Añ <b>"),
  );

  it.each(["application/xml", "image/svg+xml", "application/yaml", "application/x-yaml", "application/javascript"])(
    "is what a file of the type %s contains",
    (type) => expect(textOfFile(type, base64("x"))).toBe("x"),
  );

  it.each(["application/pdf", "image/png", "audio/wav", "application/octet-stream", "*/*", ""])(
    "is unknown for a file of the type %s",
    (type) => expect(textOfFile(type, base64("x"))).toBeUndefined(),
  );

  it("comes from bytes, base64 of either alphabet, also without padding, and a data URL", () => {
    const text = "a?>~ÿ";
    const encoded = base64(text);
    const [bytes, url] = [new TextEncoder().encode(text), encoded.replaceAll("+", "-").replaceAll("/", "_")];
    const given = [bytes, bytes.buffer, encoded, url, encoded.replace(/=+$/, ""), `data:text/plain;base64,${encoded}`];
    for (const data of given) expect(textOfFile("text/plain", data)).toBe(text);
    expect(textOfFile("text/plain", "data:text/plain,a%20b")).toBe("a b");
    expect(textOfFile("text/plain", new URL(`data:text/plain;base64,${encoded}`))).toBe(text);
  });

  it("is unknown for an address and for data that is not base64", () => {
    for (const data of ["https://example.com/a.txt", new URL("https://example.com/a.txt"), "a b!", undefined, 5, {}])
      expect(textOfFile("text/plain", data)).toBeUndefined();
  });
});
