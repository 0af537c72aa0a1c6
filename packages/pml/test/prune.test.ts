import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type PmlDocument,
  type PmlPart,
  type PmlTurn,
  parsePml,
  prunePml,
  replaceInPml,
  stringifyPml,
} from "../src/index.js";
import { chats, documents } from "./support/documents.js";
import { untyped } from "./support/untyped.js";

const long = (name: string) => Array.from({ length: 200 }, (_, i) => `${name} line ${i}`).join("\n");

/** A session with an attachment, a call and an answer in each turn. */
function session(turns: number): PmlDocument {
  return {
    version: "1",
    memory: [{ type: "fact", id: "tea", text: "Kim likes tea." }],
    conversation: {
      turns: Array.from({ length: turns }, (_, i) => ({
        index: i + 1,
        messages: [
          ...(i === 0 ? [{ type: "system" as const, parts: [{ type: "text" as const, text: "Be brief." }] }] : []),
          {
            type: "user",
            parts: [
              { type: "attachment", kind: "file", path: `src/${i}.ts`, content: long(`file ${i}`) },
              { type: "text", text: `Question ${i}` },
            ],
          },
          {
            type: "assistant",
            parts: [
              { type: "thinking", text: `I think of ${i}` },
              { type: "call", id: `c${i}`, name: "search", arguments: { q: `${i}` } },
            ],
          },
          { type: "tool_output", call: `c${i}`, text: `result ${i}` },
          { type: "assistant", parts: [{ type: "text", text: `Answer ${i}` }] },
        ],
      })),
    },
  };
}

const fourth = (document: PmlDocument) => Math.ceil(stringifyPml(document).length / 4);
const textOf = (document: PmlDocument) => stringifyPml(document);
const partsOf = (document: PmlDocument): PmlPart[] =>
  (document.conversation?.turns ?? []).flatMap(({ messages }) =>
    messages.flatMap((message): PmlPart[] => (message.type === "tool_output" ? [message] : message.parts)),
  );

test.each([
  [() => Number.NaN, "NaN"],
  [() => -1, "-1"],
  [async () => 5, "a promise"],
  [() => "5", "string"],
])("a `countTokens` that returns no number is refused", (countTokens, given) => {
  const options = { maxTokens: 100, countTokens: countTokens as () => number };
  expect(() => prunePml(session(2), options)).toThrow(
    `\`countTokens\` must return a number of at least 0, not ${given}.`,
  );
});

describe("a document", () => {
  test("within the limit stays the same object", () => {
    const document = session(2);
    expect(prunePml(document, { maxTokens: 100_000 })).toEqual({ document, pruned: [], tokens: fourth(document) });
    expect(prunePml(document, { maxTokens: 100_000 }).document).toBe(document);
  });

  test("above it is pruned to 70 % of the limit in one step", () => {
    const document = session(10);
    const before = structuredClone(document);
    const { document: shorter, pruned, tokens } = prunePml(document, { maxTokens: 4_000, reserve: 1_000 });
    expect(document).toEqual(before);
    expect(tokens).toBe(fourth(shorter));
    expect(tokens).toBeLessThanOrEqual(2_100);
    expect(parsePml(stringifyPml(shorter))).toEqual(shorter);
    expect(pruned.length).toBeGreaterThan(0);
    for (const { tokens: saved } of pruned) expect(saved).toBeGreaterThan(0);
  });

  test("has its attachments shortened, then removed, the oldest first, before turns are removed", () => {
    const document = session(5);
    const shortened = prunePml(document, { maxTokens: fourth(document) - 10, target: 0.95 });
    expect(shortened.pruned.map(({ how, what, name }) => [how, what, name])).toEqual([
      ["removed", "thinking", undefined],
      ["removed", "thinking", undefined],
      ["removed", "thinking", undefined],
      ["removed", "thinking", undefined],
      ["removed", "thinking", undefined],
      ["shortened", "attachment", "src/0.ts"],
    ]);
    const [first] = partsOf(shortened.document).filter(({ type }) => type === "attachment");
    expect(first).toMatchObject({
      path: "src/0.ts",
      content: expect.stringMatching(
        /^file 0 line 0\n[\s\S]*\n\[… [\d,]+ characters left out …\]\n[\s\S]*file 0 line 199$/,
      ),
    });

    const without = prunePml(document, { maxTokens: 1_200, target: 1 });
    expect(without.pruned).toContainEqual(expect.objectContaining({ how: "omitted", name: "src/0.ts" }));
    expect(without.document.conversation?.turns).toHaveLength(5);
    expect(partsOf(without.document)).toContainEqual({
      type: "attachment",
      kind: "file",
      path: "src/0.ts",
      omitted: true,
    });

    const { conversation } = prunePml(document, { maxTokens: 400, target: 1 }).document;
    expect(conversation?.omitted).toBeGreaterThan(0);
    expect(conversation?.turns.at(-1)?.messages.at(-1)).toEqual({
      type: "assistant",
      parts: [{ type: "text", text: "Answer 4" }],
    });
    expect(conversation?.turns.length).toBe(5 - (conversation?.omitted ?? 0));
  });

  test("keeps parts marked `always`: by default the system message; by attribute, id or element", () => {
    const document = session(6);
    const [turn] = document.conversation?.turns ?? [];
    const user = turn?.messages[1];
    if (user?.type === "user") user.id = "first";
    const { document: shorter, pruned } = prunePml(document, {
      ...{ maxTokens: 1_600, target: 1, keep: { "#first": "always", fact: "low" } },
    });
    const text = textOf(shorter);
    expect(text).toContain("Be brief.");
    expect(text).toContain("file 0 line 150");
    expect(text).not.toContain("Kim likes tea");
    expect(pruned[0]).toMatchObject({ what: "fact", how: "removed", name: "tea", path: "/memory/0" });
    expect(() => prunePml(document, { maxTokens: 300, keep: { user: "always" } })).toThrow(
      expect.objectContaining({
        code: "over-limit",
        message: expect.stringMatching(/^What must stay has [\d]+ tokens, and 300 are left/),
      }),
    );
  });

  test("shows `alt` texts in place of removed parts", () => {
    const document: PmlDocument = {
      version: "1",
      conversation: {
        turns: [
          {
            messages: [
              { type: "user", alt: "Kim asked for a plan.", parts: [{ type: "text", text: long("a") }] },
              { type: "assistant", parts: [{ type: "call", id: "1", name: "read", arguments: {} }] },
              { type: "tool_output", call: "1", alt: "The file was empty.", text: "x".repeat(300) },
              { type: "assistant", parts: [{ type: "text", text: "Done." }] },
            ],
          },
          { messages: [{ type: "user", parts: [{ type: "text", text: "And now?" }] }] },
        ],
      },
    };
    const first = prunePml(document, { maxTokens: fourth(document) - 5, target: 1 });
    expect(first.pruned).toMatchObject([{ how: "alt", what: "tool_output", path: "/conversation/turns/0/messages/2" }]);
    expect(first.document.conversation?.turns[0]?.messages[2]).toEqual({
      type: "tool_output",
      call: "1",
      text: "The file was empty.",
    });
    const second = prunePml(document, { maxTokens: 130, target: 1 });
    expect(second.document.conversation?.turns[0]?.messages).toEqual([
      { type: "user", parts: [{ type: "text", text: "Kim asked for a plan." }] },
    ]);
    const third = prunePml(document, { maxTokens: 50, target: 1 });
    expect(third.document.conversation).toEqual({ omitted: 1, turns: [document.conversation?.turns[1]] });
  });

  test("keeps its beginning when it is pruned again after more turns", () => {
    let document = session(1);
    const texts: string[] = [];
    let prunings = 0;
    for (const turn of session(60).conversation?.turns.slice(1) ?? []) {
      const turns = [...(document.conversation?.turns ?? []), turn];
      const { document: next, pruned } = prunePml(
        { ...document, conversation: { ...document.conversation, turns } },
        { maxTokens: 6_000, indent: 0 },
      );
      if (pruned.length > 0) prunings++;
      else {
        const before = texts.at(-1)?.replace(/\n<\/conversation>\n<\/pml>\n$/, "") ?? "";
        expect(stringifyPml(next, { indent: 0 }).startsWith(before)).toBe(true);
      }
      document = next;
      texts.push(stringifyPml(document, { indent: 0 }));
    }
    expect(prunings).toBeGreaterThan(2);
    expect(prunings).toBeLessThan(30);
  });

  test("of any shape fits or is reported not to; calls and outputs stay together; pruning is deterministic (property)", () => {
    let pruned = 0;
    const settings = { shortenTo: 5, recentTurns: 0, keep: { system: "normal" } } as const;
    fc.assert(
      fc.property(
        fc.oneof(chats, documents),
        fc.integer({ min: 20, max: 200 }),
        fc.constantFrom(0.5, 0.7, 1),
        (document, maxTokens, target) => {
          let result: ReturnType<typeof prunePml>;
          try {
            result = prunePml(document, { maxTokens, target, ...settings });
          } catch (error) {
            expect(error).toMatchObject({ code: "over-limit" });
            return;
          }
          expect(result.tokens).toBeLessThanOrEqual(maxTokens);
          expect(result.tokens).toBe(fourth(result.document));
          expect(parsePml(stringifyPml(result.document))).toEqual(result.document);
          expect(prunePml(document, { maxTokens, target, ...settings })).toEqual(result);
          expect(prunePml(result.document, { maxTokens, target, ...settings }).document).toBe(result.document);
          if (result.pruned.length > 0) pruned++;
          // No output whose call was there is left without it, and no call without the output that it had.
          const pairs = (parts: PmlPart[]) => {
            const calls = new Set(
              parts.flatMap((part) => (part.type === "call" && part.id !== undefined ? [part.id] : [])),
            );
            const outputs = parts.flatMap((part) =>
              part.type === "tool_output" && part.call !== undefined ? [part.call] : [],
            );
            return new Set(outputs.filter((id) => calls.has(id)));
          };
          const before = pairs(partsOf(document));
          const after = partsOf(result.document);
          const left = pairs(after);
          for (const part of after) {
            const id = part.type === "call" ? part.id : part.type === "tool_output" ? part.call : undefined;
            if (id !== undefined && before.has(id)) expect(left.has(id)).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(pruned).toBeGreaterThan(20);
  });

  test("keeps a call and an output of another turn together", () => {
    const document = parsePml(`<conversation>
      <turn><user><text>${"x".repeat(4_000)}</text></user><assistant><call id="1" name="read"/></assistant></turn>
      <turn><user>Go on.</user><tool_output call="1">2</tool_output></turn>
    </conversation>`);
    const { document: shorter, pruned } = prunePml(document, { maxTokens: 400 });
    expect(pruned).toMatchObject([{ what: "text", how: "removed" }]);
    expect(partsOf(shorter).map(({ type }) => type)).toEqual(["call", "text", "tool_output"]);
    // Both go where both turns can.
    const none = prunePml(document, { maxTokens: 60, target: 0.5, recentTurns: 0 });
    expect(partsOf(none.document)).toEqual([]);
  });

  test("distinguishes calls with the same id", () => {
    const turn = (text: string) =>
      `<turn><user><text>${text}</text></user><assistant><call id="1" name="read"/></assistant><tool_output call="1">${text}</tool_output></turn>`;
    const document = parsePml(`<conversation>${turn("a ".repeat(400))}${turn("b")}${turn("c")}</conversation>`);
    const { document: shorter } = prunePml(document, { maxTokens: 200, target: 1 });
    expect(partsOf(shorter).filter(({ type }) => type !== "text")).toEqual([
      { type: "call", id: "1", name: "read", arguments: {} },
      { type: "tool_output", call: "1", text: "b" },
      { type: "call", id: "1", name: "read", arguments: {} },
      { type: "tool_output", call: "1", text: "c" },
    ]);
  });

  test("prunes attachments of outputs one by one, by their size", () => {
    const document = parsePml(`<conversation>
      <turn><assistant><call id="1" name="read"/></assistant><tool_output call="1"><text>Two files.</text>
        <attachment type="file" path="plan.md" keep="always"><content>${"plan ".repeat(300)}</content></attachment>
        <attachment type="file" path="log.txt" alt="A log without errors"><content>${"log ".repeat(900)}</content></attachment>
        <attachment type="file" path="old.txt" keep="low"><content>${"old ".repeat(90)}</content></attachment>
      </tool_output></turn>
      <turn><user>Go on.</user></turn>
    </conversation>`);
    const { document: shorter, pruned } = prunePml(document, { maxTokens: 700, target: 1 });
    const at = "/conversation/turns/0/messages/1/attachments";
    expect(pruned).toMatchObject([
      { how: "omitted", name: "old.txt", path: `${at}/2` },
      { how: "shortened", name: "log.txt", path: `${at}/1` },
      { how: "alt", name: "log.txt", path: `${at}/1` },
    ]);
    const [output] = partsOf(shorter).filter(({ type }) => type === "tool_output");
    expect(output).toMatchObject({
      text: "Two files.",
      attachments: [
        { path: "plan.md", content: "plan ".repeat(300) },
        { path: "log.txt", alt: "A log without errors", omitted: true },
        { path: "old.txt", omitted: true },
      ],
    });
    // What must stay keeps the call that gave it.
    expect(() => prunePml(document, { maxTokens: 200 })).toThrow(expect.objectContaining({ code: "over-limit" }));
    // An output that is replaced by its `alt`, or dropped, loses its attachments too.
    const cheap = replaceInPml(document, `${at}/0`, (old) => ({ ...old, keep: "normal" }));
    expect(prunePml(cheap, { maxTokens: 60, target: 1 }).document.conversation).toMatchObject({ omitted: 1 });
  });

  test("with one object in several places is pruned like one with equal objects", () => {
    const turn: PmlTurn = {
      messages: [
        { type: "user", parts: [{ type: "text", text: "x ".repeat(900) }] },
        { type: "assistant", keep: "always", parts: [{ type: "text", text: "answer" }] },
      ],
    };
    const shared: PmlDocument = { version: "1", conversation: { turns: [turn, turn, turn] } };
    const options = { maxTokens: 1_000 };
    expect(prunePml(shared, options)).toEqual(prunePml(structuredClone(shared), options));
    const apart: PmlDocument = JSON.parse(JSON.stringify(shared));
    expect(prunePml(shared, options)).toEqual(prunePml(apart, options));
  });

  test("options are checked", () => {
    const document = session(1);
    expect(() => untyped(prunePml)(document, {})).toThrow(/`maxTokens` is missing/);
    expect(() => prunePml(document, { maxTokens: 10, reserve: 10 })).toThrow(/less than `maxTokens` \(10\), not 10/);
    expect(() => prunePml(document, { maxTokens: 10, keep: { atachment: "low" } })).toThrow(
      /"atachment", which is neither/,
    );
    expect(() => untyped(prunePml)(document, { maxTokens: 10, keep: { fact: "most" } })).toThrow(/`keep` is an object/);
    expect(() => untyped(prunePml)(document, { maxToken: 10 })).toThrow(/Did you mean "maxTokens"/);
  });

  test("is counted with the application's function", () => {
    const document = session(3);
    const words = (text: string) => text.split(/\s+/).length;
    const { tokens, document: shorter } = prunePml(document, { maxTokens: 1_000, countTokens: words });
    expect(tokens).toBe(words(stringifyPml(shorter)));
    expect(tokens).toBeLessThanOrEqual(700);
  });
});

test("a list is refused as `keep`", () => {
  expect(() => untyped(prunePml)(session(2), { maxTokens: 100, keep: [] })).toThrow(/`keep` is an object/);
});

describe("no more is pruned than the goal requires", () => {
  const said = (type: "user" | "assistant", text: string) => ({ type, parts: [{ type: "text" as const, text }] });
  const document: PmlDocument = {
    version: "1",
    memory: [{ type: "fact", text: "Kim is allergic to nuts." }],
    conversation: {
      turns: Array.from({ length: 50 }, (_, i) => ({
        index: i + 1,
        messages: [said("user", "ok"), said("assistant", "ok")],
      })),
    },
  };

  test("if turns are mostly markup", () => {
    for (const first of ["normal", "high"] as const) {
      const given = structuredClone(document);
      Object.assign(given.conversation?.turns[0] ?? {}, { keep: first });
      const { document: shorter, tokens } = prunePml(given, { maxTokens: 1_800 });
      expect(shorter.memory).toEqual(document.memory);
      expect(tokens).toBeLessThanOrEqual(1_260);
      expect(tokens).toBeGreaterThan(1_200);
      expect(shorter.conversation?.turns.length).toBeGreaterThan(30);
    }
  });

  test("if the first turn is enough", () => {
    const turns: PmlTurn[] = [
      { index: 1, messages: [said("user", "x".repeat(300)), said("assistant", "b")] },
      { index: 2, messages: [said("user", "c")] },
    ];
    const pruned = prunePml({ version: "1", conversation: { turns } }, { maxTokens: 60, recentTurns: 0, target: 1 });
    expect(pruned.document.conversation).toEqual({ omitted: 1, turns: turns.slice(1) });
  });

  test("with turns of any texts: one turn more would be too much", () => {
    const text = fc.string({ maxLength: 60 });
    const ofTurns = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(ofTurns, fc.double({ min: 0.4, max: 0.95, noNaN: true }), (texts, part) => {
        const turns = texts.map((words) => ({ messages: words.map((word) => said("user", word)) }));
        const given: PmlDocument = { version: "1", conversation: { turns } };
        const maxTokens = Math.floor(fourth(given) * part);
        fc.pre(
          fourth({ version: "1", conversation: { omitted: turns.length - 1, turns: turns.slice(-1) } }) <= maxTokens,
        );
        const { document: shorter, tokens } = prunePml(given, { maxTokens, target: 1 });
        const omitted = shorter.conversation?.omitted ?? 0;
        expect(shorter.conversation?.turns).toEqual(turns.slice(omitted));
        expect(tokens).toBeLessThanOrEqual(maxTokens);
        const more = { ...(omitted > 1 && { omitted: omitted - 1 }), turns: turns.slice(omitted - 1) };
        expect(fourth({ version: "1", conversation: more })).toBeGreaterThan(maxTokens);
      }),
    );
  });
});
