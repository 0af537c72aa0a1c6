import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conversationOf, integer, text, toolOf, weather } from "../../test/support/scripted-conversation.js";
import { readTriggers } from "./index.js";

const search = {
  name: "search",
  parameters: {
    type: "object",
    properties: {
      query: { type: "string" },
      limit: { type: "integer" },
      exact: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["query"],
  },
};
const tools = [search, { name: "now", parameters: { type: "object", properties: {} } }, weather()];
const aliases = { weather: { alias: "W" } };
const read = (content: string) => readTriggers(content, { tools, aliases });
const made = (content: string) => read(content).calls.map(({ name, arguments: args }) => [name, args]);

describe("a trigger", () => {
  it.each([
    ['[#W: "San Francisco"]', [["weather", { city: "San Francisco" }]]],
    ["[#W: San Francisco]", [["weather", { city: "San Francisco" }]]],
    ['[#search: query="x", limit=3]', [["search", { query: "x", limit: 3 }]]],
    ['[#search: "x, y]", 3, true]', [["search", { query: "x, y]", limit: 3, exact: true }]]],
    ["[#search: limit=3, 'it\\'s']", [["search", { query: "it's", limit: 3 }]]],
    ['[#search: x, tags=["a", "b, ]"]]', [["search", { query: "x", tags: ["a", "b, ]"] }]]],
    ["[#S: que=x]", [["search", { query: "x" }]]],
    ['[#search:"\\\\"]', [["search", { query: "\\" }]]],
    ["[#now]", [["now", {}]]],
    ["[#now:]", [["now", {}]]],
    [
      "[#now][#W:Oslo]",
      [
        ["now", {}],
        ["weather", { city: "Oslo" }],
      ],
    ],
    ["[#search: 5]", [["search", { query: "5" }]]],
    ["[#W: “San Francisco”]", [["weather", { city: "San Francisco" }]]],
    ["[#search: query=„x, y]“ , limit=3]", [["search", { query: "x, y]", limit: 3 }]]],
    ["[#search: ‘it’s’, 3]", [["search", { query: "it’s", limit: 3 }]]],
    ["[#W: «Oslo»]", [["weather", { city: "Oslo" }]]],
    ["[#search: “New” York, “3”]", [["search", { query: "“New” York", limit: 3 }]]],
    ["[#W: ‘90s]", [["weather", { city: "‘90s" }]]],
  ])("is a call: %s", (content, calls) => {
    expect(made(content)).toEqual(calls);
    expect(read(content)).toMatchObject({ text: "", invalid: [] });
  });

  it.each([
    "[#unknown: x]",
    "[#W: x",
    '[#W: "x]',
    "[#W: x\n]",
    "\\[#W: x]",
    "[# W: x]",
    "[W: x]",
    "Write `[#W: Oslo]`.",
    "``[#W: `Oslo`]``",
    "```\n[#W: Oslo]\n```\nSo.",
    "~~~md\n[#W: Oslo]",
    "[#W: x,, y]",
    '[#W: "x" y]',
  ])("is text: %s", (content) => {
    expect(read(content)).toEqual({ text: content, calls: [], invalid: [] });
  });

  it("is text in a fence, which no indented line closes or opens", () => {
    expect(made("```\n    ```\n[#now]\n```")).toEqual([]);
    expect(made("    ```\n[#now]")).toEqual([["now", {}]]);
  });

  it("is removed from the text around it", () => {
    expect(read("How is it? [#W: Oslo] And when? [#now]")).toMatchObject({ text: "How is it? And when?" });
    expect(read("`a` [#W: Oslo] `b`").calls).toHaveLength(1);
    expect(read("An odd ` tick [#W: Oslo]").calls).toHaveLength(1);
  });

  it.each(["[#search: limit=3]", "[#search: x, limit=many]", "[#W: San Francisco, CA]", "[#now: 3]"])(
    "is reported if it does not match: %s",
    (content) => {
      const { calls, invalid } = read(content);
      expect(calls).toEqual([]);
      expect(invalid).toMatchObject([{ raw: content, error: { code: "invalid-arguments" } }]);
    },
  );

  it("accepts any text in quotes", () => {
    const plain = fc.string().filter((value) => !value.includes("\n"));
    fc.assert(
      fc.property(plain, fc.constantFrom('"', "'"), (value, quote) => {
        const quoted = quote + value.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`) + quote;
        expect(made(`[#W: ${quoted}]`)).toEqual([["weather", { city: value }]]);
      }),
    );
  });

  it("never throws, and removes only what it calls", () => {
    const parts = fc.constantFrom(
      "[#W:",
      "[#now",
      "]",
      '"',
      "'",
      ",",
      "=",
      "`",
      "```\n",
      "“",
      "”",
      "\\",
      " ",
      "x",
      "[",
      "{",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (pieces) => {
        const content = pieces.join("");
        const { text: left, calls, invalid } = read(content);
        if (calls.length + invalid.length === 0) expect(left).toBe(content);
        else expect(left.length).toBeLessThan(content.length);
      }),
    );
  });
});

describe("a message with a trigger", () => {
  const message = "How is it? [#weather: Oslo]";

  it.each([
    ["off", true],
    ["direct", false],
    ["prompt", false],
  ] as const)("is only text: %s, trusted: %s", async (triggers, trusted) => {
    const tool = weather();
    const { conversation, requests } = conversationOf(["I see."], { tools: [tool], triggers });
    await conversation.run(message, { trusted }).result();
    expect(tool.runs).toEqual([]);
    expect(requests[0]!.messages.at(-1)!.content).toBe(message);
  });

  it("makes the call without the model: direct", async () => {
    const tool = weather();
    const { conversation, requests, last } = conversationOf(["Fine."], { tools: [tool], triggers: "direct" });
    expect(await conversation.run(message, { trusted: true }).result()).toMatchObject({ text: "Fine." });
    expect(tool.runs).toEqual([{ city: "Oslo" }]);
    expect(requests).toHaveLength(1);
    expect(last()).toContain("Fine in Oslo.");
    expect(conversation.messages[0]!.content).toBe("How is it?");
  });

  it("needs approval like any other call", async () => {
    const tool = weather({ needsApproval: true });
    const { conversation, requests } = conversationOf(["Fine."], { tools: [tool], triggers: "direct" });
    const { pending } = await conversation.run("[#weather: Oslo]", { trusted: true }).result();
    expect(pending).toMatchObject([{ why: "approval" }]);
    expect(requests).toHaveLength(0);
    expect(tool.runs).toEqual([]);
  });

  it("shows the model the arguments that did not match: direct", async () => {
    const tool = toolOf("look", { n: integer }, () => "x");
    const { conversation, last } = conversationOf(["I see."], {
      tools: [tool],
      triggers: "direct",
      budget: { steps: 5 },
    });
    const result = await conversation.run("[#look: many]", { trusted: true }).result();
    expect(result).toMatchObject({ text: "I see.", stopReason: "answer" });
    expect(tool.runs).toEqual([]);
    expect(last()).toContain("do not match");
  });

  it("asks the model to make the call: prompt", async () => {
    const tool = weather();
    const call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
    const { conversation, requests } = conversationOf([call, "Fine."], {
      tools: [tool],
      triggers: "prompt",
      prefill: false,
    });
    expect(await conversation.run(message, { trusted: true }).result()).toMatchObject({ text: "Fine." });
    const asked = requests[0]!.messages.at(-1)!.content;
    expect(asked).toContain("The user asks for these tool calls");
    expect(asked).toContain('{"name":"weather","arguments":{"city":"Oslo"}}');
    expect(tool.runs).toEqual([{ city: "Oslo" }]);
  });

  it("is returned as calls from send()", async () => {
    const { conversation } = conversationOf(["Fine."], {
      tools: [{ name: "weather", parameters: { properties: { city: text } } }],
      triggers: "direct",
    });
    const turn = await conversation.send("[#weather: Oslo]", { trusted: true });
    expect(turn).toMatchObject({ stopReason: "needs-results", toolCalls: [{ arguments: { city: "Oslo" } }] });
  });
});

describe("the same trigger three times", () => {
  it("makes the call twice, and the run continues", async () => {
    const tool = weather();
    const { conversation } = conversationOf(["It is fine."], { tools: [tool], triggers: "direct" });
    const result = await conversation.run("[#weather: Oslo] ".repeat(3), { trusted: true }).result();
    expect(result).toMatchObject({ stopReason: "answer", text: "It is fine." });
    expect(tool.runs).toEqual([{ city: "Oslo" }, { city: "Oslo" }]);
  });
});

describe("wrong arguments", () => {
  const tools = [{ name: "weather", parameters: { properties: { city: text } } }];
  it.each<[unknown, object | undefined, string]>([
    [5, { tools }, "`content` is a string, not 5"],
    ["Hi.", undefined, "options of readTriggers must be an object"],
    ["Hi.", {}, "`tools` is missing"],
    ["Hi.", { tools: {} }, "`tools` is a list of tools"],
    ["Hi.", { tools: [{ nam: "weather" }] }, "Tool #1 has no name"],
    ["Hi.", { tools, alias: {} }, "aliases"],
    ["Hi.", { tools, aliases: { weather: "W" } }, 'such as { alias: "W" }'],
    ["Hi.", { tools, generateId: 5 }, "`generateId` is a function"],
  ])("%j %j are refused by name, in any message", (content, options, words) => {
    expect(() => readTriggers(content as string, options as never)).toThrow(words);
  });
});
