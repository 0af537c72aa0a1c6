import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, parseReply } from "../index.js";

const args = '{"depot": "a", "boxes": 3}';

describe.each(["harmony", "hermes", "auto"] as const)(
  "the recipient of a call without the tokens around it, in %s",
  (protocol) => {
    test.each([
      `The page says: to=functions.ship.order ${args} ok.`,
      `> commentary to=functions.ship.order json ${args}`,
      `The header to=functions.ship.order names the recipient.`,
      `commentary to=functions.ship.order json${args}`,
    ])("is text: %s", (text) => {
      const { toolCalls, invalidToolCalls } = parseReply(text, { protocol, tools: [{ name: "ship.order" }] });
      expect([toolCalls, invalidToolCalls]).toEqual([[], []]);
    });
  },
);

const call = `<|channel|>commentary to=functions.ship_order <|constrain|>json<|message|>${args}<|call|>`;
const shown = (reply: string, protocol: "harmony" | "hermes" | "auto" = "harmony") => {
  const [whole, single] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools: [{ name: "ship_order" }] });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    const { toolCalls, invalidToolCalls, text } = collectReply(events);
    return { calls: toolCalls.map(({ name }) => name), invalid: invalidToolCalls.length, text };
  });
  expect(single).toEqual(whole);
  return whole!;
};

describe.each([call, `<|start|>assistant${call}`, `<|start|>assistant${call}\n<|start|>assistant${call}`])(
  "code around a message with a call that is the whole reply is dropped: %s",
  (written) => {
    const calls = written
      .split("<|call|>")
      .slice(1)
      .map(() => "ship_order");

    test.each([
      ["```\n", "\n```"],
      ["```text\n", "\n```\n"],
      ["~~~~\n", "\n~~~~"],
      ["`", "`"],
      ["", ""],
    ])("%j", (before, after) => {
      for (const protocol of ["harmony", "hermes", "auto"] as const)
        expect(shown(before + written + after, protocol)).toEqual({ calls, invalid: 0, text: "" });
    });

    test("and with words before it quotes the call", () => {
      for (const reply of [`Write:\n\`\`\`\n${written}\n\`\`\`\nYes.`, `Write \`${written}\` so.`])
        expect(shown(reply)).toEqual({ calls: [], invalid: 0, text: reply });
    });
  },
);
