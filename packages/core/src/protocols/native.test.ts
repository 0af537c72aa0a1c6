import { describe, expect, it } from "vitest";
import { both, replies, tools } from "../../test/support/native-replies.js";
import { createReplyParser } from "../full/index.js";
import { collectReply } from "../reply/index.js";
import type { ParsedReply } from "../types.js";
import { getProtocol, type ProtocolName } from "./index.js";

/** The reply as a whole; that it reads the same character by character is part of every case. */
function read(protocol: ProtocolName, reply: string, known = true): ParsedReply {
  const run = (chunks: readonly string[]) => {
    let ids = 0;
    const parser = createReplyParser({ protocol, tools: known ? tools : undefined, generateId: () => `${ids++}` });
    return collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
  };
  const whole = run([reply]);
  expect(run([...reply])).toEqual(whole);
  return whole;
}
describe("replies of models in their native formats", () => {
  it.each(replies)("%s: %s", (protocol, _, reply) => {
    const { toolCalls, invalidToolCalls } = read(protocol, reply);
    expect(toolCalls).toMatchObject(both);
    expect(invalidToolCalls).toEqual([]);
  });

  it.each(replies)("%s is read when another format was requested: %s", (_, __, reply) => {
    expect(read("hermes", reply).toolCalls).toMatchObject(both);
  });

  it("keeps text around calls and drops the markers around answers", () => {
    const call = getProtocol("command-r").renderCalls(both, { tools });
    const reply = `<|START_THINKING|>Which one?<|END_THINKING|>${call}<|START_RESPONSE|>Booked.<|END_RESPONSE|>`;
    expect(read("command-r", reply)).toMatchObject({ reasoning: "Which one?", text: "Booked.", toolCalls: both });
    expect(read("functionary", ">>>all\nHello there.")).toMatchObject({ text: "Hello there.", toolCalls: [] });
  });

  it("reads calls of Functionary 3.2 after text and after each other, without the mark that the prompt ends with", () => {
    const [first, second] = both.map((call) => `${call.name}\n${JSON.stringify(call.arguments)}`);
    for (const reply of [`${first}>>>${second}`, `${first}\n>>>${second}<|eot_id|>`, `>>>${first}>>>${second}`])
      expect(read("functionary", reply)).toMatchObject({ text: "", toolCalls: both, invalidToolCalls: [] });
    for (const protocol of ["functionary", "hermes"] as const)
      expect(read(protocol, `I look.>>>${first}>>>${second}`)).toMatchObject({ text: "I look.", toolCalls: both });
    expect(read("hermes", "1024>>>3\n{}")).toMatchObject({ text: "1024>>>3\n{}", invalidToolCalls: [] });
  });

  it("reads a message by its header", () => {
    const call =
      "<|start|>assistant<|channel|>commentary to=functions.list_tables <|constrain|>json<|message|>{}<|call|>";
    expect(
      read(
        "harmony",
        `<|channel|>analysis<|message|>Which?<|end|><|start|>assistant<|channel|>commentary<|message|>Let me see.<|end|>${call}`,
      ),
    ).toMatchObject({ reasoning: "Which?", text: "Let me see.", toolCalls: [{ name: "list_tables" }] });
    expect(
      read(
        "harmony",
        "<|channel|>commentary to=assistant<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>Yes.<|return|>",
      ),
    ).toMatchObject({ reasoning: "Hm.", text: "Yes." });
    expect(
      read("harmony", `${call}<|start|>functions.list_tables to=assistant<|channel|>commentary<|message|>[]<|end|>`),
    ).toMatchObject({ text: "", toolCalls: [{ name: "list_tables" }] });
    expect(read("muse", "to=self<|message|>Hm.<|eom|><|start|>assistant to=user<|message|>Yes.<|eot|>")).toMatchObject({
      reasoning: "Hm.",
      text: "Yes.",
    });
  });

  it("reads the messages of Inkling by their kinds", () => {
    const thought = "<|content_thinking|>Which?<|end_message|>";
    const call = getProtocol("inkling").renderCalls([{ name: "list_tables", arguments: {} }], { tools });
    const answer = "<|message_model|><|content_text|>Let me see.<|end_message|>";
    expect(read("inkling", `${thought}${answer}${call}<|content_model_end_sampling|>`)).toMatchObject({
      reasoning: "Which?",
      text: "Let me see.",
      toolCalls: [{ name: "list_tables" }],
      invalidToolCalls: [],
    });
    expect(read("inkling", `${answer}<|content_model_end_sampling|>`)).toMatchObject({ text: "Let me see." });
  });

  it("drops a result that the model makes up in the format's own way", () => {
    const call = getProtocol("exaone4").renderCalls([{ name: "list_tables", arguments: {} }], { tools });
    const made = getProtocol("exaone4").renderResults([{ toolCallId: "1", name: "list_tables", content: "none" }], {
      tools,
    });
    expect(made).toBe('<tool_result>{"result": "none"}</tool_result>');
    expect(read("exaone4", `${call}\n${made}\nThere is none.`)).toMatchObject({
      text: "There is none.",
      toolCalls: [{ name: "list_tables" }],
    });
  });

  it("keeps text that only looks like a header", () => {
    for (const text of ["to=day is the day", "to=", "a to=b<c"]) {
      for (const protocol of ["harmony", "muse"] as const) expect(read(protocol, text)).toMatchObject({ text });
    }
  });

  it("explains an invalid call in a message", () => {
    const reply = "<|channel|>commentary to=python code<|message|>print(1)<|call|>";
    expect(read("harmony", reply).invalidToolCalls).toMatchObject([{ name: "python", raw: reply }]);
    const unread = '<|channel|>commentary to=functions.list_tables<|message|>{"a": <|channel|>final<|message|>Done.';
    expect(read("harmony", unread)).toMatchObject({ text: "Done.", invalidToolCalls: [{ name: "list_tables" }] });
  });

  it("keeps a name without a call as text", () => {
    for (const text of [
      ">>> print(1)",
      "functools is a module of Python.",
      "book_table is what I would call.",
      "Action: none",
    ]) {
      expect(read("glm45", text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
    }
  });

  it("reads a value that is marked as text as a string if no schema says otherwise", () => {
    const parameter = (key: string, text: string, value: string) =>
      `<｜DSML｜parameter name="${key}" string="${text}">${value}</｜DSML｜parameter>\n`;
    const reply = `<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n${parameter("a", "true", "42")}${parameter("b", "false", "42")}</｜DSML｜invoke>\n</｜DSML｜function_calls>`;
    expect(read("deepseek-v32", reply, false).toolCalls).toMatchObject([{ arguments: { a: "42", b: 42 } }]);
  });

  it("refuses to write a value that would be read as the next argument", () => {
    const write = (place: string, seats?: number) =>
      getProtocol("qwen3-coder").renderCalls(
        [{ name: "book_table", arguments: { place, ...(seats ? { seats } : {}) } }],
        {
          tools,
        },
      );
    expect(() => write("a\n<parameter=seats>\n9")).toThrow(/"seats"/);
    expect(() => write("a\n<parameter=color>\n9")).toThrow(/"color"/);
    expect(read("qwen3-coder", write("<parameter=>")).toolCalls[0]?.arguments).toEqual({ place: "<parameter=>" });
    expect(read("qwen3-coder", write("a <parameter=color> 9")).toolCalls[0]?.arguments).toEqual({
      place: "a <parameter=color> 9",
    });
  });

  it("keeps newlines at the ends of a value, except layout", () => {
    const reply = (value: string) =>
      `<minimax:tool_call><invoke name="book_table"><parameter name="place">${value}</parameter></invoke></minimax:tool_call>`;
    const place = (value: string) => read("minimax-m2", reply(value)).toolCalls[0]?.arguments.place;
    expect(place("  a\nb\n")).toBe("  a\nb\n");
    expect(place("\na\n")).toBe("a");
  });
});
