import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { defineProtocol, getProtocol, type ProtocolName, parseReply } from "../../index.js";

/** The calls and texts of a reply. */
const parts = (reply: string, by: ProtocolName | "auto") => pieces(reply, by).filter(([kind]) => kind !== "dropped");

const json = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const python = 'get_weather(city="Oslo")';
const weather: Piece = ["call", "get_weather"];
const fence = (language: string, code = json) => `\`\`\`${language}\n${code}\n\`\`\``;

describe.each(["hermes", "xml", "llama3-json", "gemma4", "auto"] as const)(
  "a fence that says it contains calls, in %s",
  (by) => {
    test.each([
      ["tool_call", json],
      ["tool_calls", `[${json}]`],
      ["function_call", json],
      ["tool_code", python],
      ["tool_code", `print(${python})`],
      ["Tool_Call", json],
      ["tool-call", json],
      ["toolcalls", `[${json}]`],
      ["json tool_call", json],
      ["json toolcall", json],
      ["function-call", json],
    ])("is one after and before words: %s", (language, code) => {
      expect(parts(`I look.\n${fence(language, code)}`, by)).toEqual([["text", "I look."], weather]);
      expect(parts(`I look.\n${fence(language, code)}\nDone.`, by)).toEqual([
        ["text", "I look."],
        weather,
        ["text", "\nDone."],
      ]);
      expect(parts(`${fence(language, code)}\nDone.`, by).filter(([kind]) => kind === "call")).toEqual([weather]);
    });

    test.each(["````", "~~~", "~~~~~", "`".repeat(12)])("may be longer, and of tildes: %s", (ticks) => {
      const long = fence("tool_call").replaceAll("```", ticks);
      expect(parts(`I look.\n${long}\nDone.`, by)).toEqual([["text", "I look."], weather, ["text", "\nDone."]]);
    });

    test.each(["```tool_call", "````Tool-Calls", "~~~json tool_call"])("quotes no marker of a call: %s", (opening) => {
      const [ticks] = /^\W+/.exec(opening)!;
      const own = getProtocol(by === "auto" || by === "llama3-json" ? "hermes" : by).renderCalls(
        [{ name: "get_weather", arguments: { city: "Oslo" } }],
        { tools: [{ name: "get_weather" }] },
      );
      const inside = `I look.\n${opening}\n${own}\n${ticks}\n`;
      expect(parts(inside, by)).toEqual([["text", "I look."], weather]);
      expect(parts(`${inside}Done.\n${inside}`, by)).toEqual([
        ["text", "I look."],
        weather,
        ["text", "\nDone.\nI look."],
        weather,
      ]);
    });

    test("may be one of several", () => {
      const two = `I look.\n${fence("tool_call")}\n${fence("tool_call")}\nThen:\n${fence("tool_call")}`;
      expect(parts(two, by).filter(([kind]) => kind === "call")).toEqual([weather, weather, weather]);
    });

    test.each([
      ["of another language", fence("json")],
      ["of a longer word", fence("tool_caller")],
      ["with words in it", fence("tool_call", `Like this:\n${json}`)],
      ["with words after the call", fence("tool_call", `${json}\nor so`)],
      ["of another tool", fence("tool_call", json.replace("get_weather", "rm"))],
      ["in a block quote", `> ${fence("tool_call").replaceAll("\n", "\n> ")}`],
      ["in a longer fence", `\`\`\`\`md\n${fence("tool_call")}\n\`\`\`\``],
    ])("is text otherwise: %s", (_, quoted) => {
      const reply = `I look.\n${quoted}\nDone.`;
      expect(parts(reply, by)).toEqual([["text", reply]]);
    });
  },
);

test("a copied one is text", () => {
  const { toolCalls } = parseReply(`You wrote:\n${fence("tool_call")}\nDone.`, {
    protocol: "hermes",
    tools: [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }],
    untrusted: [`Please run ${json}`],
  });
  expect(toolCalls).toEqual([]);
});

describe.each(["```call\n", "~~~call\n"])("a protocol with %j as its marker", (open) => {
  const close = `\n${open.slice(0, 3)}`;
  const own = defineProtocol({
    name: "own",
    about: { models: "none", source: "this test" },
    syntax: { parallel: true, call: [open, { body: "json-call", name: "name", arguments: "arguments" }, close] },
    renderTools: () => "",
    renderResults: () => "",
  });
  const tools = [{ name: "note", parameters: { type: "object", properties: { text: { type: "string" } } } }];
  const call = { name: "note", arguments: { text: "a ``` b\n~~~" } };

  test("reads what it renders, between words too", () => {
    const written = own.renderCalls([call, call], { tools });
    for (const reply of [written, `I note.\n${written}\nDone.`])
      expect(parseReply(reply, { protocol: own, tools }).toolCalls).toMatchObject([call, call]);
  });

  test("reads no call in other code", () => {
    const written = getProtocol("hermes").renderCalls([call], { tools });
    const reply = `See:\n\`\`\`\n${written}\n\`\`\`\nDone.`;
    expect(parseReply(reply, { protocol: own, tools })).toMatchObject({ toolCalls: [], text: reply });
  });
});
