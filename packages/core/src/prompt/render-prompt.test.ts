import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add } from "../../test/support/scripted-turn.js";
import { protocols } from "../protocols/index.js";
import { nameInCalls } from "../render.js";
import { generateWithTools } from "../turn/generate-with-tools.js";
import type { ChatMessage, TextMessage, ToolDefinition } from "../types.js";
import { markersOf } from "./markers.js";
import type { RenderPromptOptions } from "./prompt-options.js";
import { renderPrompt } from "./render-prompt.js";

const now: ToolDefinition = { name: "now", description: "The time", parameters: { type: "object", properties: {} } };
const tools = [add, now];
const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });
const call = { id: "1", name: "add", arguments: { a: 2, b: 3 } };
const called = (content = ""): ChatMessage => ({ role: "assistant", content, toolCalls: [call] });
const result = (content: string): ChatMessage => ({ role: "tool", toolCallId: "1", name: "add", content });
const names = Object.keys(protocols) as (keyof typeof protocols)[];

const speech = fc.oneof(
  fc.string(),
  fc.constantFrom("", " ", "Hello", "<tool_call>", "</tool_response>", "<|im_end|>", '<am:tool_call name="add">'),
);
const turn: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "assistant", "system"), content: speech }),
  speech.map(called),
  speech.map(result),
);
const conversation = fc.array(turn, { maxLength: 8 });

describe("renderPrompt with hermes", () => {
  it("shows tools, calls and results like Qwen 2.5's own chat template", () => {
    const { messages, stop } = renderPrompt({
      protocol: "hermes",
      tools,
      messages: [
        { role: "system", content: "You help with sums." },
        user("2 + 3?"),
        { role: "assistant", content: "Let me add.", toolCalls: [call, { id: "2", name: "now", arguments: {} }] },
        result("5"),
        { role: "tool", toolCallId: "2", name: "now", content: "12:00" },
        assistant("It is 5."),
        user("Thanks"),
      ],
    });
    expect(messages).toEqual([
      {
        role: "system",
        content: [
          "You help with sums.",
          "",
          "# Tools",
          "",
          "You may call one or more functions to assist with the user query.",
          "",
          "You are provided with function signatures within <tools></tools> XML tags:",
          "<tools>",
          '{"type": "function", "function": {"name": "add", "description": "Add two integers", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}}}',
          '{"type": "function", "function": {"name": "now", "description": "The time", "parameters": {"type": "object", "properties": {}}}}',
          "</tools>",
          "",
          "For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:",
          "<tool_call>",
          '{"name": <function-name>, "arguments": <args-json-object>}',
          "</tool_call>",
        ].join("\n"),
      },
      { role: "user", content: "2 + 3?" },
      {
        role: "assistant",
        content:
          'Let me add.\n<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": 3}}\n</tool_call>\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
      },
      {
        role: "user",
        content: "<tool_response>\n5\n</tool_response>\n<tool_response>\n12:00\n</tool_response>",
      },
      { role: "assistant", content: "It is 5." },
      { role: "user", content: "Thanks" },
    ]);
    expect(stop).toEqual(["<tool_response>"]);
  });
});

describe.each(names)("renderPrompt with %s", (protocol) => {
  const render = (options: Omit<RenderPromptOptions, "protocol">) => renderPrompt({ tools, ...options, protocol });

  it("writes one system message, then alternates user and assistant, ending with user", () => {
    fc.assert(
      fc.property(conversation, fc.boolean(), (messages, prefill) => {
        const rendered = render({ messages, prefill }).messages;
        const [system, ...turns] = rendered;
        expect(system?.role).toBe("system");
        expect(turns.map((message) => message.role)).toEqual(turns.map((_, i) => (i % 2 === 0 ? "user" : "assistant")));
        expect(turns.at(-1)?.role).toBe("user");
        expect(rendered.every((message) => message.content.trim() !== "")).toBe(true);
      }),
    );
  });

  it("shows results in the order of their calls, whichever ended first", () => {
    const second = { id: "2", name: "now", arguments: {} };
    const both: ChatMessage[] = [user("Both?"), { role: "assistant", content: "", toolCalls: [call, second] }];
    const late: ChatMessage = { role: "tool", toolCallId: "2", name: "now", content: "noon" };
    const shown = (...results: ChatMessage[]) => render({ messages: [...both, ...results] }).messages;
    expect(shown(late, result("5"))).toEqual(shown(result("5"), late));
  });

  it("begins the next request with the bytes of the one before", () => {
    fc.assert(
      fc.property(conversation, fc.array(turn, { minLength: 1, maxLength: 4 }), (before, after) => {
        // What a model was really asked: it ended with a user's words or results.
        const asked = [...before, user("Next?")];
        const first = flat(render({ messages: asked }).messages);
        const second = flat(render({ messages: [...asked, ...after] }).messages);
        expect(second.startsWith(first)).toBe(true);
      }),
    );
  });

  it("keeps the system message the same whatever the tool choice", () => {
    const system = (toolChoice: RenderPromptOptions["toolChoice"]) =>
      render({ messages: [user("Hi")], toolChoice }).messages[0];
    expect(system("required")).toEqual(system("auto"));
    expect(system({ name: "add" })).toEqual(system("auto"));
  });

  it("escapes every marker of the protocol in texts of users, tools, replies and descriptions", () => {
    const markers = markersOf(protocols[protocol].syntax);
    const hostile = [...markers, "<|im_start|>system", "[INST]", "<end_of_turn>"].join(" ");
    const count = (messages: readonly TextMessage[], marker: string) => flat(messages).split(marker).length;
    const dialogue = (text: string) =>
      render({
        messages: [user(text), { ...called(text), toolCalls: [] } as ChatMessage, called(), result(text), user(text)],
        tools: [{ ...add, description: text }],
      }).messages;
    for (const marker of [...markers, "<|im_start|>", "[INST]", "<end_of_turn>"]) {
      expect(count(dialogue(hostile), marker), marker).toBe(count(dialogue("plain"), marker));
    }
  });

  it("does not change text of the application", () => {
    const { messages } = render({ messages: [{ role: "system", content: "Write <tool_call> <|x|>" }, user("Hi")] });
    expect(messages[0]?.content.startsWith("Write <tool_call> <|x|>\n\n")).toBe(true);
  });

  it("shows earlier calls but offers no tools under none", () => {
    const rendered = render({ messages: [user("2 + 3?"), called(), result("5")], toolChoice: "none" });
    expect(rendered.messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
    expect(rendered.messages[1]?.content).toBe(protocols[protocol].renderCalls([call], { tools }));
    expect(rendered.stop).toEqual([]);
  });

  it("asks for a required call at the end of the last user message, and opens it", () => {
    const named = render({ messages: [user("2 + 3?")], toolChoice: { name: "add" } });
    // If calls have short names, so do the notices about them.
    const name = nameInCalls(protocols[protocol].syntax, "add", tools);
    expect(named.messages.at(-1)?.content).toBe(`2 + 3?\n\nAnswer this by calling the tool ${name}.`);
    const whole = protocols[protocol].renderCalls([call], { tools });
    // A call that only the whole reply shows to be one has no beginning to be given.
    if (protocols[protocol].syntax.at === "reply") return expect(named.prefill).toBeUndefined();
    expect(named.prefill).toContain(name);
    expect(whole.startsWith(named.prefill!)).toBe(true);

    const any = render({ messages: [user("2 + 3?")], toolChoice: "required" });
    expect(any.messages.at(-1)?.content).toBe("2 + 3?\n\nAnswer this with a tool call.");
    expect(any.prefill?.length).toBeLessThan(named.prefill!.length);
    expect(whole.startsWith(any.prefill!)).toBe(true);
    const only = render({ messages: [user("2 + 3?")], toolChoice: "required", tools: [add] });
    expect(only.prefill).toBe(named.prefill);
  });

  it("omits the prefill if a grammar is used", () => {
    const messages = [user("2 + 3?")];
    const forced = render({ messages, toolChoice: "required", constraint: true });
    expect(forced.constraint === undefined || forced.prefill === undefined).toBe(true);
    if (protocol === "hermes") expect(forced.constraint?.grammar).toContain("root ::=");
    // Where a call may come, the grammar waits for it.
    const free = render({ messages, constraint: true }).constraint;
    if (protocol === "hermes") expect(free?.triggers).toEqual([{ type: "word", value: "<tool_call>" }]);
    expect(render({ messages, toolChoice: "required", prefill: false }).prefill).toBeUndefined();
  });

  it("refuses a tool choice with an unknown tool", () => {
    expect(() => render({ messages: [], toolChoice: { name: "sub" } })).toThrow(
      /names "sub", .* There are "add", "now"\./,
    );
  });

  it("stops at a call's closing marker only if one call is wanted", () => {
    const end = String(protocols[protocol].syntax.call.at(-1));
    expect(render({ messages: [user("Hi")] }).stop.some((stop) => end.includes(stop))).toBe(false);
    const stops = protocols[protocol].syntax.stop ?? [];
    expect(render({ messages: [user("Hi")], parallel: false }).stop).toEqual(stops);
  });

  it("marks failures and omits their stack traces", () => {
    const failed: ChatMessage = {
      ...(result(
        "RangeError: no such day\n    at parse (/srv/app/dates.js:3:9)\n    at /srv/x.js:1:1",
      ) as ChatMessage & { role: "tool" }),
      isError: true,
    };
    const shown = render({ messages: [user("Hi"), called(), failed] }).messages.at(-1)?.content;
    expect(shown).toContain("no such day");
    expect(shown).toMatch(/error/);
    expect(shown).not.toContain("/srv");
  });
});

describe("the first and last message", () => {
  const roles = (messages: ChatMessage[], prefill = true) => {
    const rendered = renderPrompt({ messages, prefill });
    return { turns: rendered.messages.map(({ role, content }) => `${role}: ${content}`), prefill: rendered.prefill };
  };

  it("puts a user's turn before an assistant who speaks first", () => {
    expect(roles([assistant("Hello"), user("Hi")]).turns).toEqual(["user: Begin.", "assistant: Hello", "user: Hi"]);
  });

  it("continues a last assistant message unchanged", () => {
    expect(roles([user("Hi"), assistant("<think>\n")])).toEqual({ turns: ["user: Hi"], prefill: "<think>\n" });
  });

  it("asks a model without prefill to continue", () => {
    const asked = { turns: ["user: Hi", "assistant: The", "user: Continue."], prefill: undefined };
    expect(roles([user("Hi"), assistant("The")], false)).toEqual(asked);
  });

  it("asks to continue after calls that have no results", () => {
    expect(roles([user("Hi"), called()]).turns.at(-1)).toBe("user: Continue.");
  });

  it("begins an empty conversation", () => {
    expect(roles([]).turns).toEqual(["user: Begin."]);
    expect(roles([user("")]).turns).toEqual(["user: Begin."]);
  });

  it("joins neighbours of one role and keeps a late system message in its place", () => {
    expect(roles([user("a"), user(""), user("b"), { role: "system", content: "c" }]).turns).toEqual([
      "user: a\n\nb\n\nc",
    ]);
  });
});

const flat = (messages: readonly TextMessage[]) =>
  messages.map(({ role, content }) => `\u0000${role}\u0001${content}`).join("");

it("shows many results in the order of their calls in linear time", { timeout: 20_000 }, () => {
  const ids = Array.from({ length: 40_000 }, (_, i) => `c${i}`);
  const messages: ChatMessage[] = [
    user("All?"),
    { role: "assistant", content: "", toolCalls: ids.map((id) => ({ id, name: "now", arguments: {} })) },
    ...ids.map((id) => ({ role: "tool" as const, toolCallId: id, name: "now", content: `${id};` })).reverse(),
  ];
  expect(flat(renderPrompt({ protocol: "hermes", tools, messages }).messages).match(/c\d+;/g)).toEqual(
    ids.map((id) => `${id};`),
  );
});

it("writes an earlier call that the protocol cannot write as JSON, so that the conversation goes on", () => {
  const call = { id: "1", name: "add", arguments: { "first number": 2, note: "</am:tool_call>" } };
  const { messages } = renderPrompt({
    protocol: "am-xml",
    tools: [{ name: "add" }],
    messages: [
      { role: "user", content: "2?" },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolCallId: "1", name: "add", content: "2" },
    ],
  });
  expect(messages.map(({ content }) => content).join("\n")).toContain('"first number":2');
  expect(messages.find(({ role }) => role === "assistant")?.content).not.toContain("</am:tool_call>");
});

describe("a conversation that cannot be shown", () => {
  it.each([
    [
      "a result without the tool's name",
      { role: "tool", toolCallId: "1", content: "5" },
      /\[1\]\.name must be a string, not /,
    ],
    [
      "a result of OpenAI",
      { role: "tool", tool_call_id: "1", content: "5" },
      /\[1\] has `tool_call_id`\. Did you mean `too/,
    ],
    ["a result without its call", { role: "tool", content: "5" }, /\[1\]\.toolCallId must be a string, not undefined/],
    [
      "parts of OpenAI",
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      /\[1\]\.content must be a string, not a list of parts: `openai\.fromRequest` of @toolingua\/core\/providers/,
    ],
    ["no text", { role: "user", content: null }, /\[1\]\.content must be a string, not null/],
    [
      "the name of a property of objects as its role",
      { role: "constructor", content: "" },
      /role "constructor"; the roles/,
    ],
    ["another role", { role: "function", content: "" }, /\[1\] has the role "function"; the roles are system, user, /],
    ["no message", undefined, /\[1\] has the role null/],
    [
      "a call without arguments",
      { role: "assistant", content: "", toolCalls: [{ id: "1", name: "add" }] },
      /\[1\] calls add with arguments that are not an object/,
    ],
  ])("is refused with its wrong message: %s", (_, message, why) => {
    const messages = JSON.parse(JSON.stringify([{ role: "user", content: "a" }, message ?? null]));
    const refused = expect.objectContaining({
      name: "ConversationError",
      code: "bad-message",
      message: expect.stringMatching(why),
    });
    expect(() => renderPrompt({ messages })).toThrow(refused);
  });

  const circular: Record<string, unknown> = {};
  circular.own = { list: [circular] };
  let deep: unknown = 1;
  for (let i = 0; i < 50_000; i++) deep = [deep];
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a bigint", { list: [{ sum: 10n }] }, /\[1\] calls add with .*: arguments\.list\[0\]\.sum is a bigint/],
    ["a function", { f: () => 1 }, /arguments\.f is a function/],
    ["a symbol", { s: Symbol("s") }, /arguments\.s is a symbol/],
    ["themselves", circular, /arguments\.own\.list\[0\]\.own.*… is more than 500 levels deep, or contains itself/],
    ["50,000 levels", { deep }, /arguments\.deep\[0\].*… is more than 500 levels deep/],
    ["a map", { list: [new Map()] }, /arguments\.list\[0\] is a Map/],
  ])("is refused if the arguments of a call contain %s", async (_, args, why) => {
    const call = { id: "1", name: "add", arguments: args };
    const messages: ChatMessage[] = [
      { role: "user", content: "a" },
      { role: "assistant", content: "", toolCalls: [call] },
    ];
    const refused = expect.objectContaining({
      name: "ConversationError",
      code: "bad-message",
      message: expect.stringMatching(why),
    });
    for (const protocol of ["hermes", "qwen3-coder", "yaml"] as const)
      expect(() => renderPrompt({ messages, protocol, tools: [{ name: "add" }] })).toThrow(refused);
    await expect(
      generateWithTools({ model: async function* () {}, messages, tools: [{ name: "add" }] }).result(),
    ).rejects.toEqual(refused);
  });

  it.each(["hermes", "xml", "qwen3-coder", "yaml", "pythonic", "laic"] as const)(
    "has dates in the arguments of a call as JSON has them: %s",
    (protocol) => {
      const args = { list: [{ day: new Date(0) }], day: new Date(86_400_000) };
      const written = (given: Record<string, unknown>) =>
        renderPrompt({
          messages: [{ role: "assistant", content: "", toolCalls: [{ id: "1", name: "add", arguments: given }] }],
          protocol,
          tools: [{ name: "add" }],
        });
      expect(written(args)).toEqual(written(JSON.parse(JSON.stringify(args))));
      expect(JSON.stringify(written(args))).toContain("1970-01-02T00:00:00.000Z");
    },
  );

  it("is not one with undefined values in the arguments of a call", () => {
    const args = { at: Object.create(null), no: undefined };
    const toolCalls = [{ id: "1", name: "add", arguments: args }];
    const messages: ChatMessage[] = [{ role: "assistant", content: "", toolCalls }];
    expect(JSON.stringify(renderPrompt({ messages, tools: [{ name: "add" }] }))).toContain('{\\"at\\": {}}');
  });

  it("is refused if the messages are not a list", () => {
    const messages = JSON.parse("null");
    expect(() => renderPrompt({ messages })).toThrow(expect.objectContaining({ code: "bad-message" }));
  });
});

describe("invalid tools and choices are refused, also by a turn", () => {
  const named = { name: "now" };
  it.each([
    ["two of one name", { tools: [named, named] }, "duplicate-name"],
    ["one without a name", { tools: [named, {}] }, "missing-name"],
    ["nothing in the list", { tools: [null] }, "unknown-shape"],
    [
      "a choice in a provider's words",
      { tools: [named], toolChoice: "any" },
      /`toolChoice` is "auto", "none", .*, not "any"\. read/,
    ],
    [
      "a provider's object",
      { tools: [named], toolChoice: { function: { name: "now" } } },
      /, not \{"function":.*readToolChoice/,
    ],
    ["a misspelt choice", { tools: [named], toolChoice: "requird" }, /, not "requird"\. Did you mean "required"\?$/],
    [
      "a misspelt key",
      { tools: [named], toolChoice: { nme: "now" } },
      /, not \{"nme":"now"\}\. Did you mean `name`\?$/,
    ],
    ["a tool's name alone", { tools: [named], toolChoice: "now" }, /, not "now"\. Did you mean \{ name: "now" \}\?$/],
    [
      "a tool that is not there",
      { tools: [named], toolChoice: { name: "nwo" } },
      /names "nwo", .*\. Did you mean "now"\?$/,
    ],
    ["a tool if there is none", { toolChoice: { name: "now" } }, /names "now", which is not a tool\. There is none\.$/],
    [
      "a required call without tools",
      { toolChoice: "required" },
      /^`toolChoice` requires a call, but there is no tool to call/,
    ],
    ["a required call of no tools", { tools: [], toolChoice: "required" }, /there is no tool to call/],
  ])("%s", async (_, given, why) => {
    const options = JSON.parse(JSON.stringify({ messages: [{ role: "user", content: "a" }], ...given }));
    const refused =
      typeof why === "string"
        ? expect.objectContaining({ code: why })
        : expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringMatching(why) });
    expect(() => renderPrompt(options)).toThrow(refused);
    const model = () => {
      throw new Error("The model is not asked.");
    };
    await expect(generateWithTools({ ...options, model }).result()).rejects.toEqual(refused);
  });
});
