import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser, parseReply } from "../../full/index.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";
import { collectReply } from "../parse-reply.js";
import { leadsToCall } from "./leads-to-call.js";

const tools = [
  { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
  { name: "delete_all", parameters: { type: "object", properties: { path: { type: "string" } } } },
];
const call = '{"name": "delete_all", "arguments": {"path": "/"}}';
type Requested = ProtocolName | "auto";

/** The numbers of calls and of invalid calls, whole and by characters. */
function read(reply: string, protocol: Requested): [calls: number, invalid: number] {
  const options = { tools, protocol, generateId: () => "id" };
  const whole = parseReply(reply, options);
  const parser = createReplyParser(options);
  const streamed = collectReply([...[...reply].flatMap((char) => [...parser.push(char)]), ...parser.end()]);
  expect(streamed).toEqual(whole);
  return [whole.toolCalls.length, whole.invalidToolCalls.length];
}

const denials = [
  "I will not do this:",
  "For example, this would be wrong:",
  "You could call it like this:",
  "I will never make\nthis call:",
  "Should I use this call?",
  "Ich mache das nicht:",
  "Je ne ferai pas ceci :",
  "我不会这样做：",
  "これは実行しません：",
  "Я этого не сделаю:",
  "The log says:",
  "I looked. I will not do this:",
];

/** Forms of a call without a marker. */
const forms = [call, `[${call}]`, '{"delete_all": {"path": "/"}}', `Tool: x\n\n${call}`];

describe.each<Requested>(["auto", "xml", "qwen3-coder", "pythonic", "tool-tags"])(
  "words before JSON in %s",
  (protocol) => {
    test.each(denials)("refuse a call that they introduce, unless they announce it: %s", (words) => {
      for (const form of forms) expect([form, ...read(`${words}\n${form}`, protocol)]).toEqual([form, 0, 1]);
    });

    test.each([
      "Sure, here is the call:",
      "OK.",
      "I'll use delete_all now:",
      "<!-- 1 -->",
      "Tool call:",
      "Got it! Calling the tool:",
      "Let me check that for you:",
      "Calling delete_all with the arguments:",
      "1.",
      "---",
    ])("leave a call that they announce: %s", (words) => expect(read(`${words}\n${call}`, protocol)).toEqual([1, 0]));

    test.each([
      "I'll check the weather in Paris.",
      "Let me look that up!",
      "I am on it …",
      "我来查一下。",
      "*One moment.*",
      "I look. Here is the call:",
    ])("leave a call after a sentence: %s", (words) => expect(read(`${words}\n${call}`, protocol)).toEqual([1, 0]));

    test("count only where they are in the answer: not in reasoning, nor where the reply begins with the call", () => {
      expect(read(`<think>I will not guess.</think>\n${call}`, protocol)).toEqual([1, 0]);
      expect(read(call, protocol)).toEqual([1, 0]);
      expect(read(`I looked.\nTool call: ${call}`, protocol)).toEqual([1, 0]);
      expect(read(`I looked.\n\`\`\`tool_call\n${call}\n\`\`\``, protocol)).toEqual([1, 0]);
    });
  },
);

test("the message says what is right", () => {
  const [invalid] = parseReply(`I will not do this:\n${call}`, { tools }).invalidToolCalls;
  expect(invalid).toMatchObject({ name: "delete_all", arguments: { path: "/" }, error: { ambiguous: true } });
  expect(invalid?.error.feedback).toContain("if it is, write it without them");
});

test.each(Object.keys(protocols) as ProtocolName[])(
  "a call of the form that the prompt announces is read in %s",
  (name) => {
    const reply = protocols[name].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
    expect(parseReply(`I look it up.\n${reply}`, { tools, protocol: name }).invalidToolCalls).toEqual([]);
  },
);

test("no text with a word that is not listed announces a call", () => {
  const listed = fc.constantFrom("sure", "here", "is", "the", "call", "I", "will", "delete_all");
  const other = fc.constantFrom("not", "never", "no", "example", "would", "wrong", "nicht", "不", "нет", "don't");
  const text = fc.tuple(fc.array(listed), other, fc.array(listed));
  fc.assert(
    fc.property(text, ([before, word, after]) => {
      const isTool = (name: string) => name === "delete_all";
      expect(leadsToCall([...before, ...after].join(" "), isTool)).toBe(true);
      expect(leadsToCall([...before, word, ...after].join(" "), isTool)).toBe(false);
    }),
  );
});
