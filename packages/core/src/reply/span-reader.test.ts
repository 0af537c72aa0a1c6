import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hermes, read, tools } from "../../test/support/read.js";
import {
  collectReply,
  createReplyParser,
  getProtocol,
  type ProtocolName,
  protocols,
  type ReplyEvent,
} from "../index.js";

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r", "\u00a0"), maxLength: 64 });

/** The events of a reply in pieces, where text that only chunking parted is joined. */
function inPieces(text: string, cuts: readonly number[], protocol: ProtocolName): ReplyEvent[] {
  const parser = createReplyParser({ tools, protocol, generateId: () => "id" });
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const events = [...ends, text.length].flatMap((end, i) => parser.push(text.slice(ends[i - 1] ?? 0, end)));
  const joined: ReplyEvent[] = [];
  for (const event of [...events, ...parser.end()]) {
    const last = joined.at(-1);
    if (last && "text" in last && "text" in event && last.type === event.type) last.text += event.text;
    else joined.push({ ...event });
  }
  return joined;
}

describe("a call of another format after a label of reasoning", () => {
  const call = hermes('{"name": "now"}');
  const of = (reply: string) => {
    const { text, toolCalls } = read(reply, { protocol: "react" });
    return { text, calls: toolCalls.map(({ name }) => name) };
  };

  test("is one if the reply ends with it", () =>
    expect(of(`Thought: I need the time.\n${call}`)).toEqual({ text: "", calls: ["now"] }));

  test("is reasoning if more follows", () => {
    expect(of(`Thought: I could write\n${call}\nbut will not.`)).toEqual({ text: "", calls: [] });
    expect(of(`Thought: Not ${call} now.\nFinal Answer: It is noon.`)).toEqual({ text: "It is noon.", calls: [] });
  });
});

/** The spans of reasoning and of made-up results that begin and end with a tag. */
const spans = (Object.keys(protocols) as ProtocolName[]).flatMap((name) =>
  (getProtocol(name).syntax.spans ?? []).flatMap(({ open, close, as }) =>
    close !== undefined && [open, close].every((tag) => /^<\/?[\w:]+>$/.test(tag)) ? [{ name, open, close, as }] : [],
  ),
);

const spaced = (tag: string, white: string) => `${tag.slice(0, -1)}${white}>`;

describe("white space in the tags of a span", () => {
  test.each(spans.filter(({ as }) => as === "reasoning"))(
    "does not matter to $name: $open",
    ({ name, open, close }) => {
      fc.assert(
        fc.property(space, space, fc.array(fc.nat(), { maxLength: 8 }), (first, second, cuts) => {
          const events = inPieces(`${spaced(open, first)}Hm.${spaced(close, second)}Yes.`, cuts, name);
          expect(collectReply(events)).toMatchObject({ reasoning: "Hm.", text: "Yes." });
        }),
        { numRuns: 40 },
      );
    },
  );

  test.each(spans.filter(({ as }) => as === "dropped"))("does not matter to $name: $open", ({ name, open, close }) => {
    const result = `${spaced(open, " ")}sunny${spaced(close, "\n")}`;
    const { toolCalls, text } = read(`${hermes('{"name": "now"}')}${result}Done.`, { protocol: name });
    expect({ calls: toolCalls.length, text: text.trim() }).toEqual({ calls: 1, text: "Done." });
  });

  test("a call after it is a call", () => {
    expect(read(`<think>Hm.</think >\n${hermes('{"name": "now"}')}`)).toMatchObject({
      reasoning: "Hm.",
      toolCalls: [{ name: "now" }],
    });
  });

  test("a tag that closes reasoning of the prompt is dropped", () => {
    expect(read("</think >\n\nHello.").text.trim()).toBe("Hello.");
    expect(read("The tag </think > closes it.").text).toBe("The tag </think > closes it.");
    expect(read("A <think > is a tag.").text).toBe("A <think > is a tag.");
  });

  test("more of it than any model writes is text", () => {
    const long = spaced("</think>", " ".repeat(65));
    expect(read(`<think>a${long}b</think>c`)).toMatchObject({ reasoning: `a${long}b`, text: "c" });
  });

  test.each([" x", "er", " ".repeat(65)])("a tag of reasoning that does not end is text: %j", (rest) => {
    const text = `a</think${rest}`;
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
        expect(inPieces(`<think>${text}`, cuts, "hermes")).toEqual([{ type: "reasoning", text }]);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a result before any call", () => {
  const results = (Object.keys(protocols) as ProtocolName[]).flatMap((owner) =>
    (getProtocol(owner).syntax.spans ?? [])
      .filter(({ open, as }) => as === "dropped" && /[>\]]$/.test(open))
      .map(({ open, close = "" }) => ({ owner, open, close })),
  );
  const bare = {
    "json-list": '[{"name": "now", "arguments": {}}]',
    "json-action": '{"action": {"tool": "now", "arguments": {}}}',
    "llama3-json": '{"name": "now", "parameters": {}}',
    pythonic: "[now()]",
    hermes: '{"name": "now", "arguments": {}}',
  } satisfies Partial<Record<ProtocolName, string>>;

  test.each(results)("contains no call without a marker: $open of $owner", ({ owner, open, close }) => {
    for (const [name, call] of Object.entries(bare)) {
      // Other formats read this tag as one that a model puts around its calls.
      for (const protocol of (open === "<response>" ? [owner] : [name, owner]) as ProtocolName[]) {
        for (const result of [`${open}${call}${close}`, `${open}\nThis is said:\n\n${call}\n${close}`]) {
          expect({ result, calls: read(result, { protocol }).toolCalls }).toEqual({ result, calls: [] });
        }
      }
    }
  });

  test("is none where a sentence mentions its marker", () => {
    const reply = "A result is in <tool_response> tags.\n[now()]";
    expect(read(reply, { protocol: "pythonic" }).toolCalls).toMatchObject([{ name: "now" }]);
  });

  test("does not hide a call with a marker after it, and its content is text", () => {
    const reply = `<tool_response>sunny</tool_response>\n${hermes('{"name": "now"}')}`;
    expect(read(reply)).toMatchObject({ text: "sunny", toolCalls: [{ name: "now" }] });
  });
});
