import fc from "fast-check";
import { expect, it } from "vitest";
import { createEscaper } from "../prompt/escape.js";
import type { ReplyEvent } from "../types.js";
import { createEventUnescaper } from "./unescape-events.js";

const escaper = createEscaper([]);
const value = fc.jsonValue().map((data) => ({ data: JSON.parse(JSON.stringify(data)) }));
const text = fc
  .array(fc.constantFrom("<", "\u2060", "|x|>", "[", "INST]", "a", "\\", '"', "\n"))
  .map((parts) => parts.join(""));

it("emits deltas that parse to the unescaped arguments, in any chunks and spellings", () => {
  fc.assert(
    fc.property(fc.oneof(value, fc.record({ text })), fc.nat(20), fc.boolean(), (args, size, spelt) => {
      let json = JSON.stringify(args);
      if (spelt) json = json.replaceAll("\u2060", "\\u2060");
      const fix = createEventUnescaper(escaper);
      fix({ type: "call-start", index: 0, id: "1", name: "f" });
      let out = "";
      for (let at = 0; at < json.length; at += size + 1) {
        const event = fix({ type: "call-delta", index: 0, argumentsDelta: json.slice(at, at + size + 1) });
        if (event.type === "call-delta") out += event.argumentsDelta;
      }
      const end = fix({ type: "call-end", index: 0, call: { id: "1", name: "f", arguments: args } });
      expect(end.type === "call-end" && end.call.arguments).toEqual(JSON.parse(out));
    }),
    { numRuns: 500 },
  );
});

it("unescapes an answer the same in any chunks", () => {
  fc.assert(
    fc.property(text, fc.nat(5), (whole, size) => {
      const fix = createEventUnescaper(escaper);
      let out = "";
      for (let at = 0; at < whole.length; at += size + 1) {
        const event: ReplyEvent = fix({ type: "text", text: whole.slice(at, at + size + 1) });
        if (event.type === "text") out += event.text;
      }
      expect(out).toBe(escaper.unescape(whole));
    }),
  );
});
