import { describe, expect, it } from "vitest";
import { listTools } from "../tool-text/index.js";
import type { ToolDefinition, ToolResult } from "../types.js";
import { amXml } from "./am-xml.js";

const calculator: ToolDefinition = {
  name: "calculator",
  description: "Add two integers",
  parameters: {
    type: "object",
    properties: { a: { type: "integer", description: "First number" }, b: { type: "integer" } },
    required: ["a"],
  },
};
const tag: ToolDefinition = {
  name: "tag",
  parameters: {
    type: "object",
    properties: { labels: { type: "array", items: { type: "string" } } },
    required: ["labels"],
  },
};
const auto = { style: "native", toolChoice: "auto", parallel: true, listTools } as const;
const failed: ToolResult = {
  toolCallId: "1",
  name: "calculator",
  content: "TypeError [E_NUM]: a < b & c\n    at add (/srv/tools.js:1:1)",
  isError: true,
};

describe("amXml", () => {
  it("shows tools as elements with an example of a real one", () => {
    const section = amXml().renderTools([calculator], auto);
    expect(section).toContain(
      [
        "<am:tools>",
        '<am:tool name="calculator" description="Add two integers">',
        '<parameter name="a" type="integer" description="First number" required="true"/>',
        '<parameter name="b" type="integer"/>',
        "</am:tool>",
        "</am:tools>",
      ].join("\n"),
    );
    expect(section).toContain('<am:tool_call name="calculator"><a>1</a></am:tool_call>');
  });

  it("embeds the JSON Schema when asked to", () => {
    const section = amXml({ definitions: "schema" }).renderTools([calculator], auto);
    expect(section).toContain('<am:tool name="calculator" description="Add two integers"><schema>{"type":"object"');
  });

  it("teaches and writes one form for arrays and objects", () => {
    const calls = [{ name: "tag", arguments: { labels: ["a<b", "c"] } }];
    const json = amXml();
    expect(json.renderTools([tag], auto)).toContain('<labels>["..."]</labels>');
    expect(json.renderCalls(calls, { tools: [tag] })).toBe(
      '<am:tool_call name="tag"><labels>["a&lt;b", "c"]</labels></am:tool_call>',
    );
    const nested = amXml({ structured: "nested" });
    expect(nested.renderTools([tag], auto)).toContain("<labels><item>...</item></labels>");
    expect(nested.renderTools([tag], auto)).toContain("one <item> for each value");
    expect(nested.renderCalls(calls, { tools: [tag] })).toBe(
      '<am:tool_call name="tag"><labels><item>a&lt;b</item><item>c</item></labels></am:tool_call>',
    );
  });

  it("writes results as text and failures by their message", () => {
    const good: ToolResult = { toolCallId: "0", name: 'say "hi"', content: "1 < 2 & 3" };
    expect(amXml().renderResults([good, failed], { tools: [] })).toBe(
      '<am:tool_result name="say &quot;hi&quot;">1 &lt; 2 &amp; 3</am:tool_result>\n<am:tool_error name="calculator">a &lt; b &amp; c</am:tool_error>',
    );
  });

  it("shows the error's class and code on demand, and never its stack", () => {
    expect(amXml({ errors: "detailed" }).renderResults([failed], { tools: [] })).toBe(
      '<am:tool_error name="calculator" type="TypeError" code="E_NUM">a &lt; b &amp; c</am:tool_error>',
    );
  });

  it("never writes a self-closing call", () => {
    expect(amXml().renderCalls([{ name: "now", arguments: {} }], { tools: [] })).toBe(
      '<am:tool_call name="now"></am:tool_call>',
    );
  });
});
