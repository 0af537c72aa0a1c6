import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addToPml,
  findInPml,
  type PmlDocument,
  type PmlPart,
  parsePml,
  pmlToJson,
  removeFromPml,
  replaceInPml,
  stringifyPml,
} from "../src/index.js";
import { chats, documents } from "./support/documents.js";
import { untyped } from "./support/untyped.js";

const document = parsePml(`<pml version="1">
  <memory><fact id="tea">Kim likes tea.</fact></memory>
  <conversation>
    <turn index="1" id="one">
      <user id="ask"><text>Look at this.</text><attachment type="file" path="a.ts" id="a"><content>1</content></attachment></user>
      <assistant><call id="1" name="read" path="b.ts"/></assistant>
      <tool_output call="1">2</tool_output>
      <assistant>It is 2.</assistant>
    </turn>
  </conversation>
</pml>`);
const turns = (one: PmlDocument) => one.conversation?.turns ?? [];

describe("adding", () => {
  test("puts each part in its place, and does not change the document", () => {
    const before = structuredClone(document);
    let next = addToPml(document, { type: "fact", text: "It is Monday." });
    next = addToPml(next, { type: "user", parts: [{ type: "text", text: "And this?" }] });
    next = addToPml(next, { type: "attachment", kind: "file", path: "c.ts", content: "3" });
    next = addToPml(next, { type: "call", id: "2", name: "read", arguments: {} });
    next = addToPml(next, { type: "tool_output", call: "2", text: "4" });
    next = addToPml(next, { messages: [{ type: "user", parts: [] }] });
    next = addToPml(next, { type: "edit", file: "a.ts", text: "5" }, "#ask");
    expect(document).toEqual(before);
    expect(next.memory).toHaveLength(2);
    expect(turns(next).map(({ index, messages }) => [index, messages.map(({ type }) => type)])).toEqual([
      [1, ["user", "assistant", "tool_output", "assistant"]],
      [2, ["user", "assistant", "tool_output"]],
      [undefined, ["user"]],
    ]);
    expect(turns(next)[1]?.messages[0]).toEqual({
      type: "user",
      parts: [
        { type: "text", text: "And this?" },
        { type: "attachment", kind: "file", path: "c.ts", content: "3" },
      ],
    });
    expect(turns(next)[0]?.messages[0]).toMatchObject({ parts: [{}, {}, { type: "edit", file: "a.ts" }] });
    expect(addToPml({ version: "1" }, { type: "text", text: "Hi" })).toEqual({
      version: "1",
      conversation: { turns: [{ index: 1, messages: [{ type: "user", parts: [{ type: "text", text: "Hi" }] }] }] },
    });
  });

  test("checks what is added and not the rest of a long document", () => {
    let next: PmlDocument = { version: "1" };
    const long = "a".repeat(1_000);
    for (let i = 0; i < 2_000; i++) {
      next = addToPml(next, { type: "user", parts: [{ type: "text", text: long }] });
      next = addToPml(next, { type: "call", id: `${i}`, name: "read", arguments: { list: [1, 2, 3, 4, 5, 6, 7, 8] } });
      next = addToPml(next, { type: "tool_output", call: `${i}`, text: long });
    }
    expect(turns(next)).toHaveLength(2_000);
    expect(parsePml(stringifyPml(next))).toEqual(next);
  });

  test("inserts nothing before existing parts", () => {
    const text = (of: string): PmlPart => ({ type: "text", text: of });
    const call = (id: string): PmlPart => ({ type: "call", id, name: "f", arguments: {} });
    const output = (of: string): PmlPart => ({ type: "tool_output", call: of, text: of });
    const parts = [text("q"), call("1"), output("1"), call("2"), output("2")];
    const called = parts.reduce<PmlDocument>((next, part) => addToPml(next, part), { version: "1" });
    expect(turns(called)[0]?.messages).toEqual([
      { type: "user", parts: [text("q")] },
      { type: "assistant", parts: [call("1")] },
      output("1"),
      { type: "assistant", parts: [call("2")] },
      output("2"),
    ]);
    expect(turns(addToPml(called, text("new question"))).map(({ index }) => index)).toEqual([1, 2]);
    const together = addToPml(
      addToPml(addToPml(document, { type: "thinking", text: "I read." }), call("3")),
      call("4"),
    );
    expect(turns(together)[0]?.messages.at(-1)).toMatchObject({
      parts: [{}, { type: "thinking" }, call("3"), call("4")],
    });
  });

  test("treats undefined fields as absent", () => {
    const fact = untyped(addToPml)(document, { type: "fact", text: "2", id: undefined }) as PmlDocument;
    expect(fact.memory?.[1]).toStrictEqual({ type: "fact", text: "2" });
    const output = untyped(addToPml)(document, { type: "tool_output", call: undefined, text: "x" }) as PmlDocument;
    expect(turns(output)[0]?.messages.at(-1)).toStrictEqual({ type: "tool_output", text: "x" });
    const parts = [{ type: "call", name: "f", id: undefined, arguments: { a: undefined } }];
    const replaced = untyped(replaceInPml)(document, "#ask", () => ({
      type: "user",
      id: undefined,
      parts,
    })) as PmlDocument;
    expect(turns(replaced)[0]?.messages[0]).toStrictEqual({
      ...{ type: "user", parts: [{ type: "call", name: "f", arguments: {} }] },
    });
    expect(() => untyped(stringifyPml)({ version: "1", memory: [{ type: "fact", text: "2", id: undefined }] })).toThrow(
      "/memory/0/id: is undefined: omit the field.",
    );
  });

  test("explains which part cannot be where", () => {
    expect(() => addToPml(document, { type: "fact", text: "x" }, "#ask")).toThrow(
      expect.objectContaining({ code: "wrong-place" }),
    );
    expect(() => untyped(addToPml)(document, { type: "user", parts: [{ type: "texts" }] })).toThrow(
      /<user> is not allowed there, or is not a valid node/,
    );
  });
});

describe("finding", () => {
  test("goes by id, pointer and path", () => {
    expect(findInPml(document, "#tea")).toMatchObject({ pointer: "/memory/0", node: { type: "fact" } });
    expect(findInPml(document, { path: "a.ts" }).pointer).toBe("/conversation/turns/0/messages/0/parts/1");
    expect(findInPml(document, "/conversation/turns/0/messages/2").node).toMatchObject({ type: "tool_output" });
  });

  test("lists what exists", () => {
    expect(() => findInPml(document, "#te")).toThrow('The document has nothing at "#te". There are: tea, one, ask, a.');
    expect(() => findInPml(document, { path: "z.ts" })).toThrow('nothing at the path "z.ts". There are: a.ts.');
    expect(() => findInPml(document, "/turns/0")).toThrow(expect.objectContaining({ code: "not-found" }));
    const twice = addToPml(document, { type: "fact", id: "tea", text: "x" });
    expect(() => findInPml(twice, "#tea")).toThrow(
      expect.objectContaining({ code: "ambiguous", message: expect.stringContaining("/memory/0 and /memory/1") }),
    );
  });
});

describe("replacing and removing", () => {
  test("replaces by a node or a function", () => {
    const next = replaceInPml(document, "#a", (old) => ({ ...old, content: "new" }));
    expect(findInPml(next, { path: "a.ts" }).node.content).toBe("new");
    expect(findInPml(document, { path: "a.ts" }).node.content).toBe("1");
    expect(replaceInPml(document, "#tea", { type: "summary", text: "s" }).memory).toEqual([
      { type: "summary", text: "s" },
    ]);
    expect(() => replaceInPml(document, "#tea", { type: "text", text: "s" })).toThrow(
      expect.objectContaining({ code: "wrong-place" }),
    );
  });

  test("removes a call with its output, and an element that becomes empty", () => {
    for (const where of ["/conversation/turns/0/messages/1/parts/0", "/conversation/turns/0/messages/2"]) {
      expect(turns(removeFromPml(document, where))[0]?.messages.map(({ type }) => type)).toEqual(["user", "assistant"]);
    }
    expect(removeFromPml(document, "#one").conversation).toEqual({ turns: [] });
    expect(removeFromPml(document, "#tea").memory).toEqual([]);
    const alone = removeFromPml(removeFromPml(document, "/conversation/turns/0/messages/0/parts/0"), { path: "a.ts" });
    expect(turns(alone)[0]?.messages.map(({ type }) => type)).toEqual(["assistant", "tool_output", "assistant"]);
  });

  test("removes only the call's own output, if calls have no ids, equal ones, or occur twice in the tree", () => {
    const call = (id?: string) => ({ type: "call", name: "read", arguments: {}, ...(id && { id }) }) as const;
    const output = (text: string, id?: string) => ({ type: "tool_output", text, ...(id && { call: id }) }) as const;
    const withParts = (...parts: PmlPart[]): PmlDocument => ({
      version: "1",
      conversation: { turns: [{ messages: [{ type: "assistant", parts }] }] },
    });
    const part = (k: number) => `/conversation/turns/0/messages/0/parts/${k}`;
    const plain = withParts(call(), call(), output("A"), output("B"));
    for (const k of [0, 2]) expect(removeFromPml(plain, part(k))).toEqual(withParts(call(), output("B")));
    for (const k of [1, 3]) expect(removeFromPml(plain, part(k))).toEqual(withParts(call(), output("A")));

    const same = withParts(call("1"), output("A", "1"), call("1"), output("B", "1"));
    for (const k of [0, 1]) expect(removeFromPml(same, part(k))).toEqual(withParts(call("1"), output("B", "1")));

    const tea = { type: "fact", text: "Kim likes tea." } as const;
    expect(removeFromPml({ version: "1", memory: [tea, tea] }, "/memory/0").memory).toEqual([tea]);
  });

  test("removes the outputs of the calls in a removed message or turn", () => {
    const apart = parsePml(`<conversation>
      <turn id="asked"><user>Look.</user><assistant id="call"><call id="1" name="read"/></assistant></turn>
      <turn><tool_output call="1">2</tool_output><assistant>It is 2.</assistant></turn>
    </conversation>`);
    expect(turns(removeFromPml(apart, "#call")).map(({ messages }) => messages.map(({ type }) => type))).toEqual([
      ["user"],
      ["assistant"],
    ]);
    expect(turns(removeFromPml(apart, "#asked")).map(({ messages }) => messages.map(({ type }) => type))).toEqual([
      ["assistant"],
    ]);
  });
});

test("a document is checked once, and what an edit returns is not checked again", () => {
  let reads = 0;
  const tool = {
    name: "read",
    get description() {
      reads++;
      return "Reads a file.";
    },
  };
  const given: PmlDocument = { ...document, tools: { list: [tool] } };
  const edited = removeFromPml(given, "#tea");
  const readsOfOne = reads;
  expect(readsOfOne).toBeGreaterThan(0);
  findInPml(edited, "#ask");
  removeFromPml(removeFromPml(addToPml(edited, { type: "fact", id: "x", text: "X" }), "#x"), { path: "a.ts" });
  for (const edit of [findInPml, removeFromPml]) edit(given, "#tea");
  expect(reads).toBe(readsOfOne);
});

test("what is left of any document is a valid one", () => {
  fc.assert(
    fc.property(fc.oneof(chats, documents), (one) => {
      const lists = [
        ["/memory", one.memory ?? []] as const,
        ["/conversation/turns", turns(one)] as const,
        ...turns(one).map(({ messages }, i) => [`/conversation/turns/${i}/messages`, messages] as const),
        ...turns(one).flatMap(({ messages }, i) =>
          messages.map((message, j) => {
            const inside = message.type === "tool_output" ? "attachments" : "parts";
            const nodes = message.type === "tool_output" ? (message.attachments ?? []) : message.parts;
            return [`/conversation/turns/${i}/messages/${j}/${inside}`, nodes] as const;
          }),
        ),
      ];
      for (const [list, nodes] of lists)
        for (const i of nodes.keys()) expect(() => pmlToJson(removeFromPml(one, `${list}/${i}`))).not.toThrow();
    }),
  );
});
