import { expect, it } from "vitest";
import { serverMessage } from "../adapters/index.js";

it.each([
  ["OpenAI", { error: { message: "model not found" } }, "model not found"],
  ["Ollama", { error: "model not found" }, "model not found"],
  ["FastAPI", { detail: "Not Found" }, "Not Found"],
])("the message of %s is found", (_, payload, message) => {
  expect(serverMessage(payload)).toBe(message);
});

it.each([
  ["null", null],
  ["a number", 7],
  ["a list", []],
  ["an object without a message", { error: { message: 7 } }],
  ["a list without messages", { detail: [7, null, { loc: ["body"] }, { msg: "" }] }],
])("%s has no message", (_, payload) => {
  expect(serverMessage(payload)).toBeUndefined();
});

it("of a list of FastAPI, the places and the messages are given, not the input", () => {
  const detail = [
    { type: "missing", loc: ["body", "messages", 0, "name"], msg: "Field required", input: { content: "my prompt" } },
    { type: "int_type", loc: ["body", "n"], msg: "Input should be a valid integer", input: "my prompt" },
    { msg: "Something else", ctx: { error: "my prompt" } },
    "and a text",
  ];
  expect(serverMessage({ detail })).toBe(
    "body.messages.0.name: Field required; body.n: Input should be a valid integer; Something else; and a text",
  );
});
