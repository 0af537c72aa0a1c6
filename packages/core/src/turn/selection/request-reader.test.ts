import fc from "fast-check";
import { expect, test } from "vitest";
import { RequestReader } from "./request-reader.js";

/** The text of a reply without its request for tools, and the request. */
function read(pieces: readonly string[]) {
  const reader = new RequestReader(() => false);
  const events = [...pieces.flatMap((text) => reader.on({ type: "text", text })), ...reader.end()];
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { text, request: reader.request };
}

test("a reply is read alike in any pieces, and loses only its request and the space before it", () => {
  const part = fc.constantFrom(
    "<am:request_tools>",
    "</am:request_tools>",
    "<am:req",
    "/>",
    " ",
    "\n",
    "a",
    "<",
    "é",
    " x ",
  );
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""))), (pieces) => {
      const reply = pieces.join("");
      const found = read(pieces);
      expect(found).toEqual(read([...reply]));
      const at = reply.indexOf("<am:request_tools");
      expect(found.text).toBe(at < 0 ? reply : reply.slice(0, at).trimEnd());
      expect(found.request === undefined).toBe(at < 0);
    }),
    { numRuns: 1000 },
  );
});

test("code, copies and long requests are read alike in any pieces, and nothing of a text is lost", () => {
  const copied = "<am:request_tools>copied";
  const part = fc.constantFrom(
    ...[
      "<am:request_tools>",
      "</am:request_tools>",
      `${copied}</am:request_tools>`,
      "`",
      "``",
      "~~~",
      "```\n",
      "\n",
      " ",
      "a",
    ],
    "word ".repeat(500),
  );
  const readAll = (pieces: readonly string[]) => {
    const reader = new RequestReader((request) => request === copied);
    const events = [...pieces.flatMap((text) => reader.on({ type: "text", text })), ...reader.end()];
    const kept = events
      .flatMap((event) => (event.type === "text" || event.type === "dropped" ? event.text : []))
      .join("");
    return { kept, request: reader.request };
  };
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""))), (pieces) => {
      const found = readAll(pieces);
      const reply = pieces.join("");
      expect(found).toEqual(readAll([...reply]));
      expect(found.request?.length ?? 0).toBeLessThanOrEqual(2000);
      if (found.request === undefined) expect(found.kept).toBe(reply);
      else expect(reply.replaceAll(/\s/g, "").startsWith(found.kept.replaceAll(/\s/g, ""))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

// It takes hours where the white space is read again with each piece. The runner's limit of time is the test.
test("white space in a million pieces", () => {
  const spaces: string[] = Array.from({ length: 1_000_000 }, () => " ");
  expect(read([...spaces, "a"]).text).toHaveLength(1_000_001);
  expect(read([...spaces, "<am:request_tools>mail"])).toEqual({ text: "", request: "mail" });
});
