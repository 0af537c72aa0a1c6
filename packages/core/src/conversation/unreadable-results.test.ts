import { describe, expect, it } from "vitest";
import { callOf, conversationOf, toolOf } from "../../test/support/scripted-conversation.js";

const png = new Uint8Array([137, 80, 78, 71]);

async function resultOf(execute: () => unknown) {
  const tools = [toolOf("odd", {}, execute)];
  const { conversation } = conversationOf([{ calls: [callOf("odd", {})] }, "Well."], { tools });
  const { messages } = await conversation.run("Go.");
  return messages.find(({ role }) => role === "tool");
}

describe("a call", () => {
  it.each<[() => unknown, string]>([
    [() => new Response("…"), "an object of the class Response, which has no data as JSON"],
    [async () => png, "4 bytes that are no text"],
    [() => png.buffer, "an object of the class ArrayBuffer, which has no data as JSON"],
  ])("fails if its tool returns what is no text and no data: %s", async (execute, why) => {
    const result = await resultOf(execute);
    expect(result).toMatchObject({ isError: true });
    expect(result?.content).toContain(
      `The tool "odd" returned ${why}. Its \`execute\` must return text or data, such as`,
    );
    expect(result?.content.includes("`await response.text()`")).toBe(why.includes("Response"));
  });

  it.each<[unknown, string]>([
    ["[Response]", "[Response]"],
    [Buffer.from("[10 bytes]"), "[10 bytes]"],
    [new URL("http://a.example/"), '"http://a.example/"'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Map(), "{}"],
    [{}, "{}"],
    [Object.create(null), "{}"],
    [new Float64Array(), "[]"],
    [/a+/, '"/a+/"'],
    [undefined, ""],
  ])("does not fail if its tool returns text or data: %s", async (value, content) => {
    const result = await resultOf(() => value);
    expect(result).toMatchObject({ content });
    expect(result).not.toHaveProperty("isError");
  });
});
