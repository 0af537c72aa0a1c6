import { describe, expect, test } from "vitest";
import {
  callOf,
  conversationOf,
  scriptedModel,
  text,
  toolOf,
  weather,
} from "../../test/support/scripted-conversation.js";
import { type ConversationOptions, memoryStore, readTriggers, ToolConversation } from "./index.js";
import { fileStore } from "./node/index.js";

const refused = (message: RegExp) =>
  expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringMatching(message) });

const made = (options: object) =>
  new ToolConversation({ model: scriptedModel().model, ...options } as ConversationOptions);

describe("the options of a conversation", () => {
  test.each([
    [{ needApproval: () => true }, /no "needApproval".* Did you mean "needsApproval"\?/],
    [{ selection: {} }, /no "selection".* Did you mean "toolSelection"\?/],
    [{ maxRetries: 3 }, /no "maxRetries".* "maxInvalidCallRetries"/],
    [{ maxSteps: 3 }, /no "maxSteps".* "budget"/],
    [{ history: { maxTokens: 100_000 } }, /no "maxTokens" in `history`\. Did you mean "tokens"\?/],
    [{ budget: { step: 3 } }, /no "step" in `budget`\. Did you mean "steps"\?/],
    [{ budget: { cost: { limit: Number.NaN, of: () => 1 } } }, /`budget\.cost\.limit` is a number from 0/],
  ])("a misspelt name is refused with a suggestion: %o", (options, message) => {
    expect(() => made(options)).toThrow(refused(message));
  });

  test.each([
    [{ style: "pretty" }, /`style` is/],
    [{ onInvalidCall: "ask" }, /`onInvalidCall` is/],
    [{ maxInvalidCallRetries: -1 }, /`maxInvalidCallRetries` is/],
    [{ copiedCalls: "no" }, /`copiedCalls` is/],
    [{ startWithReasoning: "yes" }, /`startWithReasoning` is true or false/],
    [{ accept: "onw" }, /`accept` is "any" or "own", not "onw"/],
    [{ parallel: "no" }, /`parallel` is true or false/],
    [{ stop: "x" }, /`stop` is a list of strings/],
    [{ temperature: "hot" }, /`temperature` is a number/],
    [{ maxTokens: -5 }, /`maxTokens` is a whole number from 1/],
    [{ signal: {} }, /`signal` is an AbortSignal/],
    [{ store: {} }, /`store` is a store/],
    [{ instructions: 5 }, /`instructions` is a string/],
    [{ tools: weather() }, /`tools` is a list/],
    [{ budget: 5 }, /`budget` is an object/],
    [{ budget: { steps: 0 } }, /`budget\.steps` is a whole number from 1/],
    [{ concurrency: 0 }, /`concurrency` is a whole number from 1/],
    [{ maxIdenticalCalls: 0 }, /`maxIdenticalCalls` is a whole number from 1/],
    [{ triggers: "on" }, /`triggers` is "off", "prompt" or "direct", not "on"/],
    [{ history: 5 }, /`history` is an object/],
    [{ history: {} }, /`history\.tokens` is missing/],
    [{ history: { tokens: 100, keep: 2 } }, /`history\.keep` is a number from 0 to 1/],
    [{ model: undefined }, /`model` is missing/],
    [{ model: "gpt" }, /`model` is a text model, .*, not "gpt"/],
  ])("a wrong value is refused in the constructor: %o", (options, message) => {
    expect(() => made(options)).toThrow(refused(message));
  });

  test("an unknown protocol or tool is refused in the constructor, and so are missing options", () => {
    expect(() => made({ toolChoice: "any" })).toThrow(refused(/`toolChoice` is "auto", .*, not "any"/));
    expect(() => made({ toolChoice: { name: "sub" } })).toThrow(refused(/`toolChoice` names "sub"/));
    expect(() => made({ toolChoice: "required" })).toThrow(refused(/there is no tool to call/));
    expect(() => made({ budget: { onExhausted: "anser" } })).toThrow(
      refused(/`budget\.onExhausted` is "answer" or "stop", not "anser"\. Did you mean "answer"\?/),
    );
    expect(() => made({ protocol: "xlm" })).toThrow(expect.objectContaining({ code: "unknown-protocol" }));
    expect(() => new ToolConversation(undefined as never)).toThrow(refused(/must be an object, not undefined/));
  });

  test("a conversation cannot be resumed without a store", async () => {
    const { model } = scriptedModel();
    for (const store of [undefined, {}]) {
      await expect(ToolConversation.resume({ model, store } as never)).rejects.toEqual(refused(/`store` is/));
    }
  });

  test("a schema that contains itself is refused with its tool", async () => {
    const parameters: Record<string, unknown> = { type: "object", properties: {} };
    parameters.properties = { a: parameters };
    const run = async () => made({ tools: [{ name: "get_weather", parameters, execute: () => "" }] }).run("Hi");
    await expect(run()).rejects.toMatchObject({ name: "ToolDefinitionError", code: "limit", tool: "get_weather" });
  });

  test("a limit for a tool that does not exist is refused", () => {
    const options = { tools: [weather()], budget: { callsPerTool: { wether: 1 } } };
    expect(() => made(options)).toThrow(refused(/callsPerTool` names "wether".* Did you mean "weather"\?/));
  });
});

describe("a mistake that would have no visible effect", () => {
  const of = () => 1;
  const tools = [weather()];
  test.each([
    [{ budget: { cost: { limit: null, of } } }, /`budget\.cost\.limit` is a number from 0, not null/],
    [{ budget: { cost: { limit: "5", of } } }, /`budget\.cost\.limit` is a number from 0, not "5"/],
    [{ budget: { cost: { limit: 5, of, currency: "EUR" } } }, /no "currency" in `budget\.cost`/],
    [{ budget: { cost: { limt: 5, of } } }, /Did you mean "limit"\?/],
    [{ budget: { callsPerTool: [] } }, /`budget\.callsPerTool` is an object/],
    [{ tools, aliases: { weather: { alais: "W" } } }, /no "alais".* Did you mean "alias"\?/],
    [{ tools, aliases: { weather: "W" } }, /`aliases\.weather` is an object/],
  ])("is refused: %o", (options, message) => {
    expect(() => made(options)).toThrow(refused(message));
  });

  test("an alias of an unknown tool is refused", () => {
    const aliases = { wether: { alias: "W" } };
    expect(() => made({ tools, aliases })).toThrow(expect.objectContaining({ code: "unknown-tool" }));
  });

  test("in the methods and functions", async () => {
    const { conversation } = conversationOf([]);
    expect(() => conversation.fork(1, { stroe: memoryStore() } as object)).toThrow(refused(/"stroe".* "store"/));
    expect(() => conversation.fork(1, null as never)).toThrow(refused(/must be an object, not null/));
    expect(() => conversation.fork("1" as never)).toThrow(/not "1"/);
    const result = { toolCallId: "a", name: "weather", content: "No.", is_error: true };
    await expect(conversation.submitToolResults([result])).rejects.toEqual(refused(/"is_error".* "isError"/));
    expect(() => fileStore("a.jsonl", { snyc: false } as object)).toThrow(refused(/"snyc".* "sync"/));
    expect(() => fileStore(undefined as never)).toThrow(refused(/the path of a file/));
    expect(() => readTriggers("[#weather: Oslo]", undefined as never)).toThrow(
      refused(/options of readTriggers must be an object/),
    );
  });
});

describe("the options of a tool", () => {
  test.each([
    [{ needApproval: true }, /no option "needApproval" of the tool "weather"\. Did you mean "needsApproval"\?/],
    [{ timeoutMs: 5 }, /Did you mean "timeout"\?/],
    [{ exclusiv: true }, /Did you mean "exclusive"\?/],
    [{ readonly: true }, /Did you mean "readOnly"\?/],
    [{ onCrash: "reran" }, /`weather\.onCrash` is "ask", "rerun" or "fail", not "reran"/],
    [{ needsApproval: "yes" }, /`weather\.needsApproval` is true, false or a function/],
    [{ timeout: -1 }, /`weather\.timeout` is a number of milliseconds above 0/],
    [{ timeout: Number.NaN }, /`weather\.timeout` is/],
  ])("are refused if they are misspelt or have a wrong value: %o", (more, message) => {
    expect(() => made({ tools: [weather(more as object)] })).toThrow(refused(message));
  });

  test.each(["exec", "run", "handler", "func", "function"])(
    "are refused if they have `%s` in place of `execute`",
    (key) => {
      const given = { name: "weather", [key]: () => "Sunny" };
      expect(() => made({ tools: [given] })).toThrow(
        refused(new RegExp(`^There is no option "${key}" of the tool "weather"\\. Did you mean "execute"\\?$`)),
      );
      made({ tools: [{ ...given, execute: () => "Rainy" }] });
    },
  );

  test("may have a schema that is a function, as ArkType's are", () => {
    const schema = Object.assign(() => {}, { toJsonSchema: () => ({ type: "object" }) });
    const parameters = {
      "~standard": { version: 1, vendor: "x", validate: () => ({}), jsonSchema: { input: () => ({ type: "object" }) } },
    };
    for (const key of ["parameters", "inputSchema", "schema"])
      made({ tools: [{ name: "weather", [key]: Object.assign(schema, parameters) }] });
  });

  test("may include an application's own fields", () => {
    made({ tools: [{ ...weather(), title: "Weather", tags: ["a"], annotations: {}, execution: {} }] });
  });
});

describe("the options of a method", () => {
  const asked = () =>
    conversationOf([{ calls: [callOf("mail", { to: "Ada" })] }, "Sent."], {
      tools: [toolOf("mail", { to: text }, () => "Sent.", { needsApproval: true })],
    }).conversation;

  test("are refused if they are misspelt, and nothing is stored", async () => {
    const conversation = asked();
    const trust = { trust: true } as object;
    await expect(conversation.run("Hi", trust).result()).rejects.toEqual(refused(/no "trust".* "trusted"/));
    await expect(conversation.send("Hi", trust)).rejects.toEqual(refused(/no "trust"/));
    await expect(conversation.submitToolResults([], { sinal: 1 } as object)).rejects.toEqual(refused(/"signal"/));
    expect(conversation.log).toHaveLength(1);
    const { pending } = await conversation.run("Write to Ada.").result();
    const { id } = pending[0]!.call;
    await expect(conversation.decide(id, { type: "approve" }, { argumentHash: "x" } as object)).rejects.toEqual(
      refused(/no "argumentHash".* "argumentsHash"/),
    );
    expect((await conversation.run().result()).pending).toHaveLength(1);
  });
});
