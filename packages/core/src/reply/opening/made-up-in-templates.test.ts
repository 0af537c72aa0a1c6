import { describe, expect, test } from "vitest";
import { officialTemplates } from "../../../test/support/official-templates.js";
import { tools } from "../../../test/support/read.js";
import { type ChatMessage, ChatTemplate, getProtocol, parseReply } from "../../index.js";

// What the models' own templates write between an answer and the next reply is what a model goes on with.

const user = (content: string): ChatMessage => ({ role: "user", content });
const answer = { role: "assistant" as const, content: "It is warm." };
const messages = [user("Is it?"), answer, user("And in Rome?")];

/** Their turns begin without a token: in words, or in tags that answers have too. */
const PLAIN = /^(?:llama-cpp-rwkv|poolside-Laguna)/;

const templates = [...officialTemplates()].flatMap(([file, source]) => {
  try {
    const template = new ChatTemplate({ chat_template: source, bos_token: "", eos_token: "</s>" });
    const prompt = template.render({ messages, tools, bos: true });
    const at = prompt.lastIndexOf(answer.content);
    return at < 0 || PLAIN.test(file)
      ? []
      : [{ file, protocol: template.protocol ?? "auto", turn: prompt.slice(at + answer.content.length) }];
  } catch {
    return [];
  }
});

test("most templates are read", () => expect(templates.length).toBeGreaterThan(40));

describe.each(templates)("in $file, a turn that the model makes up after its answer", ({ protocol, turn }) => {
  const name = protocol === "auto" ? "hermes" : protocol;
  const own = getProtocol(name).renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });

  test(`is dropped with its calls: ${JSON.stringify(turn.slice(0, 60))}`, () => {
    const { text, toolCalls } = parseReply(answer.content + turn + own, { protocol, tools });
    expect({ text, toolCalls }).toEqual({ text: answer.content, toolCalls: [] });
  });
});
