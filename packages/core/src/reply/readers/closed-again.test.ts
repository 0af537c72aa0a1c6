import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";
import { protocols } from "../../protocols/index.js";
import { isBodyOf } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";

const text = { type: "string" };
const tools: ToolDefinition[] = [
  { name: "write", parameters: { type: "object", properties: { path: text, content: text }, required: ["path"] } },
];

/** The formats with one element for each argument; Kimi K3's closing markers have words between them. */
const formats = Object.values(protocols).filter(
  ({ name, syntax }) => syntax.call.some((part) => isBodyOf(part, "elements")) && name !== "kimi-k3",
);

describe.each(formats)("closing markers in a value of $name", (protocol) => {
  const [before = "", after = ""] = protocol
    .renderCalls([{ name: "write", arguments: { path: "a", content: "VALUE" } }], { tools })
    .split("VALUE");
  const closers = after.trim().replace(/>\s+</g, "><");

  /** The calls that run, and "invalid" for those that do not, the same in any chunks. */
  const read = (reply: string) => {
    const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      return events.flatMap((event): unknown[] => {
        if (event.type === "call-end") return [event.call.arguments.content];
        return event.type === "call-invalid" ? ["invalid"] : [];
      });
    });
    expect(streamed).toEqual(whole);
    return whole;
  };

  test.each([
    `print("${closers}")`,
    `"${closers}" ends a call`,
    `'${closers}'`,
    `text.split("${closers}")[0]`,
    `write "${closers}" ${"and so on ".repeat(20)}`,
    `a ${closers} b`,
  ])("never make a call with a part of it: %s", (value) => expect(read(before + value + after)).toEqual(["invalid"]));

  test.each(["\n", "\n\nDone.", "\nI wrote it, and said so.", `${closers}`, ""])(
    "do not affect a call that text follows: %j",
    (rest) => {
      for (const value of ['say "hi"', "it's ", "a (", "a\nb"]) {
        const [content, ...more] = read(before + value + after + rest) ?? [];
        expect([String(content).trim(), ...more]).toEqual([value.trim()]);
      }
    },
  );

  test("are found in any two chunks", () => {
    const reply = `${before}"${after}n${closers.slice(closers.lastIndexOf("<"))}`;
    const kinds = (chunks: string[]) => {
      const parser = createReplyParser({ protocol, tools });
      return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()].map(({ type }) => type);
    };
    const whole = kinds([reply]).includes("call-invalid");
    for (let i = 1; i < reply.length; i++) {
      expect(kinds([reply.slice(0, i), reply.slice(i)]).includes("call-invalid")).toBe(whole);
    }
  });

  test("do not affect a call before another one", () =>
    expect(read(`${before}"a"${after}\n${before}"b"${after}`)).toEqual(['"a"', '"b"']));

  test("end a call at once if its value leaves no doubt", () => {
    const parser = createReplyParser({ protocol, tools });
    const types = parser.push(`${before}VALUE${after}`).map(({ type }) => type);
    expect(types).toContain("call-end");
  });
});
