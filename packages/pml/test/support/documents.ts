import fc from "fast-check";
import type { PmlDocument } from "../../src/index.js";

/** Text that is hard on XML: markup, entities, CDATA's end, every kind of space, and characters beyond the first plane. */
const pieces = [
  ...["<", ">", "&", '"', "'", "]]>", "]]", "<![CDATA[", "&amp;", "&#10;", "\r", "\n", "\r\n", "\t", " ", "  "],
  ...[
    "</text>",
    "<call name='x'/>",
    "<!--",
    "-->",
    "```",
    "<!-- pml",
    "# ",
    "{",
    "}",
    "\\",
    "\u2028",
    "\u0085",
    "\u{1f600}",
  ],
  ...["é", "漢", "plain words", "a", "0", "memory", "<memory>", "constructor", "__proto__"],
];
export const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join("")) },
  fc
    .string({ unit: "binary", maxLength: 12 })
    .map((given) => given.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "x")),
);
/** A name of something, sometimes an odd one. */
const name = fc.oneof(fc.constantFrom("a", "plan", "get_weather", "W", "src/a.ts"), text);
const keep = fc.constantFrom("always", "high", "normal", "low");
const optional = { requiredKeys: [] };
const marks = { id: name, keep, alt: text };

const record = <T>(
  required: { [K in keyof T]: fc.Arbitrary<T[K]> },
  others: { [key: string]: fc.Arbitrary<unknown> } = {},
) => fc.tuple(fc.record(required), fc.record(others, optional)).map(([own, more]) => ({ ...own, ...more }));

const node = (type: string, required: { [key: string]: fc.Arbitrary<unknown> }, others = {}) =>
  record({ type: fc.constant(type), ...required }, others);

/** Arguments of a call: texts of all kinds, characters that XML does not have, and data. */
const argumentsOf = fc.dictionary(
  fc.oneof(
    fc.constantFrom("loc", "id", "name", "xmlns", "a b", "1", "__proto__", "constructor", "code", "x:y"),
    fc.string(),
  ),
  fc.oneof(text, fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 })),
  { maxKeys: 5 },
);
const jsonData = fc.jsonValue({ maxDepth: 3 });

export const attachment = node(
  "attachment",
  { kind: fc.constantFrom("file", "image", "table", "cursor", "doc", "ref", "db", "diff", "voice") },
  {
    ...marks,
    ...{ name, path: name, url: name, mime: name, content: text },
    encoding: fc.constant("base64"),
    omitted: fc.constant(true),
    attributes: fc.dictionary(fc.constantFrom("line", "column", "lang", "constructor", "__proto__"), text, {
      minKeys: 1,
      maxKeys: 3,
    }),
  },
);
export const toolOutput = node(
  "tool_output",
  { text },
  {
    ...marks,
    call: name,
    name,
    status: fc.constant("error"),
    attachments: fc.array(attachment, { minLength: 1, maxLength: 2 }),
  },
);
const part = fc.oneof(
  node("text", { text }),
  node("thinking", { text }, { signature: name }),
  attachment,
  node("call", { name, arguments: argumentsOf }, { id: name }),
  toolOutput,
  node("edit", { file: name, text }, marks),
);
export const message = fc
  .constantFrom("system", "user", "assistant")
  .chain((type) => node(type, { parts: fc.array(part, { maxLength: 4 }) }, { ...marks, role: name, name }));
const turn = record(
  { messages: fc.array(fc.oneof({ weight: 4, arbitrary: message }, toolOutput), { maxLength: 4 }) },
  { index: fc.nat(), id: name, keep },
);
const tool = record(
  { name },
  {
    description: text,
    parameters: fc.oneof(fc.boolean(), fc.dictionary(fc.string(), jsonData, { maxKeys: 3 })),
  },
);

/** Documents of every shape that the tree can have. */
export const documents: fc.Arbitrary<PmlDocument> = record(
  { version: fc.constant("1" as const) },
  {
    memory: fc.array(fc.oneof(node("fact", { text }, marks), node("summary", { text }, marks)), { maxLength: 3 }),
    tools: record(
      { list: fc.array(tool, { maxLength: 2 }) },
      { choice: fc.oneof(fc.constantFrom("auto", "none", "required"), fc.record({ name })) },
    ),
    conversation: record({ turns: fc.array(turn, { maxLength: 4 }) }, { id: name, topic: text, omitted: fc.nat() }),
  },
) as fc.Arbitrary<PmlDocument>;

const words = fc.oneof(
  fc.constantFrom(
    "Hi",
    "How is the weather?",
    "# Heading\n\ntext",
    "<b>&",
    "a]]>b",
    "\r\n",
    " x ",
    "<!-- pml -->",
    "```\ncode\n```",
  ),
  text.filter((one) => one !== ""),
);
const image = fc.oneof(
  fc.record({
    type: fc.constant("attachment"),
    kind: fc.constant("image"),
    url: fc.constantFrom("https://a.example/b.png", "http://c.example/"),
  }),
  fc.record({
    ...{
      type: fc.constant("attachment"),
      kind: fc.constant("image"),
      mime: fc.constantFrom("image/png", "image/svg+xml"),
    },
    ...{ encoding: fc.constant("base64"), content: fc.constantFrom("iVBORw0KGgo=", "AAAA") },
  }),
);
const odd = <T>(value: fc.Arbitrary<T>, others: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: others });

/** Conversations as chat APIs have them; now and then with something that they do not have. */
export const chats: fc.Arbitrary<PmlDocument> = fc
  .record({
    memory: fc.option(
      fc.array(record({ type: fc.constantFrom("fact", "summary"), text: words }, marks), {
        minLength: 1,
        maxLength: 2,
      }),
    ),
    system: fc.option(words),
    turns: fc.array(
      fc.record({
        question: odd(words, fc.constant("")),
        images: fc.array(image, { maxLength: 2 }),
        thinking: fc.option(words),
        text: fc.option(words),
        calls: fc.array(
          fc.record({
            name: fc.constantFrom("a", "get_weather"),
            arguments: argumentsOf,
            output: words,
            isError: fc.boolean(),
          }),
          { maxLength: 2 },
        ),
        answer: fc.option(words),
        extra: odd(fc.constant<unknown>(undefined), part),
        mark: odd(
          fc.constant({}),
          fc.constantFrom({ keep: "high" }, { id: "x" }, { name: "Kim" }, { role: "developer" }),
        ),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ memory, system, turns }) => {
    let count = 0;
    const made = turns.map((turn, i) => {
      const calls = turn.calls.map((call) => ({ ...call, id: `id_${++count}` }));
      const said = turn.text === null ? [] : [{ type: "text", text: turn.text }];
      const thought = turn.thinking === null ? [] : [{ type: "thinking", text: turn.thinking }];
      return {
        index: i + 1,
        messages: [
          ...(i === 0 && system !== null ? [{ type: "system", parts: [{ type: "text", text: system }] }] : []),
          {
            ...{ type: "user", ...turn.mark },
            parts: [
              ...turn.images,
              { type: "text", text: turn.question },
              ...(turn.extra === undefined ? [] : [turn.extra]),
            ],
          },
          {
            type: "assistant",
            parts: [
              ...thought,
              ...said,
              ...calls.map(({ id, name: called, arguments: args }) => ({
                type: "call",
                id,
                name: called,
                arguments: args,
              })),
            ],
          },
          ...calls.map(({ id, output, isError }) => ({
            type: "tool_output",
            call: id,
            ...(isError && { status: "error" }),
            text: output,
          })),
          ...(turn.answer === null ? [] : [{ type: "assistant", parts: [{ type: "text", text: turn.answer }] }]),
        ],
      };
    });
    return {
      version: "1",
      ...(memory !== null && { memory }),
      ...(made.length > 0 && { conversation: { turns: made } }),
    } as PmlDocument;
  });
