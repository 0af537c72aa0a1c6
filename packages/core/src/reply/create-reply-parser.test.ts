import { describe, expect, test } from "vitest";
import { hermes } from "../protocols/hermes.js";
import { type ProtocolName, protocols } from "../protocols/index.js";
import type { ReplyEvent, ReplyParser } from "../types.js";
import { createReplyParser, parserOf } from "./create-reply-parser.js";
import type { ReplyParserOptions } from "./reply-parser-options.js";

const tools = [{ name: "add" }];
const call = '<tool_call>\n{"name": "add", "arguments": {}}\n</tool_call>';
const invoke = '<invoke name="add">\n</invoke>';

const read = (parser: ReplyParser, reply: string): ReplyEvent[] => [...parser.push(reply), ...parser.end()];
const calls = (options: ReplyParserOptions, reply = call + invoke) =>
  read(createReplyParser({ tools, ...options }), reply).filter(({ type }) => type === "call-end").length;

describe("a parser", () => {
  test("reads its own protocol, and all registered ones unless only its own counts", () => {
    expect(calls({ protocol: hermes })).toBe(1);
    expect(calls({ protocol: hermes, registry: protocols })).toBe(2);
    expect(calls({ protocol: "hermes", registry: protocols, accept: "own" })).toBe(1);
    expect(calls({ protocol: "auto", registry: protocols, accept: "own" })).toBe(2);
    expect(calls({ registry: protocols })).toBe(2);
  });

  test("reads no calls if there are no tools, and any name if they are unknown", () => {
    expect(read(createReplyParser({ protocol: hermes, tools: [] }), call)).toEqual([{ type: "text", text: call }]);
    expect(calls({ protocol: hermes, tools: undefined })).toBe(1);
  });

  test("has the protocol by its name only in a registry", () => {
    const code = (options: ReplyParserOptions) => {
      try {
        createReplyParser(options);
      } catch (error) {
        return (error as { code?: string }).code;
      }
      return undefined;
    };
    expect(code({})).toBe("unknown-protocol");
    expect(code({ protocol: "hermes" })).toBe("unknown-protocol");
    expect(code({ protocol: "other" as never, registry: protocols })).toBe("unknown-protocol");
    expect(code({ protocol: "hermes", registry: { hermes } })).toBeUndefined();
  });

  test("has settings of its own", () => {
    const deltas = (settings: Parameters<typeof parserOf>[1]) =>
      read(parserOf({ protocol: hermes, tools }, settings), call).filter(({ type }) => type === "call-delta").length;
    expect([deltas({ deltas: false }), deltas({})]).toEqual([0, 1]);
    expect(
      read(parserOf({ protocol: "hermes", tools, generateId: () => "mine" }, { registry: protocols }), call),
    ).toContainEqual({
      type: "call-end",
      index: 0,
      call: { id: "mine", name: "add", arguments: {} },
    });
  });

  test.each(Object.keys(protocols) as ProtocolName[])(
    "for %s buffers a bounded part of text, however it repeats itself",
    (protocol) => {
      const units = [
        ..." \n\t<{[(\"'`#*-/\\7a.,:;|>_=~é",
        "</",
        "<a",
        '"{',
        "[{",
        "- ",
        "``` ",
        "<|",
        "a ",
        "a\n",
        "// ",
        " \n",
        "<!--",
      ];
      for (const unit of units) {
        for (const before of ["", "ok "]) {
          const text = before + unit.repeat(2000);
          const events = createReplyParser({ protocol, registry: protocols, tools }).push(text);
          const emitted = events.map((event) => ("text" in event ? event.text : "")).join("");
          expect(text.length - emitted.length, JSON.stringify(before + unit)).toBeLessThan(300);
        }
      }
    },
  );
});
