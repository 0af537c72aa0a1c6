import { renderPrompt } from "@toolingua/core";
import { expect, test } from "vitest";
import { createPmlReader, fromMessages, parsePml, pmlTranscript } from "../src/index.js";

// Texts that take minutes where the time grows with the square of their length. The runner's limit of time is the test.

test("spaces inside a text", () => {
  const text = `a${" ".repeat(200_000)}b`;
  const document = parsePml(`<conversation><turn><user>  ${text}\n </user></turn></conversation>`);
  expect(document.conversation?.turns[0]?.messages[0]).toMatchObject({ parts: [{ text }] });
});

test("spaces after a bracket, in a transcript", () => {
  const content = `<${" ".repeat(200_000)}x <![CDATA[ && && && <<<<`;
  const { messages } = renderPrompt({
    messages: [{ role: "user", content }],
    tools: [],
    transcript: pmlTranscript(),
    protocol: "laic",
  });
  expect(messages.at(-1)?.content).toContain(" ".repeat(200_000));
});

test("lines of a long text that arrives in small chunks", () => {
  const reader = createPmlReader();
  const pieces = 2_000;
  reader.push("<memory>\n<fact>");
  for (let i = 0; i < pieces; i++) reader.push("a\r\n".repeat(300));
  expect(() => reader.push("</fakt>")).toThrow(expect.objectContaining({ line: 2 + 300 * pieces, column: 8 }));
});

test("a turn of many messages", () => {
  const messages = Array.from({ length: 40_000 }, () => ({ role: "assistant" as const, content: "a" }));
  expect(fromMessages(messages).value.conversation?.turns).toHaveLength(1);
});
