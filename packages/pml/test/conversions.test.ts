import {
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from "@langchain/core/messages";
import { createMemory, type MemoryMessage } from "@llamaindex/core/memory";
import { ToolConversation } from "@toolingua/core/conversation";
import { modelMessageSchema } from "ai";
import { describe, expect, test } from "vitest";
import {
  fromAiSdk,
  fromAtif,
  fromConversation,
  fromConversationState,
  fromLangChain,
  fromLlamaIndex,
  fromMarkdown,
  fromPoml,
  fromProvider,
  type PmlDocument,
  parsePml,
  pmlFromJson,
  renderHtml,
  toAiSdk,
  toAtif,
  toConversation,
  toConversationState,
  toLangChain,
  toLlamaIndex,
  toMarkdown,
  toMessages,
  toPoml,
  toProvider,
} from "../src/index.js";
import { conversionLaw, formats } from "./support/laws.js";
import { untyped } from "./support/untyped.js";

describe("the types match those of the libraries", () => {
  const document =
    parsePml(`<pml version="1"><memory><fact>Kim likes tea.</fact></memory><conversation id="c1"><turn index="1">
    <user><attachment type="image" url="https://a.example/b.png"/>How is Oslo?</user>
    <assistant><thinking>I look.</thinking><text>Let me see.</text><call id="1" name="get_weather" loc="Oslo"/><call id="2" name="get_weather" loc="Rome"/></assistant>
    <tool_output call="1">4 °C</tool_output><tool_output call="2" status="error">No answer</tool_output>
    <assistant>Cold in Oslo.</assistant></turn></conversation></pml>`);
  const { id: _, ...untitled } = document.conversation ?? { turns: [] };
  const talk: PmlDocument = { ...document, conversation: untitled };

  test("LangChain creates its messages from them, and they are read back", () => {
    const { value, losses } = toLangChain(talk);
    expect(losses).toEqual([]);
    const instances = mapStoredMessagesToChatMessages(value as StoredMessage[]);
    expect(instances.map((message) => message.constructor.name)).toEqual([
      "SystemMessage",
      "HumanMessage",
      "AIMessage",
      "ToolMessage",
      "ToolMessage",
      "AIMessage",
    ]);
    expect(fromLangChain(instances)).toEqual({ value: talk, losses: [] });
    expect(fromLangChain(JSON.parse(JSON.stringify(instances))).value).toEqual(talk);
    expect(fromLangChain(mapChatMessagesToStoredMessages(instances)).value).toEqual(talk);
  });

  test("the AI SDK accepts them", () => {
    const { value, losses } = toAiSdk(talk);
    expect(losses).toEqual([]);
    for (const message of value) modelMessageSchema.parse(message);
    expect(fromAiSdk(value)).toEqual({ value: talk, losses: [] });
  });

  test("LlamaIndex accepts them, except thinking", async () => {
    const { value, losses } = toLlamaIndex(talk);
    expect(losses).toMatchObject([{ what: "thinking", path: "/conversation/turns/0/messages/1" }]);
    const memory = createMemory(value as MemoryMessage[]);
    const kept = await memory.get();
    expect(kept.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "user", "assistant"]);
    expect(toLlamaIndex(fromLlamaIndex(kept).value).value).toEqual(value);
  });

  test("a ToolConversation continues from its state, with a waiting call", async () => {
    const waiting: PmlDocument = {
      ...document,
      conversation: {
        id: "c1",
        turns: [{ index: 1, messages: document.conversation?.turns[0]?.messages.slice(0, 4) ?? [] }],
      },
    };
    const { value, losses } = toConversationState(waiting);
    expect(losses).toEqual([]);
    const conversation = ToolConversation.fromJSON(value, {
      model: async function* ({ messages }) {
        expect(JSON.stringify(messages)).toContain("4 °C");
        yield "Cold in Oslo.";
      },
    });
    expect(conversation.id).toBe("c1");
    const result = await conversation.run().result();
    expect(result.text).toBe("Cold in Oslo.");
    const back = fromConversationState(conversation.toJSON());
    expect(back.value).toEqual(document);
    expect(back.losses.map(({ what }) => what)).toEqual(["end"]);
  });

  test("ATIF has results in the step of their call", () => {
    const { value } = toAtif(document, { agent: { name: "a", version: "1", model_name: "m" } });
    expect(value).toMatchObject({
      ...{ schema_version: "ATIF-v1.7", session_id: "c1", agent: { name: "a", version: "1", model_name: "m" } },
      steps: [
        { step_id: 1, source: "user", message: "How is Oslo?" },
        {
          ...{ step_id: 2, source: "agent", message: "Let me see.", reasoning_content: "I look." },
          tool_calls: [
            { tool_call_id: "1", function_name: "get_weather", arguments: { loc: "Oslo" } },
            { tool_call_id: "2", function_name: "get_weather", arguments: { loc: "Rome" } },
          ],
          observation: {
            results: [
              { source_call_id: "1", content: "4 °C" },
              { source_call_id: "2", content: "No answer" },
            ],
          },
        },
        { step_id: 3, source: "agent", message: "Cold in Oslo." },
      ],
      extra: { memory: [{ type: "fact", text: "Kim likes tea." }] },
    });
  });

  test("providers' requests keep ids, and losses name the place in the document", () => {
    const { value, losses } = toProvider(talk, "anthropic");
    expect(value).toMatchObject({
      system: expect.stringContaining("Kim likes tea."),
      messages: [
        { role: "user", content: [{ type: "image" }, { type: "text" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Let me see." },
            { type: "tool_use", id: "1" },
            { type: "tool_use", id: "2" },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "1" },
            { type: "tool_result", tool_use_id: "2", is_error: true },
          ],
        },
        { role: "assistant" },
      ],
    });
    expect(losses.map(({ path, what }) => [path, what])).toContainEqual([
      "/conversation/turns/0/messages/1",
      "reasoning",
    ]);
  });
});

describe("POML", () => {
  test("is read under every name for messages; the rest is reported", () => {
    const { value, losses } = fromPoml(`<poml>
      <let name="x">1</let>
      <system-msg>Be <b>brief</b>.</system-msg>
      <tool-definition name="add" description="Adds" parser="json">{"type": "object"}</tool-definition>
      <human-msg>2 + {{x}}?</human-msg>
      <ToolRequest id="1" name="add" parameters="{{ {&quot;a&quot;: 2} }}"/>
      <ToolResponse id="1" name="add">3</ToolResponse>
      <ai-msg>3</ai-msg>
      <output-schema>{}</output-schema>
    </poml>`);
    expect(value).toEqual({
      version: "1",
      tools: { list: [{ name: "add", description: "Adds", parameters: { type: "object" } }] },
      conversation: {
        turns: [
          {
            index: 1,
            messages: [
              { type: "system", parts: [{ type: "text", text: "Be brief." }] },
              { type: "user", parts: [{ type: "text", text: "2 + {{x}}?" }] },
              { type: "assistant", parts: [{ type: "call", id: "1", name: "add", arguments: { a: 2 } }] },
              { type: "tool_output", call: "1", text: "3" },
              { type: "assistant", parts: [{ type: "text", text: "3" }] },
            ],
          },
        ],
      },
    });
    expect(losses.map(({ what }) => what)).toEqual(["<let>", "<b>", "template", "<output-schema>"]);
    expect(() => fromPoml("<a/>")).toThrow(expect.objectContaining({ code: "bad-format" }));
    expect(() => fromPoml("<poml>")).toThrow(expect.objectContaining({ code: "syntax" }));
    expect(() => fromPoml("<a>".repeat(10_000))).toThrow(expect.objectContaining({ code: "limit" }));
  });
});

test("attributes, templates and further roots of POML are reported", () => {
  const { value, losses } = fromPoml(
    `<poml syntax="markdown"><user-msg for="x in y" if="x">a</user-msg><ToolRequest id="{{x}}" name="f" speaker="ai" parameters="{{{}}}"/></poml><poml><user-msg>b</user-msg></poml>`,
  );
  expect(value.conversation?.turns).toHaveLength(1);
  expect(losses.map(({ path, what }) => [path, what])).toEqual([
    ["/poml", "syntax"],
    ["/poml/0", "for"],
    ["/poml/0", "if"],
    ["/poml/1", "template"],
    ["/poml/1", "speaker"],
    ["/1", "<poml>"],
  ]);
  const written = toPoml(
    parsePml(`<conversation><turn index="1"><assistant><call id="{{x}}" name="f"/></assistant></turn></conversation>`),
  );
  expect(written.losses).toMatchObject([{ path: "/conversation/turns/0/messages/0", what: "template" }]);
});

describe("images in base64", () => {
  const withContent = (content: string): PmlDocument => ({
    version: "1",
    conversation: {
      turns: [
        {
          index: 1,
          messages: [
            {
              type: "user",
              parts: [{ type: "attachment", kind: "image", mime: "image/png", encoding: "base64", content }],
            },
          ],
        },
      ],
    },
  });

  test("are images in lines of any length, too", () => {
    const { value, losses } = toMessages(withContent("\n  iVBORw0K\n  Ggo=\n"));
    expect(value).toEqual([{ role: "user", content: "", images: [{ url: "data:image/png;base64,iVBORw0KGgo=" }] }]);
    expect(losses).toMatchObject([{ path: "/conversation/turns/0/messages/0/parts/0", what: "space" }]);
  });

  test.each(["==A=", "iVBOR", "iVBO Rw=K", "no base64!", ""])("are refused if they are invalid: %j", (content) => {
    const { value, losses } = toMessages(withContent(content));
    expect(value).toMatchObject([{ role: "user", content: expect.stringContaining("(left out)") }]);
    expect(value[0]).not.toHaveProperty("images");
    expect(losses).toMatchObject([{ what: "attachment" }]);
    expect(renderHtml(withContent(content))).not.toContain("<img");
  });
});

test("Markdown holds a text with any number of backticks", () => {
  const parts = [{ type: "edit" as const, file: "a.md", text: "` ".repeat(200_000) }];
  const document: PmlDocument = { version: "1", conversation: { turns: [{ messages: [{ type: "user", parts }] }] } };
  expect(fromMarkdown(toMarkdown(document)).value).toEqual(document);
});

test.each([
  ['<!-- pml document {"version":"1","memory":true,"tools":{}} -->', "memory-item"],
  ["<!-- pml conversation {} -->", "turn"],
  ["<!-- pml turn {} -->", "user"],
])("Markdown without its comment %s is refused with the line", (comment, kind) => {
  const document = parsePml(
    `<pml version="1"><memory><fact>a</fact></memory><tools><tool name="f"/></tools><conversation><turn><user>b</user></turn></conversation></pml>`,
  );
  const lines = toMarkdown(document).split("\n");
  expect(lines).toContain(comment);
  const edited = lines.filter((line) => line !== comment);
  const line = edited.findIndex((one) => one.startsWith(`<!-- pml ${kind} `)) + 1;
  expect(() => fromMarkdown(edited.join("\n"))).toThrow(
    expect.objectContaining({
      code: "bad-format",
      message: expect.stringContaining(`line ${line}: "${kind}" must follow`),
    }),
  );
});

test("options are checked", () => {
  expect(() => untyped(toProvider)({ version: "1" }, "opnai")).toThrow(/provider: expected "openai" or/);
  expect(() => untyped(fromProvider)({ messages: [] }, "opnai")).toThrow(/provider: expected "openai" or/);
  expect(() => untyped(toConversation)({ version: "1" }, { attachments: "pdf" })).toThrow(
    /`attachments` is "documents" or "pml"/,
  );
});

describe("input that is not a document of its format", () => {
  test.each([
    ["messages", () => untyped(fromConversation)({ messages: "x" }), "/messages: expected a list"],
    [
      "messages",
      () => untyped(fromConversation)({ messages: [{ role: "bot", content: "" }] }),
      '/messages/0/role: expected "system", "user", "assistant" or "tool", got string "bot"',
    ],
    [
      "langchain",
      () => fromLangChain([{ type: "bot", data: {} }]),
      '/0: expected a message of the type system, human, ai or tool, got string "bot"',
    ],
    [
      "llamaindex",
      () => fromLlamaIndex([{ role: "bot", content: "x" }]),
      '/0/role: expected "system", "user", "assistant", "memory" or "developer", got string "bot"',
    ],
    [
      "ai-sdk",
      () => fromAiSdk([{ role: "bot", content: "x" }]),
      '/0/role: expected "system", "user", "assistant" or "tool", got string "bot"',
    ],
    [
      "ai-sdk",
      () => fromAiSdk([{ role: "tool", content: [{ type: "tool-result" }] }]),
      "/0/content/0/output: expected an output",
    ],
    [
      "atif",
      () => fromAtif({ steps: [{ source: "bot" }] }),
      '/steps/0/source: expected "system", "user" or "agent", got string "bot"',
    ],
    ["json", () => pmlFromJson("{"), "expected the JSON of a document"],
    ["json", () => pmlFromJson('{"version":"1","memory":[{"type":"fact"}]}'), "/memory/0"],
    ["markdown", () => fromMarkdown("# Hi"), "expected what toMarkdown wrote"],
    [
      "markdown",
      () => fromMarkdown('<!-- pml document {"version":"1"} -->\n<!-- pml call {} -->'),
      "line 2: expected a code block",
    ],
  ])("%s", (_format, read, message) => {
    expect(read).toThrow(message);
  });
});

describe.each(Object.keys(formats))("%s", (name) => {
  test("a document without losses is read back unchanged; one with losses can be written and read", () => {
    // The law says something of a good part of them.
    expect(conversionLaw(name, 60)).toBeGreaterThan(3);
  });
});
