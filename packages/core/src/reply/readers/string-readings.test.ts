import { describe, expect, test } from "vitest";
import { everyBody } from "../../bodies/index.js";
import { createReplyParser } from "../../full/index.js";
import { protocols } from "../../protocols/index.js";
import { renderCalls } from "../../render.js";
import { isBodyOf } from "../../syntax/syntax.js";

const text = { type: "string" };
const tools = [
  {
    name: "mail",
    parameters: { type: "object", properties: { to: text, body: text, cc: { type: "array", items: text } } },
  },
];

/** Each format that writes strings in quotes, and its quote. */
const quoted = Object.values(protocols).flatMap((protocol) => {
  const rendered = renderCalls(protocol.syntax, [{ name: "mail", arguments: { to: "VALUE" } }], tools, everyBody);
  const quote = /(["'])VALUE\1/.exec(rendered)?.[1];
  return quote !== undefined && !protocol.syntax.call.some((part) => isBodyOf(part, "attributes"))
    ? [{ name: protocol.name, protocol, quote }]
    : [];
});

describe.each(quoted)("unescaped quotes in a string in $name", ({ protocol, quote }) => {
  /** The arguments of the calls that run when `VALUE` is written as a value is, with `"` for the quote. */
  const read = (args: Record<string, unknown>, value: string) => {
    const rendered = renderCalls(protocol.syntax, [{ name: "mail", arguments: args }], tools, everyBody);
    const reply = rendered.replace(`${quote}VALUE${quote}`, () => value.replaceAll('"', quote));
    const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      return events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []));
    });
    expect(streamed).toEqual(whole);
    return whole;
  };

  test.each([
    '"a" or "b"',
    '"a" and "b"',
    '"a" | "b"',
    '"a" instead of "b"',
    '"a", "b@x.y"',
    '"a" or "b" or "c"',
    '"the "big one"',
  ])("that can separate two strings make no call: %s", (value) => {
    expect(read({ to: "VALUE" }, value)).toEqual([]);
    expect(read({ to: "VALUE", body: "hi" }, value)).toEqual([]);
  });

  test("are text before a bracket, or make no call", () => {
    const to = `print(${quote}a${quote}, ${quote}b${quote}) twice`;
    const found = read({ to: "VALUE", body: "hi" }, '"print("a", "b") twice"');
    expect([[], [{ to, body: "hi" }]]).toContainEqual(found);
  });

  test.each(['"say "hi" to me"', '"the 12" pipe"', '"use "a" or "b" now"'])(
    "in pairs, or that open nothing, are text: %s",
    (value) => {
      const to = value.slice(1, -1).replaceAll('"', quote);
      expect(read({ to: "VALUE", body: "hi" }, value)).toEqual([{ to, body: "hi" }]);
    },
  );
});
