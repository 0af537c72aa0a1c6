import { describe, expect, it } from "vitest";
import { createReplyParser, parseReply } from "../full/index.js";
import type { ToolDefinition } from "../types.js";

const tools: ToolDefinition[] = [
  {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer" },
        options: { type: "object", properties: { unit: { type: "string" } } },
      },
      required: ["city"],
    },
  },
];

const args = (protocol: "xml" | "am-xml" | "hermes", text: string) =>
  parseReply(text, { tools, protocol }).toolCalls.map((call) => call.arguments);

const paris = [{ city: "Paris" }];

describe("variants of am-xml", () => {
  it.each([
    ["arguments as attributes", '<am:tool_call name="get_weather" city="Paris"/>'],
    ["single quotes", "<am:tool_call name='get_weather'><city>Paris</city></am:tool_call>"],
    ["no prefix", '<tool_call name="get_weather"><city>Paris</city></tool_call>'],
    ["another prefix", '<ns:tool_call name="get_weather"><city>Paris</city></ns:tool_call>'],
    ["no prefix where it closes", '<am:tool_call name="get_weather"><city>Paris</city></tool_call>'],
    ["the prefix on children", '<am:tool_call name="get_weather"><am:city>Paris</am:city></am:tool_call>'],
    ["another case", '<AM:Tool_Call name="get_weather"><City>Paris</CITY></AM:TOOL_CALL>'],
    ["JSON", '<am:tool_call name="get_weather">{"city": "Paris"}</am:tool_call>'],
    ["the name as a child", "<am:tool_call><name>get_weather</name><city>Paris</city></am:tool_call>"],
    ["an element around arguments", '<am:tool_call name="get_weather"><args><city>Paris</city></args></am:tool_call>'],
    ["an id", '<am:tool_call id="1" name="get_weather"><city>Paris</city></am:tool_call>'],
    ["a comment", '<am:tool_call name="get_weather"><!-- where --><city>Paris</city></am:tool_call>'],
  ])("with %s", (_, text) => {
    expect(args("am-xml", text)).toEqual(paris);
  });

  it("streams long attribute values", () => {
    const parser = createReplyParser({ tools, protocol: "am-xml" });
    const city = "x".repeat(5000);
    const events = [...`<am:tool_call name="get_weather" city="${city}`].flatMap((char) => parser.push(char));
    const sent = events.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");
    expect(sent.length).toBeGreaterThan(4800);
  });
});

describe("variants of xml", () => {
  it.each([
    ["children in the arguments", "<name>get_weather</name><arguments><city>Paris</city></arguments>"],
    ["children beside the name", "<name>get_weather</name><city>Paris</city>"],
    ["JSON beside the name", '<name>get_weather</name>{"city": "Paris"}'],
    ["the arguments first", '<arguments>{"city": "Paris"}</arguments><name>get_weather</name>'],
    [
      "comments",
      '<!-- 1 --><name>get_weather</name><!-- 2 --><arguments><!-- 3 -->{"city": "Paris"}<!-- 4 --></arguments>',
    ],
    ["a CDATA section", '<name>get_weather</name><arguments>\n<![CDATA[\n{"city": "Paris"}\n]]>\n</arguments>'],
    ["a fence in the arguments", '<name>get_weather</name><arguments>```json\n{"city": "Paris"}\n```</arguments>'],
    ["another name for the arguments", '<name>get_weather</name><parameters>{"city": "Paris"}</parameters>'],
  ])("with %s", (_, inside) => {
    expect(args("xml", `<tool_call>${inside}</tool_call>`)).toEqual(paris);
    expect(args("xml", `<x:Tool_Call>\n${inside}\n</x:Tool_Call>`)).toEqual(paris);
  });

  describe.each(["tool_call", "tool_use", "function_call"])("in <%s>", (tag) => {
    const tags = ["name", "tool_name", "tool", "function_name"].flatMap((name) =>
      ["arguments", "parameters", "args", "input", "params", "tool_input"].map((given) => [name, given]),
    );
    it.each(tags)("with the name in <%s> and the arguments in <%s>", (name, given) => {
      for (const body of ['{"city": "Paris"}', "<city>Paris</city>"]) {
        const inside = `<${name}>get_weather</${name}>\n<${given}>${body}</${given}>`;
        expect(args("xml", `<${tag}>\n${inside}\n</${tag}>`)).toEqual(paris);
        expect(args("hermes", `<${tag}>\n${inside}\n</${tag}>`)).toEqual(paris);
      }
    });
  });

  it("with several calls in one tag", () => {
    const pair = (city: string) => `<name>get_weather</name>\n<arguments>{"city": "${city}"}</arguments>\n`;
    const text = `<tool_call>\n${pair("Paris")}${pair("Rome")}${pair("Oslo")}</tool_call> There.`;
    const { toolCalls, text: answer } = parseReply(text, { tools, protocol: "xml" });
    expect(toolCalls.map((call) => call.arguments)).toEqual([{ city: "Paris" }, { city: "Rome" }, { city: "Oslo" }]);
    expect(toolCalls.map((call) => call.repairs?.[0]?.code)).toEqual(["missing-closer", "missing-closer", undefined]);
    expect(answer).toBe("There.");
  });

  it("with attributes", () => {
    expect(args("xml", '<tool_call name="get_weather" city="Paris"/>')).toEqual(paris);
    expect(args("xml", '<tool_call name="get_weather">{"city": "Paris"}</tool_call>')).toEqual(paris);
  });

  it("writes nested schemas as nested elements", () => {
    const inside = "<city>Paris</city><options><unit>c</unit></options><days>2</days>";
    expect(args("xml", `<tool_call><name>get_weather</name>${inside}</tool_call>`)).toEqual([
      { city: "Paris", options: { unit: "c" }, days: 2 },
    ]);
  });
});

describe("the form of Anthropic's guide of 2023", () => {
  const inside = (given: string) =>
    `<invoke>\n<tool_name>get_weather</tool_name>\n<parameters>\n${given}\n</parameters>\n</invoke>`;
  const block = (...calls: string[]) => `<function_calls>\n${calls.join("\n")}\n</function_calls>`;

  it.each(["<city>Paris</city>", '<parameter name="city">Paris</parameter>', '{"city": "Paris"}'])(
    "is read with %s",
    (given) => {
      expect(args("xml", block(inside(given)))).toEqual(paris);
      expect(args("xml", block(inside(given), inside(given)))).toEqual([...paris, ...paris]);
    },
  );

  it("is read in other protocols, up to results that the model makes up", () => {
    const made = "\n<function_results>\n<result>\n<stdout>sunny</stdout>\n</result>\n</function_results>";
    expect(args("am-xml", block(inside("<city>Paris</city>")) + made)).toEqual(paris);
  });

  it.each(["Write <invoke> to call.", "The tags are <invoke>, <tool_name> and <parameters>."])(
    "is text in %s",
    (text) => expect(parseReply(text, { tools, protocol: "xml" })).toMatchObject({ text, invalidToolCalls: [] }),
  );
});
