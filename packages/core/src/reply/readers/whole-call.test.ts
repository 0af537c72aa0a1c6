import fc from "fast-check";
import { expect, test } from "vitest";
import { createReplyParser, type ReplyEvent } from "../../index.js";

const tools = [
  {
    name: "book",
    parameters: {
      type: "object" as const,
      properties: {
        from: { type: "string" },
        seats: { type: "number" },
        tags: { items: { type: "string" } },
        more: {},
      },
    },
  },
];

/** The events of a reply in chunks, with the deltas of each call joined. */
function read(chunks: Iterable<string>): ReplyEvent[] {
  const parser = createReplyParser({ protocol: "hermes", tools, generateId: () => "1" });
  const joined: ReplyEvent[] = [];
  const add = (event: ReplyEvent) => {
    const last = joined.at(-1);
    if (event.type === "call-delta" && last?.type === "call-delta") last.argumentsDelta += event.argumentsDelta;
    else joined.push(event);
  };
  for (const chunk of chunks) parser.push(chunk).forEach(add);
  parser.end().forEach(add);
  return joined;
}

const json = (value: fc.Arbitrary<unknown>) => value.map((one) => JSON.stringify(one));
/** Numbers as JSON may spell them, and other values. */
const spelt = fc.oneof(fc.constantFrom("1.0", "0.10", "-0", "1e3", "12345678901234567890"), json(fc.jsonValue()));
const member = fc.tuple(fc.constantFrom("from", "seats", "tags", "more", "From", "zone"), spelt);
const args = fc.array(member, { maxLength: 4 }).map((list) => `{${list.map(([key, own]) => `"${key}": ${own}`)}}`);
const besides = fc
  .tuple(fc.constantFrom("id", "type", "reason", "from", "book"), spelt)
  .map(([key, own]) => `"${key}": ${own}`);
const object = fc
  .tuple(
    fc.constantFrom("book", " book", "Book", "cook"),
    args,
    fc.option(besides),
    fc.boolean(),
    fc.constantFrom("name", "name", "Name", "tool"),
    fc.constantFrom("arguments", "arguments", "ARGS", "params"),
  )
  .map(([name, given, more, isNameFirst, nameKey, key]) => {
    const parts = [`"${nameKey}": "${name}"`, `"${key}": ${given}`];
    return `{${[...(isNameFirst ? parts : parts.reverse()), ...(more === null ? [] : [more])].join(", ")}}`;
  });

test("the object of a call is read the same as a whole and by its parts", () => {
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), fc.boolean(), (objects, isList) => {
      const written = isList ? `[${objects.join(", ")}]` : objects.join("\n");
      const reply = `<tool_call>\n${written}\n</tool_call>`;
      expect(read([reply])).toEqual(read(reply));
    }),
    { numRuns: 200 },
  );
});

test("a whole call keeps the spelling of its numbers, without the space between them", () => {
  const events = read([
    '<tool_call>{"name": "book", "id": "a{b", "arguments": {"seats": 1.0, "more": [ {} ]}}</tool_call>',
  ]);
  expect(events).toEqual([
    { type: "call-start", index: 0, id: "1", name: "book" },
    { type: "call-delta", index: 0, argumentsDelta: '{"seats":1.0,"more":[{}]}' },
    { type: "call-end", index: 0, call: { id: "1", name: "book", arguments: { seats: 1, more: [{}] } } },
  ]);
});
