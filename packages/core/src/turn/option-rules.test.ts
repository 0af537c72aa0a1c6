import { expect, test } from "vitest";
import { adapterRules, checkOptionNames, checkOptionValues, generateWithTools } from "../index.js";

const refused = (message: RegExp) =>
  expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringMatching(message) });

test.each([
  [{ style: "pretty" }, /^`of\.style` is "native", "json", "signature" or "compact", not "pretty"\.$/],
  [{ maxInvalidCallRetries: Number.POSITIVE_INFINITY }, /whole number from 0, not Infinity/],
  [{ maxRepeatedCalls: -1 }, /whole number from 0, or Infinity, not -1/],
  [{ prefill: "yes" }, /true or false, not "yes"/],
  [{ grammar: null }, /an object, such as .*, not null/],
])("a value that an option cannot have is told with what it may be: %o", (options, message) => {
  expect(() => checkOptionValues(adapterRules, options, "of.")).toThrow(refused(message));
});

test("what is not said, and what may be, is let pass", () => {
  checkOptionValues(adapterRules, { style: undefined, maxRepeatedCalls: Number.POSITIVE_INFINITY, protocol: "hermes" });
  checkOptionNames(adapterRules, { style: undefined, protocol: "hermes" });
});

test("a protocol that there is not, and an option that there is not, are told with those there are", () => {
  expect(() => checkOptionValues(adapterRules, { protocol: "xlm" })).toThrow(
    expect.objectContaining({ code: "unknown-protocol" }),
  );
  expect(() => checkOptionNames(adapterRules, { protcol: "xml" })).toThrow(
    refused(/no "protcol" .* Did you mean "protocol"\? There are protocol, /),
  );
});

test.each([
  { onInvalidCall: "ask" },
  { constraint: true },
  { maxRetries: -1 },
  { maxRepeatedCalls: 0.5 },
  { style: "" },
])("a turn refuses %o before the model is asked", async (options) => {
  const model = () => {
    throw new Error("The model is not asked.");
  };
  const messages = [{ role: "user" as const, content: "Hi" }];
  await expect(generateWithTools({ model, messages, ...(options as object) }).result()).rejects.toEqual(refused(/is/));
});
