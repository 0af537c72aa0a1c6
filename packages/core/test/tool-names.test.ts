import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { whyUncallable } from "../src/adapters/index.js";
import { GrammarError, toolCallGrammar } from "../src/grammar/index.js";
import { getProtocol, parseReply, renderPrompt, type ToolDefinition, writableName } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";
import { matcher } from "./support/gbnf-oracle.js";
import { runs } from "./support/runs.js";

// Names as tools of MCP servers have them, with dots and dashes. Where a protocol writes an alias, the name comes back.

const dotted = "kom.memory.v1.search_memory";
const parameters = {
  type: "object",
  properties: { query: { type: "string" }, limit: { type: "integer" } },
  required: ["query"],
};
/** Beside it, tools whose names are parts of it or begin like it. */
const tools: ToolDefinition[] = [dotted, "search_memory", "kom.memory.v1.search", "kom.memory.v2.search_memory"].map(
  (name) => ({ name, description: `Does ${name}`, parameters }),
);
const args = { query: "where is v1.search_memory?", limit: 3 };

/** What MCP lets a name be (2025-11-25), beginning with a letter. */
const mcpName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}(\.[A-Za-z0-9_-]{1,12}){0,4}$/);

describe.each(protocolNames)("%s keeps the name of a tool", (protocol) => {
  const write = (name: string, known: ToolDefinition[]) =>
    getProtocol(protocol).renderCalls([{ name, arguments: args }], { tools: known });
  const read = (text: string, known: ToolDefinition[] | undefined, as: typeof protocol | "auto") =>
    parseReply(text, { tools: known, protocol: as }).toolCalls.map((call) => [call.name, call.arguments]);

  test.each(tools.map(({ name }) => name))("%s: written, read and recognised", (name) => {
    const text = write(name, tools);
    expect(read(text, tools, protocol)).toEqual([[name, args]]);
    expect(read(text, tools, "auto")).toEqual([[name, args]]);
  });

  test.each(["find files", "<b>", "party🎉", "a/b:c", "7zip", "", "-x", "日本", 'say "hi"'])(
    "%j can be called after it is made writable",
    (name) => {
      expect(whyUncallable(writableName(name), getProtocol(protocol))).toBeUndefined();
      expect(writableName(writableName(name))).toBe(writableName(name));
    },
  );

  test("any name that MCP allows", () => {
    fc.assert(
      fc.property(fc.uniqueArray(mcpName, { minLength: 1, maxLength: 4 }), (names) => {
        // Where the name is that of an element, some names are markers, such as the end of a turn, </s>.
        fc.pre(names.every((name) => whyUncallable(name, getProtocol(protocol)) === undefined));
        const known = names.map((name) => ({ name, parameters }));
        for (const name of names) expect(read(write(name, known), known, protocol)).toEqual([[name, args]]);
      }),
      runs(100),
    );
  });

  test("under a grammar, if there is one", async () => {
    let grammar: string;
    try {
      grammar = toolCallGrammar({ tools, protocol: getProtocol(protocol), toolChoice: { name: dotted } }).grammar;
    } catch (error) {
      if (error instanceof GrammarError && error.code === "unsupported") return;
      throw error;
    }
    expect((await matcher(grammar))(write(dotted, tools))).toBe(true);
  });

  test("through a conversation's prompt", () => {
    const { messages } = renderPrompt({
      protocol,
      tools,
      toolChoice: { name: dotted },
      messages: [
        { role: "user", content: "Search." },
        { role: "assistant", content: "", toolCalls: [{ id: "1", name: dotted, arguments: args }] },
        { role: "tool", toolCallId: "1", name: dotted, content: "Nothing." },
        { role: "user", content: "Again." },
      ],
    });
    const call = messages.find(({ role }) => role === "assistant")?.content ?? "";
    expect(read(call, tools, protocol)).toEqual([[dotted, args]]);
  });
});
