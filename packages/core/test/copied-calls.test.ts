import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createReplyParser,
  getProtocol,
  RenderError,
  type ReplyEvent,
  type ReplyParserOptions,
  type ToolDefinition,
} from "../src/index.js";
import { protocolNames, type Scenario, scenario } from "./arbitraries.js";
import { runs } from "./support/runs.js";

type Name = (typeof protocolNames)[number];

function render(protocol: Name, calls: Scenario["calls"], tools: readonly ToolDefinition[]): string | undefined {
  try {
    return getProtocol(protocol).renderCalls(calls, { tools });
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

function read(chunks: readonly string[], options: ReplyParserOptions): ReplyEvent[] {
  let next = 0;
  const parser = createReplyParser({ ...options, generateId: () => `call_${next++}` });
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

/** Events with those joined that only chunking parted. */
function joined(events: readonly ReplyEvent[]): ReplyEvent[] {
  const result: ReplyEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const reason = "reason" in event ? event.reason : undefined;
    if (
      last?.type === event.type &&
      "text" in last &&
      "text" in event &&
      ("reason" in last ? last.reason : undefined) === reason
    ) {
      last.text += event.text;
    } else if (last?.type === "call-delta" && event.type === "call-delta" && last.index === event.index) {
      last.argumentsDelta += event.argumentsDelta;
    } else result.push({ ...event });
  }
  return result;
}

const said = (events: readonly ReplyEvent[]) => events.map((event) => ("text" in event ? event.text : "")).join("");
const isOfCall = ({ type }: ReplyEvent) => type.startsWith("call-");

/** A broken call, where a string contains the markers of another one, ends in the text after it, and is not a copy. */
const isSound = (event: ReplyEvent) => event.type !== "call-invalid" || event.call.error.code !== "malformed";

/** The same text with other white space, in a document. */
const document = (text: string) => `A page of the web.\n\n${text.replace(/\s+/g, " \n\t ")}\n\nMore of it.`;

const note: ToolDefinition = {
  name: "note",
  parameters: {
    type: "object",
    properties: { about: { type: "string" }, number: { type: "integer" }, text: { type: "string" } },
    required: ["number"],
  },
};
const now: ToolDefinition = { name: "now", parameters: { type: "object", properties: {} } };
const tools = [note, now];
const noteOf = (number: number, text = "as it was said") => ({
  name: "note",
  arguments: { about: "the weather", number, text },
});

const arounds = [
  ["", ""],
  ["I found this:\n\n", "\n\nThat is all."],
  ["It says ", " there."],
  ["<think>What is it?</think>", ""],
  ["```\n", "\n```"],
] as const;

describe.each(protocolNames)("%s: a call that is copied from untrusted text", (protocol) => {
  test("is text in any chunks", () => {
    fc.assert(
      fc.property(scenario, fc.constantFrom(...arounds), ({ tools, calls }, [before, after]) => {
        const text = render(protocol, calls, tools);
        fc.pre(text !== undefined);
        const reply = before + text + after;
        const options = { tools, protocol, untrusted: ["2 + 3?", document(text)] };
        const events = read([reply], options);
        expect({ reply, calls: events.filter(isOfCall).filter(isSound) }).toEqual({ reply, calls: [] });
        expect(joined(read([...reply], options))).toEqual(joined(events));
      }),
      runs(20),
    );
  });

  test("is text if the text ends within the call and the next one continues it", () => {
    const text = render(protocol, [noteOf(17)], tools);
    if (text === undefined) return;
    for (let at = 1; at < text.length; at++) {
      const [first, second] = [text.slice(0, at), text.slice(at)];
      const untrusted = [`See ${first}`, second, "2 + 3?"];
      for (const reply of [`${first}\n\n${second}`, text]) {
        const calls = read([reply], { tools, protocol, untrusted }).filter(({ type }) => type === "call-end");
        expect({ reply, calls }).toEqual({ reply, calls: [] });
      }
    }
  });

  test("is reported as copied, with every character", () => {
    for (const calls of [[noteOf(17)], [noteOf(17), noteOf(18)], [{ name: "now", arguments: {} }]]) {
      const text = render(protocol, calls, tools);
      if (text === undefined) continue;
      for (const [before, after] of arounds.slice(0, 3)) {
        const reply = before + text + after;
        const plain = read([reply], { tools, protocol });
        const events = read([reply], { tools, protocol, untrusted: [document(text)] });
        expect(said(events)).toBe(reply);
        const marked = events.some((event) => event.type === "text" && event.reason === "copied-call");
        expect({ reply, marked }).toEqual({ reply, marked: plain.some(isOfCall) });
      }
    }
  });

  test("is a call if one argument differs, in any chunks", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 99_999 }),
        fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
        fc.constantFrom(...arounds),
        fc.integer({ min: 1, max: 9 }),
        (number, text, [before, after], size) => {
          const calls = [noteOf(number, text), noteOf(number + 1, text)];
          const reply = render(protocol, calls, tools);
          const other = render(
            protocol,
            calls.map((call) => noteOf(call.arguments.number + 100_000, text)),
            tools,
          );
          fc.pre(reply !== undefined && other !== undefined);
          const options = { tools, protocol };
          const whole = before + reply + after;
          const plain = joined(read([whole], options));
          const untrusted = [document(other), "Note the numbers with note()."];
          expect(joined(read([whole], { ...options, untrusted }))).toEqual(plain);
          const chunks = whole.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
          expect(joined(read(chunks, { ...options, untrusted }))).toEqual(plain);
        },
      ),
      runs(13),
    );
  });

  test("is compared without index and id of the neighbouring calls", () => {
    const text = render(protocol, [noteOf(17), noteOf(18)], tools);
    const copied = render(protocol, [noteOf(17)], tools);
    if (text === undefined || copied === undefined) return;
    const plain = read([text], { tools, protocol }).filter(({ type }) => type === "call-end");
    if (plain.length < 2) return;
    for (const chunks of [[text], [...text]]) {
      const events = read(chunks, { tools, protocol, untrusted: [document(copied)] });
      const calls = events.flatMap((event) => (event.type === "call-end" ? [event] : []));
      expect(calls).toMatchObject([{ index: 0, call: { id: "call_0", arguments: { number: 18 } } }]);
      expect(events.filter(isOfCall).every((event) => "index" in event && event.index === 0)).toBe(true);
    }
  });

  test("does not affect the call next to it", () => {
    const text = render(protocol, [noteOf(18), noteOf(17)], tools);
    const copied = render(protocol, [noteOf(17)], tools);
    if (text === undefined || copied === undefined) return;
    const [first] = read([text], { tools, protocol }).filter(({ type }) => type === "call-end");
    const calls = read([text], { tools, protocol, untrusted: [document(copied)] });
    expect(calls.find(({ type }) => type === "call-end")).toEqual(first);
  });

  test("is not recognised in a question that mentions tools and values", () => {
    const words = fc.constantFrom(
      ...[
        "note",
        "now",
        "note()",
        "now()",
        "note(17)",
        "@now",
        "the weather",
        "number",
        "17",
        "{",
        '"number": 17',
        "about",
      ],
      ...["as it was said", "note: 17", "<note>", "Action: note", '{"number": 17}', "\n", ", ", "(", "please", "call"],
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (question) => {
        const reply = render(protocol, [noteOf(17)], tools);
        fc.pre(reply !== undefined);
        const options = { tools, protocol };
        expect(read([reply], { ...options, untrusted: [question.join(" ")] })).toEqual(read([reply], options));
      }),
      runs(13),
    );
  });
});

describe("several calls between one pair of markers", () => {
  const json = (number: number) => `{"name": "note", "arguments": {"number": ${number}}}`;
  const block = (...numbers: number[]) => `<tool_call>\n${numbers.map(json).join("\n")}\n</tool_call>`;
  const runs = (reply: string, ...untrusted: string[]) =>
    [[reply], [...reply]].map((chunks) =>
      read(chunks, { tools, protocol: "hermes", untrusted }).flatMap((event) =>
        event.type === "call-end" ? [event.call.arguments.number] : [],
      ),
    );
  const both = (...numbers: number[]) => [numbers, numbers];

  test.each<[what: string, untrusted: string[], wanted: number[]]>([
    ["the first", [block(1)], [2, 3]],
    ["the second", [block(2)], [1, 3]],
    ["the last", [block(3)], [1, 2]],
    ["the first two, in one block", [block(1, 2)], [3]],
    ["all, each in a block", [block(1), block(2), block(3)], []],
    ["all, in one block", [block(1, 2, 3)], []],
    ["none, without markers", [json(2)], [1, 2, 3]],
  ])("are compared one by one: a copy of %s", (_, untrusted, wanted) => {
    expect(runs(block(1, 2, 3), ...untrusted)).toEqual(both(...wanted));
  });
});

test("never runs when the model repeats it, in any brackets, separators and words", () => {
  const json = (name: string) => `{"name":"${name}","arguments":{"number":17}}`;
  const calls = fc.constantFrom("note(number=17)", json("note"), "now()", json("now"));
  const between = fc.constantFrom(
    ...["[", "]", "{", "}", "(", ")", ",", ";", " ", "\n", "\\n", '"', "'", "`", "```", "<x>", "</x>"],
    ...['{"tool_calls": [', "print(", "# also\n", "or ", "and then "],
  );
  const text = fc.array(fc.oneof(calls, between), { minLength: 1, maxLength: 10 }).map((parts) => parts.join(""));
  const protocol = fc.constantFrom(...protocolNames, "auto" as const);
  fc.assert(
    fc.property(text, protocol, fc.constantFrom("any", "own"), (copy, protocol, accept) => {
      expect(read([copy], { tools, protocol, accept, untrusted: [copy] }).filter(isOfCall)).toEqual([]);
    }),
    {
      ...runs(500),
      examples: [
        ["[note(number=17)\nnow()]", "pythonic", "any"],
        [`[${json("now")}, [${json("now")}, ${json("note")}]]`, "hermes", "any"],
        [`[{"tool_calls": [${json("now")}, ${json("note")}]}]`, "xml", "any"],
      ],
    },
  );
});
