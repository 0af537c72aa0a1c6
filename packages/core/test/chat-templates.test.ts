import { Template } from "@huggingface/jinja";
import { describe, expect, it } from "vitest";
import {
  type ChatFormatName,
  type ChatMessage,
  ChatTemplate,
  renderChatPrompt,
  type ToolDefinition,
} from "../src/index.js";
import { officialTemplates } from "./support/official-templates.js";

// What the models' own templates render is the measure; here they are rendered by the library alone.

const official = officialTemplates();

const tools: ToolDefinition[] = [
  {
    name: "find_train",
    description: 'The next train from "A" to <B>',
    parameters: {
      type: "object",
      properties: {
        from: { type: "string", description: "Where it leaves" },
        seats: { type: "integer", description: "How many, 1 to 9", minimum: 1 },
        class: { type: "string", description: "Comfort", enum: ["first", "zweite"] },
      },
      required: ["from"],
    },
  },
  {
    name: "clock",
    description: "What time it is",
    parameters: { type: "object", properties: { zone: { type: "string", description: "Time zone" } } },
  },
];
const user = (content: string): ChatMessage => ({ role: "user", content });
const call = (id: string, name: string, args: Record<string, unknown>) => ({ id, name, arguments: args });
const assistant = (content: string, ...toolCalls: ReturnType<typeof call>[]): ChatMessage => ({
  role: "assistant",
  content,
  ...(toolCalls.length > 0 ? { toolCalls } : {}),
});
const result = (toolCallId: string, name: string, content: string): ChatMessage => ({
  role: "tool",
  toolCallId,
  name,
  content,
});

const train = call("train0001", "find_train", { from: "Bern", seats: 2 });
const clock = call("clock0001", "clock", { zone: "CET" });
const odd = call("train0002", "find_train", {
  from: 'Zürich "HB" \\ <b>&amp;</b>\n東京 😀',
  class: "zweite",
});
const once = [user("A train from Bern?"), assistant("", train), result("train0001", "find_train", '{"at": "9:12"}')];
const conversations: Record<string, ChatMessage[]> = {
  "tools only": [user("A train from Bern?")],
  "a call and its result": once,
  "a call, an answer and a further turn": [...once, assistant("At 9:12."), user("And from Chur?")],
  "two parallel calls": [
    user("The next train, and the time?"),
    assistant("", train, clock),
    result("train0001", "find_train", '{"at": "9:12"}'),
    result("clock0001", "clock", "8:59"),
  ],
  "quotes, markup and other scripts": [
    user(' Von "Zürich" <i>nach</i> 東京 & zurück?\n'),
    assistant("", odd),
    result("train0002", "find_train", "<p class='x'>\"keine\"</p>\nñ 😀"),
    assistant(" <b>Keine</b> gefunden. "),
    user("Schade."),
  ],
};
const system: ChatMessage = { role: "system", content: " You are a 'railway' clerk. " };

function byTemplate(
  source: string,
  messages: readonly ChatMessage[],
  offered: readonly ToolDefinition[],
  tokens: object,
) {
  return new Template(source).render({
    ...tokens,
    messages: messages.map((message) => {
      if (message.role === "tool") {
        return { role: "tool", tool_call_id: message.toolCallId, name: message.name, content: message.content };
      }
      if (message.role !== "assistant" || !message.toolCalls) return message;
      const calls = message.toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        type: "function",
        function: { name, arguments: args },
      }));
      return { role: "assistant", content: message.content, tool_calls: calls };
    }),
    ...(offered.length > 0 ? { tools: offered.map((tool) => ({ type: "function", function: tool })) } : {}),
    add_generation_prompt: true,
  });
}

const llama = { bos_token: "<|begin_of_text|>" };
const mistral = { bos_token: "<s>", eos_token: "</s>" };
const gemma = { bos_token: "<bos>" };
/** Each format, its template, and the parts that the template refuses or adds itself. */
const known: [ChatFormatName, string, object, ("no system" | "own system" | "one call" | "no tools")[]][] = [
  ["llama3.1", "meta-llama-Llama-3.1-8B-Instruct", llama, ["one call"]],
  ["llama3.1", "meta-llama-Llama-3.3-70B-Instruct", llama, ["one call"]],
  ["llama3.2", "meta-llama-Llama-3.2-3B-Instruct", llama, ["one call"]],
  ["qwen2.5", "Qwen-Qwen2.5-7B-Instruct", {}, []],
  ["qwen3", "Qwen-Qwen3-0.6B", {}, []],
  ["mistral-v3-tekken", "mistralai-Mistral-Nemo-Instruct-2407", mistral, []],
  // These two begin with a long text of their own if there is no system message.
  ["mistral-v11", "Mistral-Small-3.2-24B-Instruct-2506", mistral, ["own system"]],
  ["mistral-v13", "mistralai-Ministral-3-14B-Reasoning-2512", mistral, ["own system"]],
  ["gemma", "google-gemma-2-2b-it", gemma, ["no system", "no tools"]],
];

describe.each(known)("%s renders as %s", (format, file, tokens, limits) => {
  const source = official.get(file)!;
  const written = Object.entries(conversations).filter(
    ([name]) => !limits.includes("no tools") && !(limits.includes("one call") && name.startsWith("two")),
  );

  it.each([...written, ["no tools", [user(" Hello "), assistant(" Hi "), user("Bye")]] as const])(
    "%s",
    (name, messages) => {
      const offered = name === "no tools" ? [] : tools;
      const starts = [
        ...(limits.includes("own system") ? [] : [[]]),
        ...(limits.includes("no system") ? [] : [[system]]),
      ];
      for (const start of starts) {
        const { prompt } = renderChatPrompt({ format, messages: [...start, ...messages], tools: offered });
        expect(prompt).toBe(byTemplate(source, [...start, ...messages], offered, tokens));
      }
    },
  );
});

describe("a model's own template", () => {
  const tokens = { bos_token: "<BOS>", eos_token: "<EOS>" };
  const rendered = [...official].flatMap(([name, source]) => {
    const template = new ChatTemplate({ chat_template: source, ...tokens });
    return Object.entries(conversations).flatMap(([title, messages]) => {
      try {
        const expected = byTemplate(source, messages, tools, tokens);
        const native = template.protocol !== undefined && (template.writesCalls || title === "tools only");
        return native ? [[name, title, template, messages, expected] as const] : [];
      } catch {
        return []; // the library cannot render it, or the template takes no such conversation
      }
    });
  });

  it("renders like the library", () => {
    expect(rendered.length).toBeGreaterThan(150);
    const textArguments = new Set<string>();
    for (const [name, title, format, messages, expected] of rendered) {
      const { prompt } = renderChatPrompt({ format, messages, tools });
      // A template that wants arguments as JSON text garbles an object: then ours is better than the plain rendering.
      if (expected.includes("[object Map]")) textArguments.add(name);
      else expect(prompt, `${name}: ${title}`).toBe(expected);
      expect(prompt, name).not.toContain("[object");
    }
    expect(textArguments.size).toBeLessThan(5);
  });

  it("shows tools like the model's protocol if it has no place for them", () => {
    const format = new ChatTemplate({ chat_template: official.get("microsoft-Phi-3.5-mini-instruct")!, ...tokens });
    const { prompt, protocol } = renderChatPrompt({ format, messages: once, tools });
    expect(protocol).toBe("xml");
    expect(prompt).toContain("find_train(args:");
    expect(prompt).toContain("9:12");
    expect(prompt.endsWith("<|assistant|>\n")).toBe(true);
  });

  it("contains none of its own markers from untrusted text", () => {
    for (const [name, source] of official) {
      const format = new ChatTemplate({ chat_template: source, ...tokens });
      if (format.markers.length === 0) continue; // it renders no plain conversation
      const hostile = format.markers.join(" and ");
      const count = (text: string) =>
        format.markers.map((marker) => text.split(marker).length - 1).reduce((sum, found) => sum + found, 0);
      const prompt = (content: string) => renderChatPrompt({ format, messages: [user(content)] }).prompt;
      expect(count(prompt(hostile)), name).toBe(count(prompt("harmless")));
    }
  });
});
