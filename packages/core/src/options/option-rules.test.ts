import { expect, test } from "vitest";
import { adapterRules, checkOptionNames, checkOptionValues } from "../adapters/index.js";
import { ToolConversation } from "../conversation/index.js";
import { generateWithTools } from "../index.js";

const refused = (message: RegExp) =>
  expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringMatching(message) });

test.each([
  [{ style: "pretty" }, /^`of\.style` is "native", "json", "signature" or "compact", not "pretty"\.$/],
  [{ maxInvalidCallRetries: Number.POSITIVE_INFINITY }, /whole number from 0, not Infinity/],
  [{ maxIdenticalCalls: 0 }, /whole number from 1, or Infinity, not 0/],
  [{ prefill: "yes" }, /true or false, not "yes"/],
  [{ startWithReasoning: "<think>" }, /^`of\.startWithReasoning` is true or false, not "<think>"\.$/],
  [{ grammar: null }, /an object, such as .*, not null/],
  [{ grammar: { maxItems: -1 } }, /^`grammar\.maxItems` is a whole number from 1 to \d+, not -1\.$/],
  [{ grammar: { maxItem: 3 } }, /no "maxItem" in `grammar`\. Did you mean "maxItems"\?/],
  [{ toolSelection: "words" }, /true, false, or an object such as \{ from: 20, by: "words" \}, not "words"/],
])("a wrong value is refused with the allowed values: %o", (options, message) => {
  expect(() => checkOptionValues(adapterRules, options, "of.")).toThrow(refused(message));
});

test("undefined and valid values are accepted", () => {
  checkOptionValues(adapterRules, {
    style: undefined,
    maxIdenticalCalls: Number.POSITIVE_INFINITY,
    protocol: "hermes",
  });
  checkOptionNames(adapterRules, { style: undefined, protocol: "hermes" });
});

test("an unknown protocol or option is refused with the known ones", () => {
  expect(() => checkOptionValues(adapterRules, { protocol: "xlm" })).toThrow(
    expect.objectContaining({
      code: "unknown-protocol",
      message: 'There is no protocol "xlm". Did you mean "xml"?',
    }),
  );
  expect(() => checkOptionNames(adapterRules, { protcol: "xml" })).toThrow(
    refused(/^There is no "protcol" in the options\. Did you mean "protocol"\?$/),
  );
  expect(() => checkOptionNames(adapterRules, { zzzzzzzz: "xml" })).toThrow(
    refused(/^There is no "zzzzzzzz" in the options\. There are "protocol", .*\.$/),
  );
});

test.each([
  ["max_tokens", "maxTokens"],
  ["maxSteps", "budget"],
  ["maxRetries", "maxInvalidCallRetries"],
  ["stop_sequences", "stop"],
])("an option under another package's name gets a suggestion: %s", (given, meant) => {
  const model = () => [];
  expect(() => new ToolConversation({ model, [given]: 3 } as never)).toThrow(
    refused(new RegExp(`no "${given}" .* Did you mean "${meant}"`)),
  );
});

test("an option of another object is refused with the place where it belongs", () => {
  const elsewhere = { maxTokens: "The model that is wrapped takes it." };
  expect(() => checkOptionNames(adapterRules, { max_tokens: 3 }, "the options", elsewhere)).toThrow(
    refused(/^There is no "max_tokens" in the options\. The model that is wrapped takes it\.$/),
  );
});

test("a list with a wrong item is described by the item", async () => {
  const options = { model: async function* () {}, messages: [], stop: ["END", 5] };
  await expect(async () => await Reflect.apply(generateWithTools, undefined, [options])).rejects.toEqual(
    refused(/^`stop` is a list of strings, not a list with 5\.$/),
  );
});

test.each([
  { onInvalidCall: "ask" },
  { constraint: true },
  { maxInvalidCallRetries: -1 },
  { maxIdenticalCalls: 0.5 },
  { style: "" },
  { accept: "all" },
  { parallel: "no" },
  { stop: "END" },
  { stop: [1] },
  { maxTokens: 0 },
  { temperature: -1 },
  { temperature: "hot" },
  { seed: 0.5 },
  { signal: {} },
  { markers: "<x>" },
  { toolSelection: true },
  { backend: "transformers" },
  { onRetry: true },
  { onTrace: true },
  { tools: {} },
  { messages: "Hi" },
  { messages: undefined },
  { model: undefined },
])("a turn refuses %o before the model is asked", async (options) => {
  const model = () => {
    throw new Error("The model is not asked.");
  };
  const messages = [{ role: "user" as const, content: "Hi" }];
  await expect(generateWithTools({ model, messages, ...(options as object) }).result()).rejects.toEqual(refused(/is/));
});

test("a turn refuses an unknown option", async () => {
  const messages = [{ role: "user" as const, content: "Hi" }];
  const model = async function* () {
    yield "Hello.";
  };
  const ask = (options: object) => generateWithTools({ model, messages, ...options }).result();
  await expect(ask({ max_tokens: 3 })).rejects.toEqual(refused(/no "max_tokens" .* Did you mean "maxTokens"/));
  await expect(ask({ temprature: 0 })).rejects.toEqual(refused(/Did you mean "temperature"/));
  await expect(ask({ untrusted: ["a"] })).rejects.toEqual(
    refused(/no "untrusted" in the options of a turn\. A turn takes the texts of users and results from `messages`\.$/),
  );
  await expect(ask({ traceId: "a" })).rejects.toEqual(refused(/no "traceId" in the options of a turn/));
});

const silent = async function* () {};

test("a refused turn rejects for its reader and for its result", async () => {
  const turn = generateWithTools({ model: silent, messages: [], stop: "END" as never });
  const read = async () => {
    for await (const _ of turn);
  };
  await expect(read()).rejects.toEqual(refused(/`stop`/));
  await expect(turn.result()).rejects.toEqual(refused(/`stop`/));
});

test.each([
  [[null], /\[0\] has the role null/],
  [[{ role: "assistant", content: "", toolCalls: {} }], /\[0\] has `toolCalls` that are not a list/],
  [[{ role: "assistant", content: "", toolCalls: [null] }], /\[0\] makes a call without a tool's name/],
])("messages that are invalid are refused with the reason: %o", async (messages, why) => {
  const turn = generateWithTools({ model: silent, messages: messages as never });
  await expect(turn.result()).rejects.toMatchObject({ code: "bad-message", message: expect.stringMatching(why) });
});

test.each([
  [async () => "Hello.", /^`model` is a function that returns a stream of text .*, not a promise\.$/],
  [() => undefined, /not undefined\.$/],
  [() => ({ text: "Hello." }), /not an object\.$/],
])("a model that returns no stream is refused with the reason: %s", async (model, message) => {
  const messages = [{ role: "user" as const, content: "Hi" }];
  await expect(generateWithTools({ model: model as never, messages }).result()).rejects.toEqual(refused(message));
  const conversation = new ToolConversation({ model: model as never, budget: { tokens: 100 } });
  expect(await conversation.run("Hi").result()).toMatchObject({ stopReason: "error", error: refused(message) });
});
