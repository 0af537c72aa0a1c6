import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunked } from "../../test/arbitraries.js";
import { matcher } from "../../test/support/gbnf-oracle.js";
import { toolCallGrammar } from "../grammar/index.js";
import {
  createReplyParser,
  escapeText,
  type ProtocolName,
  parseReply,
  protocols,
  type ReplyEvent,
  type ToolDefinition,
} from "../index.js";

const MARK = "]<]minimax[>[";
const nested = {
  type: "object",
  properties: { sku: { type: "string" }, qty: { type: "integer" } },
  required: ["sku"],
} as const;
const tools: ToolDefinition[] = [
  {
    name: "order",
    parameters: {
      type: "object",
      properties: {
        note: { type: "string" },
        user: { type: "integer" },
        urgent: { type: "boolean" },
        item: nested,
        items: { type: "array", items: nested },
        tags: { type: "array", items: { type: "string" } },
        labels: { type: "object", additionalProperties: { type: "string" } },
        nick: { type: ["string", "null"] },
      },
    },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
];

/** Each tag with its mark. */
const marked = (...tags: string[]) => tags.map((tag) => MARK + tag).join("");
const element = (name: string, ...inside: string[]) => `${MARK}<${name}>${inside.join("")}${MARK}</${name}>`;
const invoke = (...inside: string[]) => `${MARK}<invoke name="order">${inside.join("")}${MARK}</invoke>`;
const block = (...calls: string[]) => `${MARK}<tool_call>\n${calls.join("\n")}\n${MARK}</tool_call>`;

const readers = ["minimax-m3", "auto", "hermes", "minimax-m2"] as const;
const withoutIds = (events: ReplyEvent[]) =>
  JSON.parse(JSON.stringify(events, (key, value: unknown) => (key === "id" ? undefined : value))) as ReplyEvent[];

/** The events of a reply in these chunks, with neighbouring pieces of one kind joined. */
function eventsOf(chunks: readonly string[], protocol: ProtocolName | "auto") {
  const parser = createReplyParser({ tools, protocol });
  const joined: ReplyEvent[] = [];
  for (const event of withoutIds([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()])) {
    const last = joined.at(-1);
    if ("text" in event && last?.type === event.type) last.text += event.text;
    else if (event.type === "call-delta" && last?.type === "call-delta") last.argumentsDelta += event.argumentsDelta;
    else joined.push(event);
  }
  return joined;
}

/** The arguments of the calls that a reply is read as, the same in every protocol and in single characters. */
function read(reply: string) {
  for (const protocol of readers) expect(eventsOf([...reply], protocol)).toEqual(eventsOf([reply], protocol));
  const [own, ...others] = readers.map((protocol) => {
    const { text, toolCalls, invalidToolCalls } = parseReply(reply, { tools, protocol });
    const calls = toolCalls.map((call) => [call.name, call.arguments]);
    return { text, calls, invalid: invalidToolCalls.map(({ error }) => error.code) };
  });
  for (const other of others) expect(other).toEqual(own);
  return own!;
}
const order = (args: object) => ({ text: "", calls: [["order", args]], invalid: [] });

const wanted = {
  note: "Leave it at the desk.",
  user: 42,
  urgent: true,
  item: { sku: "a", qty: 18956 },
  items: [
    { sku: "b", qty: 2 },
    { sku: "c", qty: 5 },
  ],
  tags: ["red"],
  labels: { source: "mobile" },
};
const written = [
  element("note", "Leave it at the desk."),
  element("user", "42"),
  element("urgent", "true"),
  element("item", element("sku", "a"), element("qty", "018956")),
  element(
    "items",
    element("item", element("sku", "b"), element("qty", "2")),
    element("item", element("sku", "c"), element("qty", "5")),
  ),
  element("tags", element("item", "red")),
  element("labels", element("source", "mobile")),
];

describe("a call of MiniMax M3", () => {
  test("is read with nested elements, coerced to the schema, and with the text before it", () => {
    expect(read(`I order.\n${block(invoke(...written))}`)).toEqual({ ...order(wanted), text: "I order." });
    expect(read(block(invoke("\n", written.join("\n"), "\n")))).toEqual(order(wanted));
  });

  test("is rendered as its chat template writes it", () => {
    const calls = [
      { name: "order", arguments: { note: "<b>\n", items: wanted.items, urgent: true } },
      { name: "now", arguments: {} },
    ];
    expect(protocols["minimax-m3"].renderCalls(calls, { tools })).toBe(
      block(
        invoke(element("note", "<b>\n"), written[4]!, element("urgent", "true")),
        `${MARK}<invoke name="now">${MARK}</invoke>`,
      ),
    );
  });

  test("comes after reasoning, which its closing tag alone ends too", () => {
    const call = block(invoke(element("user", "1")));
    for (const before of ["<mm:think>\nWhich user?\n</mm:think>\n", "</mm:think>"])
      expect(read(before + call)).toEqual(order({ user: 1 }));
  });

  test("shares its block with others, with words between them, or has a block of its own", () => {
    const [one, two] = [invoke(element("user", "1")), invoke(element("user", "2"))];
    const both = [
      ["order", { user: 1 }],
      ["order", { user: 2 }],
    ];
    for (const reply of [block(one, two), block(one + two), block(one) + block(two)])
      expect(read(reply)).toEqual({ text: "", calls: both, invalid: [] });
    expect(read(block(one, "And the other.", two))).toMatchObject({ calls: both });
  });

  test("has arguments and a name in other spellings", () => {
    const args = [
      element("user", "1"),
      element("item", '{"sku": "a"}'),
      element("tags", '["red"]'),
      element("nick", "null"),
    ];
    const read1 = { user: 1, item: { sku: "a" }, tags: ["red"], nick: null };
    for (const name of ['"order"', "'order'", "order"])
      expect(read(block(`${MARK}<invoke name=${name}>${args.join("")}${MARK}</invoke>`))).toEqual(order(read1));
    expect(read(block(`${MARK}<invoke name="order">{"user": 1}${MARK}</invoke>`))).toEqual(order({ user: 1 }));
    expect(read(block('{"name": "order", "arguments": {"user": 1}}'))).toEqual(order({ user: 1 }));
  });

  test("keeps its text exactly, and the tags without a mark in it", () => {
    for (const note of [
      "a ",
      "\na\n",
      "  ",
      "null",
      "<p>a</p>",
      "</note> </invoke>\n</tool_call>",
      "<user>1</user>",
      '<invoke name="now">',
    ])
      expect(read(block(invoke(element("note", note), element("user", "1"))))).toEqual(order({ note, user: 1 }));
  });
});

describe("where the mark is missing", () => {
  const call = [
    "<tool_call>\n",
    '<invoke name="order">',
    "<user>1",
    "</user>",
    "<tags>",
    "<item>red",
    "</item>",
    "</tags>",
    "</invoke>\n",
    "</tool_call>",
  ];
  const given = order({ user: 1, tags: ["red"] });

  test("before all tags, the call is read", () => expect(read(call.join(""))).toEqual(given));

  test("before one of them, or the tags of the block or of the call, the call is read", () => {
    const outer = (_: string, i: number) => i === 0 || i === call.length - 1;
    const inner = (_: string, i: number) => i === 1 || i === call.length - 2;
    const inside = (_: string, i: number) => i > 1 && i < call.length - 2;
    const ways = [...call.map((_, at) => (_tag: string, i: number) => i === at), outer, inner, inside];
    for (const isBare of ways.filter((_, at) => at !== 5 && at !== 4))
      expect(read(call.map((tag, i) => (isBare(tag, i) ? tag : MARK + tag)).join(""))).toEqual(given);
  });

  test("a closing tag ends a value only before one with the mark", () => {
    const note = (text: string) =>
      marked("<tool_call>", '<invoke name="order">', `<note>${text}</note>`, "</invoke>", "</tool_call>");
    expect(read(note("a"))).toEqual(order({ note: "a" }));
    expect(read(note("a</note>, b"))).toEqual(order({ note: "a</note>, b" }));
  });
});

describe("a call with wrong tags", () => {
  // Source: the tests of SGLang's parser, which name four such shapes that MiniMax asks servers to read.
  const user = order({ user: 1 });
  test.each([
    ["a closing tag of another name", [element("user", "1").replace("</user>", "</id>")], user],
    ["that, and then its own", [marked("<user>1", "</id>", "</user>")], user],
    ["one closing tag too many", [marked("<user>1", "</user>", "</id>")], user],
    [
      "no closing tag before the next argument",
      [marked("<note>a", "<user>1", "</user>")],
      order({ note: "a", user: 1 }),
    ],
    ["no closing tag before the call's", [marked("<note>a")], order({ note: "a" })],
    [
      "an element that is not closed in another",
      [marked("<item>", "<sku>a", "</item>")],
      order({ item: { sku: "a" } }),
    ],
    [
      "words after an argument",
      [element("user", "1"), " as above", element("note", "a")],
      order({ user: 1, note: "a" }),
    ],
  ])("is read: %s", (_, inside, given) => expect(read(block(invoke(...inside)))).toEqual(given));

  test("words that touch an argument may be a part of it", () => {
    const { calls, invalid } = read(block(invoke(element("user", "1"), "as above", element("note", "a"))));
    expect([calls, invalid]).toEqual([[], ["malformed"]]);
  });

  test.each([
    ["words before any argument", ["the user", element("user", "1")]],
    ["the mark in a text", [element("note", `a ${MARK} b`)]],
    ["text beside an element", [element("item", "a", element("sku", "b"))]],
  ])("is invalid: %s", (_, inside) => {
    expect(read(block(invoke(...inside)))).toMatchObject({ calls: [], invalid: [expect.any(String)] });
  });

  test("is read where the end of its block or of the call before another one is missing", () => {
    const call = invoke(element("user", "1"));
    expect(read(`${MARK}<tool_call>\n${call}`)).toEqual(user);
    const open = call.slice(0, -`${MARK}</invoke>`.length);
    expect(read(block(open + call)).calls).toEqual([
      ["order", { user: 1 }],
      ["order", { user: 1 }],
    ]);
  });

  test("is invalid where the reply ends before its arguments do, with those before it", () => {
    const whole = block(invoke(element("user", "1")));
    const cut = `${MARK}<tool_call>\n${invoke(element("user", "1"))}\n${MARK}<invoke name="order">${MARK}<note>ab`;
    expect(read(cut)).toEqual({ ...user, invalid: ["truncated"] });
    for (let end = whole.indexOf("<user>"); end < whole.indexOf("</user>"); end++)
      expect(read(whole.slice(0, end)).calls).toEqual([]);
  });

  test("nested deeper than anything is invalid", () => {
    const deep = MARK + Array(300).fill("<item>").join(MARK);
    expect(read(block(invoke(MARK, "<items>", deep)))).toMatchObject({ calls: [], invalid: ["limit"] });
  });
});

const text = fc
  .array(
    fc.constantFrom(
      MARK,
      "]",
      "]<",
      "<",
      "</note>",
      "<note>",
      "</invoke>",
      "<tool_call>",
      "\n",
      " ",
      "a",
      "{",
      '"',
      "😀",
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));

describe("the mark in untrusted text", () => {
  test("makes no tag of what is none without it", () => {
    for (const reply of [`<tool${MARK}_call>`, `<${MARK}invoke name="now">`, `${MARK} <`, MARK])
      expect(read(`It writes ${reply} here.`)).toMatchObject({ calls: [], invalid: [] });
  });

  test("is broken wherever text is escaped", () => {
    fc.assert(
      fc.property(text, (before) => {
        const escaped = escapeText(before + block(invoke(element("user", "1"))));
        expect(escaped).not.toContain(MARK);
        expect(parseReply(escaped, { tools, protocol: "minimax-m3" }).toolCalls).toEqual([]);
      }),
    );
  });

  test("is refused in a value", () => {
    const render = (args: object) =>
      protocols["minimax-m3"].renderCalls([{ name: "order", arguments: { ...args } }], { tools });
    expect(() => render({ note: `a${MARK}` })).toThrow(/The argument "note" contains \]<\]minimax\[>\[/);
    expect(() => render({ item: { sku: MARK } })).toThrow(/The argument "sku" contains/);
    expect(() => render({ user: 1, other: [MARK] })).toThrow(/The argument "other" contains/);
  });

  test("leaves every value as it is that is written", () => {
    const value = fc.record(
      {
        note: text,
        user: fc.integer(),
        urgent: fc.boolean(),
        item: fc.record({ sku: text }),
        tags: fc.array(text, { maxLength: 2 }),
        other: text,
      },
      { requiredKeys: ["user"] },
    );
    fc.assert(
      fc.property(value, (args) => {
        const isWritable = !JSON.stringify(args).includes(MARK);
        const render = () => protocols["minimax-m3"].renderCalls([{ name: "order", arguments: args }], { tools });
        if (!isWritable) expect(render).toThrow("which would end it");
        else expect(parseReply(render(), { tools, protocol: "minimax-m3" }).toolCalls[0]?.arguments).toEqual(args);
      }),
    );
  });
});

test("an argument whose closing tag ends the call is refused, in grammars too", () => {
  const odd = [
    { name: "f", parameters: { type: "object", properties: { at: { type: "object" }, invoke: { type: "string" } } } },
  ];
  const given = { tools: odd, protocol: "minimax-m3" } as const;
  for (const args of [{ invoke: "a" }, { at: { tool_call: 1 } }]) {
    const nested = {
      ...odd[0]!,
      parameters: { type: "object", properties: { at: { properties: { tool_call: {} } } } },
    };
    const call = { name: "f", arguments: args };
    expect(() => protocols["minimax-m3"].renderCalls([call], { tools: "at" in args ? [nested] : odd })).toThrow(
      "ends the call",
    );
  }
  expect(toolCallGrammar({ ...given, toolChoice: "required" }).grammar).not.toContain("<invoke>");
});

test("a reply with any tags and text reads the same in any chunks", () => {
  const tag = fc.constantFrom(
    "<tool_call>",
    '<invoke name="order">',
    "<note>",
    "</note>",
    "<items>",
    "</items>",
    "<item>",
    "</item>",
    "</invoke>",
    "</tool_call>",
  );
  const piece = fc.oneof(
    tag.map((one) => MARK + one),
    tag,
    text,
  );
  const reply = fc
    .array(piece, { maxLength: 14 })
    .map((parts) => marked("<tool_call>", '<invoke name="order">') + parts.join(""));
  fc.assert(
    fc.property(
      reply.chain((whole) => fc.tuple(fc.constant(whole), chunked(whole))),
      fc.constantFrom(...readers),
      ([whole, chunks], protocol) => {
        expect(eventsOf(chunks, protocol)).toEqual(eventsOf([whole], protocol));
      },
    ),
    { numRuns: 300 },
  );
});

test("the grammar admits any text without the mark, and nested elements", async () => {
  const matches = await matcher(toolCallGrammar({ tools, protocol: "minimax-m3", toolChoice: "required" }).grammar);
  const note = (value: string) => block(invoke(element("note", value)));
  expect(["a", "<p>a</p>", "</note>", "\n<note>", "]<]"].map((value) => matches(note(value)))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect([MARK, `a${MARK}<user>`, `a${MARK} `].map((value) => matches(note(value)))).toEqual([false, false, false]);
  expect(matches(block(invoke(element("items", element("item", element("sku", "b"), element("qty", "2"))))))).toBe(
    true,
  );
  expect(matches(block(invoke(element("user", "one"))))).toBe(false);
  expect(matches(block(invoke("<user>1</user>")))).toBe(false);
});
