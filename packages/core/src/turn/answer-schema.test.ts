import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { matcher } from "../../test/support/gbnf-oracle.js";
import { add, call, eventsOf, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { generateWithTools } from "../index.js";
import type { ReplyEvent } from "../types.js";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
};
const oslo = { city: "Oslo", degrees: 3 };

describe("an answer with a schema", () => {
  it("is returned as JSON, also from a code block, and coerced to the schema", async () => {
    for (const reply of [JSON.stringify(oslo), "```json\n{city: 'Oslo', degrees: \"3\"}\n```"]) {
      const { model, requests } = scripted(reply);
      const result = await turnOf(model, { tools: [], answerSchema: schema }).result();
      expect(JSON.parse(result.text)).toEqual(oslo);
      expect(result.value).toEqual(oslo);
      expect(requests[0]?.messages[0]).toMatchObject({ role: "system" });
      expect(requests[0]?.messages[0]?.content).toContain(JSON.stringify(schema));
    }
  });

  it("is not asked for again if the token limit cut it off", async () => {
    const { model } = scripted(['{"city": "Os', { finish: "length" }], JSON.stringify(oslo));
    const { attempts, text, finish } = await turnOf(model, { tools: [], answerSchema: schema }).result();
    expect([attempts, text, finish]).toEqual([1, '{"city": "Os', "length"]);
  });

  it("may have a schema of a library", async () => {
    const answerSchema = z.object({ city: z.string(), degrees: z.int() });
    const { model, requests } = scripted(JSON.stringify(oslo));
    const { value } = await turnOf(model, { tools: [], answerSchema: answerSchema as never }).result();
    expect(value).toEqual(oslo);
    expect(requests[0]?.messages[0]?.content).toContain('"required":["city","degrees"]');
  });

  it.each([{}, { liveAnswer: true }, { constraint: "auto" }] as const)(
    "is read by the library of its schema, with its types: %o",
    async (options) => {
      const { model } = scripted('{"n": 5, "at": "2020-01-02"}');
      const { value, text } = await generateWithTools({
        model,
        messages: [{ role: "user", content: "5?" }],
        answerSchema: z.object({
          n: z.number(),
          d: z.number().default(3),
          at: z.string().transform((day) => new Date(day)),
        }),
        ...options,
      });
      expectTypeOf(value).toEqualTypeOf<{ n: number; d: number; at: Date } | undefined>();
      expect(value).toEqual({ n: 5, d: 3, at: new Date("2020-01-02") });
      expect(JSON.parse(text)).toEqual({ n: 5, at: "2020-01-02" });
    },
  );

  it("has the type of a literal JSON Schema, which fills in no defaults, and may be of no known type", async () => {
    const messages = [{ role: "user" as const, content: "5?" }];
    const answerSchema = {
      type: "object",
      properties: { n: { type: "integer" }, d: { type: "integer", default: 3 } },
      required: ["n"],
    } as const;
    const { value } = await generateWithTools({ model: scripted('{"n": 5}').model, messages, answerSchema });
    expectTypeOf(value).toEqualTypeOf<{ n: number; d?: number } | undefined>();
    expect(value).toEqual({ n: 5 });
    const free = await generateWithTools({ model: scripted("{}").model, messages, answerSchema: schema as object });
    expectTypeOf(free.value).toEqualTypeOf<unknown>();
    const none = await generateWithTools({ model: scripted("{}").model, messages });
    expectTypeOf(none.value).toEqualTypeOf<unknown>();
    expect(none).not.toHaveProperty("value");
  });

  it("is asked for again if only the library refuses it, unless a part of it was sent", async () => {
    const answerSchema = z
      .object({ n: z.number() })
      .refine(async ({ n }) => n > 3, { path: ["n"], error: "must be above 3" });
    const replies = ['{"n": 2}', '{"n": 4}'];
    const { model, requests } = scripted(...replies);
    const { value, attempts } = await turnOf(model, { tools: [], answerSchema });
    expect([value, attempts]).toEqual([{ n: 4 }, 2]);
    expect(requests[1]?.messages.at(-1)?.content).toMatch(/does not match its schema:\n- \/n: must be above 3\n/);
    const live = await turnOf(scripted(...replies).model, { tools: [], answerSchema, liveAnswer: true });
    expect(live).toMatchObject({ text: '{"n":2}', attempts: 1 });
    expect(live).not.toHaveProperty("value");
  });

  it("is refused with a schema that is a mistake, constrained or not", async () => {
    const itself: Record<string, unknown> = { type: "object" };
    itself.properties = { own: itself };
    for (const [wrong, path, message] of [
      [{ ...schema, required: true }, "", "required should be a list of keys, is true."],
      [{ ...schema, properties: { city: { enum: "Oslo" } } }, "/properties/city", "enum should be a list of values"],
      [{ type: "objct" }, "", 'Did you mean "object"?'],
      [{ type: "foo" }, "", 'type should be a JSON type, is "foo".'],
      [{ ...schema, default: 1n }, "", "default cannot be JSON: default is a bigint."],
      [itself, "", "or contains itself."],
    ] as const)
      for (const constraint of ["off", "auto"] as const) {
        const turn = turnOf(scripted("{}").model, { tools: [], answerSchema: wrong, constraint });
        const error = { name: "SchemaError", code: "invalid-schema", path, message: expect.stringContaining(message) };
        await expect(turn.result()).rejects.toMatchObject(error);
      }
  });

  it("may be a list with other text around it, if it is the only one that matches", async () => {
    const answerSchema = { type: "array", items: { type: "integer" } };
    const read = async (reply: string) =>
      (await turnOf(scripted(reply, reply).model, { tools: [], answerSchema }).result()).value;
    for (const reply of [
      "Sure: [1, 2]",
      "As said [1], these are they:\n\n[1, 2]\n\nAsk me more.",
      'Not ["a"]: [1, 2].',
    ])
      expect(await read(reply)).toEqual([1, 2]);
    for (const reply of [
      "First: [1]\nSecond: [2]",
      "I cannot say [1].",
      "Sure: [1, 2",
      'Sure: {"a": [1, 2], "b": [3]}',
    ])
      expect(await read(reply)).toBeUndefined();
    const objects = {
      type: "array",
      items: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
    };
    const reply = 'Here: [{"a": 1}, {"a": 2}]';
    const { value } = await turnOf(scripted(reply).model, { tools: [], answerSchema: objects }).result();
    expect(value).toEqual([{ a: 1 }, { a: 2 }]);
  });

  const id = "1234567890123456789";
  it.each([
    ["strict", `{"id": ${id}}`],
    ["repaired", `{id: ${id},}`],
    ["among other text", `Here it is: {"id": ${id}}.`],
    ["a call", `<tool_call>\n{"name": "extract", "arguments": {"id": ${id}}}\n</tool_call>`],
    ["without its object", id],
  ])("loses no digit of a number: %s", async (_, reply) => {
    const turn = (answerSchema: object) => turnOf(scripted(reply, reply).model, { tools: [], answerSchema }).result();
    const text = await turn(z.object({ id: z.string() }));
    expect([text.value, text.text]).toEqual([{ id }, `{"id":"${id}"}`]);
    for (const type of ["integer", "number", undefined])
      expect(await turn({ type: "object", properties: { id: { type } }, required: ["id"] })).not.toHaveProperty(
        "value",
      );
    expect(await turn({ type: "object", additionalProperties: true })).not.toHaveProperty("value");
  });

  it("is refused with such a number, and the feedback gives the reason", async () => {
    for (const reply of [`{"id": ${id}}`, '{"id": 1e400}', '{"id": 1, "id": 2}']) {
      const { model, requests } = scripted(reply, '{"id": 5}');
      const { value } = await turnOf(model, { tools: [], answerSchema: { type: "object" } }).result();
      expect(value).toEqual({ id: 5 });
      expect(requests[1]?.messages.at(-1)?.content).toMatch(/cannot be kept exactly|the key "id" twice/);
    }
    const whole = await turnOf(scripted(id, id).model, { tools: [], answerSchema: { type: "integer" } }).result();
    expect(whole).not.toHaveProperty("value");
  });

  it("stays as it was written, live or not, if it needs no repair", async () => {
    const answerSchema = { type: "object", properties: { n: { type: "number" }, s: { type: "string" } } };
    for (const liveAnswer of [false, true]) {
      const { model } = scripted('```json\n{"n": 1.50, "s": "a \\u00e9"}\n```');
      const { text, value } = await turnOf(model, { tools: [], answerSchema, liveAnswer }).result();
      expect([text, value]).toEqual(['{"n":1.50,"s":"a \\u00e9"}', { n: 1.5, s: "a é" }]);
    }
  });

  it("may be the arguments of a call that the model makes up", async () => {
    const json = JSON.stringify({ name: "extract", arguments: { city: "Oslo", degrees: "3" } });
    for (const reply of [json, `<tool_call>\n${json}\n</tool_call>`])
      for (const answerSchema of [schema, { ...schema, additionalProperties: false }]) {
        const { value, attempts } = await turnOf(scripted(reply).model, { tools: [], answerSchema }).result();
        expect([value, attempts]).toEqual([oslo, 1]);
      }
    const named = {
      type: "object",
      properties: { name: { type: "string" }, ...schema.properties },
      required: ["city"],
    };
    const { value } = await turnOf(scripted('{"name": "Ann", "city": "Oslo"}').model, {
      tools: [],
      answerSchema: named,
    }).result();
    expect(value).toEqual({ name: "Ann", city: "Oslo" });
  });

  it.each([
    ["pythonic", '[extract(city="Oslo", degrees=3)]'],
    [
      "qwen3-coder",
      "<tool_call>\n<function=extract>\n<parameter=city>\nOslo\n</parameter>\n<parameter=degrees>\n3\n</parameter>\n</function>\n</tool_call>",
    ],
  ] as const)("may be such a call in %s", async (protocol, reply) => {
    const options = { tools: [], answerSchema: schema, protocol };
    const { value, attempts } = await turnOf(scripted(reply).model, options).result();
    expect([value, attempts]).toEqual([oslo, 1]);
    const two = await turnOf(
      scripted(`${reply}\n${reply.replace("Oslo", "Rome")}`, "No.", "No.").model,
      options,
    ).result();
    expect(two.value).toBeUndefined();
  });

  const objectOf = (key: string, value: object) => ({
    type: "object",
    properties: { [key]: value },
    required: [key],
    additionalProperties: false,
  });
  const numbers = { type: "array", items: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] } };
  const choice = { type: "string", enum: ["yes", "no"] };

  it.each([
    ['[{"a": 1}, {"a": 2}]', objectOf("elements", numbers), { elements: [{ a: 1 }, { a: 2 }] }],
    ['```json\n[{"a": "1"}]\n```', objectOf("elements", numbers), { elements: [{ a: 1 }] }],
    ["[]", objectOf("elements", numbers), { elements: [] }],
    ["yes", objectOf("result", choice), { result: "yes" }],
    ['"no"', objectOf("result", choice), { result: "no" }],
    ["5", objectOf("sum", { type: "integer" }), { sum: 5 }],
  ])("may leave out the object around its only property: %s", async (reply, answerSchema, value) => {
    const { model } = scripted(reply);
    const result = await turnOf(model, { tools: [], answerSchema }).result();
    expect(result).toMatchObject({ text: JSON.stringify(value), value, attempts: 1 });
  });

  it.each([
    ["[1]", objectOf("elements", numbers)],
    ['{"error": "cannot"}', objectOf("answer", { type: "string" })],
    ["[I cannot answer]", objectOf("elements", { type: "array", items: { type: "string" } })],
    ["maybe", objectOf("result", choice)],
    ["It is warm.", objectOf("text", { type: "string" })],
    ['["Oslo"]', schema],
  ])("is asked for again if it has another value, only words, or more properties: %s", async (reply, answerSchema) => {
    const { model } = scripted(reply, reply);
    expect(await turnOf(model, { tools: [], answerSchema }).result()).toMatchObject({ text: reply, attempts: 2 });
  });

  it("is requested again if it does not match, and nothing of the wrong one is sent", async () => {
    const { model, requests } = scripted('{"city": "Oslo"}', "It is cold.", JSON.stringify(oslo));
    const events = await eventsOf(turnOf(model, { answerSchema: schema, maxInvalidCallRetries: 2 }));
    expect(events).toEqual([{ type: "text", text: JSON.stringify(oslo), value: oslo }]);
    expect(requests[1]?.messages.at(-1)?.content).toMatch(/does not match[\s\S]*\/degrees/);
    expect(requests[2]?.messages.at(-1)?.content).toMatch(/It is not valid JSON/);
  });

  it("is taken from a reply of any number of events", async () => {
    const pieces = ["It is ", ...Array.from({ length: 200_000 }, () => ({ reasoning: "Hm. " })), JSON.stringify(oslo)];
    const model = async function* () {
      yield* pieces;
    };
    expect((await turnOf(model, { tools: [], answerSchema: schema }).result()).value).toEqual(oslo);
  });

  it("is requested again if it has two values for a key", async () => {
    const twice = '{"city": "Oslo", "degrees": 3, "degrees": 4}';
    for (const reply of [twice, `It is ${twice}.`]) {
      const { model, requests } = scripted(reply, JSON.stringify(oslo));
      expect((await turnOf(model, { tools: [], answerSchema: schema }).result()).value).toEqual(oslo);
      expect(requests[1]?.messages.at(-1)?.content).toMatch(/the key "degrees" twice|not valid JSON/);
    }
  });

  it("is refused if its code block is not closed (in quadratic time, this test times out)", async () => {
    const reply = [`\`\`\`${"\n".repeat(500_000)}It is cold.`];
    const { model } = scripted(reply, JSON.stringify(oslo));
    expect((await turnOf(model, { tools: [], answerSchema: schema }).result()).value).toEqual(oslo);
  });

  it("is returned unchanged if it never matches", async () => {
    const { model } = scripted("no", "never");
    const { text, attempts } = await turnOf(model, { answerSchema: schema }).result();
    expect({ text, attempts }).toEqual({ text: "never", attempts: 2 });
  });

  it("is not required of a reply with a call", async () => {
    const reply = `I add.\n${call({ a: 1, b: 2 })}`;
    const { text, toolCalls, attempts } = await turnOf(scripted(reply).model, { answerSchema: schema }).result();
    expect({ text: text.trim(), attempts }).toEqual({ text: "I add.", attempts: 1 });
    expect(toolCalls).toMatchObject([{ arguments: { a: 1, b: 2 } }]);
  });

  it("is constrained if there are no tools, and then streams", async () => {
    const { model, requests } = scripted(JSON.stringify(oslo));
    const options = { tools: [], answerSchema: schema, constraint: "auto" } as const;
    const events = await eventsOf(turnOf(model, options));
    expect(requests[0]?.constraint?.grammar).toContain("degrees");
    expect(events.length).toBeGreaterThan(1);
    const served = scripted(JSON.stringify(oslo));
    await turnOf(served.model, { ...options, backend: "openai", fields: { top_p: 0.5 } }).result();
    expect(served.requests[0]?.fields).toMatchObject({ top_p: 0.5, response_format: { json_schema: { schema } } });
  });
});

describe("the grammar of an answer", () => {
  const grammarOf = async (answerSchema: object, grammar = {}) => {
    const { model, requests } = scripted("{}");
    const options = { tools: [], answerSchema, constraint: "auto", onInvalidCall: "surface", grammar } as const;
    await turnOf(model, options).result();
    const matches = await matcher(requests[0]?.constraint?.grammar ?? "");
    return (answer: unknown) => matches(JSON.stringify(answer));
  };

  it("has only keys that the schema declares, as that of calls has", async () => {
    const allows = await grammarOf(schema);
    expect(allows(oslo)).toBe(true);
    expect(allows({ ...oslo, more: 1 })).toBe(false);
    const record = { type: "object", additionalProperties: { type: "number" } };
    expect((await grammarOf(record))({ more: 1 })).toBe(true);
    expect((await grammarOf({ ...schema, additionalProperties: true }))({ ...oslo, more: 1 })).toBe(true);
  });

  it("has the limits of the option `grammar`", async () => {
    const lists = { type: "object", properties: { list: { type: "array", items: { type: "string" } } } };
    expect((await grammarOf(lists))({ list: ["abc", "d", "e"] })).toBe(true);
    const allows = await grammarOf(lists, { maxItems: 2, maxStringLength: 2, maxCalls: 1 });
    expect(allows({ list: ["ab", "c"] })).toBe(true);
    expect(allows({ list: ["abc"] })).toBe(false);
    expect(allows({ list: ["a", "b", "c"] })).toBe(false);
  });
});

describe("an answer that streams", () => {
  const live = { answerSchema: schema, liveAnswer: true } as const;
  const texts = (events: readonly ReplyEvent[]) =>
    events.flatMap((event) => (event.type === "text" ? [event.text] : []));

  it.each([
    ["", ""],
    ["```json\n", "\n```\n"],
    ["\n", "\nHope this helps!"],
  ])("is sent as it is written, repaired and coerced, also with text around it (%j, %j)", async (before, after) => {
    for (const json of ['{"city": "Oslo", "degrees": 3}', "{'city': 'Oslo', degrees: \"3\",}"]) {
      if (json.startsWith("{'") && after.includes("Hope")) continue;
      for (const tools of [[], [add]]) {
        const { model, sent } = scripted(`${before}${json}${after}`);
        const turn = turnOf(model, { ...live, tools });
        let early = 0;
        const events: ReplyEvent[] = [];
        for await (const event of turn) {
          events.push(event);
          early ||= texts(events).join("").includes("Osl") ? sent() : 0;
        }
        expect(texts(events).join("")).toBe(JSON.stringify(oslo));
        expect(early).toBeLessThan(before.length + json.length - 8);
        expect((await turn.result()).value).toEqual(oslo);
      }
    }
  });

  it.each([
    ["in the JSON, in one piece", `{${" ".repeat(500_000)}"city": "Oslo", "degrees": 3}\n\`\`\``, 1_000_000],
    ["in the JSON, in pieces", `{${" ".repeat(100_000)}"city": "Oslo", "degrees": 3}\n\`\`\``, 2],
    ["before the JSON", `${" ".repeat(200_000)}{"city": "Oslo", "degrees": 3}\n\`\`\``, 2],
    ["after the backticks", `{'city': 'Oslo', "degrees": 3}\n\`\`\`${" ".repeat(100_000)}`, 2],
  ])(
    "is read with much white space %s (in quadratic time, this test times out)",
    async (_where, json, size) => {
      const text = `\`\`\`json\n${json}`;
      const pieces: string[] = [];
      for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
      expect((await turnOf(scripted(pieces).model, { ...live, tools: [] }).result()).value).toEqual(oslo);
    },
    10_000,
  );

  it("is read with many objects after invalid JSON (in quadratic time, this test times out)", async () => {
    const json = `{"city": "Oslo", "degrees": 3, "more": [${"1, ".repeat(100_000)}]}`;
    const pieces = [json, ...Array.from({ length: 12_000 }, () => " {}")];
    const { value } = await turnOf(scripted(pieces).model, { ...live, tools: [] }).result();
    expect(value).toMatchObject(oslo);
  }, 20_000);

  it("is requested again if nothing of it was sent, and only then", async () => {
    const words = scripted("It is cold.", JSON.stringify(oslo));
    expect(JSON.parse((await turnOf(words.model, live).result()).text)).toEqual(oslo);
    const wrong = scripted('{"city": "Oslo"}', JSON.stringify(oslo));
    const { text, attempts } = await turnOf(wrong.model, live).result();
    expect({ text, attempts }).toEqual({ text: '{"city":"Oslo"}', attempts: 1 });
  });

  it("stays text if it is not an answer, before a call too", async () => {
    const reply = `I add.\n${call({ a: 1, b: 2 })}`;
    const events = await eventsOf(turnOf(scripted(reply).model, live));
    expect(events.map(({ type }) => type).filter((type) => type !== "call-delta")).toEqual([
      "text",
      "call-start",
      "call-end",
    ]);
  });

  it("sends exactly the value, for every answer and any chunks", () => {
    const value = fc.record({ city: fc.string(), degrees: fc.integer(), more: fc.jsonValue() });
    return fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (given, isFenced) => {
        const json = JSON.stringify(given, undefined, 2);
        const { model } = scripted(isFenced ? `\`\`\`json\n${json}\n\`\`\`` : json);
        const { text, value: read } = await turnOf(model, { ...live, tools: [] }).result();
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)));
        expect(read).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });
});

describe("calls that stream while wrong ones are requested again", () => {
  const options = { onInvalidCall: "retry", liveCalls: true } as const;

  it("are emitted as they are written", async () => {
    const { model, sent } = scripted(`${call({ text: "a long text, longer than a few pieces are" }, "say")} `);
    for await (const event of turnOf(model, options)) {
      if (event.type === "call-delta") break;
    }
    expect(sent()).toBeLessThan(12);
  });

  it("are requested again if nothing of a call was sent", async () => {
    const { model, requests } = scripted(call({ a: 1 }, "nope"), call({ a: 1, b: 2 }));
    const { toolCalls, invalidToolCalls } = await turnOf(model, options).result();
    expect(toolCalls).toMatchObject([{ name: "add", arguments: { a: 1, b: 2 } }]);
    expect(invalidToolCalls).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it("are returned as they are if the beginning of one was sent", async () => {
    const reply = `${call({ a: "x", b: 2 })}\n${call({ a: 1 }, "nope")}`;
    const { model, requests } = scripted(reply);
    const { invalidToolCalls } = await turnOf(model, options).result();
    expect(invalidToolCalls.map(({ error }) => error.code)).toEqual(["invalid-arguments", "unknown-tool"]);
    expect(requests).toHaveLength(1);
  });
});

it("a missing required call is no error if it is surfaced", async () => {
  const { model } = scripted("No.", "Still no.");
  const result = await turnOf(model, { tools: [add], toolChoice: "required", onMissingCall: "surface" }).result();
  expect(result).toMatchObject({ text: "Still no.", toolCalls: [], attempts: 2 });
});
