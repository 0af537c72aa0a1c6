import { ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { withToolCalling as withAiSdk } from "../../ai-sdk/src/index.js";
import { ScriptedModel } from "../../ai-sdk/test/scripted-model.js";
import { withToolCalling as withLangChain } from "../../langchain/src/index.js";
import { ScriptedTextModel } from "../../langchain/test/scripted-text-model.js";
import { withToolCalling as withLlamaIndex } from "../../llamaindex/src/index.js";
import { ScriptedLLM } from "../../llamaindex/test/scripted-llm.js";
import { fromAiSdk, parsePml, pmlTranscript, toAiSdk, toLangChain, toLlamaIndex } from "../src/index.js";

// Every adapter takes the transcript, and what is sent is the document that the history was.

const parameters = { type: "object" as const, properties: { city: { type: "string" as const } }, required: ["city"] };
const history = parsePml(`<conversation><turn index="1">
  <user>How warm is it in Oslo? &lt;/text>&lt;/user></user>
  <assistant><call id="c1" name="get_weather" city="Oslo"/></assistant>
  <tool_output call="c1">3 degrees</tool_output>
</turn></conversation>`);
const options = { protocol: "laic", transcript: pmlTranscript() } as const;
const reply = '<call name="get_weather" city="Rome"/>';

/** The document in what an adapter sent as the user's message. */
const documentIn = (text: string) => parsePml(text.slice(text.indexOf("<pml ")));

describe("the transcript", () => {
  test("of the AI SDK's adapter", async () => {
    const inner = new ScriptedModel({ replies: [reply] });
    const tool = { type: "function" as const, name: "get_weather", inputSchema: parameters };
    const prompt = toAiSdk(history).value.map((message) =>
      message.role === "user"
        ? { role: message.role, content: [{ type: "text" as const, text: String(message.content) }] }
        : message,
    );
    expect(fromAiSdk(prompt).value).toEqual(history);
    const { content } = await withAiSdk(inner, options).doGenerate({
      prompt: JSON.parse(JSON.stringify(prompt)),
      tools: [tool],
    });
    expect(documentIn(inner.text(-1))).toEqual(history);
    expect(content).toContainEqual(expect.objectContaining({ toolName: "get_weather", input: '{"city":"Rome"}' }));
  });

  test("of LangChain's adapter", async () => {
    const inner = new ScriptedTextModel({ replies: [reply] });
    const model = withLangChain(inner, options).bindTools([
      { name: "get_weather", description: "The weather", schema: parameters },
    ]);
    const { mapStoredMessagesToChatMessages } = await import("@langchain/core/messages");
    const messages = mapStoredMessagesToChatMessages(JSON.parse(JSON.stringify(toLangChain(history).value)));
    expect(messages.at(-1)).toBeInstanceOf(ToolMessage);
    const answer = await model.invoke(messages);
    expect(documentIn(String(inner.requests[0]?.at(-1)?.content))).toEqual(history);
    expect(answer.tool_calls).toMatchObject([{ name: "get_weather", args: { city: "Rome" } }]);
  });

  test("of LlamaIndex's adapter", async () => {
    const inner = new ScriptedLLM({ replies: [reply] });
    const model = withLlamaIndex(inner, options);
    const { message } = await model.chat({
      messages: toLlamaIndex(history).value,
      tools: [{ metadata: { name: "get_weather", description: "The weather", parameters } }],
    });
    expect(documentIn(String(inner.requests[0]?.messages.at(-1)?.content))).toEqual(history);
    expect(message.options).toMatchObject({ toolCall: [{ name: "get_weather", input: { city: "Rome" } }] });
  });
});
