import { expect, test } from "vitest";
import { parseReply, validateValue } from "../index.js";
import {
  CallFailure,
  describeIssues,
  estimatePromptTokens,
  estimateTokens,
  hasOneReading,
  messageOf,
} from "./index.js";

test("a failure is written as its message only", () => {
  const failure = new CallFailure("timeout", "No answer in time.", { cause: new Error("secret") });
  expect(JSON.stringify([failure])).toBe('[{"error":"No answer in time."}]');
});

test("issues are described with their places", () => {
  const schema = { type: "object", properties: { "a/b": { type: "number" }, c: {} }, required: ["c"] } as const;
  expect(describeIssues(validateValue({ "a/b": "x" }, schema), "; ")).toMatch(/^\/c: .*; \/a~1b: expected number, got/);
  expect(describeIssues(validateValue(1, schema))).toBe("expected object, got number 1");
});

test("a call has one reading unless it is broken or ambiguous", () => {
  const tools = [{ name: "f", parameters: { type: "object", properties: { n: { type: "number" } } } }];
  const read = (body: string) =>
    parseReply(`<tool_call>${body}</tool_call>`, { tools, protocol: "hermes" }).invalidToolCalls.map(hasOneReading);
  expect(read('{"name": "g", "arguments": {}}')).toEqual([true]);
  expect(read('{"name": "f", "arguments": {"n": "x"}}')).toEqual([true]);
  expect(read("{oops")).toEqual([false]);
  const error = { code: "invalid-arguments", message: "", feedback: "", ambiguous: true } as const;
  expect(hasOneReading({ error })).toBe(false);
});

test("tokens are estimated by length, with an overhead for each message", () => {
  expect(estimateTokens("It is sunny.".length)).toBe(3);
  expect(estimatePromptTokens(["Be brief.", "Hello"])).toBe(13);
});

test("the message of any thrown value is a text", () => {
  const thrown = [new Error("no"), { message: "of another realm" }, "text", 1, undefined, { a: 1 }];
  expect(thrown.map(messageOf)).toEqual(["no", "of another realm", "text", "1", "", '{"a":1}']);
});
