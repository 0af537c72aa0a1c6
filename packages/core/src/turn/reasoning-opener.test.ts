import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { add, call, say, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { OpenedReplyParser, parseOpenedReply } from "../adapters/index.js";
import { parseReply } from "../parse.js";
import { continuesOpening } from "../prompt/force.js";
import { type ProtocolName, protocols } from "../protocols/index.js";
import { collectReply } from "../reply/index.js";
import type { TextModel, TextModelChunk } from "../types.js";
import type { GenerateOptions } from "./generate-options.js";
import type { TraceEvent } from "./trace.js";

const startWithReasoning = true;
const six = call({ a: 6, b: 6 });
const five = call({ a: 2, b: 3 });
const thought = `I could use ${six} but no.\n`;

/** Reads a reply whole and in chunks of 7 and of 1, with the same result. */
async function readIn(reply: string | TextModelChunk[], options: Partial<GenerateOptions> = {}) {
  const given = typeof reply === "string" ? [reply] : reply;
  const cut = (size: number) =>
    given.flatMap((chunk): TextModelChunk[] =>
      typeof chunk === "string" ? (chunk.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [chunk]) : [chunk],
    );
  const results = [];
  for (const size of [1_000_000, 7, 1]) {
    let id = 0;
    const generateId = () => `c${id++}`;
    results.push(await turnOf(scripted(cut(size)).model, { startWithReasoning, generateId, ...options }).result());
  }
  // Reading ends at the last call that counts, within a chunk.
  for (const { raw: _, ...other } of results.slice(1)) expect(results[0]).toMatchObject(other);
  return results[0]!;
}

describe("a reply that begins inside the reasoning", () => {
  it("has the reasoning up to its end, and no call of it", async () => {
    expect(await readIn(`${thought}</think>\n\nHi`)).toMatchObject({
      reasoning: expect.stringContaining("I could use"),
      text: "Hi",
      toolCalls: [],
      invalidToolCalls: [],
      raw: `${thought}</think>\n\nHi`,
      attempts: 1,
    });
    expect(await readIn(`${thought}</think>\n\n${five}`)).toMatchObject({
      text: "",
      toolCalls: [{ name: "add", arguments: { a: 2, b: 3 } }],
    });
    expect(await readIn(`\n${thought}</think>\n\nHi`)).toMatchObject({ text: "Hi", toolCalls: [] });
  });

  it("is read as today without the option", async () => {
    const today = await readIn(`${thought}</think>\n\nHi`, { startWithReasoning: false });
    expect(today).toMatchObject({ reasoning: "", toolCalls: [{ arguments: { a: 6, b: 6 } }] });
  });

  it("is read without tools too, and with an answer that matches a schema", async () => {
    const plain = await readIn(`${thought}</think>\n\nHi`, { tools: [] });
    expect(plain).toMatchObject({ reasoning: thought, text: "Hi", toolCalls: [] });
    const answerSchema = { type: "object" };
    const object = await readIn('Maybe {"b": 2}?</think>{"a": 1}', { tools: [], answerSchema });
    expect(object).toMatchObject({ reasoning: 'Maybe {"b": 2}?', text: '{"a":1}' });
  });

  it.each(Object.keys(protocols) as ProtocolName[])("ends at the marker of the protocol: %s", async (protocol) => {
    const { syntax, renderCalls } = protocols[protocol];
    const span = syntax.spans?.find(({ as, close }) => as === "reasoning" && close !== undefined);
    const written = (a: number) => renderCalls([{ name: "add", arguments: { a, b: 1 } }], { tools: [add] });
    // Where calls end with the same token as the reasoning, it cannot hold one.
    const thoughtOf = written(6).includes(span?.close ?? "</think>") ? "it" : written(6);
    const reply = `I could use ${thoughtOf} but no.\n${span?.close ?? "</think>"}\n\n`;
    const how = { protocol, tools: [add] };
    expect(await readIn(`${reply}Hi`, how)).toMatchObject({ text: "Hi", toolCalls: [], invalidToolCalls: [] });
    expect((await readIn(reply + written(2), how)).toolCalls).toMatchObject([{ arguments: { a: 2, b: 1 } }]);
    expect((await readIn(`Hm.${span?.close ?? "</think>"}Hi`, { ...how, tools: [] })).text).toBe("Hi");
  });

  it("hides no call if the reasoning never ends", async () => {
    expect(await readIn(`I add. ${five}`)).toMatchObject({
      reasoning: expect.stringContaining("I add."),
      text: "",
      toolCalls: [{ arguments: { a: 2, b: 3 } }],
    });
  });
});

describe("the opener is not added", () => {
  it("if the reply continues a call that was begun", async () => {
    const options = { toolChoice: { name: "add" } } as const;
    expect((await readIn(' {"a": 2, "b": 3}}\n</tool_call>', options)).toolCalls).toMatchObject([
      { arguments: { a: 2, b: 3 } },
    ]);
  });

  it.each(["<think>", "\n\n<think>\n", "<thinking>", "◁think▷", "[THINK]"])(
    "if the server restored it: %j",
    async (opener) => {
      const close = opener.trim().replace(/^[<[◁]/, "$&/");
      const { reasoning, text, toolCalls } = await readIn(`${opener}${thought}${close}\n\nHi`);
      expect({ text, toolCalls }).toEqual({ text: "Hi", toolCalls: [] });
      expect(reasoning).not.toContain(opener.trim());
    },
  );

  it("if the server separates the reasoning", async () => {
    expect(await readIn([{ reasoning: "Hm." }, "\n", "Hi ", five])).toMatchObject({
      reasoning: "Hm.",
      text: "\nHi",
      toolCalls: [{ arguments: { a: 2, b: 3 } }],
    });
    expect(await readIn(["\n", { reasoning: "Hm." }, "Hi"])).toMatchObject({ reasoning: "Hm.", text: "\nHi" });
  });

  it("if there is no text", async () => {
    const replies: TextModelChunk[][] = [[], [{ finish: "stop" }], ["\n"], [""]];
    for (const reply of replies) {
      const result = await readIn(reply);
      expect(result).toMatchObject({ reasoning: "", toolCalls: [] });
      expect(result.text.trim()).toBe("");
    }
  });

  it("if a constraint leaves no room for reasoning", async () => {
    const answer = { tools: [], answerSchema: { type: "object" }, constraint: "auto" } as const;
    expect(await readIn('{"a": 1}', answer)).toMatchObject({ reasoning: "", text: '{"a": 1}' });
    const forced = { protocol: "llama3-json", tools: [add], toolChoice: "required", constraint: "auto" } as const;
    expect((await readIn('{"name": "add", "parameters": {"a": 2, "b": 3}}', forced)).toolCalls).toHaveLength(1);
  });
});

describe("the first characters", () => {
  it("are only buffered while they may be a marker", async () => {
    let written = "";
    const model: TextModel = async function* () {
      for (const char of "\n<thou ght") {
        written += char;
        yield char;
      }
    };
    for await (const event of turnOf(model, { startWithReasoning })) {
      expect(event.type).toBe("reasoning");
      break;
    }
    expect(written.length).toBeLessThanOrEqual("\n<thou ".length);
  });
});

describe("each attempt", () => {
  it("begins inside the reasoning, and the model is shown its reply with the marker", async () => {
    const wrong = `Hm. ${six}</think>${call({ a: "x" })}`;
    const { model, requests } = scripted(wrong, `Again. ${six}</think>${five}`);
    const turn = turnOf(model, { startWithReasoning, onInvalidCall: "retry", prefill: false });
    const { toolCalls, reasoning, text, attempts, raw } = await turn.result();
    expect(toolCalls).toMatchObject([{ arguments: { a: 2, b: 3 } }]);
    expect({ text, attempts, raw }).toEqual({ text: "", attempts: 2, raw: `Again. ${six}</think>${five}` });
    expect(reasoning).toContain("Again.");
    expect(requests[1]?.messages.at(-2)).toEqual({ role: "assistant", content: `<think>${wrong}` });
  });

  it("of an empty reply shows nothing", async () => {
    const { model, requests } = scripted("", `Hm.</think>${five}`);
    const turn = turnOf(model, { startWithReasoning, toolChoice: "required", prefill: false });
    expect((await turn.result()).toolCalls).toHaveLength(1);
    expect(requests[1]?.messages.map(({ role }) => role)).not.toContain("assistant");
  });

  it("of a required call reads the call after the reasoning", async () => {
    const options = { toolChoice: "required", prefill: false, maxInvalidCallRetries: 0 } as const;
    expect((await readIn(`${thought}</think>\n${five}`, options)).toolCalls).toMatchObject([
      { arguments: { a: 2, b: 3 } },
    ]);
    await expect(readIn(`${thought}</think>\nNo.`, options)).rejects.toThrow("required");
  });

  it.each(Object.keys(protocols) as ProtocolName[])(
    "that ignored the beginning of a call begins inside the reasoning, in %s",
    async (protocol) => {
      const { syntax, renderCalls } = protocols[protocol];
      const close = syntax.spans?.find((span) => span.as === "reasoning" && span.close !== undefined)?.close;
      const written = (a: number) => renderCalls([{ name: "add", arguments: { a, b: 3 } }], { tools: [add] });
      for (const toolChoice of ["required", { name: "add" }] as const) {
        const reply = `I could use ${written(6)} but no.\n${close ?? "</think>"}\n\n${written(2)}`;
        // In YAML, any text continues a call that was begun.
        if (continuesOpening(syntax, "add", reply)) continue;
        const { toolCalls, attempts } = await readIn(reply, { protocol, tools: [add], toolChoice });
        expect(toolCalls).toMatchObject([{ name: "add", arguments: { a: 2, b: 3 } }]);
        expect(attempts).toBe(1);
      }
    },
  );

  it("is traced with the marker as its prefill", async () => {
    const seen: TraceEvent[] = [];
    await readIn("Hm.</think>Hi", { onTrace: (event) => seen.push(event) });
    const replies = seen.flatMap((event) => (event.type === "reply" ? [[event.prefill, event.raw]] : []));
    expect(replies[0]).toEqual(["<think>", "Hm.</think>Hi"]);
  });
});

/** Pieces of replies, in any order. */
const replies = fc
  .array(fc.constantFrom("<think>", "</think>", "<thi", "[THINK]", "\n", " ", "Hm", "</thi", six, five, "I", "◁"))
  .map((parts) => parts.join(""));

describe("any reply", () => {
  it("is read the same in any chunks, as the parser reads it with the marker or without", async () => {
    await fc.assert(
      fc.asyncProperty(replies, async (reply) => {
        const { text, reasoning, toolCalls } = await readIn(reply, { maxIdenticalCalls: Number.POSITIVE_INFINITY });
        const prefill = /^\s*(?:<think>|\[THINK\]|$)/.test(reply) || isCut(reply) ? undefined : "<think>";
        const read = parseReply(reply, { tools: [add, say], protocol: "hermes", prefill });
        expect({ text, reasoning, calls: toolCalls.length }).toEqual({
          text: read.text,
          reasoning: read.reasoning,
          calls: read.toolCalls.length,
        });
        const how = { tools: [add, say], protocol: protocols.hermes, startWithReasoning };
        const parser = new OpenedReplyParser(how);
        const events = [...reply].flatMap((char) => parser.push(char));
        const streamed = collectReply([...events, ...parser.end()]);
        const whole = parseOpenedReply(reply, "", how);
        expect([streamed.text, streamed.reasoning]).toEqual([whole.text, whole.reasoning]);
        expect([whole.text, whole.reasoning]).toEqual([text, reasoning]);
      }),
      { numRuns: 100 },
    );
  });
});

/** Whether the reply is only the beginning of a marker. */
const isCut = (reply: string) => ["<thi", "◁"].includes(reply.trim());

test("a server that separates the reasoning leaves none in the text", () => {
  const how = { tools: [add], protocol: protocols.hermes, startWithReasoning };
  expect(parseOpenedReply("Hi", "Hm.", how)).toMatchObject({ text: "Hi", reasoning: "" });
  const parser = new OpenedReplyParser(how);
  const begun = parser.push("\n");
  parser.separated();
  expect(collectReply([...begun, ...parser.push("Hi"), ...parser.end()])).toMatchObject({
    text: "\nHi",
    reasoning: "",
  });
});

test.each(["<thought>", "<Think>", "<reasoning>", "<|begin_of_thought|>"])(
  "a reply that begins with another marker of reasoning has all of it: %s",
  async (open) => {
    const close = open.includes("|") ? "<|end_of_thought|>" : `</${open.slice(1)}`;
    const { model } = scripted(`${open}Hm.${close}\nIt is sunny.`);
    const { text, reasoning } = await turnOf(model, { startWithReasoning }).result();
    expect({ text, reasoning }).toEqual({ text: "It is sunny.", reasoning: "Hm." });
  },
);

test("an answer that is JSON from its first character is the answer, because the server may constrain it", async () => {
  const answerSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  for (const reply of ['{"city": "Oslo"}', 'Oslo?</think>{"city": "Oslo"}']) {
    const { model } = scripted(reply);
    const result = await turnOf(model, { tools: [], answerSchema, startWithReasoning }).result();
    expect(result).toMatchObject({ value: { city: "Oslo" }, attempts: 1 });
  }
});

test("white space before a reply is read in linear time", { timeout: 10_000 }, async () => {
  const pieces = [...Array.from({ length: 200_000 }, () => "\n"), "Hm.</think>Hi"];
  const { text, reasoning } = await turnOf(scripted(pieces).model, { startWithReasoning: true }).result();
  expect([text, reasoning.trim()]).toEqual(["Hi", "Hm."]);
  const parser = new OpenedReplyParser({ protocol: protocols.hermes, startWithReasoning: true });
  const events = pieces.flatMap((piece) => parser.push(piece));
  expect(collectReply([...events, ...parser.end()]).text).toBe("Hi");
});
