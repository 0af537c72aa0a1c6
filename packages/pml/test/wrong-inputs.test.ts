import { ToolinguaError } from "@toolingua/core";
import { describe, expect, it } from "vitest";
import * as pml from "../src/index.js";

const document = pml.parsePml(
  '<pml version="1"><memory><fact id="a">x</fact></memory><conversation><turn><user><text>hi</text></user></turn></conversation></pml>',
);
const calling = (args: unknown) => ({
  version: "1",
  conversation: {
    turns: [{ messages: [{ type: "assistant", parts: [{ type: "call", name: "f", arguments: args }] }] }],
  },
});
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
let deep = {};
for (let i = 0; i < 50_000; i++) deep = { deep };

const wrong: unknown[] = [
  ...[null, undefined, 3, "x", [], {}, () => 1, Symbol("s"), 10n, true, [null]],
  ...[{ messages: [null] }, { path: 3 }, { indent: -1 }, { title: 3 }, { tools: {} }, { attachmnets: "pml" }],
];
const functions = Object.entries(pml).flatMap(([name, value]): [string, (...given: unknown[]) => unknown][] =>
  typeof value === "function" && !/^Pml/.test(name)
    ? [[name, (...given) => Reflect.apply(value, undefined, given)]]
    : [],
);

/** What a call throws, if anything. */
async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    const given: unknown = await run();
    if (typeof given === "object" && given !== null && Symbol.asyncIterator in given) {
      for await (const _ of Object(given));
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("a value of a wrong type, for every public function", () => {
  it.each(functions)("%s returns a result, or reports what was wrong", async (_, run) => {
    for (const value of wrong) {
      const ways = [[value], [document, value], [document, value, value], [document, "#a", value], [value, "openai"]];
      for (const given of [...ways, ["<pml/>", value], [calling({ a: value })]]) {
        const error = await thrownBy(() => run(...given));
        if (error !== undefined) expect(error, String((error as Error).stack)).toBeInstanceOf(ToolinguaError);
      }
    }
  });

  it.each(functions)("%s accepts data that contains itself or is very deep", async (_, run) => {
    for (const data of [cyclic, deep]) {
      const tools = { version: "1", tools: { list: [{ name: "f", parameters: data }] } };
      const messages = [{ role: "assistant", content: "", toolCalls: [{ id: "1", name: "f", arguments: data }] }];
      for (const given of [[calling(data)], [calling(data), "openai"], [tools], [data], [messages]]) {
        const error = await thrownBy(() => run(...given));
        if (error !== undefined) expect(error, String((error as Error).stack)).toBeInstanceOf(ToolinguaError);
      }
    }
  });
});

describe("the errors of wrong input", () => {
  const call = (name: keyof typeof pml, ...given: unknown[]) => {
    const [, run] = functions.find(([one]) => one === name) ?? [];
    return () => run?.(...given);
  };
  const at = "/conversation/turns/0/messages/0/parts/0/arguments";
  it.each([
    [call("stringifyPml", calling(cyclic)), `${at}: is more than 1000 levels deep, or holds itself.`],
    [call("stringifyPml", calling(deep)), `${at}: is more than 1000 levels deep, or holds itself.`],
    [call("stringifyPml", calling({ n: 1n })), `${at}: holds a bigint, which JSON lacks.`],
    [
      call("findInPml", document, {}),
      'A place is "#id", { path: "src/a.ts" } or a pointer, not an object without a path.',
    ],
    [call("findInPml", null, "#a"), "The value: expected object, got null."],
    [call("addToPml", document, null), "A node of a document is an object"],
    [call("renderHtml", document, { titel: "x" }), 'Did you mean "title"?'],
    [call("renderHtml", document, { title: 3 }), "`title` is a string, not 3."],
    [call("pmlToJson", document, { indent: -1 }), "`indent` is a whole number from 0, not -1."],
    [call("toMessages", document, { attachment: "pml" }), 'Did you mean "attachments"?'],
    [call("toAtif", document, { agent: {} }), "`agent` is an object such as"],
    [call("fromMcpResource", {}, { nam: "x" }), 'Did you mean "name"?'],
    [call("resolveAliases", document, {}), "`tools` is missing"],
    [call("parsePml", null), "1:1: A document is read from a string, not from null."],
    [call("fromMarkdown", 3), "expected the Markdown of a document, a string"],
    [call("toMcpResource", { path: 3 }), "/type: is missing"],
  ])("give the correct form (%#)", (run, message) => {
    expect(run).toThrow(message);
  });

  it("does not take data in several places for data that contains itself", () => {
    let shared: unknown = "x";
    for (let i = 0; i < 12; i++) shared = [shared, shared];
    expect(call("stringifyPml", calling({ shared }))()).toContain('["x","x"]');
  });
});
