import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyBody } from "../bodies/index.js";
import { createReplyParser, parseReply } from "../full/index.js";
import { protocols } from "../protocols/index.js";
import { renderCalls } from "../render.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { readNumber } from "./numbers.js";

describe("a parsed number", () => {
  test("has the digits of its source, or is refused", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (integer) => {
        const read = readNumber(String(integer));
        expect(read === undefined || BigInt(read) === integer || Number(read).toPrecision(17).length > 17).toBe(true);
        if (Number.isSafeInteger(Number(integer))) expect(read).toBe(Number(integer));
        if (read !== undefined) expect(BigInt(read).toString().slice(0, 15)).toBe(String(integer).slice(0, 15));
      }),
    );
  });

  test.each<[string, number | undefined]>([
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", undefined],
    ["9007199254740993.0", undefined],
    ["12345678901234567890.5", undefined],
    ["100000000000000000000", 1e20],
    ["1e21", 1e21],
    ["6.02214076e23", 6.02214076e23],
    ["1e400", undefined],
    ["-0", 0],
    ["0.12345678901234567890123", 0.12345678901234568],
    ["1.50", 1.5],
    ["0755", undefined],
    ["-010", undefined],
    ["007", 7],
    ["089", 89],
  ])("%s is %s", (source, wanted) => expect(readNumber(source)).toBe(wanted));
});

test("a text of many digits that is no number is refused in linear time", { timeout: 5000 }, () => {
  const reply = `<tool_call>{"name": "add", "arguments": {"n": "${"1".repeat(400_000)}x"}}</tool_call>`;
  const parser = createReplyParser({ protocol: "hermes", tools: [toolWith({ type: "integer" })] });
  expect([...parser.push(reply), ...parser.end()].at(-1)).toMatchObject({ type: "call-invalid" });
});

const DIGITS = "12345678901234567890";
const toolWith = (n: JsonSchema): ToolDefinition => ({
  name: "add",
  parameters: { type: "object", properties: { n, o: { type: "object", properties: { n } } } },
});

describe.each(Object.values(protocols))("more digits than a number can represent in $name", (protocol) => {
  const written = (args: Record<string, unknown>) =>
    renderCalls(
      protocol.syntax,
      [{ name: "add", arguments: args }],
      [toolWith({ type: "integer" })],
      everyBody,
    ).replaceAll("7654321", DIGITS);

  /** The arguments of a call and its repairs, or the message of one that does not run; deltas and chunks say the same. */
  const read = (args: Record<string, unknown>, n: JsonSchema) => {
    const text = written(args);
    const [whole, streamed] = [[text], [...text]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools: [toolWith(n)] });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      const deltas = events.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");
      return events.flatMap((event): unknown[] => {
        if (event.type === "call-end") expect(JSON.parse(deltas)).toEqual(event.call.arguments);
        if (event.type === "call-end") return [event.call.arguments, ...(event.call.repairs ?? [])];
        return event.type === "call-invalid" ? [event.call.error.message] : [];
      });
    });
    expect(streamed).toEqual(whole);
    return whole;
  };

  test("are refused if a number is wanted, because another integer is another thing", () => {
    for (const args of [{ n: 7654321 }, { o: { n: 7654321 } }])
      for (const type of ["integer", ["integer", "null"], "number"] as const)
        expect(read(args, { type })).toEqual([expect.stringMatching("Invalid arguments")]);
  });

  test("become the nearest number if they have a fraction, and the call reports it", () => {
    const readFraction = (n: JsonSchema) =>
      parseReply(written({ n: 7654321 }).replace(DIGITS, `${DIGITS}.5`), { protocol, tools: [toolWith(n)] }).toolCalls;
    const [call] = readFraction({ type: "number" });
    expect(call?.arguments).toEqual({ n: Number(DIGITS) });
    expect(call?.repairs).toContainEqual(expect.objectContaining({ code: "rounded-number", path: "/n" }));
    expect(readFraction({ type: "integer" })).toEqual([]);
  });

  test("become the string of its digits if a string is wanted", () => {
    expect(read({ n: 7654321 }, { type: "string" })).toContainEqual({ n: DIGITS });
    expect(read({ o: { n: 7654321 } }, { type: "string" })).toContainEqual({ o: { n: DIGITS } });
  });

  test("never become another number if nothing is declared", () => {
    for (const args of [{ n: 7654321 }, { o: { n: 7654321 } }, { n: [7654321] }])
      expect(JSON.stringify(read(args, {}))).toContain(DIGITS);
  });
});

describe.each(["0755", "010", "+00644"])("the number %s, which may be octal,", (digits) => {
  test.each(Object.values(protocols))("is refused for a number and kept for a string in $name", (protocol) => {
    const read = (n: JsonSchema) => {
      const call = renderCalls(protocol.syntax, [{ name: "add", arguments: { n: 7654321 } }], [toolWith(n)], everyBody);
      const text = call.replaceAll("7654321", digits);
      const [whole, streamed] = [[text], [...text]].map((chunks) => {
        const parser = createReplyParser({ protocol, tools: [toolWith(n)] });
        const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
        return events.flatMap((event): unknown[] => {
          if (event.type === "call-end") return [event.call.arguments.n];
          return event.type === "call-invalid" ? ["invalid"] : [];
        });
      });
      expect(streamed).toEqual(whole);
      return whole;
    };
    expect(read({ type: "integer" })).toEqual(["invalid"]);
    expect(read({ anyOf: [{ type: "number" }, { type: "boolean" }] })).toEqual(["invalid"]);
    expect(read({ type: "array", items: { type: "integer" } })).toEqual(["invalid"]);
    expect(read({ type: "string" })).toEqual([digits]);
  });
});

test.each([
  ['{"n": 1,5}', "found"],
  ['{"n": 1,5, "o": {}}', "found"],
  ['{"n": 1234,56}', "found"],
])("the message about a decimal comma says what is right: %s", (args, found) => {
  const reply = `<tool_call>{"name": "add", "arguments": ${args}}</tool_call>`;
  const read = (chunks: readonly string[]) => {
    const parser = createReplyParser({
      protocol: "hermes",
      tools: [toolWith({ type: "number" })],
      generateId: () => "id",
    });
    return [...chunks.flatMap((chunk) => [...parser.push(chunk)]), ...parser.end()].at(-1);
  };
  const message = expect.stringContaining(`expected a number without a comma, such as 1.5 or 1000, ${found}`);
  expect(read([reply])).toMatchObject({ type: "call-invalid", call: { error: { message } } });
  expect(read([...reply])).toEqual(read([reply]));
});
