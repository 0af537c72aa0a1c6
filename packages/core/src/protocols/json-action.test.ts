import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser, parseReply } from "../full/index.js";
import { jsonAction } from "./json-action.js";

const integer = { type: "integer" };
const tools = [
  { name: "add", parameters: { type: "object", properties: { a: integer, b: integer }, required: ["a", "b"] } },
];
const read = (text: string, protocol = jsonAction()) => parseReply(text, { tools, protocol });
const call = '{"thought": "I add.", "action": {"tool": "add", "args": {"a": 1, "b": 2}}}';
const sum = [{ name: "add", arguments: { a: 1, b: 2 } }];

describe("json-action", () => {
  test("the thought is reasoning, and the action is a call", () => {
    expect(read(call)).toMatchObject({ text: "", reasoning: "I add.", toolCalls: sum, invalidToolCalls: [] });
  });

  const chunked = (text: string, accept: "any" | "own") => {
    const parser = createReplyParser({ tools, protocol: jsonAction(), accept });
    return [...[...text].flatMap((char) => parser.push(char)), ...parser.end()].filter(
      ({ type }) => type === "call-end",
    );
  };

  test.each([
    ["inside other JSON", `The log holds {"log": [${call}]}, as you see.`],
    ["the value of a key", `{"result": ${call}}`],
    ["one of several items of data", `[1, ${call}]`],
    ["in a sentence that goes on", `I could write ${call} but I will not.`],
    ["one of two in a question", `Either ${call} or ${call}?`],
    ["in a fence of an explanation", `I could write\n\`\`\`json\n${call}\n\`\`\`\nbut I will not.`],
    ["quoted by the first words of the reply", `\`${call}\` is the form.`],
  ])("does not run a call that is %s", (_, text) => {
    expect(read(text).toolCalls).toEqual([]);
    for (const accept of ["any", "own"] as const) expect(chunked(text, accept)).toEqual([]);
  });

  test.each([
    ["alone", call, 1],
    ["after words", `I add: ${call}`, 1],
    ["on a line after words", `I add.\n\n  ${call}\n`, 1],
    ["before words on another line", `${call}\nThat is it.`, 1],
    ["in a list", `[${call}, ${call}]`, 2],
    ["in a fence", `\`\`\`json\n${call}\n\`\`\``, 1],
    ["in a fence after words", `I add.\n\`\`\`json\n${call}\n\`\`\``, 1],
    ["in a fence without a language after words", `I add.\n\n\`\`\`\n${call}\n\`\`\`\n`, 1],
  ])("runs a call that is %s", (_, text, count) => {
    expect(read(text).toolCalls).toHaveLength(count);
    for (const accept of ["any", "own"] as const) expect(chunked(text, accept)).toHaveLength(count);
  });

  test.each([
    ["alone in a fence", '```json\n{"final": {"content": "Hi"}}\n```', "Hi"],
    ["in a fence after words", 'I know.\n```json\n{"final": {"content": "Hi"}}\n```', "I know.\nHi"],
    ["before a code block", '```json\n{"final": {"content": "Hi"}}\n```\n\n```js\nx\n```', "Hi\n\n```js\nx\n```"],
    ["in a fence with a thought", '```\n{"thought": "t", "final": {"content": "Hi ``` you"}}\n```', "Hi ``` you"],
  ])("reads the final answer %s", (_, text, answer) => {
    expect(read(text).text).toBe(answer);
    const parser = createReplyParser({ tools, protocol: jsonAction() });
    const events = [...[...text].flatMap((char) => parser.push(char)), ...parser.end()];
    expect(events.map((event) => (event.type === "text" ? event.text : "")).join("")).toBe(answer);
  });

  test("keeps the fences of code after a call in a fence", () => {
    const code = "The code:\n```py\nprint(1)\n```";
    for (const reply of [`\`\`\`json\n${call}\n\`\`\`\n\n${code}`, `${call}\n\n${code}`])
      expect(read(reply)).toMatchObject({ text: code, toolCalls: sum });
  });

  test("final content of any JSON type becomes the reply: text as text, other types as JSON and as a value", () => {
    expect(read('{"final": {"content": "It is \\"3\\"."}}').text).toBe('It is "3".');
    fc.assert(
      fc.property(fc.jsonValue(), (content) => {
        const plain: unknown = JSON.parse(JSON.stringify(content));
        const reply = read(JSON.stringify({ thought: "t", final: { content: plain } }));
        expect(reply.toolCalls).toEqual([]);
        expect(reply.invalidToolCalls).toEqual([]);
        if (typeof plain === "string") {
          expect(reply.text.trim()).toBe(plain.trim());
          expect(reply).not.toHaveProperty("value");
        } else {
          expect(reply.text).toBe(JSON.stringify(plain));
          expect(reply.value).toEqual(plain);
        }
      }),
    );
  });

  test("final text streams", () => {
    const parser = createReplyParser({ tools, protocol: "json-action" });
    parser.push('{"thought": "t", "final": {"content": "');
    expect(parser.push("Hello there")).toEqual([{ type: "text", text: "Hello there" }]);
  });

  test.each([
    ["words around it", `Sure!\n${call}\nDone.`],
    ["a fence around it", `\`\`\`json\n${call}\n\`\`\``],
    ["the call alone", '{"tool": "add", "args": {"a": 1, "b": 2}}'],
    ["other keys", '{"action": "add", "action_input": {"a": 1, "b": 2}}'],
    ["a missing brace", call.slice(0, -1)],
    ["an at-command", '@add {"a": 1, "b": 2}'],
  ])("with %s it is read", (_, text) => {
    expect(read(text)).toMatchObject({ toolCalls: sum, invalidToolCalls: [] });
  });

  test("other JSON in the reply is text", () => {
    const text = 'Use {"a": 1} or {"final": 1, as you like.';
    expect(read('Use {"a": 1}.').text).toBe('Use {"a": 1}.');
    expect(read(text).toolCalls).toEqual([]);
  });

  test.each(["// ", "# ", "Not now. // "])("in a comment it is text: %s", (mark) => {
    const comment = `${mark}{"action": {"tool": "add", "args": {"a": 1, "b": 2}}}`;
    expect(read(comment)).toMatchObject({ toolCalls: [], invalidToolCalls: [], text: comment });
    expect(chunked(comment, "any")).toEqual([]);
  });

  test("a null part is ignored", () => {
    for (const protocol of [jsonAction(), jsonAction({ mode: "strict" })]) {
      expect(read('{"thought": "t", "action": null, "final": {"content": "x"}}', protocol)).toMatchObject({
        text: "x",
        toolCalls: [],
        invalidToolCalls: [],
      });
      expect(read(call.replace(/}$/, ', "final": null}'), protocol)).toMatchObject({
        text: "",
        toolCalls: sum,
        invalidToolCalls: [],
      });
    }
  });

  test("a reply with neither a call nor an answer is an error, which the model is shown", () => {
    expect(read('{"thought": "hm"}').invalidToolCalls).toMatchObject([{ error: { code: "malformed" } }]);
  });

  test("a truncated call is no call, and a truncated answer is kept", () => {
    expect(read('{"action": {"tool": "add", "args": {"a": 1, "b"')).toMatchObject({
      toolCalls: [],
      invalidToolCalls: [{ error: { code: "truncated" } }],
    });
    expect(read('{"final": {"content": "It is')).toMatchObject({ text: "It is", invalidToolCalls: [] });
  });

  describe("in strict mode", () => {
    const strict = jsonAction({ mode: "strict" });

    test("accepts replies in the exact form", () => {
      expect(read(call, strict)).toMatchObject({ toolCalls: sum, invalidToolCalls: [] });
      expect(read('{"final": {"content": [1]}}', strict)).toMatchObject({ text: "[1]", value: [1] });
    });

    test.each([
      ["text around the object", `Sure! ${call}`, "without any text around it"],
      ["a fence", `\`\`\`json\n${call}\n\`\`\``, "without any text around it"],
      ["plain text", "It is 3.", "exactly one JSON object"],
      ["call and answer at once", `${call.slice(0, -1)}, "final": {"content": "3"}}`, "exactly one JSON object"],
      ["another key", `${call.slice(0, -1)}, "note": 1}`, 'the key "note"'],
      ["an answer without its key", '{"final": "3"}', "final must be an object with content"],
      ["another key in the answer", '{"final": {"content": "3", "more": 1}}', "content and nothing else"],
      [
        "a key that comes twice",
        call.replace(/}$/, ', "action": {"tool": "add", "args": {}}}'),
        '"action" comes twice',
      ],
      ["an answer that comes twice", '{"final": {"content": "3", "content": "4"}}', '"content" comes twice'],
      ["a long thought", call.replace("I add.", "x".repeat(201)), "201 characters, and at most 200"],
    ])("rejects %s, with the reason", (_, text, why) => {
      const { toolCalls, invalidToolCalls, text: answer } = read(text, strict);
      expect({ toolCalls, answer }).toEqual({ toolCalls: [], answer: "" });
      expect(invalidToolCalls).toMatchObject([{ raw: text, error: { code: "malformed" } }]);
      expect(invalidToolCalls[0]?.error.feedback).toContain(why);
      expect(invalidToolCalls[0]?.error.feedback).toMatch(/^The reply could not be read: [\s\S]*Write the reply again/);
    });

    test("emits no answer next to an invalid call", () => {
      const both = '{"action": {"tool": "fly", "args": {}}, "final": {"content": "I fly."}}';
      expect(read(both, strict)).toMatchObject({ text: "", toolCalls: [], invalidToolCalls: [{ name: "fly" }] });
    });

    test("accepts any answer if there are no tools, because the format was not requested", () => {
      expect(parseReply("hello", { tools: [], protocol: strict })).toMatchObject({
        text: "hello",
        invalidToolCalls: [],
      });
    });

    test("rejects an unknown tool", () => {
      expect(read('{"action": {"tool": "fly", "args": {}}}', strict).invalidToolCalls).toMatchObject([
        { error: { code: "unknown-tool" } },
      ]);
    });

    test("emits nothing before the reply is complete", () => {
      const parser = createReplyParser({ tools, protocol: strict });
      expect(parser.push(call)).toEqual([]);
      expect(parser.end().map(({ type }) => type)).toContain("call-end");
    });
  });
});
