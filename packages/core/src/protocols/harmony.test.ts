import { describe, expect, test } from "vitest";
import { parseReply } from "../index.js";

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
